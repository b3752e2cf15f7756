"""Windows, and the navigation and status lines in them."""
