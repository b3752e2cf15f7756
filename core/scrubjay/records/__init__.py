"""Frozen records without behaviour."""
