"""Download of one file over HTTP that can be resumed."""
