"""Limits of the child process that reads documents."""

from scrubjay.messages import msg

MOST_MEMORY = 2**30
"""Bytes of memory, of which the interpreter takes up to 100 MB."""
NEEDS_MORE_MEMORY = msg("The document needs more memory than Scrubjay allows for one document.")
"""Refusal of a document for which that is not enough."""
PAGES_WITHOUT_TEXT = msg(
    "{n} of {all} {all:page|pages} {n:has|have} no text and may contain only images."
)
"""Remark on a PDF file, or the refusal of one without any text."""
