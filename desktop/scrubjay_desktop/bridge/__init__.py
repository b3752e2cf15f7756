"""The only door between threads of the core and the GUI thread."""
