"""A process that was taken over by a document, and may answer anything."""

from __future__ import annotations

import json
import os
import struct
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.documents.document_converter import Converted, Converter
from scrubjay.documents.document_errors import ConversionFailed, DocumentRefused
from scrubjay.documents.pdf_page_client import PdfPageClient
from scrubjay.documents.picture_converter import PictureConverter
from scrubjay.documents.picture_reader import PictureReader
from scrubjay.documents.picture_texts import PictureTexts
from scrubjay.records.page_picture import PageWanted
from support import lying_worker

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the process is started by a script")

_BROKE_DOWN = "The program that reads the document crashed."
_PICTURE = {"page": 1, "pages": 1, "size": [1, 1], "text": "", "words": [], "passage": []}
Lie = Callable[[bytes], None]


def _message(header: Any, payload: bytes = b"") -> bytes:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<II", len(text), len(payload)) + text + payload


@pytest.fixture
def lie(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Lie:
    """Start a process that answers this to everything."""

    def start_with(answer: bytes) -> None:
        (tmp_path / "answer").write_bytes(answer)
        program = tmp_path / "python"
        command = f"{sys.executable} {lying_worker.__file__} {tmp_path / 'answer'}"
        program.write_text(f"#!/bin/sh\nexec {command}\n")
        program.chmod(0o755)
        monkeypatch.setattr(sys, "executable", str(program))

    return start_with


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(struct.pack("<II", 2, 2**32 - 1) + b"{}", id="4 GB of text"),
        pytest.param(struct.pack("<II", 2**32 - 1, 0) + b"{}", id="4 GB of header"),
        pytest.param(_message(b"no json"), id="no JSON"),
        pytest.param(_message([1]), id="a list"),
        pytest.param(_message(b"[" * 100_000), id="nested too deep"),
        pytest.param(_message({}, b"\xff"), id="no UTF-8"),
    ],
)
def test_an_answer_that_is_none_is_the_end_of_the_process(answer: bytes, lie: Lie) -> None:
    lie(answer)
    with closing(Converter(most_seconds=60)) as converter:
        with pytest.raises(ConversionFailed, match=_BROKE_DOWN):
            converter.text_of(b"apricot", "a.rtf")
        assert converter.child.process is None


@pytest.mark.parametrize("refused", [5, ["x"], '{"say": "{n:>999999999}", "n": "x"}'])
def test_a_refusal_is_shown_as_it_is(refused: Any, lie: Lie) -> None:
    lie(_message({"refused": refused}))
    with closing(Converter(most_seconds=60)) as converter:
        with pytest.raises(DocumentRefused) as error:
            converter.text_of(b"apricot", "a.rtf")
        assert str(error.value) == str(refused)


@pytest.mark.parametrize(
    "change",
    [
        {"size": [-1, -1]},
        {"size": [1.5, 1]},
        {"size": [2, 1]},
        {"size": "11"},
        {"page": "1"},
        {"text": None},
        {"words": [[0, 0, 1]]},
        {"words": [[0, 0, 1, float("nan")]]},
        {"passage": [[0, 0, 1, 1e300]]},
    ],
)
def test_a_picture_is_one_or_none(change: dict[str, Any], lie: Lie) -> None:
    lie(_message({**_PICTURE, **change}, b"1234"))
    with closing(PdfPageClient(most_seconds=60)) as page_client:
        with pytest.raises(ConversionFailed, match=_BROKE_DOWN):
            page_client.draw(b"%PDF", PageWanted(1, 100), CancelToken())
        assert page_client.child.process is None


def test_the_same_picture_without_a_lie_is_drawn(lie: Lie) -> None:
    lie(_message(_PICTURE, b"1234"))
    with closing(PdfPageClient(most_seconds=60)) as page_client:
        assert page_client.draw(b"%PDF", PageWanted(1, 100), CancelToken()).pixels == b"1234"


class _NoPauses:
    """Pictures are read one after the other."""

    def before_each(self, cancel: CancelToken) -> None:
        cancel.check()


def test_a_document_whose_pictures_cannot_be_listed_has_its_text(tmp_path: Path, lie: Lie) -> None:
    lie(_message({}, b"apricot"))
    with closing(Converter(tmp_path / "texts", most_seconds=60)) as converter:
        texts = PictureTexts(tmp_path / "pictures", PictureReader(), pages=PdfPageClient())
        pictures = PictureConverter(converter, texts, _NoPauses())
        whole = Converted("apricot", has_pictures=True)
        assert pictures.convert(b"letter", "a.docx") == whole
        # Neither is asked of the process again.
        lie(b"")
        assert pictures.convert(b"letter", "a.docx") == whole
