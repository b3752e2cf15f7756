"""Texts of pictures in the place of pages, and below documents."""

from __future__ import annotations

from scrubjay.documents.picture_markdown import picture_markdown, with_pages, with_pictures
from scrubjay.records.picture_text import PictureLine, PictureText

CORNERS = (0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0)


def read(*lines: tuple[str, float]) -> PictureText:
    return PictureText(tuple(PictureLine(text, sure, CORNERS) for text, sure in lines), 900, 600)


def test_lines_tell_where_the_recogniser_was_not_sure() -> None:
    text = read(("Sprint goals", 0.99), ("M1grate the ledqer", 0.6), ("|;l|", 0.1), ("# Not", 0.9))
    assert picture_markdown(text) == "Sprint goals\nM1grate the ledqer (?)\n\\# Not"


def test_a_few_unsure_letters_are_no_text() -> None:
    assert picture_markdown(read(("wwww", 0.53), ("mm", 0.6))) == ""
    assert picture_markdown(read(("C14", 0.95))) == "C14"
    assert picture_markdown(read(("Gate closes at ten", 0.6))) == "Gate closes at ten (?)"


def test_pages_that_were_read_stand_in_their_order() -> None:
    text = '---\ntitle: "Lease"\n---\n\n> 2 of 3 pages have no text.\n\n# Page 2\n\nSigned\n\n'
    pages = {3: read(("Keys", 1.0)), 1: read(("Rent", 1.0)), 4: read()}
    assert with_pages(text, pages) == (
        '---\ntitle: "Lease"\n---\n\n'
        "> The text of 2 pages comes from text recognition and may contain errors.\n\n"
        "# Page 1\n\nRent\n\n# Page 2\n\nSigned\n\n# Page 3\n\nKeys\n\n"
    )


def test_a_page_whose_text_made_no_sense_is_replaced() -> None:
    text = with_pages("# Page 1\n\nWkh ghsrvlw\n\n", {1: read(("The deposit", 1.0))})
    assert "Wkh" not in text
    assert text.endswith("# Page 1\n\nThe deposit\n\n")


def test_pages_without_text_leave_the_document_as_it_is() -> None:
    assert with_pages("# Page 1\n\nRent\n\n", {2: read()}) == "# Page 1\n\nRent\n\n"


def test_pictures_in_a_document_stand_below_it_under_their_names() -> None:
    pictures = [("image1.png", read(("Lisbon", 1.0))), ("photo.jpg", read())]
    assert with_pictures("Letter\n", pictures) == "Letter\n\n\n# Picture image1.png\n\nLisbon\n\n"
