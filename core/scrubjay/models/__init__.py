"""Embedding models: the catalogue, and the files on this computer."""
