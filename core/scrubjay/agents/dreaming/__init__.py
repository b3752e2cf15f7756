"""Promotion of notes that agents look up often to MEMORY.md."""
