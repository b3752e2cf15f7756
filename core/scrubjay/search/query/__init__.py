"""Queries parsed from the text of a question, without I/O."""
