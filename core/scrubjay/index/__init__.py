"""The way from files on disk to the store."""
