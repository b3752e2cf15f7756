"""The agents page."""
