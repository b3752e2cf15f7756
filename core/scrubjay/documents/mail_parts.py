"""Parts of a mail message, found in linear time.

The parser of the standard library reads each line once for each part around it, calls itself
for each of them, and reads addresses in quadratic time.
"""

from __future__ import annotations

import binascii
import contextlib
import datetime as dt
import re
from collections.abc import Iterator
from email.errors import MessageError
from email.header import decode_header, make_header
from email.message import Message
from email.parser import HeaderParser
from email.policy import compat32
from email.utils import collapse_rfc2231_value, parsedate_to_datetime
from itertools import islice

from scrubjay.documents.document_text import clean_line
from scrubjay.documents.outlook_container import SIGNATURE, container_parts
from scrubjay.documents.signed_mail import signed_content

MAX_DEPTH = 10
"""Parts within parts; a letter that was forwarded three times has some six."""
MAX_PARTS = 5_000
"""Parts of a letter; those with many pictures have some hundred."""
_MOST_HEAD = 64 * 1024
"""Bytes of the headers of a part."""
_MOST_HEADER = 10_000
"""Letters of a header."""
_MOST_ENCODED = 2_000
"""Letters of a header that has words in other encodings, and of one with parameters: the standard
library takes the square of their number."""
_LETTERS = ("message/rfc822", "message/global", "message/news")
"""Kinds of parts that are letters."""
_SEALED = ("application/pkcs7-mime", "application/x-pkcs7-mime")
"""Kinds of the files of S/MIME that have a letter in them."""
_CONTAINERS = ("application/ms-tnef", "application/vnd.ms-tnef")
_HEAD_END = re.compile(rb"\r?\n\r?\n")
_NO_HEAD = re.compile(rb"(?:\r?\n)[\r\n]*")
_LAST_BREAK = re.compile(rb"\r?\n\Z")
_PLAIN = ("", "7bit", "8bit", "binary")
"""Names of transfer encodings that leave the bytes as they are."""
_ENCODING = re.compile(r"\s*([\w-]+)")
"""Name of a transfer encoding; spaces and comments may stand around it."""


class MailPart:
    """One part of a message: its headers, and its content as it was sent."""

    def __init__(self, data: bytes | memoryview, above: MailPart | None = None) -> None:
        """Without a part above it, it is a letter itself. Parts share the bytes of the letter."""
        self.letter = self
        self.choice: MailPart = self
        """Outermost part whose other parts say the same as this one; otherwise itself."""
        self.repeats_letter = False
        """Whether it may say again what the letter around it says."""
        if above:
            self.letter = above.letter
        whole = memoryview(data)
        end = _NO_HEAD.match(whole) or _HEAD_END.search(whole)
        head = whole
        self._body = memoryview(b"")
        if end:
            head = whole[: end.start()]
            self._body = whole[end.end() :]
        # Long parameters are cut before the standard library reads them.
        self._headers: Message = HeaderParser(policy=compat32).parsestr(
            _decoded_head(bytes(head[:_MOST_HEAD]))
        )
        encoding = _ENCODING.match(self._raw("Content-Transfer-Encoding"))
        if encoding:
            self._headers.replace_header("Content-Transfer-Encoding", encoding[1])
        for name in ("Content-Type", "Content-Disposition"):
            if name in self._headers:
                self._headers.replace_header(name, self._raw(name)[:_MOST_ENCODED])

    @property
    def kind(self) -> str:
        """MIME type in lower case."""
        return self._headers.get_content_type()

    @property
    def is_attached(self) -> bool:
        """Whether it is a file that comes with the letter."""
        return self._headers.get_content_disposition() == "attachment"

    @property
    def is_elsewhere(self) -> bool:
        """Whether its content is somewhere else, and it only names the place (RFC 2046)."""
        return self.kind == "message/external-body"

    @property
    def place(self) -> str:
        """Name and place of content that is elsewhere, on one line."""
        named = (self._parameter(name) for name in ("name", "url", "site", "directory", "server"))
        # The headers of the content follow those of the part.
        inner = MailPart(self._body)
        own = (inner.file_name, inner.header("Content-Description"), inner.header("Subject"))
        return ", ".join(dict.fromkeys(filter(None, (*named, *own)))) or self.kind

    def _parameter(self, name: str) -> str:
        """A parameter of the type; empty if it has none."""
        with contextlib.suppress(ValueError, LookupError, TypeError):
            return _decoded(collapse_rfc2231_value(self._headers.get_param(name, "")))
        return ""

    @property
    def is_encrypted(self) -> bool:
        """Whether only who has a key can read it."""
        if self._is_sealed:
            return signed_content(self.content) is None
        return self.kind == "multipart/encrypted"

    @property
    def _is_sealed(self) -> bool:
        return self.kind in _SEALED or self.file_name.lower().endswith(".p7m")

    @property
    def _is_letter(self) -> bool:
        return self.kind in _LETTERS or self.file_name.lower().endswith(".eml")

    @property
    def _is_container(self) -> bool:
        return self.kind in _CONTAINERS or self.file_name.lower() == "winmail.dat"

    @property
    def _is_multipart(self) -> bool:
        return self._headers.get_content_maintype() == "multipart"

    @property
    def may_have_parts(self) -> bool:
        """Whether it is of a kind that has parts in it."""
        return self._is_letter or self._is_sealed or self._is_container or self._is_multipart

    @property
    def charset(self) -> str:
        """The encoding that it names; empty for none."""
        with contextlib.suppress(ValueError, LookupError, TypeError):
            return self._headers.get_content_charset() or ""
        return ""

    @property
    def file_name(self) -> str:
        """Name of the file; empty if it has none."""
        with contextlib.suppress(ValueError, LookupError, TypeError):
            return _decoded(self._headers.get_filename() or "")
        return ""

    @property
    def day(self) -> dt.date | None:
        """The day on which it was sent."""
        with contextlib.suppress(ValueError, TypeError, OverflowError, IndexError):
            return parsedate_to_datetime(self.header("Date")[:100]).date()
        return None

    @property
    def content(self) -> bytes:
        """The bytes that it carries."""
        # The library copies a long body several times.
        encoding = self._raw("Content-Transfer-Encoding").lower()
        if encoding in _PLAIN:
            return bytes(self._body)
        if encoding == "base64":
            return _from_base64(self._body)
        self._headers.set_payload(bytes(self._body).decode("ascii", "surrogateescape"))
        content = self._headers.get_payload(decode=True)
        if not isinstance(content, bytes):
            return b""
        return content

    @property
    def size(self) -> int:
        """About how many bytes it carries; base64 takes four for three."""
        if self._raw("Content-Transfer-Encoding").lower() == "base64":
            return len(self._body) * 3 // 4
        return len(self._body)

    def header(self, name: str) -> str:
        """Text of a header on one line; empty if there is none."""
        return _decoded(self._raw(name))

    def parts(self) -> Iterator[MailPart]:
        """The parts right in it, or the letter that is attached as one."""
        if self._is_letter:
            yield MailPart(self.content)
        elif self._is_sealed:
            signed = signed_content(self.content)
            if signed is not None:
                yield self._inner(signed)
        elif self._is_container:
            content = self.content
            if content.startswith(SIGNATURE):
                for each in container_parts(content):
                    part = self._inner(each)
                    part.repeats_letter = True
                    yield part
        elif self._is_multipart:
            yield from self._between(self._boundary)

    @property
    def _boundary(self) -> bytes:
        """The boundary as it stands in the lines between the parts; empty for none."""
        # It may have letters of any encoding, and only their bytes are the same in header and line.
        header = Message()
        content_type = self._raw("Content-Type")[:_MOST_ENCODED]
        header["Content-Type"] = content_type.encode("utf-8", "surrogateescape").decode("latin-1")
        with contextlib.suppress(ValueError, LookupError, TypeError):
            return str(header.get_boundary("")).encode("latin-1", "replace")
        return b""

    def _between(self, boundary: bytes) -> Iterator[MailPart]:
        """The parts between the lines with a boundary."""
        if not boundary:
            return
        # The first line begins a part, the next ones end it and begin another, the last one ends.
        line = re.compile(rb"(?m)^--" + re.escape(boundary) + rb"(--)?[ \t]*\r?$")
        begin: int | None = None
        for match in line.finditer(self._body):
            if begin is not None:
                part = self._body[begin : match.start()]
                last = _LAST_BREAK.search(part, max(0, len(part) - 2))
                yield self._inner(part[: last.start()] if last else part)
            begin = match.end() + 1
            if match[1]:
                return
        if begin is not None:  # cut off
            yield self._inner(self._body[begin:])

    def _inner(self, data: bytes | memoryview) -> MailPart:
        """A part in this one, of the same letter."""
        part = MailPart(data, self)
        if self.choice is not self:
            part.choice = self.choice
        elif self.kind == "multipart/alternative":
            part.choice = self
        return part

    def _raw(self, name: str) -> str:
        """A header as it was written."""
        values = (value for key, value in self._headers.raw_items() if key.lower() == name.lower())
        return str(next(values, ""))[:_MOST_HEADER]


def walk_parts(letter: MailPart) -> Iterator[MailPart]:
    """A letter and all parts in it, in order, up to the limits."""
    return islice(_walk(letter, MAX_DEPTH), MAX_PARTS)


def _walk(part: MailPart, depth: int) -> Iterator[MailPart]:
    yield part
    if depth:
        for inner in part.parts():
            yield from _walk(inner, depth - 1)


def _decoded_head(head: bytes) -> str:
    """Headers as text; those that are not UTF-8 keep their bytes."""
    try:
        return head.decode("utf-8")
    except UnicodeDecodeError:
        return head.decode("ascii", "surrogateescape")


def _from_base64(body: memoryview) -> bytes:
    """The content of a body, also without the padding at its end; the body if it is something else.

    Line breaks and signs that do not belong there are skipped.
    """
    with contextlib.suppress(binascii.Error):
        return binascii.a2b_base64(body)
    with contextlib.suppress(binascii.Error):
        return binascii.a2b_base64(bytes(body) + b"==")
    return bytes(body)


def _decoded(value: str) -> str:
    """A header as people read it."""
    with contextlib.suppress(UnicodeDecodeError):  # letters as new programs write them
        value = value.encode("utf-8", "surrogateescape").decode("utf-8")
    if "=?" in value:
        with contextlib.suppress(MessageError, LookupError, ValueError):
            value = str(make_header(decode_header(value[:_MOST_ENCODED])))
    return clean_line(value.encode("utf-8", "replace").decode("utf-8"))
