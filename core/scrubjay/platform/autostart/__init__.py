"""What the system starts when a person logs in."""
