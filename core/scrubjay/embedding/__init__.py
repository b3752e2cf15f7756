"""Turns text into vectors: the provider protocol and the local model in its own process."""
