"""What is read from pictures, by the child process with the real models."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path

import psutil
import pytest
from PIL import ExifTags, Image

from scrubjay.documents.document_errors import DocumentRefused
from scrubjay.documents.picture_reader import PictureReader
from support import phone_pictures, pictures
from support.printed_scans import printed_scan


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
        (phone_pictures.TURNED[:-2_000], "damaged"),
        (pictures.encoded(pictures.page(pictures.FRENCH).resize((400, 90))), "too small"),
    ],
    ids=["empty", "another kind", "truncated", "truncated by a phone", "small"],
)
def test_what_cannot_be_read_is_told_in_a_sentence(
    reader: PictureReader, data: bytes, sentence: str
) -> None:
    with pytest.raises(DocumentRefused, match=sentence):
        reader.read(data)


def test_a_photograph_without_text_has_no_lines(reader: PictureReader) -> None:
    assert reader.read(pictures.encoded(pictures.landscape(), "JPEG")).lines == ()


@pytest.mark.parametrize("library", ["onnxruntime", "PIL", "pi_heif", "rapidocr"])
def test_a_missing_part_is_told_with_what_to_do_for_each_way_to_install(
    monkeypatch: pytest.MonkeyPatch, library: str
) -> None:
    made = PictureReader()
    assert made.obstacle() is None
    monkeypatch.setitem(sys.modules, library, None)
    obstacle = str(made.obstacle())
    assert "Install Scrubjay again." in obstacle
    assert 'pipx install --force "scrubjay[pictures]"' in obstacle


def by_name(group: Iterable[pictures.Drawn], names: Iterable[str]) -> list[pictures.Drawn]:
    """A few pictures of a group; `make bench` reads all of them."""
    found = {drawn.name: drawn for drawn in group}
    return [found[name] for name in names]


def error_rate(reader: PictureReader, group: Iterable[pictures.Drawn]) -> float:
    """Character error rate of all letters of a group."""
    rates = []
    for drawn in group:
        read = reader.read(pictures.encoded(drawn.picture))
        rates.append(pictures.error_rate(drawn.lines, [line.text for line in read.lines]))
    return sum(rates) / len(rates)


def test_clean_pictures_are_read_nearly_without_errors(reader: PictureReader) -> None:
    names = ("english", "spanish, serif", "french", "dark mode", "small", "large")
    assert error_rate(reader, by_name(pictures.clean_pictures(), names)) <= 0.02


def test_degraded_pictures_are_read_with_few_errors(reader: PictureReader) -> None:
    changes = ("turned 2°", "blurred", "noisy", "JPEG 60", "scanned", "photographed")
    names = [f"german, {change}" for change in changes]
    assert error_rate(reader, by_name(pictures.degraded_pictures(), names)) <= 0.08


def test_printed_pages_are_read_from_scans_with_few_errors(reader: PictureReader) -> None:
    scans = [printed_scan("letter", 150, "faxed"), printed_scan("bescheid", 200, "from a book")]
    assert error_rate(reader, scans) <= 0.08


@pytest.mark.parametrize("degrees", [90, 180, 270])
def test_a_page_may_lie_on_its_side_or_upside_down(reader: PictureReader, degrees: int) -> None:
    picture = pictures.turned(degrees)(pictures.page(pictures.SPANISH))
    text = reader.read(pictures.encoded(picture))
    assert [line.text for line in text.lines] == list(pictures.SPANISH)
    assert (text.width, text.height) == picture.size
    # The first two corners are the upper side of the text, wherever that is on the picture.
    left, top, right, end = text.lines[1].corners[:4]
    ahead = {90: (0, -1), 180: (-1, 0), 270: (0, 1)}[degrees]
    assert (round(right - left), round(end - top)) == ahead


def test_the_turn_of_a_camera_is_applied_first(reader: PictureReader) -> None:
    upright = pictures.page(pictures.ENGLISH)
    exif = Image.Exif()
    exif[ExifTags.Base.Orientation] = 6
    stored = pictures.turned(90)(upright)
    text = reader.read(pictures.encoded(stored, "JPEG", quality=95, exif=exif))
    assert [line.text for line in text.lines] == list(pictures.ENGLISH)
    assert (text.width, text.height) == upright.size
    assert text.lines[0].corners[0] < 0.1


@pytest.mark.parametrize("data", [phone_pictures.UPRIGHT, phone_pictures.TURNED])
def test_pictures_of_phones_are_read_upright(reader: PictureReader, data: bytes) -> None:
    text = reader.read(data)
    assert tuple(line.text for line in text.lines) == phone_pictures.LINES
    assert (text.width, text.height) == phone_pictures.SIZE
    assert text.lines[0].corners[0] < 0.2


def test_columns_are_read_one_after_the_other_and_tables_by_row(reader: PictureReader) -> None:
    for drawn in by_name(pictures.clean_pictures(), ("two columns", "table")):
        text = reader.read(pictures.encoded(drawn.picture))
        assert tuple(line.text for line in text.lines) == drawn.lines


@pytest.mark.skipif(sys.platform != "linux", reason="the system tells threads and sockets")
def test_no_thread_is_outside_of_the_sandbox_and_nothing_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    with closing(PictureReader()) as made:
        made.read(pictures.encoded(pictures.page(pictures.ENGLISH)))
        made.read(phone_pictures.TURNED)
        assert made.child.process is not None
        process = psutil.Process(made.child.process.pid)
        assert process.num_threads() == 1
        assert process.net_connections("all") == []
    assert list(tmp_path.iterdir()) == []
    library = importlib.util.find_spec("onnxruntime")
    assert library is not None
    for file in Path(str(library.origin)).parent.glob("capi/onnxruntime_pybind11_state*"):
        assert b"OneCollector" not in file.read_bytes()


def test_nothing_keeps_pictures_from_being_read_here() -> None:
    assert PictureReader().obstacle() is None
