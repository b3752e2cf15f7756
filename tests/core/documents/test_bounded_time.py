"""Documents of a few megabytes that took the square of the time: minutes to days."""

from __future__ import annotations

import base64
import contextlib
import struct
from collections.abc import Callable, Iterator

import pytest

from scrubjay.documents.document_converter import Converter
from scrubjay.documents.document_errors import DocumentRefused
from scrubjay.documents.document_worker import convert_document
from support.odd_documents import deck, package, sheet, spine
from support.outlook_files import compound_file

_PATIENT_S = 100.0
"""Each takes some seconds on a busy computer."""
_LETTER = b"From: a@example.org\n"
_WORD = '<w:document xmlns:w="w"><w:body>'


@pytest.fixture(scope="module")
def converter() -> Iterator[Converter]:
    with contextlib.closing(Converter(most_seconds=_PATIENT_S)) as made:
        yield made


def _header(name: bytes, piece: bytes, times: int) -> bytes:
    return _LETTER + name + b": " + piece * times + b"\n\npears\n"


def _in_charset(name: bytes) -> bytes:
    text = b"\n\n" + b"a" * 500_000 + b"-" + b"9" * 500_000
    return _LETTER + b"Content-Type: text/plain; charset=" + name + text


def _nested_multiparts() -> bytes:
    levels = (
        b"Content-Type: multipart/mixed; boundary=x%d\n\n--x%d\n" % (n, n) for n in range(20_000)
    )
    return _LETTER + b"".join(levels)


def _many_pages() -> bytes:
    page = b"--x\nContent-Type: text/html\n\n" + b"<p>pears" * 2_000
    return _LETTER + b"Content-Type: multipart/alternative; boundary=x\n\n" + page * 300


def _deep_table() -> bytes:
    below = "<w:p><w:r><w:t>x</w:t></w:r></w:p>" * 50_000
    return package({"word/document.xml": f"{_WORD}{'<w:q>' * 450}{below}"})


def _table_of_one_sector() -> bytes:
    """A letter of Outlook whose sectors of four bytes name themselves."""
    data = bytearray(576)
    data[:8] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
    struct.pack_into("<H", data, 30, 2)
    return bytes(data)


def _attached(data: bytes) -> bytes:
    head = b"Content-Disposition: attachment; filename=a.msg\nContent-Transfer-Encoding: base64\n\n"
    return _LETTER + head + base64.encodebytes(data)


def _streams_of_one_chain(size: int, *, most_short: int = 0) -> bytes:
    """A letter of Outlook in which 1,500 streams of this size begin where a long one does."""
    long = {"long": b"x" * 4_000_000}
    data = compound_file(long | {f"s{n}": b"" for n in range(1_500)}, most_short=most_short)
    return data.replace(struct.pack("<IQ", 0xFFFFFFFE, 0), struct.pack("<IQ", 0, size))


def _entries_that_name_each_other() -> bytes:
    data = compound_file({f"s{n}": b"x" for n in range(50_000)})
    return data.replace(struct.pack("<II", 0xFFFFFFFF, 0xFFFFFFFF), struct.pack("<II", 1, 2))


HOSTILE: dict[str, tuple[str, Callable[[], bytes]]] = {
    "comments that nothing ends": (".html", lambda: b"<!-- >" * 700_000),
    "tags that nothing ends": (".html", lambda: b"<a b" * 300_000),
    "end tags that nothing ends": (".html", lambda: b"<script></script" * 200_000),
    "keywords": (
        ".html", lambda: b"".join(b"<meta name=keywords content=k%d>" % n for n in range(60_000))
    ),
    "bold in bold": (".html", lambda: b"<b>" * 200_000),
    "a page in punycode": (".html", lambda: b"<meta charset=punycode>" + b"9" * 1_000_000),
    "a letter in punycode": (".eml", lambda: _in_charset(b"punycode")),
    "a letter in idna": (".eml", lambda: _in_charset(b"idna")),
    "a letter that unpacks": (".eml", lambda: _in_charset(b"zip")),
    "encrypted passages that nothing ends": (
        ".eml", lambda: _LETTER + b"\n" + b"-----BEGIN PGP MESSAGE-----\n" * 400_000
    ),
    "files in a text that nothing ends": (
        ".eml", lambda: _LETTER + b"\n" + b"begin 644 a.txt\n" * 200_000
    ),
    "a file in a text that has no end": (
        ".eml", lambda: _LETTER + b"\n" + (b"begin 644 a.txt\n" + b"M" * 61 + b"\n") * 40_000
    ),
    "files of base64 that nothing ends": (
        ".eml", lambda: _LETTER + b"\n" + b"begin-base64 644 a.txt\nQUJD\n" * 100_000
    ),
    "encoded lines of a card": (
        ".eml",
        lambda: _LETTER + b"Content-Type: text/vcard\n\nN;QUOTED-PRINTABLE:" + b"=41=\n" * 400_000,
    ),
    "parameters of an invitation": (
        ".eml", lambda: _LETTER + b"Content-Type: text/calendar\n\nA;" + b"CN=a;" * 400_000
    ),
    "a signature in pieces": (
        ".eml", lambda: _LETTER + b"Content-Type: application/pkcs7-mime\n\n" + b"0\x80" * 400_000
    ),
    "pages that say the same": (".eml", lambda: _many_pages()),
    "comments in addresses": (".eml", lambda: _header(b"To", b"(", 700_000)),
    "addresses": (".eml", lambda: _header(b"Cc", b"a:<a@b>,;", 200_000)),
    "encoded words": (".eml", lambda: _header(b"Subject", b"=?utf-8?q?a", 200_000)),
    "a day": (".eml", lambda: _header(b"Date", b"1:", 700_000)),
    "quotes of a file's name": (
        ".eml",
        lambda: _header(b"Content-Disposition", b'inline; a="b', 200_000),
    ),
    "letters in letters": (
        ".eml",
        lambda: _LETTER + b"Content-Type: message/rfc822\n\n" * 60_000 + b"pears",
    ),
    "parts in parts": (".eml", _nested_multiparts),
    "a mailbox in one line": (".mbox", lambda: b"From a 11:11\n\nFrom " + b"11:11 " * 200_000),
    "names of styles": (
        ".docx",
        lambda: package(
            {
                "word/document.xml": f"{_WORD}<w:p/></w:body></w:document>",
                "word/styles.xml": ('<w:style ' + 'styleId="' * 30) * 10_000,
            }
        ),
    ),
    "elements in elements": (".docx", _deep_table),
    "one chapter, named often": (
        ".epub",
        lambda: spine("<html><body>" + "<p>x</p>" * 100_000, named=200),
    ),
    "one sheet, named often": (
        ".xlsx",
        lambda: sheet("<row><c><v>1</v></c></row>" * 20_000, named=10_000),
    ),
    "one slide, named often": (".pptx", lambda: deck("x " * 500_000, named=10_000)),
    "one text in many cells": (
        ".xlsx",
        lambda: sheet(
            '<row><c t="s"><v>0</v></c></row>' * 50_000, shared=f"<si><t>{' ' * 1_000_000}</t></si>"
        ),
    ),
    "a table of sectors in itself": (".msg", _table_of_one_sector),
    "an attached table of sectors in itself": (".eml", lambda: _attached(_table_of_one_sector())),
    "empty streams of one chain": (".msg", lambda: _streams_of_one_chain(0)),
    "streams of one byte of one chain": (".msg", lambda: _streams_of_one_chain(1)),
    "short streams of one chain": (".msg", lambda: _streams_of_one_chain(1, most_short=2**31)),
    "entries that name each other": (".msg", _entries_that_name_each_other),
    "groups in groups": (".rtf", lambda: rb"{\rtf1" + b"{" * 9_999 + rb"\u1 \'41" * 300_000),
}  # fmt: skip


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_document_ends_in_time(converter: Converter, kind: str) -> None:
    ending, made = HOSTILE[kind]
    with contextlib.suppress(DocumentRefused):
        converter.text_of(made(), f"x{ending}")


def test_properties_and_titles_count_among_the_characters() -> None:
    long = "newt " * 4_000_000
    for page in (f"<meta name=keywords content='{long}'>", f"<title>{long}</title>"):
        with pytest.raises(DocumentRefused, match="more than 16 million characters"):
            convert_document(f"{page}<p>pears".encode(), ".html")


def test_more_tags_than_a_book_has_are_refused(converter: Converter) -> None:
    with pytest.raises(DocumentRefused, match="more than 2 million HTML tags"):
        converter.text_of(b"<" * 2_000_001, "x.html")
    with pytest.raises(DocumentRefused, match="more than 2 million HTML tags"):
        converter.text_of(spine(*["< " * 900_000] * 3), "x.epub")
