"""Finds what was written down, by its words and by its meaning, on this computer."""
