"""Readers of exports, one module for each format."""
