"""The list of folders, and the status of each."""
