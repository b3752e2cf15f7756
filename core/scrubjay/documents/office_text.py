"""Text of the files of Microsoft Office, and of their templates: .docx, .pptx, .xlsx."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping, Sequence
from html import unescape
from xml.etree.ElementTree import Element

from scrubjay.documents.document_text import DocumentText, clean_line
from scrubjay.documents.office_package import (
    Package,
    Relations,
    descendants,
    parse_integer,
    readable_relations,
    skip_damaged_parts,
)
from scrubjay.documents.office_words import (
    MOST_COLUMNS,
    add_drawings,
    add_table,
    add_written_property,
    comment_name,
    words_of,
)
from scrubjay.documents.web_text import add_page, decode_page
from scrubjay.text.encodings import detect_codec

_LEVEL = re.compile(r"heading (\d)$", re.IGNORECASE)
_LIST = -1
"""Level that stands for the styles of lists."""
_STYLE = re.compile(
    r"""<(?:\w+:)?style\s[^<>]{0,300}?styleId=["']([^"'<>]{0,300})["'][^<>]{0,300}>\s{0,300}"""
    r"""<(?:\w+:)?name\s[^<>]{0,300}?val=["']([^"'<>]{0,300})["']"""
)
"""Id and name of a style, whose first element is its name. A program writes ten thousand elements
about styles: to parse them took four fifths of the time of a document of ten pages.
"""
_MOST_STYLES = 4 * 2**20
"""Bytes of styles; a program writes a tenth of it."""
_MARGIN = re.compile(r"word/(?:header|footer)\d*\.xml")
_MARGIN_CODE = re.compile(r'&"[^"]{0,200}"|&\d{1,3}|&K[0-9A-Fa-f]{6}|&[A-Za-z]')
"""Code in the text above or below a sheet."""
_COLUMN = re.compile(r"([A-Z]{1,3})\d+$")
_SHEET_NOTES = {
    "comments": ("comment",),
    "threadedComment": ("threadedComment",),
    "drawing": ("p",),
}
"""Relations of a sheet whose parts have texts of people -> elements of one text each."""
_DATE_FORMATS = frozenset({*range(14, 23), *range(45, 48)})
_DATE_LETTERS = re.compile(r'"[^"]*"|\[[^\]]*\]|\\.')
"""Parts of a number's format that are not letters of a date."""
_FIRST_DAY = dt.datetime(1899, 12, 30)
"""Day 0 of sheets, which take 1900 for a leap year."""


def read_docx(data: bytes, text: DocumentText) -> None:
    """Add headings, paragraphs, lists, tables and notes of a Word file."""
    package = Package(data)
    _add_core_properties(package, text)
    levels = _levels(package)
    main = package.main_part("word/document.xml")
    for block in descendants(package.xml(main), "p", "tbl"):
        _word_block(block, text, levels)
    related = readable_relations(package, main, text)
    add_drawings(package, related, text)
    relations = related.values()
    for kind, part in relations:
        if kind == "aFChunk" and package.is_unread(part):
            with skip_damaged_parts(text):
                _add_chunk(package, part, text)
    # Notes and comments come after the text.
    for kind in ("footnote", "endnote", "comment"):
        named = [part for relation, part in relations if relation == f"{kind}s"]
        for name in filter(package.is_unread, [*named, f"word/{kind}s.xml"]):
            text.blank()
            with skip_damaged_parts(text):
                for note in descendants(package.xml(name), kind):
                    title = kind.capitalize()
                    if kind == "comment":
                        title = comment_name(note.get("author"))
                    words = " ".join(words_of(part) for part in descendants(note, "p"))
                    text.paragraph(f"{title}: {words}" if words.strip() else "", "- ")
    named = [part for relation, part in relations if relation in ("header", "footer")]
    _margins(
        package, text, [name for name in package.names("word/") if _MARGIN.fullmatch(name)] + named
    )


def _add_chunk(package: Package, name: str, text: DocumentText) -> None:
    """Add a page of the web or a plain text that a program put into a Word file as it was."""
    content = package.read(name)
    ending = name.rpartition(".")[2].lower()
    if ending in ("htm", "html", "xhtml"):
        add_page(decode_page(content), text)
        text.blank()
    elif ending == "txt":
        text.lines(decode_page(content))
    else:
        text.damaged += 1


def _margins(package: Package, text: DocumentText, names: Sequence[str]) -> None:
    """Add headers and footers, which have the letterhead; each section may repeat them."""
    paragraphs: dict[str, None] = {}
    for name in filter(package.is_unread, names):
        with skip_damaged_parts(text):
            for paragraph in descendants(package.xml(name), "p"):
                paragraphs[words_of(paragraph)] = None
    for words in paragraphs:
        text.blank()
        text.paragraph(words)


def _word_block(block: Element, text: DocumentText, levels: Mapping[str, int]) -> None:
    """Add a paragraph, a heading, an item of a list or a table."""
    if block.tag == "tbl":
        add_table(block, text, row="tr", cell="tc")
        return
    # The style tells a heading or an item, and so does a number of the paragraph itself.
    style = block.find("pPr/pStyle")
    level = 0
    if style is not None:
        level = levels.get(style.get("val", ""), 0)
    is_item = block.find("pPr/numPr") is not None
    if level > 0:
        text.blank()
        text.heading(level, words_of(block))
    elif level == _LIST or is_item:
        text.paragraph(words_of(block), "- ")
    else:
        text.blank()
        text.paragraph(words_of(block))


def _levels(package: Package) -> dict[str, int]:
    """Level of the headings by the id of their style, which every language names otherwise.

    Those of lists have their own number.
    """
    levels: dict[str, int] = {}
    if "word/styles.xml" in package:
        data = package.read("word/styles.xml")[:_MOST_STYLES]
        styles = data.decode(detect_codec(data), "replace")
        # The names are English in every language, the ids are not.
        for style, name in _STYLE.findall(styles):
            key = unescape(style)
            match = _LEVEL.match(name)
            if match:
                levels[key] = int(match[1])
            elif name.lower().startswith("list "):
                levels[key] = _LIST
            elif name.lower() == "title":
                levels[key] = 1
    return levels


def _add_core_properties(package: Package, text: DocumentText) -> None:
    """Add the title and other words in the properties of the document."""
    if "docProps/core.xml" not in package:
        return
    with skip_damaged_parts(text):
        properties = package.xml("docProps/core.xml")
        title = (properties.findtext("title") or "").strip()
        # Titles that the programs fill in if nobody wrote one.
        if title.lower() not in ("word document", "powerpoint presentation"):
            text.title = title
        for name in ("keywords", "subject", "category", "description"):
            add_written_property(text, name, properties.findtext(name))


def read_pptx(data: bytes, text: DocumentText) -> None:
    """Add the text of each slide, with its notes."""
    package = Package(data)
    _add_core_properties(package, text)
    main = package.main_part("ppt/presentation.xml")
    relations = package.relations(main)
    for at, slide in enumerate(descendants(package.xml(main), "sldId"), start=1):
        _, name = relations.get(slide.get("r:id", ""), ("", ""))
        if package.is_unread(name):
            with skip_damaged_parts(text):
                _slide(package, name, text=text, at=at)


def _slide(package: Package, name: str, *, text: DocumentText, at: int) -> None:
    """Add the title of a slide, its texts and tables, and its notes."""
    title = ""
    blocks = []
    # The first title names the slide; its number is on every one of them.
    for shape in descendants(package.xml(name), "sp", "tbl", "pic"):
        kinds = [each.get("type", "") for each in shape.iter("ph")]
        if not title and any(kind in ("title", "ctrTitle") for kind in kinds):
            title = " ".join(map(words_of, descendants(shape, "p")))
        elif "sldNum" not in kinds:
            blocks.append(shape)
    relations = readable_relations(package, name, text)
    drawn = text.new_part()
    add_drawings(package, relations, drawn)
    notes = _slide_notes(package, relations, text)
    # A slide without a text has no part.
    if not (title or blocks or notes) and drawn.is_empty:
        return
    text.part("Slide", at, title)
    # Paragraphs of a slide are mostly points of a list.
    for block in blocks:
        if block.tag == "tbl":
            add_table(block, text, row="tr", cell="tc")
        elif block.tag == "pic":
            _add_descriptions(block, text)
        else:
            for paragraph in descendants(block, "p"):
                text.paragraph(words_of(paragraph), "- ")
    text.end_part(drawn)
    for note in notes:
        text.blank()
        text.paragraph(note)
    text.blank()


def _add_descriptions(element: Element, text: DocumentText) -> None:
    """Add what pictures show, for those who do not see them."""
    for each in element.iter("cNvPr"):
        text.paragraph(each.get("descr", ""), "- ")


def _slide_notes(package: Package, relations: Relations, text: DocumentText) -> list[str]:
    """Paragraphs of the notes of a slide, and its comments."""
    notes: list[str] = []
    for kind, part in relations.values():
        if not package.is_unread(part):
            continue
        with skip_damaged_parts(text):
            if kind == "notesSlide":
                for shape in descendants(package.xml(part), "sp"):
                    kinds = [each.get("type") for each in shape.iter("ph")]
                    if not kinds or "body" in kinds:
                        notes += map(words_of, descendants(shape, "p"))
            elif kind == "comments":
                # Older versions write plain text, later ones paragraphs.
                comments = descendants(package.xml(part), "text", "p")
                notes += [f"Comment: {words_of(each) or each.text or ''}" for each in comments]
    return notes


def read_xlsx(data: bytes, text: DocumentText) -> None:
    """Add the rows of each sheet."""
    package = Package(data)
    _add_core_properties(package, text)
    main = package.main_part("xl/workbook.xml")
    relations = package.relations(main)
    shared = _shared_texts(package, text)
    dates = _date_styles(package, text)
    for at, sheet in enumerate(descendants(package.xml(main), "sheet"), start=1):
        _, name = relations.get(sheet.get("r:id", ""), ("", ""))
        if not package.is_unread(name):
            continue
        # A sheet without text has no part.
        table = text.new_part()
        with skip_damaged_parts(text):
            root = package.xml(name)
            is_first = True
            for row in root.iter("row"):
                cells = _cells(row, shared, dates)
                if any(cells):
                    table.row(cells, is_first=is_first)
                    is_first = False
            table.blank()
            _sheet_margins(root, table)
        _sheet_notes(package, name, table)
        if not table.is_empty:
            text.part("Sheet", at, sheet.get("name", ""))
        text.end_part(table)
        text.blank()


def _sheet_margins(sheet: Element, text: DocumentText) -> None:
    """Add the texts above and below the printed pages, and the hints on what cells take."""
    for margins in sheet.iter("headerFooter"):
        for each in margins:
            # The text has codes of fonts, places and fields; a doubled sign stands for itself.
            words = _MARGIN_CODE.sub(" ", (each.text or "").replace("&&", "\0"))
            text.paragraph(words.replace("\0", "&"), "- ")
    for hint in sheet.iter("dataValidation"):
        words = f"{hint.get('promptTitle', '')} {hint.get('prompt', '')}"
        text.paragraph(words, "- ")


def _sheet_notes(package: Package, name: str, text: DocumentText) -> None:
    """Add the comments of the cells of a sheet, and the texts of its boxes and charts."""
    for kind, part in readable_relations(package, name, text).values():
        # Most other parts are no XML, such as the settings of a printer.
        if kind not in _SHEET_NOTES or not package.is_unread(part):
            continue
        with skip_damaged_parts(text):
            root = package.xml(part)
            if kind == "drawing":
                _add_descriptions(root, text)
                add_drawings(package, readable_relations(package, part, text), text)
            for note in descendants(root, *_SHEET_NOTES[kind]):
                runs = [*descendants(note, "t")] or [*descendants(note, "text")]
                words = "".join(each.text or "" for each in runs)
                cell = note.get("ref", "")
                # The older form of a discussion only says that there is a newer one.
                if words.strip() and not words.startswith("[Threaded comment]"):
                    text.paragraph(f"Comment on {cell}: {words}" if cell else words, "- ")


def _shared_texts(package: Package, text: DocumentText) -> list[str]:
    """Texts that cells name by their number."""
    shared: list[str] = []
    if "xl/sharedStrings.xml" in package:
        with skip_damaged_parts(text):
            # On one line already, for a million cells may have the same text.
            shared = [
                clean_line("".join(each.text or "" for each in descendants(item, "t")))
                for item in package.xml("xl/sharedStrings.xml")
            ]
    return shared


def _cells(row: Element, shared: list[str], dates: frozenset[int]) -> list[str]:
    """Texts of the cells of a row, empty ones for those that the file omits."""
    cells: list[str] = []
    for cell in row:
        # Empty cells are left out of the file, and their place is kept here.
        match = _COLUMN.match(cell.get("r", ""))
        at = len(cells)
        if match:
            at = _column(match[1])
        if at >= MOST_COLUMNS:
            break
        cells += [""] * (at - len(cells))
        cells[at:] = [_value(cell, shared, dates)]
    while cells and not cells[-1]:
        cells.pop()
    return cells


def _column(letters: str) -> int:
    """0-based number of a column."""
    number = 0
    for letter in letters:
        number = 26 * number + ord(letter) - 64
    return number - 1


def _value(cell: Element, shared: list[str], dates: frozenset[int]) -> str:
    """The text that a program shows in a cell, as nearly as the file tells."""
    # Most cells hold a number, which may be that of a shared text or of a day.
    kind = cell.get("t", "n")
    value = cell.findtext("v") or ""
    if kind == "inlineStr":
        return "".join(each.text or "" for each in descendants(cell, "t"))
    # A text may be written in the cell, or be one of those that cells share.
    if kind == "s":
        at = parse_integer(value, len(shared))
        if at >= len(shared):
            return ""
        return shared[at]
    if kind == "b":
        return "TRUE" if value == "1" else "FALSE"
    if kind == "n" and parse_integer(cell.get("s"), -1) in dates:
        return _day(value)
    return value


def _day(value: str) -> str:
    """Day and time of a number of days; the value itself where it is not one."""
    try:
        moment = _FIRST_DAY + dt.timedelta(days=float(value))
    except (ValueError, OverflowError):
        return value
    if float(value).is_integer():
        return moment.date().isoformat()
    return moment.isoformat(" ", "minutes")


def _date_styles(package: Package, text: DocumentText) -> frozenset[int]:
    """Numbers of the styles of cells that show days or times."""
    styles = Element("none")
    if "xl/styles.xml" in package:
        with skip_damaged_parts(text):
            styles = package.xml("xl/styles.xml")
    # Formats of the file's own are dates if letters of dates are in them.
    own = {
        each.get("numFmtId", "")
        for each in styles.iter("numFmt")
        if re.search("[ymdhs]", _DATE_LETTERS.sub("", each.get("formatCode", "").lower()))
    }
    known = own | {str(each) for each in _DATE_FORMATS}
    formats = styles.find("cellXfs")
    if formats is None:
        return frozenset()
    return frozenset(at for at, each in enumerate(formats) if each.get("numFmtId") in known)
