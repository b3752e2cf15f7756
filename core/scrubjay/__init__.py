"""Scrubjay's core: finds notes by their words and by their meaning, on this computer."""
