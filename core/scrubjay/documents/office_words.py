"""Words of the elements of office files, and of what is drawn in them."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from scrubjay.documents.document_text import DocumentText
from scrubjay.documents.office_package import (
    Package,
    Relations,
    descendants,
    parse_integer,
    skip_damaged_parts,
)

_SPACE = {"tab": "\t", "br": " ", "cr": " ", "line-break": " ", "noBreakHyphen": "-", "s": " "}
NOT_READ = frozenset({"Fallback", "del", "moveFrom", "tracked-changes", "delText", "instrText"})
"""Elements that a reader of the document does not see."""
_INLINE = frozenset(
    {"t", "p", "h", "span", "a", "meta", "meta-field", "ruby-base", "content-control"}
    | {"date", "time", "user-defined", "user-field-get", "variable-set", "variable-get"}
    | {"expression", "text-input", "placeholder", "sequence", "author-name", "conditional-text"}
    | {"bibliography-mark", "bookmark-ref", "reference-ref", "sequence-ref", "database-display"}
    | {"subject", "keywords", "description", "creator", "initial-creator", "drop-down"}
)
"""Elements whose own text is part of the paragraph around them: runs, fields of OpenDocument."""
_DESCRIPTIONS = frozenset({"docPr", "desc", "title"})
"""Elements that describe a picture."""
MOST_COLUMNS = 256
"""Columns of a table that are read."""
_MOST_LABELS = 1_000
"""Different labels of a chart that are read."""
_DRAWN = {"chart": "Chart", "chartEx": "Chart", "diagramData": "Diagram"}
"""Kinds of drawn parts, and what their texts are called."""


def words_of(element: Element) -> str:
    """Text of runs below an element."""
    parts: list[str] = []
    _collect(element, parts, inside=element.tag in ("p", "h"))
    return "".join(parts)


def _collect(element: Element, parts: list[str], *, inside: bool) -> None:
    """Text of `t` elements, and of everything in the paragraphs of OpenDocument."""
    if inside and element.text and (element.tag in _INLINE):
        parts.append(element.text)
    for child in element:
        if child.tag in NOT_READ:
            pass
        elif child.tag in _SPACE:
            parts.append(_SPACE[child.tag] * max(1, min(parse_integer(child.get("c"), 1), 80)))
        elif child.tag in ("note", "annotation"):
            # In the middle of its paragraph, after which it is added; its mark parts words.
            if (child.tail or "")[:1].isalnum():
                parts.append(" ")
        elif child.tag in _DESCRIPTIONS:
            # What a picture shows, for those who do not see it.
            words = child.get("descr") or child.text or ""
            parts.append(f" {words} " if words.strip() else "")
        elif child.tag in ("p", "h"):
            # The text of a box, which is anchored in a paragraph.
            parts.append(" ")
            _collect(child, parts, inside=inside)
            parts.append(" ")
        else:
            _collect(child, parts, inside=inside)
        if inside and child.tail and element.tag in _INLINE:
            parts.append(child.tail)


def add_written_property(text: DocumentText, name: str, words: str | None) -> None:
    """Add a property of a document unless a program wrote it."""
    # Libraries that make documents name themselves in the description.
    if not (words or "").lower().startswith("generated "):
        text.add_property(name.capitalize(), words)


def comment_name(author: str | None) -> str:
    """What a comment is called."""
    if author:
        return f"Comment by {author}"
    return "Comment"


def add_table(table: Element, text: DocumentText, *, row: str, cell: str) -> None:
    """Add a table, by the names of its rows and cells."""
    text.blank()
    is_first = True
    # Cells hold paragraphs, which stand on one line here.
    for line in descendants(table, row):
        texts = [
            " ".join(words_of(part) for part in descendants(each, "p", "h"))
            for each in descendants(line, cell)
        ]
        text.row(texts[:MOST_COLUMNS], is_first=is_first)
        is_first = False
    text.blank()


def add_drawings(package: Package, relations: Relations, text: DocumentText) -> None:
    """Add the texts of the charts and diagrams that a part shows, by its relations."""
    for kind, part in relations.values():
        if kind not in _DRAWN or not package.is_unread(part):
            continue
        with skip_damaged_parts(text):
            add_labels(package.xml(part), text, name=_DRAWN[kind])


def add_labels(drawing: Element, text: DocumentText, *, name: str) -> None:
    """Add the different texts of a chart or a diagram on one line."""
    labels: dict[str, None] = {}
    for label in _labels(drawing):
        if label.strip():
            labels[label.strip()] = None
        if len(labels) == _MOST_LABELS:
            break
    text.paragraph(f"{name}: {' · '.join(labels)}" if labels else "", "- ")


def _labels(drawing: Element) -> Iterator[str]:
    """Titles and names in a chart, without its numbers."""
    for element in descendants(drawing, "p", "strCache", "strDim"):
        if element.tag == "p":
            yield words_of(element)
            continue
        # The values of a cache are elements of their own, or the text of its points.
        for point in descendants(element, "pt"):
            yield point.findtext("v") or point.text or ""
