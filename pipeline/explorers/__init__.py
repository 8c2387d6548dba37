"""From a live application to its UI graph and its features with effect models."""
