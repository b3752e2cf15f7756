"""Files on disk: found, read, chunked, watched and written."""
