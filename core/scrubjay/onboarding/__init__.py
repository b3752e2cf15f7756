"""Notes and set-ups of other programs that are on this computer already."""
