"""Limits of the child process that reads documents."""

from scrubjay.messages import msg

MOST_MEMORY = 2**30
"""Bytes of memory, of which the interpreter takes up to 100 MB."""
NEEDS_MORE_MEMORY = msg("The document needs more memory than Scrubjay allows for one document.")
"""Refusal of a document for which that is not enough."""
