"""Pictures that are found in documents."""

from __future__ import annotations

import io
import zipfile
from email.message import EmailMessage

from scrubjay.documents.document_pictures import find_pictures
from support.document_makers import pdf, word
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
    for kind in ("heic", "svg+xml"):
        letter.add_attachment(kind.encode() * 999, maintype="image", subtype=kind)
    described, contents = find_pictures(letter.as_bytes(), ".eml")
    assert [each["name"] for each in described] == ["image/jpeg"]
    assert contents == PHOTOGRAPH


def test_pages_without_text_are_pictures() -> None:
    data = pdf(["Roses and tulips", "", "Plums"])
    assert find_pictures(data, ".pdf") == ([{"page": 2}], b"")
