"""Pictures in the terminal: the command that lets them be read, and hits on them."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from scrubjay.documents.document_cache import DocumentCache
from scrubjay.documents.picture_converter import picture_key
from scrubjay.documents.picture_texts import MOST_KEPT
from scrubjay.platform.paths import Paths
from scrubjay.records.picture_text import PictureLine, PictureText

DATA = b"a picture" * 300


@pytest.fixture
def board(notes: Path, paths: Paths) -> Path:
    """A picture that a note shows, and that was read before."""
    line = PictureLine("The chimney sweep comes", 0.99, (0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0))
    text = msgspec.json.encode(PictureText((line,), 900, 600)).decode()
    cache = DocumentCache(paths.state / "pictures", MOST_KEPT)
    cache.keep(picture_key(DATA), ("text", text))
    (notes / "house.md").write_text("# House\n\nPaint.\n\n![](board.png)\n")
    (notes / "board.png").write_bytes(DATA)
    return notes / "board.png"


def test_the_command_says_what_will_be_read(cli, notes: Path, board: Path) -> None:
    cli("workspace", "add", notes)
    (notes / "another.png").write_bytes(DATA + b"another")
    said = cli("workspace", "pictures", "notes").out
    assert said.startswith("1 picture in notes will be read in the background")
    (notes / "another.png").unlink()
    said = cli("workspace", "pictures", "notes").out
    assert said == "The pictures in notes were read before.\n"
    said = cli("workspace", "pictures", "notes", "--off").out
    assert said == "Pictures in notes are no longer read.\n"


def test_a_hit_on_a_picture_names_its_note(cli, notes: Path, board: Path) -> None:
    cli("workspace", "add", notes)
    cli("workspace", "pictures", "notes")
    cli("index")
    [hit] = cli("search", "chimney", "--json").json["results"]
    assert (hit["path"], hit["kind"], hit["shownIn"]) == ("board.png", "picture", "house.md")
    (notes / "house.md").write_text("# Chimney\n\nThe chimney sweep comes.\n\n![](board.png)\n")
    cli("index")
    [hit] = cli("search", "chimney sweep", "--json").json["results"]
    assert (hit["path"], hit["pictures"]) == ("house.md", ["board.png"])
    assert "kind" not in hit
