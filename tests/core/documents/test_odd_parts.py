"""Parts that make no sense: each is left out or shown as it is, and the rest is read."""

from __future__ import annotations

import io
import json
import zipfile

import pytest

from scrubjay.documents.document_errors import DocumentRefused
from scrubjay.documents.document_worker import convert_document
from scrubjay.documents.mail_parts import MAX_DEPTH, MailPart, walk_parts
from support.document_makers import open_text, pdf, slides, word
from support.odd_documents import changed, deck, package, sheet, spine

NUMBERS = ["²", "1e999", "9" * 5_000, "-1", "x", "", "１", "nan"]


@pytest.mark.parametrize("number", NUMBERS)
def test_a_cell_with_an_odd_number_does_not_cost_the_sheet(number: str) -> None:
    shared = f'<row><c t="s"><v>{number}</v></c><c t="s"><v>0</v></c></row>'
    styled = f'<row><c s="{number}"><v>2</v></c><c s="0"><v>{number}</v></c><c><v>5</v></c></row>'
    named = f'<row r="{number}"><c r="A{number}"><v>6</v></c></row>'
    text = convert_document(sheet(shared + styled + named, shared="<si><t>Hose</t></si>"), ".xlsx")
    assert "Hose |\n" in text
    assert "| 2 | " in text
    assert "| 5 |\n" in text
    assert "| 6 |\n" in text


def test_a_day_that_is_none_is_shown_as_its_number() -> None:
    date = '<styleSheet><cellXfs><xf numFmtId="14"/></cellXfs></styleSheet>'
    cells = "".join(f'<c s="0"><v>{each}</v></c>' for each in ("46145", "1e999", "9e9", "nan", "²"))
    made = sheet(f"<row>{cells}</row>")
    parts = changed(made, "xl/sharedStrings.xml", lambda _: b"<sst/>")
    text = convert_document(package({**_parts(parts), "xl/styles.xml": date}), ".xlsx")
    assert "| 2026-05-03 | 1e999 | 9e9 | nan | ² |" in text


@pytest.mark.parametrize("number", ["zz", *NUMBERS])
def test_odd_levels_and_spaces_do_not_cost_an_open_text(number: str) -> None:
    def spoil(data: bytes) -> bytes:
        text = data.decode().replace('outline-level="1"', f'outline-level="{number}"')
        return text.replace("pears", f'pe<text:s text:c="{number}"/>ars').encode()

    text = convert_document(
        changed(open_text("# Fruit", "pears", "- figs"), "content.xml", spoil), ".odt"
    )
    assert "# Fruit\n\npe ars\n\n- figs\n" in text


@pytest.mark.parametrize("outputs", [5, "x", {"a": 1}, [5, None, {"text": 5}], None, 1e999])
def test_odd_outputs_do_not_cost_the_notebook(outputs: object) -> None:
    code = {"cell_type": "code", "source": "1+1", "outputs": outputs}
    prose = {"cell_type": "markdown", "source": "Sums"}
    data = json.dumps({"cells": [5, code, {"source": 7}, prose]}).encode()
    assert convert_document(data, ".ipynb") == "```\n1+1\n```\n\nSums\n\n"


def test_a_number_of_5000_digits_does_not_cost_the_notebook() -> None:
    digits = "9" * 5_000
    data = f'{{"cells": [{{"execution_count": {digits}, "cell_type": "raw", "source": "Sums"}}]}}'
    assert convert_document(data.encode(), ".ipynb") == "Sums\n\n"


def test_a_number_that_is_none_does_not_cost_the_page() -> None:
    page = f"<p>one &#{'9' * 5_000}; two &#x{'f' * 5_000}; three"
    assert convert_document(page.encode(), ".html") == "one � two � three\n\n"


def test_odd_words_of_control_do_not_cost_rich_text() -> None:
    data = rb"{\rtf1 one \uc-5\u8364 two\uc9999999999\u8364 \b99999999999 three}"
    text = convert_document(data, ".rtf")
    assert text.startswith("one €two€")


def test_letters_in_letters_are_read_as_far_as_people_forward_them() -> None:
    inner = b"Subject: the last\n\nNobody sees it\n"
    for _ in range(3_000):
        inner = b"Subject: in between\nContent-Type: message/rfc822\n\n" + inner
    head = b"Subject: top\nContent-Type: multipart/mixed; boundary=X\n\n--X\n\nHello\n--X\n"
    text = convert_document(
        head + b"Content-Type: message/rfc822\n\n" + inner + b"\n--X--\n", ".eml"
    )
    assert 'title: "top"' in text
    assert "Hello" in text
    assert "Nobody" not in text
    assert len([*walk_parts(MailPart(inner))]) == MAX_DEPTH + 1


def test_parts_of_a_letter_may_be_cut_off_or_have_no_end() -> None:
    head = b"Subject: s\nContent-Type: multipart/mixed; boundary=X\n\npreamble\n--X\n\n"
    for end in (
        b"Hello",
        b"Hello\r\n--X--",
        b"Hello\n--X\nContent-Type: text/html\n\n",
        b"Hello\n--X--\nend",
    ):
        text = convert_document(head + end, ".eml")
        assert text.endswith("Hello\n\n")


def test_headers_that_are_none_do_not_cost_a_letter() -> None:
    heads = (
        b"Date: 99 Foo 99999999999999 99:99:99 +999999999999\n",
        b"Content-Type: text/plain; charset=no\xffsuch\n",
        b"Content-Type: text/plain; charset*=no''such%ff\n",
        b"Content-Disposition: inline; filename*=x'y'%ff\n",
        b"Content-Disposition: inline; filename*1*=x'y'%ff; filename*0=\n",
        b"Content-Transfer-Encoding: base64=\n",
        b"To: =?punycode?q?a-9999?= =?zip?b?aa=?= =?utf-8?b?a?=\n",
        b"Subject: \xff\xfe\n",
        b"\x80: x\n",
    )
    for head in heads:
        assert "pears" in convert_document(b"From: a@example.org\n" + head + b"\npears\n", ".eml")


def _spoilt(data: bytes) -> bytes:
    return data[: len(data) // 2]


def test_a_damaged_sheet_slide_or_chapter_does_not_cost_the_others() -> None:
    text = convert_document(spine("<p>one", "<p>two", "<p>three").replace(b"two", b"zwo"), ".epub")
    assert "# Chapter 1\n\none\n\n# Chapter 2\n\nthree" in text
    assert "> 1 part of the document could not be read." in text
    deck_of_two = slides(("Start", "One", ""), ("End", "Two", ""))
    text = convert_document(changed(deck_of_two, "ppt/slides/slide1.xml", _spoilt), ".pptx")
    assert "> 1 part of the document could not be read." in text
    assert "# Slide 2: End" in text
    made = changed(sheet("<row><c><v>1</v></c></row>"), "xl/sharedStrings.xml", _spoilt)
    text = convert_document(made, ".xlsx")
    assert "| 1 |" in text
    assert "> 1 part of the document could not be read." in text


def test_damaged_titles_do_not_cost_the_text() -> None:
    assert "pears" in convert_document(
        changed(word("pears"), "docProps/core.xml", _spoilt), ".docx"
    )
    assert "pears" in convert_document(changed(open_text("pears"), "meta.xml", _spoilt), ".odt")
    made = pdf(["pears"], title="a語")
    odd = made.replace(rb"\212\236", rb"\330\000")
    assert odd != made
    assert "pears" in convert_document(odd, ".pdf")


def test_a_document_whose_every_part_is_damaged_says_so() -> None:
    with pytest.raises(DocumentRefused, match="1 part of the document could not be read"):
        convert_document(changed(deck("x"), "ppt/slides/a.xml", _spoilt), ".pptx")


def test_each_part_is_read_once_however_often_it_is_named() -> None:
    assert convert_document(spine("<p>pears", named=200), ".epub").count("pears") == 1
    row = "<row><c><v>pears</v></c></row>"
    assert convert_document(sheet(row, named=200), ".xlsx").count("pears") == 1
    assert convert_document(deck("pears", named=200), ".pptx").count("pears") == 1


def _parts(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}
