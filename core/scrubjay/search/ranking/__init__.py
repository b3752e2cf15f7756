"""Candidates turned into ranked passages."""
