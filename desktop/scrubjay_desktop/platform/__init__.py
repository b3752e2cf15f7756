"""Parts that differ by operating system."""
