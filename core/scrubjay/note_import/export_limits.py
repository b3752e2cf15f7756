"""Limits of exports. A file beyond them is not an export of notes, or it is an attack."""

from scrubjay.messages import msg

MOST_MEMORY = 2 * 2**30
"""Bytes of memory of the child process: some programs write all notes into one file."""
NEEDS_MORE_MEMORY = msg("The export needs more memory than Scrubjay allows for one export.")
"""Refusal of an export for which that is not enough."""

MOST_TEXT = 16 * 1024 * 1024
"""Bytes of one note."""
MOST_ATTACHMENT = 1024 * 1024 * 1024
"""Bytes of one attachment."""
MOST_ENTRIES = 500_000
"""Files of an export."""
MOST_ARCHIVE = 128 * 1024 * 1024
"""Bytes of an `.mht`, which is read whole."""
MOST_RATIO = 200
"""Bytes for each byte of an archive that it may unfold to, beside those that are free."""
FREE_BYTES = 256 * 1024 * 1024
"""Bytes that any archive may unfold to."""
STEP_S = 120.0
"""Seconds for a note, or for finding out what an export is; most take a hundredth of one."""
BYTES_A_SECOND = 4 * 2**20
"""Bytes of a whole export for which a step may take a second more: its notes may refer to each
other, so that all are read before the first."""
MOST_LETTERS = 1_000
"""Letters of a title, a name, a tag or a value in the front matter."""
MOST_NAMES = 10_000
"""Attachments or tags of a note."""
MOST_MADE = 100
"""Temporary files at a time: each may take a descriptor, and two or one for each part are used."""
