"""Which embedding provider answers."""
