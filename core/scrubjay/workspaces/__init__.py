"""The list of folders and what is known of each."""
