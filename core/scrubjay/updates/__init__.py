"""Check for a newer version. Nothing is ever installed."""
