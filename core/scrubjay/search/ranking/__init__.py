"""Ranking of candidates as passages."""
