"""The encoding that the bytes of a plain text are in."""

from __future__ import annotations

import codecs
import contextlib
import re

HEAD_BYTES = 2**18
"""Bytes at the beginning of a file that tell its encoding: one page of a huge file must not take
longer than others."""

_MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}

# What most old notes of the West are in: Windows-1252, with Latin-1 in it, and Mac Roman.

_WINDOWS = "cp1252"
_MAC = "mac_roman"
_LETTERS_OF_WINDOWS = re.compile(rb"[a-z][\xdf-\xf6\xf8-\xff]|[\xdf-\xf6\xf8-\xff][a-z]")
"""Small letters of Windows-1252 beside others; capitals and signs in Mac Roman."""
_LETTERS_OF_MAC = re.compile(
    rb"[a-z][\x86-\x90\x98\x9a-\x9f]|[\x86-\x90\x98\x9a-\x9f][a-z]|[a-z][\x91\x93-\x97\x99][a-z]"
)
"""Small letters of Mac Roman beside others; quotation marks, dashes and rare letters in
Windows-1252."""

# Names of codecs, and bytes that are not text.

_CODECS_OF_PROGRAMS = frozenset(
    {"punycode", "idna", "undefined", "unicode-escape", "raw-unicode-escape", "mbcs", "oem"}
)
_NAMES_OF_WEB = re.compile(r"^(?:x-)?(?:windows|cp|dos|ibm)-?(\d{3,5})$")
"""Names of pages of Windows and DOS, which Python calls by `cp` and their number."""
_CODECS_OF_WEB = {
    "windows-31j": "cp932",
    "x-sjis": "cp932",
    "windows-936": "gb18030",
    "x-gbk": "gb18030",
    "iso-8859-8-i": "iso-8859-8",
    "iso-8859-8-e": "iso-8859-8",
    "iso-8859-6-i": "iso-8859-6",
    "unicode-1-1-utf-8": "utf-8",
    "x-mac-roman": "mac-roman",
    "x-mac-cyrillic": "mac-cyrillic",
    "x-user-defined": "cp1252",
}
"""Names of encodings in mail and web pages that Python does not know."""
_LONGEST_NAME = 40
"""Letters of the name of a codec."""
_CONTROLS = bytes(set(range(32)) - set(b"\t\n\v\f\r\x1a\x1b"))
"""Bytes that text in one of the old encodings never has."""


def detect_codec(data: bytes) -> str:
    """The codec of a text, by which a mark in front is a letter; `utf-8` also for other bytes."""
    head = data[:HEAD_BYTES]
    for mark, codec in _MARKS.items():
        if head.startswith(mark):
            return codec
    if b"\0" in head:
        return _wide(head)
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head, final=len(data) <= len(head))
    except UnicodeDecodeError:
        if head.translate(None, _CONTROLS) == head:
            return _old_codec(head)
    return "utf-8"


def text_codec(name: str) -> str:
    """The codec that an untrusted file names for its text; empty if it is not a text encoding.

    Some of Python's are of programs: they unpack, or take the square of the time.
    """
    codec = _codec_of(name[:_LONGEST_NAME])
    if codec is None:
        return ""
    is_text = codec._is_text_encoding  # noqa: SLF001  (as `bytes.decode` looks at it)
    if not is_text or codec.name.replace("_", "-") in _CODECS_OF_PROGRAMS:
        return ""
    return codec.name


def _codec_of(name: str) -> codecs.CodecInfo | None:
    """The codec of a name, also of those that only mail and web pages have."""
    plain = name.strip().lower()
    with_number = _NAMES_OF_WEB.sub(r"cp\1", plain)
    for each in (plain, _CODECS_OF_WEB.get(plain, ""), with_number, plain.removeprefix("x-")):
        with contextlib.suppress(LookupError, ValueError):
            if each:
                return codecs.lookup(each)
    return None


def errors_kept(codec: str) -> str:
    """The error handler with which each byte comes back, also of what is not text."""
    if codec.startswith("utf-16"):
        return "surrogatepass"
    return "surrogateescape"


def _wide(head: bytes) -> str:
    """UTF-16 without a mark: every other byte of most texts is zero."""
    even = head[::2].count(0)
    odd = head[1::2].count(0)
    # At least seven tenths of one half are zero, and at most a tenth as many of the other one.
    if max(even, odd) * 20 < 7 * len(head) or min(even, odd) * 10 > max(even, odd):
        return "utf-8"
    is_big = even > odd
    letters = head[is_big::2]
    if letters.translate(None, _CONTROLS) != letters:
        return "utf-8"
    if is_big:
        return "utf-16-be"
    return "utf-16-le"


def _old_codec(head: bytes) -> str:
    # Imported late: it takes 60 ms, and few folders have such a text.
    from charset_normalizer import from_bytes

    # What it looks at in all encodings takes half a second for 256 KiB.
    sample = head[: 2**15]
    best = from_bytes(sample, cp_isolation=[_WINDOWS, _MAC]).best()
    # From a few words it cannot tell which of the two.
    of_windows = len(_LETTERS_OF_WINDOWS.findall(sample))
    of_mac = len(_LETTERS_OF_MAC.findall(sample))
    if best and of_mac > of_windows:
        return _MAC
    if best and of_windows > of_mac:
        return _WINDOWS
    best = best or from_bytes(sample).best()
    # Some encodings write a letter in two ways, and a change would turn one into the other.
    if best is None or not _is_kept(head, best.encoding):
        return "utf-8"
    return best.encoding


def _is_kept(data: bytes, codec: str) -> bool:
    """Whether bytes come back as they were."""
    try:
        return data.decode(codec).encode(codec) == data
    except UnicodeError:
        return False
