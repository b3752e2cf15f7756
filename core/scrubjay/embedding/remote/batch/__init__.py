"""Batch interfaces of remote providers."""
