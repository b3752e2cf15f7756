"""Embedding providers that are asked over HTTP: their interfaces, and how they are asked."""
