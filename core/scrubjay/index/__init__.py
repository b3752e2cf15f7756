"""Indexing: from files on disk to the store."""
