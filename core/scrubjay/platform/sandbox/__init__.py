"""The operating system's fence around a process that reads what strangers wrote."""
