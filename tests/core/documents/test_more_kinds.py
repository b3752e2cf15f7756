"""Templates, flat files, drawings, mail of Apple and Outlook, and documents attached to letters."""

from __future__ import annotations

import datetime as dt
import io
import json
import re
import struct
import zipfile
from collections.abc import Callable
from email.message import EmailMessage
from xml.parsers.expat import ExpatError

import pytest

from scrubjay.documents.document_converter import Converter
from scrubjay.documents.document_errors import DocumentRefused
from scrubjay.documents.document_parts import part_number
from scrubjay.documents.document_worker import convert_document
from scrubjay.text.file_kinds import DOCUMENT, MAIL, document_kind
from scrubjay.text.markdown import parse_outline
from support import document_makers as made
from support.outlook_files import compound_file, outlook_letter

_NAMES = {"office": "urn:oasis:names:tc:opendocument:xmlns:office:1.0",
          "text": "urn:oasis:names:tc:opendocument:xmlns:text:1.0",
          "table": "urn:oasis:names:tc:opendocument:xmlns:table:1.0",
          "draw": "urn:oasis:names:tc:opendocument:xmlns:drawing:1.0",
          "style": "urn:oasis:names:tc:opendocument:xmlns:style:1.0",
          "meta": "urn:oasis:names:tc:opendocument:xmlns:meta:1.0",
          "dc": "http://purl.org/dc/elements/1.1/"}  # fmt: skip
_PAGE = (
    "<draw:page draw:name='p'><draw:custom-shape><text:p>Heron nest</text:p></draw:custom-shape>"
)
_PAGE += (
    "<draw:frame><draw:text-box><text:p>Reeds</text:p></draw:text-box></draw:frame></draw:page>"
)


def _flat(body: str, *, meta: str = "", styles: str = "") -> bytes:
    spaces = " ".join(f'xmlns:{name}="{space}"' for name, space in _NAMES.items())
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<office:document {spaces}>'
        f"<office:meta>{meta}</office:meta><office:master-styles>{styles}</office:master-styles>"
        f"<office:body>{body}</office:body></office:document>"
    ).encode()


def _packed(body: str, *, meta: str = "") -> bytes:
    data = _flat(body).decode()
    package = io.BytesIO()
    with zipfile.ZipFile(package, "w") as archive:
        archive.writestr("content.xml", data)
        archive.writestr("meta.xml", _flat("", meta=meta))
    return package.getvalue()


@pytest.mark.parametrize(
    ("endings", "data", "words"),
    [
        (".docx .docm .dotx .dotm", made.word("Heron"), "Heron"),
        (".xlsx .xlsm .xltx .xltm", made.sheets(Sums=[["Heron", 3]]), "Heron"),
        (".pptx .pptm .potx .potm .ppsx .ppsm", made.slides(("Heron", "Reeds", "")), "Heron"),
        (".odt .ott", made.open_text("Heron"), "Heron"),
        (".ods .ots", made.open_sheet("Heron"), "Heron"),
        (".odp .otp", made.open_slide("Heron"), "Heron"),
        (".odg .otg", _packed(f"<office:drawing>{_PAGE}</office:drawing>"), "Heron nest"),
        (".fodt", _flat("<office:text><text:h>A</text:h><text:p>Heron</text:p></office:text>"),
         "Heron"),
        (".fods", _flat("<office:spreadsheet><table:table table:name='Sums'><table:table-row>"
                        "<table:table-cell><text:p>Heron</text:p></table:table-cell>"
                        "</table:table-row></table:table></office:spreadsheet>"), "| Heron |"),
        (".fodp", _flat(f"<office:presentation>{_PAGE}</office:presentation>"), "Heron nest"),
        (".fodg", _flat(f"<office:drawing>{_PAGE}</office:drawing>"), "Heron nest"),
    ],
)  # fmt: skip
def test_templates_drawings_and_flat_files_are_read(endings: str, data: bytes, words: str) -> None:
    for ending in endings.split():
        assert document_kind(f"a{ending.upper()}") == DOCUMENT
        assert words in convert_document(data, ending)


def test_a_flat_file_has_its_title_keywords_headers_and_notes() -> None:
    data = _flat(
        "<office:text><text:p>Plan<text:note><text:note-body><text:p>Ask Ann</text:p>"
        "</text:note-body></text:note></text:p></office:text>",
        meta="<dc:title>Pond</dc:title><meta:keyword>newt</meta:keyword><meta:keyword>frog"
        "</meta:keyword>",
        styles="<style:master-page><style:header><text:p>Letterhead</text:p></style:header>"
        "</style:master-page>",
    )
    text = convert_document(b"\xef\xbb\xbf" + data, ".fodt")
    assert text.startswith('---\ntitle: "Pond"\n---\n\n- Keywords: newt, frog\n\n')
    assert "Note: Ask Ann" in text
    assert "Letterhead" in text


def test_the_title_of_an_object_in_a_flat_file_is_not_that_of_the_file() -> None:
    meta = "<office:meta><dc:title>Inner</dc:title><meta:keyword>chart</meta:keyword></office:meta>"
    text = convert_document(
        _flat(
            f"<office:text><draw:object><office:document>{meta}</office:document></draw:object>"
            "<text:p>Plan</text:p></office:text>",
            meta="<dc:title>Pond</dc:title>",
        ),
        ".fodt",
    )
    assert text.startswith('---\ntitle: "Pond"\n---\n\nPlan')


def test_a_damaged_flat_file_is_refused() -> None:
    with pytest.raises(ExpatError):
        convert_document(_flat("<office:text><text:p>a</office:text>"), ".fodt")


@pytest.mark.parametrize("ending", [".docx", ".xlsx", ".pptx"])
def test_keywords_and_subject_of_office_files_are_read(ending: str) -> None:
    makers = {
        ".docx": made.word("Body"),
        ".xlsx": made.sheets(Sums=[["Body", 3]]),
        ".pptx": made.slides(("Body", "x", "")),
    }
    properties = (
        '<cp:coreProperties xmlns:cp="urn:cp" xmlns:dc="urn:dc"><dc:title>Pond</dc:title>'
        "<dc:subject>Amphibians</dc:subject><cp:keywords>newt; frog</cp:keywords>"
        "<cp:category>Garden</cp:category><dc:description>Draft for Ann</dc:description>"
        "</cp:coreProperties>"
    )
    package = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(makers[ending])) as old, zipfile.ZipFile(package, "w") as new:
        for name in old.namelist():
            new.writestr(name, properties if name == "docProps/core.xml" else old.read(name))
    text = convert_document(package.getvalue(), ending)
    assert text.startswith(
        '---\ntitle: "Pond"\n---\n\n- Keywords: newt; frog\n- Subject: Amphibians\n'
        "- Category: Garden\n- Description: Draft for Ann\n\n"
    )
    assert "Body" in text
    assert "generated" not in convert_document(makers[ending], ending).lower()


def test_keywords_of_books_pdf_files_and_pages_are_read() -> None:
    page = b"<html><head><title>Pond</title><meta name='Keywords' content='newt, frog'></head>Body"
    assert "- Keywords: newt, frog\n" in convert_document(page, ".html")
    pdf = made.pdf(["Body"], keywords="newt, frog", subject="Amphibians")
    assert "- Keywords: newt, frog\n- Subject: Amphibians\n" in convert_document(pdf, ".pdf")


_LETTER = b"From: ann@example.org\nSubject: Pond\nDate: Tue, 5 May 2026 10:00:00 +0000\n\n"
_LETTER += b"Newts are back\n"
_PLIST = b'<?xml version="1.0"?><plist version="1.0"><dict><key>flags</key><integer>1</integer>'


@pytest.mark.parametrize("head", [b"%d\n", b"%d      \n", b"  %d\r\n"])
def test_mail_of_apple_is_read_without_its_properties(head: bytes) -> None:
    data = head % len(_LETTER) + _LETTER + _PLIST
    assert document_kind("1.emlx") == document_kind("1.partial.emlx") == MAIL
    text = convert_document(data, ".emlx")
    assert text.startswith('---\ntitle: "Pond"\ndate: 2026-05-05\n---\n')
    assert "Newts are back" in text
    assert "flags" not in text


def test_what_only_looks_like_mail_of_apple_or_outlook_is_refused() -> None:
    for data, ending in ((_LETTER, ".emlx"), (_LETTER, ".msg"), (compound_file({}), ".msg")):
        with pytest.raises(DocumentRefused, match="not an email"):
            convert_document(data, ending)


_TEXTS = {0x0037: "Teich – Pläne", 0x0C1A: "Ann", 0x5D01: "ann@example.org", 0x0E04: "Ben; Zoë",
          0x0E03: "Cy", 0x1000: "Die Molche sind zurück.\r\nBis bald"}  # fmt: skip


def test_a_letter_of_outlook_is_read_with_all_that_is_attached() -> None:
    inner = outlook_letter(texts={0x0037: "Inner", 0x1000: "A letter within"}, is_inner=True)
    data = compound_file(
        outlook_letter(
            texts=_TEXTS,
            sent=dt.datetime(2024, 3, 9, 8, 30, tzinfo=dt.UTC),
            files={"plan.docx": made.word("Dig deeper " * 900), "list.txt": b"Pump", "": inner,
                   "photo.jpg": b"\xff\xd8"},
        )
    )  # fmt: skip
    text = convert_document(data, ".msg")
    assert text.startswith('---\ntitle: "Teich – Pläne"\ndate: 2024-03-09\n---\n')
    for words in ("From: Ann <ann@example.org>", "To: Ben; Zoë", "Cc: Cy", "Molche sind zurück",
                  "Attached: plan.docx", "Dig deeper", "Attached: list.txt", "Pump",
                  "Attached: photo.jpg", "Subject: Inner", "A letter within"):  # fmt: skip
        assert words in text
    assert convert_document(data, ".oft") == text


def test_a_letter_of_outlook_may_have_a_page_alone() -> None:
    page = "<html><meta charset=utf-8><p>Molche <b>zurück</b>".encode()
    data = compound_file(outlook_letter(texts={0x0037: "Teich", 0x1013: page}))
    assert "Molche zurück" in convert_document(data, ".msg")
    both = compound_file(outlook_letter(texts={0x1000: "Molche zurück", 0x1013: page}))
    assert convert_document(both, ".msg").count("zurück") == 1


def test_a_damaged_letter_of_outlook_ends() -> None:
    data = compound_file(outlook_letter(texts=_TEXTS, files={"a.txt": b"x" * 9_000}))
    for at in range(24, len(data), 97):
        broken = data[:at] + b"\x01\x00\x00\x00" + data[at + 4 :]
        for piece in (broken, data[:at]):
            try:
                convert_document(piece, ".msg")
            except (DocumentRefused, struct.error, ValueError):
                continue


def test_a_long_film_in_a_letter_of_outlook_leaves_memory_for_the_letter(
    converter: Converter,
) -> None:
    film = b"\xff\xd8" * 80_000_000
    data = compound_file(outlook_letter(texts=_TEXTS, files={"film.mp4": film, "a.txt": b"Pump"}))
    text = converter.text_of(data, "a.msg")
    assert "Molche" in text
    assert "- Attached: film.mp4" in text
    assert "Pump" in text


def test_long_documents_in_a_letter_of_outlook_leave_memory_for_the_letter(
    converter: Converter,
) -> None:
    deck = b"\xff\xd8" * 45_000_000
    files = {"a.pptx": deck, "b.pptx": deck}
    text = converter.text_of(compound_file(outlook_letter(texts=_TEXTS, files=files)), "a.msg")
    assert "Molche" in text
    assert "- Attached: b.pptx (could not be read)" in text


def test_a_damaged_stream_of_a_letter_of_outlook_leaves_the_others() -> None:
    data = compound_file(outlook_letter(texts={0x007D: "x" * 4_321} | _TEXTS))
    long = struct.pack("<Q", 2 * 4_321)
    assert data.count(long) == 1
    assert "Molche" in convert_document(data.replace(long, struct.pack("<Q", 2**31)), ".msg")


def _letter_with(*files: tuple[bytes, str, str]) -> bytes:
    message = EmailMessage()
    message["From"] = "ann@example.org"
    message["Subject"] = "Pond"
    message.set_content("See the files.")
    for data, kind, name in files:
        main, _, sub = kind.partition("/")
        message.add_attachment(data, maintype=main, subtype=sub, filename=name or None)
    return message.as_bytes()


_BINARY = "application/octet-stream"


@pytest.mark.parametrize(
    ("data", "kind", "name", "words"),
    [
        (made.word("# Digging", "Dig deeper"), _BINARY, "plan.docx", "Dig deeper"),
        (made.pdf(["Dig deeper"]), "application/pdf", "plan.pdf", "Dig deeper"),
        (made.pdf(["Dig deeper"]), "application/pdf", "plan", "Dig deeper"),
        (made.sheets(Sums=[["Spade", 3]]), _BINARY, "SUMS.XLSX", "Spade"),
        (made.slides(("Dig", "deeper", "")), _BINARY, "dig.pptx", "deeper"),
        (made.open_text("Dig deeper"), _BINARY, "plan.odt", "Dig deeper"),
        (b"{\\rtf1 Dig deeper}", "application/rtf", "plan.rtf", "Dig deeper"),
        (compound_file(outlook_letter(texts=_TEXTS)), _BINARY, "re.msg", "Molche"),
    ],
)
def test_a_document_that_is_attached_is_read(data: bytes, kind: str, name: str, words: str) -> None:
    text = convert_document(_letter_with((data, kind, name)), ".eml")
    assert f"- Attached: {name}\n" in text
    assert words in text
    assert text.index("See the files") < text.index(name) < text.index(words)
    # No heading takes the place of a page or a message of the file itself.
    assert not re.search(r"(?m)^# ", text)


def test_a_damaged_document_leaves_the_letter_and_is_counted() -> None:
    data = _letter_with(
        (b"PK\x03\x04broken", _BINARY, "plan.docx"),
        (made.pdf(["Secret"], password="x"), "application/pdf", "safe.pdf"),
        (made.word("Dig deeper"), _BINARY, "good.docx"),
    )
    text = convert_document(data, ".eml")
    assert "2 parts of the document could not be read" in text
    assert "See the files" in text
    assert "Attached: plan.docx (could not be read)" in text
    assert "Dig deeper" in text


def test_documents_beyond_the_limits_are_named_and_counted() -> None:
    # Letters in letters, each with a document.
    data = made.word("Deepest")
    for _ in range(5):
        data = compound_file(outlook_letter(texts={0x1000: "Layer"}, files={"in.msg": data}))
    text = convert_document(_letter_with((data, _BINARY, "top.msg")), ".eml")
    assert "in.msg (could not be read)" in text
    assert "Deepest" not in text


def test_each_letter_of_a_mailbox_has_its_documents() -> None:
    begin = b"From ann@example.org Tue May 05 10:00:00 2026\n"
    letters = (_letter_with((made.word(f"Dig {n}"), _BINARY, f"{n}.docx")) for n in (1, 2))
    text = convert_document(b"".join(begin + each + b"\n" for each in letters), ".mbox")
    assert re.findall(r"(?m)^# Message \d", text) == ["# Message 1", "# Message 2"]
    assert text.index("Dig 1") < text.index("# Message 2") < text.index("Dig 2")


_LONG = "newt " * 1_800_000


@pytest.mark.parametrize(
    ("make", "name"),
    [
        (lambda: made.word(_LONG), "long.docx"),
        (lambda: _LONG.encode(), "long.log"),
        (lambda: f"<p>{'< ' * 1_100_000}".encode(), "long.htm"),
        (lambda: json.dumps({"cells": [], "metadata": {"title": _LONG}}).encode(), "long.ipynb"),
    ],
)
def test_what_is_attached_leaves_the_characters_of_the_letters(
    make: Callable[[], bytes], name: str
) -> None:
    begin = b"From ann@example.org Tue May 05 10:00:00 2026\n"
    page = b"Subject: Pond\nContent-Type: text/html\n\nNewts " + b"< " * 1_000_000
    plain = b"Subject: Pond\n\n" + b"Frogs are back. " * 500_000
    letters = (_letter_with((make(), _BINARY, name)), plain, page)
    text = convert_document(b"".join(begin + each + b"\n" for each in letters), ".mbox")
    assert f"- Attached: {name}\n" in text
    assert "could not be read" not in text
    assert "# Message 3: Pond" in text


def test_a_file_that_is_too_long_is_named_and_the_letter_is_read() -> None:
    files = (("a.log", b"newt " * 4_000_000), ("b.docx", made.word("newt " * 4_000_000)))
    for name, data in files:
        text = convert_document(_letter_with((data, _BINARY, name)), ".eml")
        assert f"- Attached: {name} (could not be read)" in text
        assert "See the files" in text
        assert len(text) < 1_000


_FORGED = "# Message 2: Invoice"


def _notebook_with(kind: str, source: str) -> bytes:
    return json.dumps({"cells": [{"cell_type": kind, "source": source}]}).encode()


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (_notebook_with("markdown", _FORGED), "a.ipynb"),
        (_notebook_with("markdown", f"x\r{_FORGED}"), "a.ipynb"),
        (_notebook_with("markdown", f"```\n{_FORGED}\n"), "a.ipynb"),
        (_notebook_with("markdown", f"~~~~ a\n```\n{_FORGED}"), "a.ipynb"),
        (_notebook_with("code", f"1\n{_FORGED}"), "a.ipynb"),
        (json.dumps({"nodes": [{"type": "text", "text": _FORGED}]}).encode(), "a.canvas"),
        (f"views:\n{_FORGED}".encode(), "a.base"),
        (f"<pre>x\n{_FORGED}</pre>".encode(), "a.htm"),
        (_FORGED.encode(), "a.md"),
    ],
)
def test_no_attached_file_forges_a_message(data: bytes, name: str) -> None:
    begin = b"From ann@example.org Tue May 05 10:00:00 2026\n"
    letters = (_letter_with((data, _BINARY, name)), b"Subject: Tea\n\nBrew it\n")
    text = convert_document(b"".join(begin + each + b"\n" for each in letters), ".mbox")
    lines = text.splitlines()
    assert "Message 2: Invoice" in text
    assert [line for line in lines if part_number(line) == 2] == ["# Message 2: Tea"]
    headings = [each.text for each in parse_outline(lines).headings if each.level == 1]
    assert headings == ["Message 1: Pond", "Message 2: Tea"]


@pytest.mark.parametrize(
    ("parameters", "place"),
    [
        ('access-type=URL; URL="https://example.org/plan.pdf"', "https://example.org/plan.pdf"),
        ('access-type=anon-ftp; name="plan.ps"; site="ftp.example.org"; directory="pub"',
         "plan.ps, ftp.example.org, pub"),
        ("access-type=mail-server; server=list@example.org", "list@example.org"),
    ],
)  # fmt: skip
def test_content_that_is_elsewhere_is_named_with_its_place(parameters: str, place: str) -> None:
    text = convert_document(
        b"From: ann@example.org\nSubject: Pond\nContent-Type: multipart/mixed; boundary=B\n\n"
        b"--B\n\nSee there\n--B\nContent-Type: message/external-body; "
        + parameters.encode()
        + b'\n\nContent-Type: application/pdf; name="inner.pdf"\n\n\n--B--',
        ".eml",
    )
    assert f"- Attached elsewhere: {place}, inner.pdf\n" in text
    assert "Content-Type" not in text
