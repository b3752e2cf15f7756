"""The preview of one note."""
