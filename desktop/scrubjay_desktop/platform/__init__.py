"""What differs by operating system."""
