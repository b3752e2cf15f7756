"""Pictures that are damaged, lie about themselves or are meant to do harm."""

from __future__ import annotations

import io
import os
import random
import struct
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing, suppress

import pytest
from PIL import Image, ImageChops

from scrubjay.documents.document_errors import DocumentRefused
from scrubjay.documents.picture_pixels import open_picture
from scrubjay.documents.picture_reader import PictureReader
from support import phone_pictures, pictures

KINDS = ("PNG", "JPEG", "WEBP", "TIFF", "GIF", "BMP", "HEIF")
IS_LONG = os.environ.get("SCRUBJAY_SOAK") == "1"


@pytest.fixture(scope="module")
def reader() -> Iterator[PictureReader]:
    with closing(PictureReader()) as made:
        yield made


def sound(kind: str) -> bytes:
    """A file with two lines of text."""
    if kind == "HEIF":
        return phone_pictures.TURNED
    return pictures.encoded(pictures.page(pictures.ENGLISH[:2], size=14, width=400), kind)


def damaged(data: bytes, count: int) -> Iterator[bytes]:
    """Copies that end early, have other bytes, lost some, or have some twice."""
    chance = random.Random(11)
    for number in range(count):
        copy = bytearray(data)
        match number % 4:
            case 0:
                del copy[chance.randrange(len(copy)) :]
            case 1:
                # The beginning has the sizes that others rely on.
                for _ in range(chance.randrange(1, 20)):
                    copy[chance.randrange(min(len(copy), 200))] = chance.randrange(256)
            case 2:
                for _ in range(chance.randrange(1, 50)):
                    copy[chance.randrange(len(copy))] = chance.randrange(256)
            case _:
                start = chance.randrange(len(copy))
                part = copy[start : start + chance.randrange(1, 500)]
                place = chance.randrange(len(copy))
                copy[place : place + chance.choice((0, len(part)))] = part
        yield bytes(copy)


@pytest.mark.parametrize("kind", KINDS)
def test_two_hundred_damaged_files_are_decoded_or_refused(kind: str) -> None:
    """In this process, so that a crash of the decoder would end the tests."""
    for copy in damaged(sound(kind), 200):
        # The child makes a sentence of each exception.
        with suppress(Exception):
            picture, width, height = open_picture(copy)
            assert picture.mode == "RGB"
            assert min(width, height) >= 120


@pytest.mark.soak
@pytest.mark.parametrize("kind", KINDS)
def test_a_damaged_file_ends_in_a_sentence(reader: PictureReader, kind: str) -> None:
    data = sound(kind)
    for copy in damaged(data, 200 if IS_LONG else 4):
        # A crash or a hang would be a ConversionFailed.
        with suppress(DocumentRefused):
            reader.read(copy)
    assert reader.read(data).lines


def lying(width: int, height: int) -> bytes:
    """A HEIF file that says other sizes than its tiles have."""
    stored = struct.pack(">II", 256, 512)
    assert phone_pictures.TURNED.count(stored) == 1
    return phone_pictures.TURNED.replace(stored, struct.pack(">II", width, height))


def chunk(name: bytes, content: bytes) -> bytes:
    """A part of a PNG file."""
    checksum = zlib.crc32(name + content)
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", checksum)


def bomb(width: int, height: int, rows: int) -> bytes:
    """A PNG file of black and white points that has so many of its rows."""
    header = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    points = zlib.compress(bytes((width // 8 + 1) * rows))
    parts = (chunk(b"IHDR", header), chunk(b"IDAT", points), chunk(b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: bomb(12_000, 12_000, 12_000), "120 million pixels"),
        (lambda: bomb(60_000, 60_000, 1), "120 million pixels"),
        (lambda: bomb(2**31 - 1, 2**31 - 1, 1), "120 million pixels"),
        (lambda: bomb(2**31 - 1, 100, 1), "120 million pixels"),
        (lambda: lying(16_000, 16_000), "120 million pixels"),
        (lambda: lying(2**31 - 1, 2**31 - 1), "120 million pixels"),
        (lambda: lying(8_000, 8_000), "damaged"),
        (lambda: b"GIF89a" + struct.pack("<HHBBB", 65_535, 65_535, 0, 0, 0), "damaged"),
    ],
    ids=["bomb", "larger", "largest", "a line", *("phone",) * 3, "only the beginning"],
)
def test_sizes_are_checked_before_memory_is_taken(
    reader: PictureReader, make: Callable[[], bytes], sentence: str
) -> None:
    with pytest.raises(DocumentRefused, match=sentence):
        reader.read(make())


@pytest.mark.parametrize(
    ("mode", "kind"),
    [
        *[(mode, "PNG") for mode in ("1", "L", "LA", "P", "RGB", "RGBA", "I;16")],
        *[(mode, "TIFF") for mode in ("1", "L", "CMYK", "RGBA", "I;16", "I;16B", "F")],
        *[(mode, "JPEG") for mode in ("L", "RGB", "CMYK")],
        *[(mode, "WEBP") for mode in ("RGB", "RGBA")],
        *[(mode, "GIF") for mode in ("1", "L", "P")],
    ],
)
@pytest.mark.parametrize("width", [500, 4_000], ids=["as it is", "reduced"])
def test_every_kind_of_colours_becomes_the_same_picture(mode: str, kind: str, width: int) -> None:
    page = pictures.page(("dog",), size=60, width=width)
    if mode.startswith("I;16"):
        order = {"I;16": "<u2", "I;16B": ">u2"}[mode]
        stored = Image.fromarray((pictures.np.asarray(page.convert("L"), "u2") * 257).astype(order))
    else:
        stored = page.convert(mode)
    if mode == "F":
        stored = stored.point(lambda value: value / 255)
    assert stored.mode == mode
    opened, *size = open_picture(pictures.encoded(stored, kind))
    assert tuple(size) == page.size
    difference = ImageChops.difference(opened, page.resize(opened.size))
    assert max(pictures.np.asarray(difference).mean(axis=(0, 1))) < 4


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "TIFF", "WEBP"])
def test_a_turned_picture_has_the_sides_that_a_person_sees(kind: str) -> None:
    turned = Image.Exif()
    turned[0x0112] = 6
    target = io.BytesIO()
    plain = Image.linear_gradient("L").resize((4_000, 1_000)).convert("RGB")
    plain.save(target, kind, exif=turned)
    opened, *size = open_picture(target.getvalue())
    assert (opened.size, size) == ((800, 3_200), [1_000, 4_000])


@pytest.mark.parametrize("mode", ["I", "F"])
def test_numbers_of_any_scale_are_drawn_between_their_extremes(mode: str) -> None:
    page = pictures.page(("dog",), size=60, width=500)
    numbers = pictures.np.asarray(page.convert("L"), {"I": "i4", "F": "f4"}[mode]) * 8_000_000
    opened, _, _ = open_picture(pictures.encoded(Image.fromarray(numbers - 5), "TIFF"))
    assert max(pictures.np.asarray(ImageChops.difference(opened, page)).mean(axis=(0, 1))) < 4
    for value in (0, 7):
        stored = Image.fromarray(pictures.np.full_like(numbers, value))
        opened, _, _ = open_picture(pictures.encoded(stored, "TIFF"))
        assert opened.getextrema() == ((255, 255),) * 3


def test_what_is_transparent_is_paper() -> None:
    page = pictures.page(("dog",), size=60, width=500)
    ink = Image.new("RGBA", page.size, (0, 0, 0, 0))
    ink.paste((0, 0, 0, 255), mask=ImageChops.invert(page.convert("L")))
    opened, _, _ = open_picture(pictures.encoded(ink))
    assert max(pictures.np.asarray(ImageChops.difference(opened, page)).mean(axis=(0, 1))) < 4
