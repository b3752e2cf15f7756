"""Measures of retrieval quality."""
