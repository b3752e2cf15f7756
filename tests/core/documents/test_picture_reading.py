"""What is read from pictures, by the child process with the real models."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from scrubjay.documents.document_errors import DocumentRefused
from scrubjay.documents.picture_reader import PictureReader
from support import pictures


@pytest.fixture(scope="module")
def reader() -> Iterator[PictureReader]:
    with closing(PictureReader()) as made:
        yield made


def test_lines_are_read_with_their_places(reader: PictureReader) -> None:
    picture = pictures.page(pictures.GERMAN)
    text = reader.read(pictures.encoded(picture))
    assert [line.text for line in text.lines] == list(pictures.GERMAN)
    assert (text.width, text.height) == picture.size
    tops = [line.corners[1] for line in text.lines]
    assert tops == sorted(tops)
    assert all(0 <= share <= 1 for line in text.lines for share in line.corners)
    assert min(line.confidence for line in text.lines) > 0.9


def test_a_drawn_page_is_read_as_a_file_is(reader: PictureReader) -> None:
    picture = pictures.page(pictures.SPANISH)
    from_file = reader.read(pictures.encoded(picture))
    assert reader.read_pixels(picture.tobytes(), *picture.size) == from_file


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "not a picture"),
        (b"%PDF-1.7", "not a picture"),
        (pictures.encoded(pictures.page(pictures.FRENCH))[:3_000], "damaged"),
        (pictures.encoded(pictures.page(pictures.FRENCH).resize((400, 90))), "too small"),
    ],
    ids=["empty", "another kind", "truncated", "small"],
)
def test_what_cannot_be_read_is_told_in_a_sentence(
    reader: PictureReader, data: bytes, sentence: str
) -> None:
    with pytest.raises(DocumentRefused, match=sentence):
        reader.read(data)


def test_a_photograph_without_text_has_no_lines(reader: PictureReader) -> None:
    assert reader.read(pictures.encoded(pictures.landscape(), "JPEG")).lines == ()


def test_nothing_keeps_pictures_from_being_read_here() -> None:
    assert PictureReader().obstacle() is None
