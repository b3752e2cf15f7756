"""Reusable widgets that know nothing of notes."""
