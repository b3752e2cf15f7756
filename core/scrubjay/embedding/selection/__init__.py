"""The choice of the embedding provider."""
