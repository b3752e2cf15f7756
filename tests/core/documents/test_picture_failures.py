"""Failures of the computer while a picture is read: told, tried again, and never kept."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.documents.document_errors import ConversionFailed
from scrubjay.documents.pdf_page_client import PdfPageClient
from scrubjay.documents.picture_reader import PictureReader
from scrubjay.documents.picture_texts import PictureTexts
from support.pictures import ENGLISH, encoded, page
from support.waiting import wait_until

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals, and a process that is a script")

LINES = ENGLISH * 8
KEY = "0" * 64


@pytest.fixture
def reader() -> PictureReader:
    return PictureReader()


@pytest.fixture
def texts(tmp_path: Path, reader: PictureReader) -> Iterator[PictureTexts]:
    with closing(PictureTexts(tmp_path / "pictures", reader, pages=PdfPageClient())) as made:
        yield made


def test_a_picture_whose_process_was_killed_is_read_the_next_time(
    reader: PictureReader, texts: PictureTexts
) -> None:
    # Only what is killed has to take long.
    data = encoded(page(LINES))
    short = encoded(page(ENGLISH))
    reader.read(short)

    def kill() -> None:
        wait_until(lambda: texts.begun == 1)
        assert reader.child.process
        os.kill(reader.child.process.pid, signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    with pytest.raises(OSError, match="crashed"):
        texts.read_picture(KEY, data, CancelToken())
    killer.join()
    assert not texts.is_kept(KEY)
    assert len(texts.read_picture(KEY, short, CancelToken()).lines) == len(ENGLISH)


def test_a_picture_that_lacked_memory_is_read_the_next_time(
    reader: PictureReader, texts: PictureTexts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = encoded(page(LINES, size=60, width=2000))
    code = "from scrubjay.documents import picture_limits; "
    code += "picture_limits.MOST_MEMORY = 480 << 20; "
    code += "from scrubjay.documents.picture_worker import main; main()"
    program = tmp_path / "python"
    program.write_text(f"#!/bin/sh\nexec {sys.executable} -c '{code}'\n")
    program.chmod(0o755)
    with monkeypatch.context() as limited:
        limited.setattr(sys, "executable", str(program))
        with pytest.raises(ConversionFailed, match="needs more memory"):
            texts.read_picture(KEY, data, CancelToken())
    assert not texts.is_kept(KEY)
    reader.close()
    assert len(texts.read_picture(KEY, data, CancelToken()).lines) == len(LINES)
