"""Settings: one JSON5 file, read without ever failing and written without disturbing it."""
