"""The operating system's sandbox around a process that reads untrusted files."""
