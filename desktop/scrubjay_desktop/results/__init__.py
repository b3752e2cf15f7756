"""Rows of hits."""
