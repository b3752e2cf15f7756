"""Start, quit and wiring of the app."""
