"""The files of an export, which may be a folder, a zip or a tar.

Names in archives are only keys, never paths on disk. Links, devices and encrypted files are
skipped, and the size that archives may unpack to is limited.
"""

from __future__ import annotations

import contextlib
import functools
import io
import json
import lzma
import posixpath
import re
import stat
import struct
import tarfile
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import PurePosixPath
from typing import Any, BinaryIO, cast
from urllib.parse import unquote, urlsplit

from scrubjay.documents.mail_parts import MailPart, walk_parts
from scrubjay.documents.web_text import decode_page
from scrubjay.errors import system_reason
from scrubjay.messages import msg
from scrubjay.note_import.export_limits import (
    FREE_BYTES,
    MOST_ARCHIVE,
    MOST_ATTACHMENT,
    MOST_ENTRIES,
    MOST_RATIO,
    MOST_TEXT,
)
from scrubjay.note_import.export_source import ExportSource
from scrubjay.note_import.imported_note import Attachment, ExportRefused, parse_whole_number
from scrubjay.note_import.json_elements import json_elements

_PART = 1 << 16
"""Bytes that are unpacked at once."""
_ARCHIVES = frozenset({".zip", ".jex", ".tar", ".bear2bk", ".textpack"})
"""Endings of archives."""
_DRIVE = re.compile(r"\A[A-Za-z]:(?=/)")
DAMAGES = (
    zipfile.BadZipFile, tarfile.TarError, zlib.error, lzma.LZMAError, struct.error, EOFError,
    NotImplementedError, RuntimeError, ValueError, IndexError, KeyError, OverflowError, OSError,
)  # fmt: skip
"""Errors that the readers of archives in the standard library raise for damaged files."""

Opener = Callable[[], BinaryIO]


class Entries:
    """Files of an export by name."""

    def __init__(
        self, openers: dict[str, Opener], skipped: int = 0, most: int | None = None
    ) -> None:
        """Skipped is the number of links, devices and encrypted files; most of bytes in all."""
        self._openers = openers
        self.skipped = skipped
        self._most = most
        self._read: dict[str, int] = {}
        self._total = 0
        self.names = tuple(openers)
        self._folded = {name.casefold(): name for name in openers}

    def __contains__(self, name: str) -> bool:
        return name in self._openers

    def similar(self, name: str) -> str | None:
        """The name of the file that a link means: in any case, `.jpg` for `.jpeg`; else None."""
        folded = name.casefold()
        for each in (folded, folded.replace(".jpeg", ".jpg"), folded.replace(".jpg", ".jpeg")):
            if each in self._folded:
                return self._folded[each]
        return None

    def open(self, name: str) -> BinaryIO:
        """A stream of a file; it ends with ExportRefused where the file is damaged or too long."""
        with convert_archive_errors(name):
            return cast("BinaryIO", _Stream(name, self._openers[name](), self._count))

    def attachment(self, name: str, key: str = "", title: str = "") -> Attachment:
        """A file as an attachment."""
        return Attachment(key or name, title or PurePosixPath(name).name, lambda: self.open(name))

    def text(self, name: str) -> str:
        """The text of a file. Raises ExportRefused."""
        data = self.data(name)
        for encoding in ("utf-8-sig", "cp1252"):
            with contextlib.suppress(UnicodeDecodeError):
                return data.decode(encoding)
        return data.decode("latin-1")

    def data(self, name: str, most: int = MOST_TEXT) -> bytes:
        """The bytes of a small file. Raises ExportRefused."""
        with self.open(name) as stream:
            data = stream.read(most + 1)
        if len(data) > most:
            raise too_large_error(name)
        return data

    def json(self, name: str, most: int = MOST_TEXT) -> dict[str, Any]:
        """The object in a JSON file. Raises ExportRefused."""
        try:
            value = json.loads(self.data(name, most), parse_int=parse_whole_number)
        except (ValueError, RecursionError) as error:
            raise damaged_error(name) from error
        if not isinstance(value, dict):
            raise damaged_error(name)
        return value

    def json_elements(self, name: str) -> Iterator[Any]:
        """The elements of the array in a JSON file of any size, one by one. Raises ExportRefused.

        A file with one object and no array has one element.
        """
        with self.open(name) as stream:
            try:
                yield from json_elements(stream)
            except (ValueError, RecursionError) as error:
                raise damaged_error(name) from error

    def _count(self, name: str, size: int) -> None:
        """Note how far a file has been read: each counts once, however often it is read."""
        more = size - self._read.get(name, 0)
        # A file that is read again, or not as far, counts nothing.
        if more <= 0:
            return
        self._read[name] = size
        self._total += more
        if self._most is not None and self._total > self._most:
            raise ExportRefused(
                msg("The export is too large when unpacked"),
                msg("This may be an attack, so Scrubjay stopped reading the export."),
            )


class _Stream(io.RawIOBase):
    """A stream of a file that is refused where it is damaged or too large."""

    def __init__(self, name: str, stream: BinaryIO, count: Callable[[str, int], None]) -> None:
        super().__init__()
        self._name = name
        self._stream = stream
        self._count = count
        self._size = 0

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        parts: list[bytes] = []
        left = size
        if size < 0:
            left = MOST_ATTACHMENT + 1
        # In small parts, so that a file that unpacks to too much never is in memory.
        while left > 0:
            with convert_archive_errors(self._name):
                part = self._stream.read(min(left, _PART))
            if not part:
                break
            self._size += len(part)
            left -= len(part)
            if self._size > MOST_ATTACHMENT:
                raise too_large_error(self._name)
            parts.append(part)
        self._count(self._name, self._size)
        return b"".join(parts)

    def close(self) -> None:
        self._stream.close()
        super().close()


def too_large_error(name: str) -> ExportRefused:
    """The refusal of a file that is too large."""
    return ExportRefused(msg("{name} is too large", name=PurePosixPath(name).name))


def damaged_error(name: str) -> ExportRefused:
    """The refusal of a file that cannot be read."""
    return ExportRefused(msg("{name} is damaged", name=PurePosixPath(name).name))


@contextlib.contextmanager
def convert_archive_errors(name: str) -> Iterator[None]:
    """Raise ExportRefused in place of what readers of archives raise for damaged ones."""
    try:
        yield
    except DAMAGES as error:
        # Only the system's own errors have a number; those of the library are damage.
        if isinstance(error, OSError) and error.errno:
            raise ExportRefused(
                msg("{name} cannot be read", name=PurePosixPath(name).name), system_reason(error)
            ) from error
        raise damaged_error(name) from error


@contextlib.contextmanager
def open_entries(source: ExportSource) -> Iterator[Entries]:
    """The files of a folder or archive, open meanwhile. Raises ExportRefused."""
    with contextlib.ExitStack() as stack:
        with convert_archive_errors(source.name):
            entries = _entries(source, stack)
        if len(entries.names) > MOST_ENTRIES:
            raise ExportRefused(msg("{name} contains too many files", name=source.name))
        yield entries


def _entries(source: ExportSource, stack: contextlib.ExitStack) -> Entries:
    """The files of a folder, a zip or a tar, which the stack closes; else the file alone."""
    if source.is_folder:
        return plain_entries(source)
    file = stack.enter_context(source.open(source.name))
    size = source.sizes[source.name]
    most = FREE_BYTES + MOST_RATIO * size
    if zipfile.is_zipfile(file):
        return _ZipEntries(source, stack, most).read(file)
    # Only a file that should be an archive can be a damaged one.
    if source.ending not in _ARCHIVES:
        return plain_entries(source)
    file.seek(0)
    return _tar_entries(stack.enter_context(tarfile.open(fileobj=file, mode="r:")), size)


def plain_entries(source: ExportSource) -> Entries:
    """The files of a folder, or a file that is the export itself."""
    return Entries({label: functools.partial(source.open, label) for label in source.sizes})


def web_archive_entries(source: ExportSource) -> Entries:
    """The page of an `.mht` from OneNote, and its pictures."""
    with convert_archive_errors(source.name), source.open(source.name) as file:
        parts = [*walk_parts(MailPart(_within(file, source.name)))]
        page = next((part for part in parts if part.kind == "text/html"), None)
        if page is None:
            raise damaged_error(source.name)
        # Addresses in the page are relative to it, and so are the names of the pictures.
        root = posixpath.dirname(_location(page))
        openers: dict[str, Opener] = {}
        for number, part in enumerate(parts):
            name = posixpath.relpath(f"/{_location(part) or number}", f"/{root}")
            if part is not page:
                openers[name] = functools.partial(_content, part)
        text = decode_page(page.content, page.charset).encode()
        openers[f"{source.stem}.html"] = functools.partial(io.BytesIO, text)
    return Entries(openers)


def _content(part: MailPart) -> BinaryIO:
    return io.BytesIO(part.content)


def _within(file: BinaryIO, name: str) -> bytes:
    """All bytes of a file that has to fit in memory. Raises ExportRefused."""
    data = file.read(MOST_ARCHIVE + 1)
    if len(data) > MOST_ARCHIVE:
        raise too_large_error(name)
    return data


def _location(part: MailPart) -> str:
    """The path of a part in its archive; empty if it has none."""
    with contextlib.suppress(ValueError):
        return unquote(urlsplit(part.header("Content-Location")).path).lstrip("/")
    return ""


class _Members:
    """The files of an archive, by names that lie in one folder."""

    def __init__(self) -> None:
        self.openers: dict[str, Opener] = {}
        self.skipped = 0
        self._copies: Counter[str] = Counter()
        """Number of members of a name after the first one."""

    def add(self, written: str, opener: Opener) -> None:
        """Add a file, under its own number where its name is that of another one."""
        name = _name_inside(written)
        if not name:
            self.skipped += 1
            return
        # Archives may hold two files of one name, and both are wanted.
        stem, ending = posixpath.splitext(name)
        label = name
        while label in self.openers:
            self._copies[name] += 1
            label = f"{stem} {self._copies[name] + 1}{ending}"
        self.openers[label] = opener


def _name_inside(written: str) -> str:
    """A member's name relative to the archive, as no path above or beside it; empty for none.

    Archives of other systems and of attackers have drives, shares, roots and parents in names.
    """
    parts: list[str] = []
    for part in _DRIVE.sub("", written.replace("\\", "/")).split("/"):
        if part == "..":
            parts[-1:] = []
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


class _ZipEntries:
    """Reads the directories of an archive and of those in it; what it opens stays open."""

    def __init__(self, source: ExportSource, stack: contextlib.ExitStack, most: int) -> None:
        """Most are the bytes that may be unpacked."""
        self._source = source
        self._stack = stack
        self._most = most

    def read(self, file: BinaryIO, depth: int = 0) -> Entries:
        """The files of an archive. Raises what the library raises for damaged ones."""
        archive = self._stack.enter_context(zipfile.ZipFile(file))
        members = _Members()
        for info in archive.infolist():
            # The upper half holds the mode of Unix, or nothing where the archive is of Windows.
            mode = info.external_attr >> 16
            is_plain = not mode or stat.S_IFMT(mode) in (0, stat.S_IFREG)
            if info.filename.endswith("/"):
                continue
            if not is_plain or info.flag_bits & 1:
                members.skipped += 1
                continue
            members.add(info.filename, _zip_opener(archive, info))
        entries = Entries(members.openers, members.skipped, self._most)
        parts = [name for name in entries.names if name.lower().endswith(".zip")]
        # Notion puts large exports into archives inside of one.
        if depth or not parts or len(parts) < len(entries.names):
            return entries
        for name in parts:
            self._unpack(entries, name, members)
        for name in parts:
            del members.openers[name]
        return Entries(members.openers, members.skipped, self._most)

    def _unpack(self, entries: Entries, name: str, members: _Members) -> None:
        """Unpack an archive within the archive, and add its files."""
        part = self._stack.enter_context(self._source.new_file())
        with entries.open(name) as stream:
            for data in iter(lambda: stream.read(_PART), b""):
                part.write(data)
        part.seek(0)
        inner = self.read(part, depth=1)
        members.skipped += inner.skipped
        for each in inner.names:
            members.add(each, _inner_opener(inner, each))


def _zip_opener(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Opener:
    return lambda: cast("BinaryIO", archive.open(info))


def _inner_opener(entries: Entries, name: str) -> Opener:
    return lambda: entries.open(name)


def _tar_entries(archive: tarfile.TarFile, size: int) -> Entries:
    """The files of a tar, which is never compressed here."""
    members = _Members()
    listed = iter(archive)
    while True:
        try:
            member = next(listed, None)
        except tarfile.TarError:  # cut off: the members until here can be read
            members.skipped += 1
            break
        if member is None or len(members.openers) > MOST_ENTRIES:
            break
        # A sparse file says for itself how long it is.
        if member.isreg() and not member.issparse():
            members.add(member.name, _tar_opener(archive, member))
        elif not member.isdir():
            members.skipped += 1
    return Entries(members.openers, members.skipped, FREE_BYTES + size)


def _tar_opener(archive: tarfile.TarFile, member: tarfile.TarInfo) -> Opener:
    def opener() -> BinaryIO:
        stream = archive.extractfile(member)
        if stream is None:
            raise EOFError
        return cast("BinaryIO", stream)

    return opener
