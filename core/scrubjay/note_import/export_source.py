"""The files that an export consists of, as the process that reads it gets them."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Mapping
from typing import BinaryIO

from msgspec import Struct


class ExportSource(Struct, frozen=True):
    """A file or a folder that is an export."""

    name: str
    """Name of the file or folder."""
    is_folder: bool
    sizes: Mapping[str, int]
    """Bytes of each file by its label in the folder; of the file itself by its name."""
    open: Callable[[str], BinaryIO]
    """Opener of a file, whose stream can be read from any place. May raise OSError."""
    new_file: Callable[[], BinaryIO]
    """Maker of an empty file to write and to read again, which is gone once it is closed."""
    has_attachments: bool
    """Whether attachments are wanted; otherwise they are only counted."""

    @property
    def ending(self) -> str:
        """End of the name in lower case, with its dot."""
        return posixpath.splitext(self.name)[1].lower()

    @property
    def stem(self) -> str:
        """The name without its ending."""
        return posixpath.splitext(self.name)[0]
