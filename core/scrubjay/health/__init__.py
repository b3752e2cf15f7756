"""Looks after notes and indexes: what needs a person, and what can be mended with a way back."""
