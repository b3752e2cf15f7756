"""Files of other programs, converted to text by a child process."""
