"""Memories that a team shares: which are searched here, and which folders are published."""
