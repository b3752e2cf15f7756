"""The index: one SQLite file for each workspace, one writer, many readers."""
