"""Windows and what frames them."""
