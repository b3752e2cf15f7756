"""Limits of the child process that reads pictures."""

from scrubjay.messages import msg

MOST_MEMORY = 3 * 2**29
"""Bytes of memory; models and libraries take 200 MB of them, a full page of text 400 MB."""
MOST_SECONDS = 90.0
"""Seconds for one picture; most take two."""
NEEDS_MORE_MEMORY = msg("The picture needs more memory than Scrubjay allows for one picture.")
"""Refusal of a picture for which that is not enough."""
FEWEST_BYTES = 2_048
"""Bytes of a picture file; a smaller one is most likely a line or an icon."""
TOO_SMALL = msg("The picture is too small to contain text.")
"""Refusal of icons and avatars."""
