"""Embedding by llama.cpp in a child process."""
