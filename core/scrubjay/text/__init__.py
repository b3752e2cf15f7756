"""Tokens, languages and differences of text, without I/O."""
