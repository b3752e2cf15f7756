"""Candidates for a query, read from the index."""
