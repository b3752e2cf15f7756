"""Pictures that are found in documents."""

from __future__ import annotations

import io
import zipfile
from email.message import EmailMessage

import pytest

from scrubjay.documents.document_errors import DocumentRefused
from scrubjay.documents.document_pictures import find_pictures
from scrubjay.notes.scan import may_have_pictures
from support.document_makers import book, mailbox, open_slide, open_text, pdf, slides, word
from support.outlook_files import compound_file, outlook_letter
from support.phone_pictures import TURNED
from support.pictures import encoded, landscape, page

PICTURE = encoded(page(("Lisbon",)))
PHOTOGRAPH = encoded(landscape(300, 200), "JPEG")


def with_parts(data: bytes, **parts: bytes) -> bytes:
    """An office file with further parts, by their names with `__` for slashes and `_` for dots."""
    target = io.BytesIO(data)
    with zipfile.ZipFile(target, "a") as package:
        for name, content in parts.items():
            package.writestr(name.replace("__", "/").replace("_", "."), content)
    return target.getvalue()


def test_pictures_of_an_office_file_are_found_once_and_icons_are_not() -> None:
    document = with_parts(
        word("Letter"),
        word__media__image1_png=PICTURE,
        word__media__image2_png=PICTURE,
        word__media__icon_png=PICTURE[:500],
        word__media__photo_jpeg=PHOTOGRAPH,
        word__media__thumbnail_jpeg=PHOTOGRAPH + b"smaller",
    )
    described, contents = find_pictures(document, ".docx")
    assert [each["name"] for each in described] == ["image1.png", "photo.jpeg"]
    assert contents == PICTURE + PHOTOGRAPH


def test_pictures_attached_to_a_letter_are_found() -> None:
    letter = EmailMessage()
    letter.set_content("See the board.")
    letter.add_attachment(PICTURE, maintype="image", subtype="png", filename="board.png")
    letter.add_attachment(b"x" * 9000, maintype="application", subtype="zip", filename="a.zip")
    described, contents = find_pictures(letter.as_bytes(), ".eml")
    assert [each["name"] for each in described] == ["board.png"]
    assert contents == PICTURE


def test_pictures_of_a_letter_without_a_name_are_found_unless_nothing_decodes_them() -> None:
    letter = EmailMessage()
    letter.set_content("See the boards.")
    letter.add_attachment(PHOTOGRAPH, maintype="image", subtype="jpeg")
    letter.add_attachment(TURNED, maintype="image", subtype="heic")
    for kind in ("avif", "svg+xml"):
        letter.add_attachment(kind.encode() * 999, maintype="image", subtype=kind)
    described, contents = find_pictures(letter.as_bytes(), ".eml")
    assert [each["name"] for each in described] == ["image/jpeg", "image/heic"]
    assert contents == PHOTOGRAPH + TURNED


@pytest.mark.parametrize(
    ("document", "ending", "name"),
    [
        (open_text("Letter"), ".odt", "Pictures/100.png"),
        (open_slide("Plan"), ".odp", "Pictures/100.png"),
        (slides(("Plan", "Text", "")), ".pptx", "ppt/media/100.png"),
        (book("Book", ("One", "Text")), ".epub", "EPUB/images/100.png"),
    ],
    ids=(".odt", ".odp", ".pptx", ".epub"),
)
def test_pictures_in_texts_slides_and_books_are_found(
    document: bytes, ending: str, name: str
) -> None:
    target = io.BytesIO(document)
    with zipfile.ZipFile(target, "a") as package:
        package.writestr(name, PICTURE)
    described, contents = find_pictures(target.getvalue(), ending)
    assert [each["name"] for each in described] == ["100.png"]
    assert contents == PICTURE
    assert may_have_pictures(f"a{ending}")


def letter_with(name: str, content: bytes) -> bytes:
    letter = EmailMessage()
    letter["Subject"] = "Board"
    letter.set_content("See the board.")
    letter.add_attachment(content, maintype="image", subtype="png", filename=name)
    return letter.as_bytes()


_LETTER = letter_with("board.png", PICTURE)
_OUTLOOK = outlook_letter(texts={0x1000: "See the board."}, files={"board.png": PICTURE})


@pytest.mark.parametrize(
    ("data", "ending"),
    [
        (b"%d\n%s<plist/>" % (len(_LETTER), _LETTER), ".emlx"),
        (compound_file(_OUTLOOK), ".msg"),
        (compound_file(_OUTLOOK), ".oft"),
        (b"\xef\xbb\xbf" + _LETTER, ".eml"),
    ],
    ids=(".emlx", ".msg", ".oft", ".eml"),
)
def test_pictures_in_letters_of_other_programs_are_found(data: bytes, ending: str) -> None:
    described, contents = find_pictures(data, ending)
    assert [each["name"] for each in described] == ["board.png"]
    assert contents == PICTURE
    assert may_have_pictures(f"a{ending}")


def test_pictures_in_all_letters_of_a_mailbox_are_found_once() -> None:
    letters = [_LETTER, letter_with("hills.jpg", PHOTOGRAPH), _LETTER]
    described, contents = find_pictures(mailbox(*letters), ".mbox")
    assert [each["name"] for each in described] == ["board.png", "hills.jpg"]
    assert contents == PICTURE + PHOTOGRAPH
    assert may_have_pictures("a.mbox")


@pytest.mark.parametrize("ending", [".eml", ".emlx", ".msg", ".mbox"])
def test_what_is_no_mail_has_no_pictures(ending: str) -> None:
    with pytest.raises(DocumentRefused):
        find_pictures(b"\0nothing of the kind", ending)


def test_pages_without_text_are_pictures() -> None:
    data = pdf(["Roses and tulips", "", "Plums"])
    assert find_pictures(data, ".pdf") == ([{"page": 2}], b"")
