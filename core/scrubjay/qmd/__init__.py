"""QMD, a search program that can replace the built-in search if it is installed."""
