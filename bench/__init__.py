"""Measures speed, size and quality; `make bench` prints a table and writes `build/bench.json`."""
