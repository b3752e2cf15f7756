"""Threads, cancelling, timers and I/O timeouts."""
