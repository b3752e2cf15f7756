"""Names of files and folders: which systems can have them, and which names one system confuses."""

from __future__ import annotations

import re
import unicodedata

from scrubjay.concurrency.lazy_pattern import lazy_pattern

_DEVICES = lazy_pattern(
    r"(con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³]|conin\$|conout\$) *(\.|$)", re.IGNORECASE
)
DEVICES = "CON, PRN, AUX, NUL, CONIN$, CONOUT$, COM0 – COM9, LPT0 – LPT9"
"""Names that Windows takes for devices, for people."""
_UNPORTABLE = lazy_pattern(
    r'[<>:"\\|?*\x00-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]'
)
"""Letters that Windows forbids in names, and those that nobody sees."""


def is_device_name(name: str) -> bool:
    """Whether Windows takes a file or folder of this name for a device."""
    return _DEVICES.match(name) is not None


def is_portable_name(name: str) -> bool:
    """Whether every system can have a file or folder of this name."""
    is_trimmed = name == name.strip() and not name.endswith(".")
    return is_trimmed and not _UNPORTABLE.search(name) and not is_device_name(name)


def file_name_key(name: str) -> str:
    """A form that two names or paths share if some file system takes them for one.

    They may differ in case and in the form of accents; Unicode calls this a canonical caseless
    match (section 3.13). A letter may be folded to several, which are composed again.
    """
    if name.isascii():
        return name.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", name).casefold())
