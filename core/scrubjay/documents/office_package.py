"""Archives of office programs and the XML in them, read with limits."""

from __future__ import annotations

import contextlib
import functools
import io
import lzma
import posixpath
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from urllib.parse import unquote
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from scrubjay.documents.document_errors import DocumentRefused
from scrubjay.documents.document_text import DocumentText
from scrubjay.messages import msg

MAX_ENTRIES = 20_000
"""Files of an archive; a presentation with many pictures has some thousand."""
MAX_UNPACKED = 256 * 2**20
"""Bytes that the parts of one archive may unpack to."""
MAX_DEPTH = 500
"""Elements within elements of XML; the deepest table of a real document has some fifty."""
_NAMES = 2_000
"""Names whose short form is kept: a file has a hundred of them, a million times."""
_OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_IS_ENCRYPTED = 1
_MOST_DIGITS = 9
"""Digits of a whole number; a longer one is not one of a document."""

DAMAGES = (
    expat.ExpatError,
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    NotImplementedError,
    OSError,
    ValueError,
)
"""Errors that are raised for parts that are damaged."""
PROTECTED = msg("The document is protected with a password.")


Relations = Mapping[str, tuple[str, str]]
"""Kind and name of the parts that a part names, by their ids in it."""


class Package:
    """A ZIP archive whose parts together may not unpack to more than a limit."""

    def __init__(self, data: bytes) -> None:
        """Raises DocumentRefused or BadZipFile."""
        if data.startswith(_OLD_OFFICE):
            raise DocumentRefused(
                msg(
                    "The document is password-protected or was saved in an Office "
                    "format older than 2007."
                )
            )
        # The directory alone may be an attack, with millions of names.
        self._archive = zipfile.ZipFile(io.BytesIO(data))
        self._left = MAX_UNPACKED
        entries = self._archive.infolist()
        if len(entries) > MAX_ENTRIES:
            raise DocumentRefused(msg("The document has more than {n} parts.", n=MAX_ENTRIES))
        self._entries = {entry.filename: entry for entry in entries}
        self._was_read: set[str] = set()

    def __contains__(self, name: str) -> bool:
        return name in self._entries

    def names(self, prefix: str) -> list[str]:
        """Names of the parts that begin so."""
        return [name for name in self._entries if name.startswith(prefix)]

    def main_part(self, usual: str) -> str:
        """Name of the part that holds the document, which a few programs call otherwise."""
        if usual in self:
            return usual
        named = (part for kind, part in self.relations("").values() if kind == "officeDocument")
        return next((part for part in named if part in self), usual)

    def is_unread(self, name: str) -> bool:
        """Whether a part is there that was not read yet: a file may name one a thousand times."""
        return name in self._entries and name not in self._was_read

    def read(self, name: str) -> bytes:
        """One part. Raises DocumentRefused, KeyError, BadZipFile or OSError."""
        entry = self._entries[name]
        self._was_read.add(name)
        if entry.flag_bits & _IS_ENCRYPTED:
            raise DocumentRefused(PROTECTED)
        # The size in the archive's own list may be a lie, so what is unpacked is counted.
        with self._archive.open(entry) as part:
            data = part.read(self._left + 1)
        self._left -= len(data)
        if self._left < 0:
            raise DocumentRefused(
                msg("The document is larger than {n} MB when unpacked.", n=MAX_UNPACKED // 2**20)
            )
        return data

    def xml(self, name: str) -> Element:
        """The tree of one part. Raises as `read`, and ExpatError."""
        return parse_xml(self.read(name))

    def relations(self, name: str) -> Relations:
        """Last word of the type and name of the part, by the id of a relation of a part."""
        # Relations of a part are in a file of their own, in a folder beside it.
        folder, _, base = name.rpartition("/")
        file = f"{folder}/_rels/{base}.rels".lstrip("/")
        if file not in self:
            return {}
        # Types are long addresses, whose last word tells them apart.
        return {
            each.get("Id", ""): (
                each.get("Type", "").rpartition("/")[2],
                resolve_part_name(name, each.get("Target", "")),
            )
            for each in self.xml(file)
        }


def resolve_part_name(base: str, target: str) -> str:
    """Name of a part that another one names."""
    target = unquote(target.partition("#")[0])
    if target.startswith("/"):
        return target.lstrip("/")
    return posixpath.normpath(posixpath.join(posixpath.dirname(base), target))


def parse_xml(data: bytes) -> Element:
    """The tree, with names without namespaces. Raises DocumentRefused or ExpatError.

    The standard library's parser, told what it must not do: entities of the file's own multiply or
    read other files, and no office program writes any.
    """
    builder = TreeBuilder()
    # Prefixes differ between programs, so names are compared without them.
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    depth = 0

    # Depth is counted here, since the library has no limit of its own.
    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > MAX_DEPTH:
            raise DocumentRefused(
                msg(
                    ("The parts of the document are nested more than {n} levels deep."), n=MAX_DEPTH
                )
            )
        builder.start(_local(name), {_attribute(key): value for key, value in attributes.items()})

    def end(name: str) -> None:
        nonlocal depth
        depth -= 1
        builder.end(_local(name))

    def entity(*_: object) -> None:
        raise DocumentRefused(
            msg(
                "The document defines XML entities, which Scrubjay does not allow "
                "for security reasons."
            )
        )

    # Expat calls them in the order of the text.
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = builder.data
    parser.EntityDeclHandler = entity
    parser.Parse(data, True)
    return builder.close()


@functools.lru_cache(_NAMES)
def _local(name: str) -> str:
    return name.rpartition(" ")[2]


@functools.lru_cache(_NAMES)
def _attribute(name: str) -> str:
    """Elements have an `id` and a relation's `r:id`."""
    namespace, _, local = name.rpartition(" ")
    if namespace.endswith("/relationships"):
        return f"r:{local}"
    return local


def descendants(element: Element, *names: str) -> Iterator[Element]:
    """Elements with one of the names below an element, in order, and not those inside of them."""
    # Not by calling itself: files may nest deeper than Python's limit.
    left = [iter(element)]
    while left:
        child = next(left[-1], None)
        if child is None:
            left.pop()
        elif child.tag in names:
            yield child
        else:
            left.append(iter(child))


def parse_integer(text: str | None, default: int) -> int:
    """A whole number of a document; the default for anything else that stands in its place."""
    if text and text.isascii() and text.isdecimal() and len(text) <= _MOST_DIGITS:
        return int(text)
    return default


def readable_relations(package: Package, name: str, text: DocumentText) -> Relations:
    """The relations of a part; none where they are damaged, which is counted in a text."""
    relations: dict[str, tuple[str, str]] = {}
    with skip_damaged_parts(text):
        relations.update(package.relations(name))
    return relations


@contextlib.contextmanager
def skip_damaged_parts(text: DocumentText) -> Iterator[None]:
    """Go on after a part that is damaged, and count it in a text."""
    try:
        yield
    except DAMAGES:
        text.damaged += 1
