"""Text of EPUB books."""

from __future__ import annotations

from scrubjay.documents.document_errors import DocumentRefused
from scrubjay.documents.document_text import DocumentText
from scrubjay.documents.office_package import Package, resolve_part_name, skip_damaged_parts
from scrubjay.documents.web_text import add_page, decode_page
from scrubjay.messages import msg


def read_epub(data: bytes, text: DocumentText) -> None:
    """Add the text of each chapter of a book."""
    package = Package(data)
    if "META-INF/rights.xml" in package:
        raise DocumentRefused(msg("The document is copy-protected."))
    # The container names the list of chapters, which stand in the order of reading.
    roots = package.xml("META-INF/container.xml").iter("rootfile")
    main = next((root.get("full-path", "") for root in roots), "")
    book = package.xml(main)
    text.title = next((title.text or "" for title in book.iter("title")), "")
    for name, tag in (("Author", "creator"), ("Subject", "subject")):
        for each in book.iter(tag):
            text.add_property(name, each.text)
    files = {
        item.get("id", ""): resolve_part_name(main, item.get("href", ""))
        for item in book.iter("item")
    }
    number = 0
    for item in book.iter("itemref"):
        name = files.get(item.get("idref", ""), "")
        if not package.is_unread(name):
            continue
        chapter = text.new_part()
        title = ""
        with skip_damaged_parts(chapter):
            title = add_page(decode_page(package.read(name)), chapter, below=1)
        if not chapter.is_empty:
            number += 1
            text.part("Chapter", number, title if title != text.title else "")
        text.end_part(chapter)
