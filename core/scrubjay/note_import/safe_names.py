"""Names of files and folders made from titles, valid in every file system."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable

from scrubjay.notes.scan import NEVER_ENTERED
from scrubjay.platform.file_names import file_name_key, is_device_name

_MOST_BYTES = 120
"""Bytes of a name without its ending: file systems take 255, encrypted ones 143."""
_MOST_LETTERS = 1_000
"""Letters of a title that are read: accents in a row take time in the square of their number."""
_FORBIDDEN = re.compile(
    r'[<>:"/\\|?*#^\[\]`\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]+'
)
"""Letters that Windows or wiki links forbid in names, and those that nobody sees."""
_SUFFIX = re.compile(r"\.[A-Za-z0-9]{1,10}$")


def safe_name(title: str, instead: str = "Untitled") -> str:
    """A name for a file without its ending, or for a folder."""
    # Halves of letters beyond the first 65,536 come from JSON, and no file system takes them.
    text = title[:_MOST_LETTERS].encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    text = _FORBIDDEN.sub(" ", unicodedata.normalize("NFC", text))
    text = " ".join(text.split()).strip(". ")
    text = text.encode()[:_MOST_BYTES].decode("utf-8", "ignore").rstrip(". ")
    # Cutting may leave an accent at the end that joins otherwise.
    text = unicodedata.normalize("NFC", text)
    # Windows takes some names for devices, and scans enter some folders never.
    if is_device_name(text) or text.casefold() in NEVER_ENTERED:
        text = f"_{text}"
    return text or instead


def safe_file_name(name: str) -> str:
    """A name for an attachment, with its ending."""
    base = re.split(r"[/\\]", name)[-1]
    match = _SUFFIX.search(base)
    if match is None:
        return safe_name(base, "file")
    return safe_name(base[: match.start()], "file") + match[0].lower()


class TakenLabels:
    """Labels of files and folders that exist or will be created."""

    def __init__(self, labels: Iterable[str] = ()) -> None:
        self._taken = {file_name_key(label) for label in labels}
        self._numbers: Counter[str] = Counter()
        """Number of times a label was asked for: thousands of notes may have one title."""

    def add(self, label: str) -> None:
        """Take a label."""
        self._taken.add(file_name_key(label))

    def free(self, folder: str, name: str, suffix: str) -> str:
        """A label that is not taken, in any case of its letters: `Note.md`, then `Note 2.md`.

        It is another one each time.
        """
        stem = name
        if folder:
            stem = f"{folder}/{name}"
        first = file_name_key(f"{stem}{suffix}")
        # Going on from the last number keeps many notes of one title from taking ever longer.
        while True:
            self._numbers[first] += 1
            number = self._numbers[first]
            label = f"{stem} {number}{suffix}"
            if number == 1:
                label = f"{stem}{suffix}"
            if file_name_key(label) not in self._taken:
                return label
