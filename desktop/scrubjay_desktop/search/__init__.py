"""The search box, its chips and the live search."""
