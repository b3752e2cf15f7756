"""Embedding with llama.cpp in a child process."""
