"""Notes imported from exports of other programs."""
