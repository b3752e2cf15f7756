"""Downloads of files over HTTP, which can be resumed."""
