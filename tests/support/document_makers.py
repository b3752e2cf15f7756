"""Documents as the libraries of other programs write them."""

from __future__ import annotations

import datetime as dt
import io
import json
import re
import warnings
from collections.abc import Callable, Sequence
from email.message import EmailMessage
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import docx
    import openpyxl
    import pptx
    from ebooklib import epub
    from odf.draw import Frame, Page, TextBox
    from odf.opendocument import OpenDocumentPresentation, OpenDocumentSpreadsheet, OpenDocumentText
    from odf.style import MasterPage, PageLayout
    from odf.table import Table, TableCell, TableRow
    from odf.text import H, List, ListItem, P
    from reportlab.lib import pdfencrypt
    from reportlab.pdfgen.canvas import Canvas


def _saved(document: Any) -> bytes:
    stream = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        document.save(stream)
    return stream.getvalue()


def pdf(
    pages: Sequence[str],
    *,
    title: str = "",
    password: str = "",
    keywords: str = "",
    subject: str = "",
) -> bytes:
    """A page for each text; an empty text gives a page that is only drawn upon."""
    stream = io.BytesIO()
    lock = pdfencrypt.StandardEncryption(password) if password else None
    canvas = Canvas(stream, encrypt=lock)
    if title:
        canvas.setTitle(title)
    canvas.setKeywords(keywords)
    canvas.setSubject(subject)
    for text in pages:
        lines = canvas.beginText(50, 800)
        for line in text.split("\n"):
            lines.textLine(line)
        canvas.drawText(lines)
        canvas.rect(40, 40, 10, 10)
        canvas.showPage()
    canvas.save()
    return stream.getvalue()


def word(*blocks: str, table: Sequence[Sequence[str]] = ()) -> bytes:
    """Blocks are paragraphs, headings where they begin with #, items where with -."""
    document = docx.Document()
    for block in blocks:
        mark, _, text = block.partition(" ")
        if mark in ("#", "##", "###"):
            document.add_heading(text, len(mark))
        elif mark == "-":
            document.add_paragraph(text, style="List Bullet")
        elif re.search(r"[\t\n\r]", block):
            document.add_paragraph(block)
        else:
            # The library itself would look at each letter, and some texts have millions.
            document.add_paragraph().add_run().element.add_t(block)
    if table:
        grid = document.add_table(len(table), len(table[0]))
        for row, cells in enumerate(table):
            for column, text in enumerate(cells):
                grid.cell(row, column).text = text
    return _saved(document)


def open_text(*blocks: str) -> bytes:
    """An .odt file of blocks as in `word`."""
    document = OpenDocumentText()
    for block in blocks:
        mark, _, text = block.partition(" ")
        if mark in ("#", "##", "###"):
            document.text.addElement(H(outlinelevel=len(mark), text=text))
        elif mark == "-":
            listed, item = List(), ListItem()
            item.addElement(P(text=text))
            listed.addElement(item)
            document.text.addElement(listed)
        else:
            document.text.addElement(P(text=block))
    return _written(document)


def open_sheet(text: str) -> bytes:
    """An .ods file with one cell."""
    document = OpenDocumentSpreadsheet()
    table = Table(name="Sums")
    row = TableRow()
    cell = TableCell()
    cell.addElement(P(text=text))
    row.addElement(cell)
    table.addElement(row)
    document.spreadsheet.addElement(table)
    return _written(document)


def open_slide(text: str) -> bytes:
    """An .odp file with one slide."""
    document = OpenDocumentPresentation()
    layout = PageLayout(name="Layout")
    document.automaticstyles.addElement(layout)
    master = MasterPage(name="Master", pagelayoutname=layout)
    document.masterstyles.addElement(master)
    page = Page(masterpagename=master)
    frame = Frame(width="10cm", height="10cm")
    box = TextBox()
    box.addElement(P(text=text))
    frame.addElement(box)
    page.addElement(frame)
    document.presentation.addElement(page)
    return _written(document)


def _written(document: Any) -> bytes:
    """The file of a document of odfpy."""
    stream = io.BytesIO()
    document.write(stream)
    return stream.getvalue()


def slides(*texts: tuple[str, str, str]) -> bytes:
    """Title, body and notes of each slide."""
    deck = pptx.Presentation()
    for title, body, notes in texts:
        slide = deck.slides.add_slide(deck.slide_layouts[1])
        slide.shapes.title.text = title
        slide.placeholders[1].text = body
        if notes:
            slide.notes_slide.notes_text_frame.text = notes
    return _saved(deck)


def sheets(**rows: Sequence[Sequence[object]]) -> bytes:
    """Rows by the name of their sheet."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, lines in rows.items():
        sheet = book.create_sheet(name)
        for line in lines:
            sheet.append(line)
    return _saved(book)


def book(title: str, *chapters: tuple[str, str]) -> bytes:
    """Title and text of each chapter."""
    made = epub.EpubBook()
    made.set_title(title)
    made.set_identifier("made-here")
    made.set_language("en")
    for number, (name, text) in enumerate(chapters):
        chapter = epub.EpubHtml(title=name, file_name=f"{number}.xhtml")
        chapter.content = f"<h1>{name}</h1><p>{text}</p>"
        made.add_item(chapter)
        made.spine.append(chapter)
    made.add_item(epub.EpubNcx())
    with TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        epub.write_epub(f"{folder}/book.epub", made)
        return Path(folder, "book.epub").read_bytes()


def letter(subject: str, text: str, *, attached: str = "", html: str = "") -> bytes:
    """One letter as a program of Python sends it."""
    message = EmailMessage()
    message["Subject"], message["From"] = subject, "Ana <ana@example.org>"
    message["To"] = "Ben <ben@example.org>"
    message["Date"] = dt.datetime(2026, 5, 5, 10, tzinfo=dt.UTC)
    message.set_content(text)
    if html:
        message.add_alternative(html, subtype="html")
    if attached:
        message.add_attachment(b"%PDF", maintype="application", subtype="pdf", filename=attached)
    return message.as_bytes()


def mailbox(*letters: bytes) -> bytes:
    """Letters in one file, as programs of mail keep them."""
    parts = (each.replace(b"\nFrom ", b"\n>From ") for each in letters)
    return b"\n".join(b"From ana@example.org Tue May  5 10:00:00 2026\n" + part for part in parts)


def notebook(*cells: tuple[str, str, str]) -> bytes:
    """Kind, source and output of each cell."""
    listed = [
        {
            "cell_type": kind,
            "source": source.splitlines(keepends=True),
            "outputs": [{"output_type": "stream", "text": output}] if output else [],
        }
        for kind, source, output in cells
    ]
    about = {"language_info": {"name": "python"}}
    return json.dumps({"cells": listed, "metadata": about, "nbformat": 4}).encode()


def rich(text: str) -> bytes:
    """Rich text whose letters beyond ASCII are written as Word writes them."""
    units = memoryview(text.encode("utf-16-le")).cast("H")
    words = "".join(
        chr(unit) if unit < 128 else f"\\u{unit - 65536 * (unit > 32767)}?" for unit in units
    )
    words = re.sub(r"([\\{}])(?!u-?\d)", r"\\\1", words).replace("\n", "\\par\n")
    return f"{{\\rtf1\\ansi\\ansicpg1252{{\\fonttbl{{\\f0 Arial;}}}}\\f0 {words}}}".encode("ascii")


SAMPLES: dict[str, Callable[[str], bytes]] = {
    ".pdf": lambda text: pdf(["The first page", text]),
    ".docx": lambda text: word("# Plan", text, table=[["a", "b"], ["1", "2"]]),
    ".docm": lambda text: word("# Plan", text),
    ".odt": lambda text: open_text("# Plan", text),
    ".ods": lambda text: open_sheet(text),
    ".odp": lambda text: open_slide(text),
    ".pptx": lambda text: slides(("Start", text, "and notes")),
    ".pptm": lambda text: slides(("Start", text, "")),
    ".xlsm": lambda text: sheets(Sums=[[text, 12]]),
    ".xlsx": lambda text: sheets(Sums=[["Item", "Sum"], [text, 12]]),
    ".html": lambda text: f"<title>Page</title><h1>Plan</h1><p>{text}".encode(),
    ".epub": lambda text: book("Novel", ("One", "The beginning"), ("Two", text)),
    ".eml": lambda text: letter("Hello", text, attached="sum.pdf"),
    ".mbox": lambda text: mailbox(letter("First", "One"), letter("Second", text)),
    ".rtf": rich,
    ".ipynb": lambda text: notebook(("markdown", text, ""), ("code", "1 + 1", "2")),
}
"""A small document of each kind with a text in it, by ending."""
