"""Parts of office files besides their text: charts, diagrams, margins, descriptions, fields."""

from __future__ import annotations

import io
import zipfile

import pytest

from scrubjay.documents.document_worker import convert_document

_RELATION = "http://schemas.example.org/officeDocument/relationships"


def _package(**parts: str) -> bytes:
    """An archive; in the names of its parts, two underscores stand for a slash."""
    package = io.BytesIO()
    with zipfile.ZipFile(package, "w") as archive:
        for name, content in parts.items():
            archive.writestr(f"{name.replace('__', '/')}.xml", content)
    return package.getvalue()


def _with(data: bytes, **parts: str) -> bytes:
    """A package with more parts, by their whole names."""
    changed = io.BytesIO(data)
    with zipfile.ZipFile(changed, "a") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return changed.getvalue()


def _relations(**targets: str) -> str:
    entries = (
        f'<Relationship Id="rId{at}" Type="{_RELATION}/{kind}" Target="{target}"/>'
        for at, (kind, target) in enumerate(targets.items(), 1)
    )
    return f"<Relationships>{''.join(entries)}</Relationships>"


def _word(body: str, relations: str = "", **parts: str) -> bytes:
    data = _package(word__document=f"<document><body>{body}</body></document>", **parts)
    return _with(data, **{"word/_rels/document.xml.rels": relations or _relations()})


_CHART = (
    "<chartSpace><title><p><r><t>Newts by year</t></r></p></title><ser><tx><strRef><strCache><pt>"
    "<v>Great crested</v></pt></strCache></strRef></tx><cat><strCache><pt><v>March</v></pt>"
    "</strCache></cat><val><numCache><pt><v>4711</v></pt></numCache></val></ser><valAx><title><p>"
    "<r><t>Animals</t></r></p></title></valAx></chartSpace>"
)
_LABELS = "Chart: Newts by year · Great crested · March · Animals"
_DIAGRAM = "<dataModel><pt><t><p><r><t>Catch</t></r></p></t></pt><pt><t><p><r><t>Count</t></r></p>"
_DIAGRAM += "</t></pt></dataModel>"
_PAGE = "<p><r><t>Plan</t></r></p>"


def test_charts_and_diagrams_of_word_files_are_read_without_their_numbers() -> None:
    data = _word(
        _PAGE,
        _relations(chart="charts/chart1.xml", diagramData="diagrams/data1.xml"),
        word__charts__chart1=_CHART,
        word__diagrams__data1=_DIAGRAM,
    )
    text = convert_document(data, ".docx")
    assert text == f"Plan\n\n- {_LABELS}\n- Diagram: Catch · Count\n"


def test_parts_of_word_files_may_have_any_name() -> None:
    data = _package(
        word__document2=f"<document><body>{_PAGE}</body></document>",
        word__notes9="<w><footnote><p><r><t>see annex</t></r></p></footnote></w>",
        word__letter="<hdr><p><r><t>Pond Society</t></r></p></hdr>",
    )
    data = _with(
        data,
        **{
            "_rels/.rels": _relations(officeDocument="word/document2.xml"),
            "word/_rels/document2.xml.rels": _relations(
                footnotes="notes9.xml", header="letter.xml"
            ),
        },
    )
    text = convert_document(data, ".docx")
    assert text == "Plan\n\n- Footnote: see annex\n\nPond Society\n\n"


def test_a_page_in_a_word_file_is_read_and_another_part_is_counted() -> None:
    relations = _relations(aFChunk="page.htm")
    data = _with(_word(_PAGE, relations), **{"word/page.htm": "<p>newts</p>"})
    assert "newts" in convert_document(data, ".docx")
    data = _with(_word(_PAGE, _relations(aFChunk="old.rtf")), **{"word/old.rtf": "{}"})
    assert convert_document(data, ".docx").startswith("> 1 part of the document could not be read")


def test_what_a_picture_shows_is_read() -> None:
    picture = '<p><r><drawing><docPr name="Picture 1" descr="A newt in a net"/></drawing></r></p>'
    assert convert_document(_word(picture), ".docx") == "A newt in a net\n\n"


def _slides(slide: str, relations: str, **parts: str) -> bytes:
    data = _package(
        ppt__presentation='<p xmlns:r="x/relationships"><sldId r:id="rId1"/></p>',
        ppt__slides__slide1=f"<sld>{slide}</sld>",
        **parts,
    )
    return _with(
        data,
        **{
            "ppt/_rels/presentation.xml.rels": _relations(slide="slides/slide1.xml"),
            "ppt/slides/_rels/slide1.xml.rels": relations,
        },
    )


@pytest.mark.parametrize(
    ("slide", "kind", "part", "words"),
    [
        ("", "chart", _CHART, _LABELS),
        ("", "diagramData", _DIAGRAM, "Diagram: Catch · Count"),
        ('<pic><cNvPr name="Picture 1" descr="A newt"/></pic>', "image", "", "A newt"),
    ],
)
def test_a_slide_without_text_is_read_by_what_it_shows(
    slide: str, kind: str, part: str, words: str
) -> None:
    data = _slides(slide, _relations(**{kind: "../drawn.xml"}), ppt__drawn=part)
    assert convert_document(data, ".pptm") == f"# Slide 1\n\n- {words}\n\n"


def test_boxes_that_a_speaker_added_to_the_notes_are_read() -> None:
    notes = (
        '<notes><sp><ph type="sldNum"/><p><r><t>1</t></r></p></sp>'
        "<sp><p><r><t>bring nets</t></r></p></sp></notes>"
    )
    data = _slides("", _relations(notesSlide="../notes.xml"), ppt__notes=notes)
    assert convert_document(data, ".pptx") == "# Slide 1\n\nbring nets\n\n"


def _sheets(sheet: str, relations: str = "", **parts: str) -> bytes:
    data = _package(
        xl__workbook='<w xmlns:r="x/relationships"><sheet name="Pond" r:id="rId1"/></w>',
        xl__sheets__sheet1=f"<worksheet>{sheet}</worksheet>",
        **parts,
    )
    return _with(
        data,
        **{
            "xl/_rels/workbook.xml.rels": _relations(worksheet="sheets/sheet1.xml"),
            "xl/sheets/_rels/sheet1.xml.rels": relations or _relations(),
        },
    )


def test_texts_above_and_below_a_sheet_and_hints_of_cells_are_read() -> None:
    margins = '&amp;L&amp;"Arial,Bold"&amp;12Pond Society&amp;RPage &amp;P'
    data = _sheets(
        f"<headerFooter><oddHeader>{margins}</oddHeader><oddFooter>&amp;CReed &amp;&amp; Son"
        '</oddFooter></headerFooter><dataValidation promptTitle="Newts" prompt="How many?"/>'
    )
    assert convert_document(data, ".xlsm") == (
        "# Sheet 1: Pond\n\n- Pond Society Page\n- Reed & Son\n- Newts How many?\n\n"
    )


def test_a_sheet_that_is_a_chart_is_read() -> None:
    data = _sheets(
        "",
        _relations(drawing="../drawings/drawing1.xml"),
        xl__drawings__drawing1='<d><pic><cNvPr descr="A newt"/></pic></d>',
        xl__charts__chart1=_CHART,
    )
    relations = _relations(chart="../charts/chart1.xml")
    data = _with(data, **{"xl/drawings/_rels/drawing1.xml.rels": relations})
    assert convert_document(data, ".xlsx") == f"# Sheet 1: Pond\n\n- A newt\n- {_LABELS}\n\n"


def _open(kind: str, body: str) -> bytes:
    return _package(content=f"<d><body><{kind}>{body}</{kind}></body></d>")


def test_fields_and_pictures_of_open_document_are_read() -> None:
    data = _open(
        "text",
        "<p>On <date>6 July</date> <author-name>Nora</author-name> saw <ruby><ruby-base>newts"
        "</ruby-base><ruby-text>nyts</ruby-text></ruby> and <frame><desc>a net</desc></frame>.</p>",
    )
    assert convert_document(data, ".odt") == "On 6 July Nora saw newts and a net .\n\n"


def test_charts_in_open_document_are_read() -> None:
    chart = "<d><chart><title><p>Newts by year</p></title><table><p>March</p></table></chart></d>"
    data = _with(_open("text", "<p>Plan</p>"), **{"Object 1/content.xml": chart})
    assert convert_document(data, ".odt") == "Plan\n\n- Object: Newts by year · March\n"


def test_sheets_of_open_document_have_rows_and_comments() -> None:
    data = _open(
        "spreadsheet",
        '<table name="Pond"><table-row><table-cell number-columns-repeated="2"><p>newts</p>'
        "</table-cell><table-cell><annotation><creator>Nora</creator><p>which?</p></annotation>"
        '<p>12</p></table-cell><table-cell number-columns-repeated="16000"/></table-row>'
        '<table-row number-rows-repeated="1048000"><table-cell/></table-row></table><table '
        'name="Empty"/>',
    )
    assert convert_document(data, ".ods") == (
        "# Sheet 1: Pond\n\n| newts | newts | 12 |\n| --- | --- | --- |\n\n"
        "- Comment by Nora: which?\n\n"
    )


def test_slides_of_open_document_have_titles_notes_and_comments() -> None:
    data = _open(
        "presentation",
        '<page><frame class="title"><text-box><p>Start</p></text-box></frame><frame><text-box>'
        "<list><list-item><p>nets</p></list-item></list></text-box></frame><annotation><p>why?</p>"
        "</annotation><notes><frame><text-box><p>say hello</p></text-box></frame></notes></page>"
        "<page/>",
    )
    assert convert_document(data, ".odp") == (
        "# Slide 1: Start\n\n- nets\n- Comment: why?\n\nsay hello\n\n"
    )


@pytest.mark.parametrize("kind", [".docx", ".pptx", ".xlsx"])
def test_damaged_relations_of_a_part_do_not_hide_its_text(kind: str) -> None:
    made = {
        ".docx": lambda: _word(_PAGE, "<damaged"),
        ".pptx": lambda: _slides(f"<sp>{_PAGE}</sp>", "<damaged"),
        ".xlsx": lambda: _sheets('<row><c t="str"><v>Plan</v></c></row>', "<damaged"),
    }
    text = convert_document(made[kind](), kind)
    assert text.startswith("> 1 part of the document could not be read.\n\n")
    assert "Plan" in text


def test_a_damaged_page_in_a_word_file_does_not_hide_its_text() -> None:
    page = "<p>" + "newts " * 20
    data = _with(_word(_PAGE, _relations(aFChunk="page.htm")), **{"word/page.htm": page})
    text = convert_document(data.replace(b"newts", b"frogs"), ".docx")
    assert text == "> 1 part of the document could not be read.\n\nPlan\n\n"
