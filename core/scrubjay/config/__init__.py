"""Settings: one JSON5 file, whose reading never fails and whose edits keep its layout."""
