"""Text of OpenDocument files, archives and flat ones: .odt, .ods, .odp, .odg."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TypeAlias
from xml.etree.ElementTree import Element

from scrubjay.documents.document_errors import DocumentRefused
from scrubjay.documents.document_text import DocumentText
from scrubjay.documents.office_package import (
    PROTECTED,
    Package,
    descendants,
    parse_integer,
    parse_xml,
    skip_damaged_parts,
)
from scrubjay.documents.office_words import (
    MOST_COLUMNS,
    NOT_READ,
    add_labels,
    add_table,
    add_written_property,
    comment_name,
    words_of,
)

_OPEN_MARGINS = tuple(
    f"{place}{kind}" for place in ("header", "footer") for kind in ("", "-left", "-first")
)
"""Elements of OpenDocument that have the text above and below the text of a page."""
_IS_XML = re.compile(rb"(?:\xef\xbb\xbf)?\s*<|\xff\xfe<|\xfe\xff\x00<")
_MANIFEST = "META-INF/manifest.xml"


def read_odt(data: bytes, text: DocumentText) -> None:
    """Add headings, paragraphs, lists and tables of a text."""
    package = _opened(data, text)
    for body in descendants(package.xml("content.xml"), "body"):
        _open_blocks(body, text, lead="")
    _add_objects(package, text)
    _add_margins(package, text)


class _FlatPackage:
    """A document that is one XML file instead of an archive."""

    def __init__(self, data: bytes) -> None:
        self._root = parse_xml(data)

    def __contains__(self, name: str) -> bool:
        return name in ("content.xml", "styles.xml", "meta.xml")

    def names(self, prefix: str) -> list[str]:
        """No names, since objects stand where they are shown."""
        return []

    def is_unread(self, name: str) -> bool:
        """False, as it has no other parts."""
        return False

    def xml(self, name: str) -> Element:
        """The whole tree, in which each part is an element."""
        return self._root


_Package: TypeAlias = Package | _FlatPackage


def _in_body(package: _Package, tag: str) -> Iterator[Element]:
    """The elements of a kind in the content of a package."""
    for body in descendants(package.xml("content.xml"), "body"):
        yield from descendants(body, tag)


def read_ods(data: bytes, text: DocumentText) -> None:
    """Add the rows of each sheet."""
    package = _opened(data, text)
    for at, table in enumerate(_in_body(package, "table"), start=1):
        # A sheet without text has no part.
        sheet = text.new_part()
        is_first = True
        for row in descendants(table, "table-row"):
            cells = _cells(row)
            if any(cells):
                sheet.row(cells, is_first=is_first)
                is_first = False
        sheet.blank()
        _open_notes(table, sheet)
        for shapes in descendants(table, "shapes"):
            _open_blocks(shapes, sheet, lead="- ")
        if not sheet.is_empty:
            text.part("Sheet", at, table.get("name", ""))
        text.end_part(sheet)
        text.blank()
    _add_objects(package, text)
    _add_margins(package, text)


def _cells(row: Element) -> list[str]:
    """Texts of the cells of a row; a program writes cells that are equal once."""
    cells: list[str] = []
    for cell in row:
        if cell.tag not in ("table-cell", "covered-table-cell"):
            continue
        blocks = (part for part in cell if part.tag not in ("annotation", "table"))
        words = " ".join(words_of(part) for part in blocks)
        times = parse_integer(cell.get("number-columns-repeated"), 1)
        cells += [words] * min(times, MOST_COLUMNS - len(cells))
    while cells and not cells[-1].strip():
        cells.pop()
    return cells


def read_odp(data: bytes, text: DocumentText) -> None:
    """Add the text of each slide, with its notes and comments."""
    _read_pages(data, text, kind="Slide")


def read_odg(data: bytes, text: DocumentText) -> None:
    """Add the text of each page of a drawing."""
    _read_pages(data, text, kind="Page")


def _read_pages(data: bytes, text: DocumentText, kind: str) -> None:
    package = _opened(data, text)
    for at, page in enumerate(_in_body(package, "page"), start=1):
        slide = text.new_part()
        title = ""
        notes: list[Element] = []
        for child in page:
            if child.tag == "notes":
                notes.append(child)
            elif child.get("class") == "title" and not title:
                title = " ".join(map(words_of, descendants(child, "p", "h")))
            else:
                _open_blocks([child], slide, lead="- ")
        _open_notes(page, slide)
        for each in notes:
            slide.blank()
            _open_blocks(each, slide, lead="")
        # A slide without a text has no part.
        if title or not slide.is_empty:
            text.part(kind, at, title)
        text.end_part(slide)
        text.blank()
    _add_objects(package, text)


def _opened(data: bytes, text: DocumentText) -> _Package:
    """The archive or the flat file; gives its title and properties to the text."""
    if _IS_XML.match(data):
        package: _Package = _FlatPackage(data)
    else:
        package = Package(data)
        if _MANIFEST in package and b"encryption-data" in package.read(_MANIFEST):
            raise DocumentRefused(PROTECTED)
    if "meta.xml" in package:
        with skip_damaged_parts(text):
            # Objects in a flat file have such properties as well, deeper in the tree.
            for each in chain.from_iterable(package.xml("meta.xml").iterfind("meta")):
                if each.tag == "title":
                    text.title = each.text or text.title
                elif each.tag in ("keyword", "subject", "description"):
                    name = "keywords" if each.tag == "keyword" else each.tag
                    add_written_property(text, name, each.text)
    return package


def _add_objects(package: _Package, text: DocumentText) -> None:
    """Add the texts of charts and other objects in a document, which are documents as well."""
    for name in package.names("Object "):
        if not name.endswith("/content.xml") or not package.is_unread(name):
            continue
        with skip_damaged_parts(text):
            add_labels(package.xml(name), text, name="Object")


def _add_margins(package: _Package, text: DocumentText) -> None:
    """Add the texts above and below the text of a page."""
    # The headers and footers belong to the styles of pages, several of which may repeat them.
    if "styles.xml" in package:
        with skip_damaged_parts(text):
            margins = descendants(package.xml("styles.xml"), *_OPEN_MARGINS)
            blocks = [block for margin in margins for block in descendants(margin, "p", "h")]
            for words in dict.fromkeys(map(words_of, blocks)):
                text.blank()
                text.paragraph(words)


def _open_blocks(elements: Iterable[Element], text: DocumentText, lead: str) -> None:
    """Add the blocks of OpenDocument among elements, after a mark such as that of a list."""
    # Unknown elements are looked into: sections and frames hold paragraphs, too.
    for block in elements:
        if block.tag in NOT_READ or block.tag == "annotation":
            continue
        if block.tag == "h":
            text.blank()
            text.heading(parse_integer(block.get("outline-level"), 1), words_of(block))
            _open_notes(block, text)
        # Paragraphs of a list stand without blank lines between them.
        elif block.tag == "p":
            if not lead:
                text.blank()
            text.paragraph(words_of(block), lead)
            _open_notes(block, text)
        elif block.tag == "table":
            add_table(block, text, row="table-row", cell="table-cell")
            _open_notes(block, text)
        elif block.tag == "list-item":
            _open_blocks(block, text, lead="- ")
        else:
            _open_blocks(block, text, lead)


def _open_notes(element: Element, text: DocumentText) -> None:
    """Add the notes and comments of OpenDocument that are anchored in an element."""
    for note in descendants(element, "note", "annotation"):
        words = " ".join(words_of(part) for part in descendants(note, "p", "h"))
        if note.tag == "note":
            name = (note.get("note-class") or "note").capitalize()
        else:
            name = comment_name(note.findtext("creator"))
        text.paragraph(f"{name}: {words}" if words.strip() else "", "- ")
