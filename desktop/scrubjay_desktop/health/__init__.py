"""The health and help pages."""
