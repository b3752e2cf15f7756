"""Notes brought over from exports of other programs."""
