"""The only home of httpx and tenacity: fetching and readiness, on allowed origins only."""
