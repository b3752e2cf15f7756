"""Embedding models: what there is to have, and which files are here."""
