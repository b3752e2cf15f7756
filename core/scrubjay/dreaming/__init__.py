"""Finds out which daily notes agents look up again and again, and proposes them for MEMORY.md."""
