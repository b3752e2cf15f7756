"""Days and changes."""
