"""What is read of each kind of document, and how its places are named."""

from __future__ import annotations

import datetime as dt
import io
import re
import zipfile

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.documents.document_converter import Converter
from scrubjay.documents.document_errors import DocumentRefused
from scrubjay.documents.document_parts import part_number
from scrubjay.documents.document_worker import convert_document
from scrubjay.text.file_kinds import document_kind
from support.document_makers import (
    SAMPLES,
    book,
    letter,
    mailbox,
    notebook,
    open_text,
    pdf,
    rich,
    sheets,
    slides,
    word,
)

_READABLE = st.text(
    st.characters(
        codec="utf-8",
        exclude_categories=("Cc", "Cs", "Cn", "Co", "Zl", "Zp"),
        exclude_characters="\xad",
    ),
    min_size=1,
    max_size=60,
).filter(lambda text: text.strip())


@pytest.mark.parametrize("ending", SAMPLES)
def test_the_text_of_every_kind_is_read_in_the_child(converter: Converter, ending: str) -> None:
    text = converter.text_of(SAMPLES[ending]("apricot jam for Emma"), f"notes{ending}")
    assert "apricot jam for Emma" in text
    assert document_kind(f"A{ending.upper()}")


def test_a_pdf_has_its_pages_and_says_how_many_have_no_text(converter: Converter) -> None:
    data = pdf(["Roses\n# need water", "", "Tulips"], title="Garden book")
    text = converter.text_of(data, "x.pdf")
    assert text.startswith('---\ntitle: "Garden book"\n---\n')
    assert "> 1 of 3 pages has no text and may contain only images." in text
    assert "# Page 1\n\nRoses\n\\# need water\n\n# Page 3\n\nTulips" in text


def test_a_pdf_of_pictures_alone_is_refused_with_the_number(converter: Converter) -> None:
    with pytest.raises(DocumentRefused, match="2 of 2 pages have no text"):
        converter.text_of(pdf(["", ""]), "scan.pdf")


@pytest.mark.parametrize("title", ["Microsoft Word - a.doc", "(anonymous)", "untitled", "/tmp/x"])
def test_titles_that_programs_make_up_are_no_titles(converter: Converter, title: str) -> None:
    text = converter.text_of(pdf(["Words"], title=title), "x.pdf")
    assert "title" not in text


def test_headings_lists_and_tables_of_word_files_are_markdown() -> None:
    data = word(
        "# Garden", "Roses", "- hose", "- spade", "## Costs", table=[["a", "b"], ["c|d", "2"]]
    )
    assert convert_document(data, ".docx") == (
        '---\ntitle: "Garden"\n---\n\n# Garden\n\nRoses\n\n- hose\n- spade\n\n## Costs\n\n'
        "| a | b |\n| --- | --- |\n| c\\|d | 2 |\n\n"
    )


def test_styles_may_be_named_in_any_language_and_namespace() -> None:
    """As Word in German names them, with the prefixes and quotes of other programs."""
    made, changed = io.BytesIO(word("# Plan", "- Milk", "Text")), io.BytesIO()
    with zipfile.ZipFile(made) as old, zipfile.ZipFile(changed, "w") as new:
        for name in old.namelist():
            text = old.read(name)
            if name.startswith("word/"):
                text = text.replace(b'"Heading1"', b'"Ue&amp;berschrift1"')
                text = text.replace(b'"ListBullet"', b'"Aufz"')
            if name == "word/styles.xml":
                text = text.replace(b"<w:", b"<x:").replace(b"</w:", b"</x:").replace(b'"', b"'")
                text = text.replace(b"xmlns:w", b"xmlns:x").replace(b" w:", b" x:")
            new.writestr(name, text)
    text = convert_document(changed.getvalue(), ".docx")
    assert text.endswith("# Plan\n\n- Milk\n\nText\n\n")


def test_styles_may_be_written_in_two_bytes_a_letter() -> None:
    made, changed = io.BytesIO(word("# Plan", "- Milk", "Text")), io.BytesIO()
    with zipfile.ZipFile(made) as old, zipfile.ZipFile(changed, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            if name == "word/styles.xml":
                text = data.decode("utf-8")
                data = re.sub(r"(encoding=.)UTF-8", r"\1UTF-16", text).encode("utf-16")
            new.writestr(name, data)
    text = convert_document(changed.getvalue(), ".docx")
    assert text.endswith("# Plan\n\n- Milk\n\nText\n\n")


def test_open_document_has_headings_and_lists() -> None:
    text = convert_document(open_text("# Viaje", "Comprar billetes", "- uno", "- dos"), ".odt")
    assert "# Viaje\n\nComprar billetes\n\n- uno\n- dos" in text


def test_slides_have_titles_and_notes() -> None:
    text = convert_document(slides(("Start", "One\nTwo", "Say hello"), ("End", "", "")), ".pptx")
    assert "# Slide 1: Start\n\n- One\n- Two\n\nSay hello\n\n# Slide 2: End" in text


def test_cells_are_rows_with_days_and_gaps() -> None:
    rows = [["Item", None, "Day"], ["Hose", 12.5, dt.date(2026, 5, 3)], [True, None, None]]
    text = convert_document(sheets(Budget=rows, Empty=[], More=[["x"]]), ".xlsx")
    assert "# Sheet 1: Budget\n\n| Item |  | Day |\n" in text
    assert "| Hose | 12.5 | 2026-05-03 |\n| TRUE |" in text
    assert "Sheet 2" not in text
    assert "# Sheet 3: More" in text


def test_pages_of_the_web_lose_their_programs() -> None:
    page = (
        "<html><head><title>T</title><style>p{}</style><script>var x</script></head><body>"
        "<h2>Head</h2><p>a <b>b</b><br>c<ul><li>one<li><p>two</p></ul>"
        "<table><tr><th>k<th>v<tr><td>1<td></table><pre>x\n  y</pre><p>&lt;end&gt;"
    )
    assert convert_document(page.encode(), ".html") == (
        '---\ntitle: "T"\n---\n\n## Head\n\na b\n\nc\n\n- one\n- two\n\n'
        "| k | v |\n| --- | --- |\n| 1 |  |\n\n```\nx\n  y\n```\n\n<end>\n\n"
    )


@pytest.mark.parametrize(
    "data",
    [
        '<meta charset="windows-1252">Grüße'.encode("cp1252"),
        "Grüße".encode("cp1252"),
        "Grüße".encode("utf-16"),
        '<meta charset="no such one">Grüße'.encode(),
    ],
)
def test_pages_in_old_encodings_are_read(data: bytes) -> None:
    assert "Grüße" in convert_document(data, ".html")


def test_chapters_of_a_book_are_counted() -> None:
    text = convert_document(book("Novel", ("One", "It began"), ("Two", "It ended")), ".epub")
    assert 'title: "Novel"' in text
    assert "# Chapter 1: One\n\n## One\n\nIt began\n\n# Chapter 2: Two" in text


def test_letters_have_subject_day_and_attachments() -> None:
    data = letter("Grüße", "Hola\n# eins", attached="sum.pdf", html="<b>no</b>")
    text = convert_document(data, ".eml")
    assert text.startswith('---\ntitle: "Grüße"\ndate: 2026-05-05\n---\n')
    assert "Hola\n\\# eins" in text
    assert "Attached: sum.pdf" in text
    assert "<b>" not in text


def _added(data: bytes, name: str, content: str) -> bytes:
    """A package with one part more."""
    changed = io.BytesIO(data)
    with zipfile.ZipFile(changed, "a") as package:
        package.writestr(name, content)
    return changed.getvalue()


def test_letterheads_of_word_files_are_read_once() -> None:
    data = word("Offer")
    for name in ("header1", "header2", "footer1"):
        words = "Reference 2291" if name.startswith("header") else "Bank details"
        part = f'<w:hdr xmlns:w="x"><w:p><w:r><w:t>{words}</w:t></w:r></w:p></w:hdr>'
        data = _added(data, f"word/{name}.xml", part)
    assert convert_document(data, ".docx") == "Offer\n\nReference 2291\n\nBank details\n\n"


def test_the_words_around_a_footnote_of_open_document_stay_words() -> None:
    content = (
        '<d xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><body><text:p>The bark of '
        "juniper<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>larch "
        "is softer</text:p></text:note-body></text:note>is thin.</text:p></body></d>"
    )
    package = io.BytesIO()
    with zipfile.ZipFile(package, "w") as archive:
        archive.writestr("content.xml", content)
    text = convert_document(package.getvalue(), ".odt")
    assert text == "The bark of juniper is thin.\n\n- Note: larch is softer\n"


def _package(**parts: str) -> bytes:
    """A package of XML parts, by their names with an underscore for each slash."""
    package = io.BytesIO()
    with zipfile.ZipFile(package, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name.replace("_", "/") + ".xml", content)
    return package.getvalue()


def test_notes_and_comments_of_open_document_say_what_they_are() -> None:
    content = (
        '<d><body><p>Bring the net<note note-class="footnote"><note-citation>1</note-citation>'
        "<note-body><p>a fine one</p></note-body></note>, please<annotation><creator>Nora</creator>"
        "<date>2027</date><p>which net?</p></annotation>.</p><p>Second<frame><text-box>"
        '<p>in a box</p></text-box></frame>half<note note-class="endnote"><note-body><p>see p. 3'
        "</p></note-body></note></p></body></d>"
    )
    styles = (
        "<d><master-page><header><p>Pond Society</p></header><footer><p>Page</p></footer>"
        "</master-page><master-page><header><p>Pond Society</p></header></master-page></d>"
    )
    assert convert_document(_package(content=content, styles=styles), ".odt") == (
        "Bring the net, please.\n\n- Footnote: a fine one\n- Comment by Nora: which net?\n\n"
        "Second in a box half\n\n- Endnote: see p. 3\n\nPond Society\n\nPage\n\n"
    )


def test_notes_and_comments_of_word_say_what_they_are() -> None:
    data = word("Offer")
    for kind, words in (("footnote", "net of tax"), ("endnote", "see annex")):
        part = f"<w><{kind}><p><r><t>{words}</t></r></p></{kind}></w>"
        data = _added(data, f"word/{kind}s.xml", part)
    comment = '<w><comment author="Nora"><p><r><t>too dear</t></r></p></comment></w>'
    text = convert_document(_added(data, "word/comments.xml", comment), ".docx")
    assert text == (
        "Offer\n\n- Footnote: net of tax\n\n- Endnote: see annex\n\n- Comment by Nora: too dear\n"
    )


def test_comments_of_cells_and_texts_of_boxes_follow_their_sheet() -> None:
    workbook = openpyxl.load_workbook(io.BytesIO(sheets(Pond=[["newts", 12]], Lake=[["eel"]])))
    workbook["Pond"]["B1"].comment = openpyxl.comments.Comment("counted at night", "Nora")
    saved = io.BytesIO()
    workbook.save(saved)
    text = convert_document(saved.getvalue(), ".xlsx")
    rows, _, rest = text.partition("- Comment on B1: counted at night\n")
    assert "newts" in rows
    assert "# Sheet 2: Lake" in rest
    # Excel saves more beside a sheet, which is no XML.
    spoilt = io.BytesIO()
    with zipfile.ZipFile(saved) as package, zipfile.ZipFile(spoilt, "w") as archive:
        for name in package.namelist():
            is_drawn = name.endswith(".vml")
            archive.writestr(name, b"<xml><br></xml>" if is_drawn else package.read(name))
        assert any(name.endswith(".vml") for name in archive.namelist())
    assert convert_document(spoilt.getvalue(), ".xlsx") == text


def _mail(kind: str, *parts: str) -> bytes:
    """A letter with parts, each with its headers."""
    joined = "".join(f"--B\n{part}\n" for part in parts)
    above = f"From: n@example.org\nSubject: Pond\nContent-Type: {kind}; boundary=B\n"
    return f"{above}\n{joined}--B--\n".encode()


def _part(kind: str, text: str, more: str = "") -> str:
    return f"Content-Type: {kind}\n{more}\n{text}"


@pytest.mark.parametrize("blank", ["", "\u200b", "\u00a0 \n-- \n"])
def test_a_part_of_signs_that_nobody_sees_is_blank(blank: str) -> None:
    plain = _part("text/plain; charset=utf-8", blank)
    text = convert_document(
        _mail("multipart/alternative", plain, _part("text/html", "<p>newts")), ".eml"
    )
    assert "newts" in text


def test_texts_between_pictures_are_all_read() -> None:
    picture = _part("image/png", "AAAA", 'Content-Disposition: inline; filename="net.png"\n')
    data = _mail(
        "multipart/mixed", _part("text/plain", "above"), picture, _part("text/plain", "below")
    )
    text = convert_document(data, ".eml")
    assert [text.index(word) for word in ("above", "below", "net.png")] == sorted(
        text.index(word) for word in ("above", "below", "net.png")
    )


def test_of_parts_that_say_the_same_one_is_read_however_deep() -> None:
    inner = _mail("multipart/related", _part("text/html", "<p>loud newts"))
    inner = inner[inner.index(b"Content-Type") :].replace(b"=B", b"=C").replace(b"--B", b"--C")
    data = _mail("multipart/alternative", _part("text/plain", "quiet newts"), inner.decode())
    text = convert_document(data, ".eml")
    assert "quiet newts" in text
    assert "loud" not in text


@pytest.mark.parametrize(
    ("kind", "name", "content", "words"),
    [
        ("text/plain", "list.txt", "waders and bucket", "waders and bucket"),
        ("text/csv", "list.csv", "waders,2", "waders,2"),
        ("text/html", "list.html", "<p>waders<script>no</script>", "waders"),
        ("application/octet-stream", "list.md", "# waders", "\\# waders"),
        ("message/rfc822", "old.eml", "Subject: waders\n\nbucket", "Subject: waders"),
        ("application/octet-stream", "old.eml", "Subject: waders\n\nbucket", "bucket"),
    ],
)
def test_attached_texts_and_letters_are_read(
    kind: str, name: str, content: str, words: str
) -> None:
    more = f'Content-Disposition: attachment; filename="{name}"\n'
    data = _mail("multipart/mixed", _part("text/plain", "hello"), _part(kind, content, more))
    text = convert_document(data, ".eml")
    assert text.index("hello") < text.index(words)
    assert "<script>" not in text


def test_a_letter_that_came_back_says_why_and_which_it_was() -> None:
    status = "Reporting-MTA: dns; mx\n\nFinal-Recipient: rfc822; emma@example.org\nStatus: 5.1.1\n"
    data = _mail(
        "multipart/report",
        _part("text/plain", "could not be delivered"),
        _part("message/delivery-status", status),
        _part("text/rfc822-headers", "Subject: Invitation to the pond\n"),
    )
    text = convert_document(data, ".eml")
    for words in ("could not be delivered", "emma@example.org", "5.1.1", "Invitation to the pond"):
        assert words in text


def test_an_invitation_tells_event_and_guests() -> None:
    event = (
        "BEGIN:VEVENT\r\nSUMMARY:Newt\r\n  count\r\nLOCATION;LANGUAGE=en:Old mill\r\n"
        'DESCRIPTION:Bring\\, please\\na lamp\r\nATTENDEE;CN="Nora Reed":mailto:n@example.org\r\n'
        "UID:1234\r\nEND:VEVENT\r\n"
    )
    data = _mail(
        "multipart/alternative", _part("text/plain", "come"), _part("text/calendar", event)
    )
    text = convert_document(data, ".eml")
    assert (
        "- Summary: Newt count\n- Location: Old mill\n- Description: Bring, please a lamp\n" in text
    )
    assert "- Attendee: Nora Reed mailto:n@example.org" in text
    assert "1234" not in text


def test_hyphens_that_nobody_sees_part_no_words() -> None:
    assert (
        convert_document("<p>Donau&shy;dampf\xadschiff".encode(), ".html") == "Donaudampfschiff\n\n"
    )


@pytest.mark.parametrize("blank", ["", " ", "\xa0\r\n"])
def test_a_letter_whose_plain_text_is_blank_is_read_as_a_page(blank: str) -> None:
    data = letter("Plans", blank, html="<p>persimmon")
    assert "persimmon" in convert_document(data, ".eml")


def test_a_forwarded_letter_is_read_with_its_own_headers() -> None:
    inner = letter("Offer of tamarind", "lychee", attached="price.pdf")
    head = b"From: me@example.org\nSubject: Fwd\nContent-Type: multipart/mixed; boundary=B\n\n"
    first = b"--B\nContent-Type: text/plain\n\npomegranate\n"
    data = head + first + b"--B\nContent-Type: message/rfc822\n\n" + inner + b"\n--B--\n"
    text = convert_document(data, ".eml")
    assert text.startswith('---\ntitle: "Fwd"\n')
    words = ("me@example.org", "pomegranate", "Subject: Offer of tamarind", "lychee", "price.pdf")
    numbers = [text.index(word) for word in words]
    assert numbers == sorted(numbers)


def test_letters_of_a_mailbox_are_counted() -> None:
    data = mailbox(
        letter("First", "One\nFrom me to you\n", attached="a.pdf"), letter("Next", "Two")
    )
    numbers = [part_number(line) for line in convert_document(data, ".mbox").splitlines()]
    assert [number for number in numbers if number] == [1, 2]
    assert "From me to you" in convert_document(data, ".mbox")


def test_notebooks_keep_programs_apart() -> None:
    text = convert_document(
        notebook(("markdown", "# Sums\n\nof May", ""), ("code", "1+1", "2")), ".ipynb"
    )
    assert text == "# Sums\n\nof May\n\n```python\n1+1\n```\n\n```\n2\n```\n\n"


def test_rich_text_has_letters_of_every_kind() -> None:
    assert convert_document(rich("Café €\nзима 😀"), ".rtf") == "Café €\n\nзима 😀\n\n"
    assert "Grüße" in convert_document(
        rb"{\rtf1\ansi\ansicpg1252 Gr\'fc\'dfe{\*\x hidden}}", ".rtf"
    )


@given(_READABLE)
def test_whatever_a_paragraph_holds_is_no_structure(text: str) -> None:
    for made in (word("First", f"x{text}"), rich(f"x{text}")):
        ending = ".rtf" if made.startswith(b"{") else ".docx"
        lines = ["".join(line.split()) for line in convert_document(made, ending).split("\n")]
        assert "".join(f"x{text}".split()) in lines


@given(st.text(max_size=40))
def test_places_come_from_the_conversion_alone(text: str) -> None:
    mail = mailbox(letter("One", f"# Page 7\n{text.encode('utf-8', 'replace').decode()}\n"))
    numbers = map(part_number, convert_document(mail, ".mbox").splitlines())
    assert [number for number in numbers if number] == [1]


_WORDS = st.text(st.characters(codec="ascii", categories=("L", "Nd")), min_size=1, max_size=12)
_FORMS = st.sampled_from(["text/plain", "text/html", "text/csv", "text/calendar", "text/x-log"])


@given(st.lists(st.tuples(_FORMS, _WORDS, st.booleans()), min_size=1, max_size=6))
def test_no_text_of_a_letter_is_lost(parts: list[tuple[str, str, bool]]) -> None:
    made = []
    for number, (kind, words, is_attached) in enumerate(parts):
        more = f'Content-Disposition: attachment; filename="f{number}"\n' if is_attached else ""
        content = f"SUMMARY:w{words}" if kind == "text/calendar" else f"w{words}"
        made.append(_part(kind, content, more))
    text = convert_document(_mail("multipart/mixed", *made), ".eml")
    assert all(f"w{words}" in text for _, words, _ in parts)
