"""One adapter a file behind ``pipeline.domain.environment.Environment``; the only home of playwright."""
