"""Shared memories: those that are searched here, and the folders that are published."""
