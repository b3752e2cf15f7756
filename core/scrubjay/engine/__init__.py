"""The facade of the core and its wiring."""
