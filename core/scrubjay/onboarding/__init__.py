"""Notes and settings of other programs that are already on this computer."""
