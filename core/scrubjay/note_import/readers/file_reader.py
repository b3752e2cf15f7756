"""Base class of the readers of exports that consist of files in a known format."""

from __future__ import annotations

from scrubjay.note_import.export_files import Entries


class FileReader:
    """A reader of some of the files of an export."""

    def __init__(self, entries: Entries, names: tuple[str, ...]) -> None:
        """Names are those of the files with the notes."""
        self._entries = entries
        self._names = names
