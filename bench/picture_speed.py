"""Speed and memory of reading scanned pages, and of seeing that a photograph has no text."""

from __future__ import annotations

import io
from collections.abc import Sequence
from contextlib import closing
from typing import Any

import numpy as np
import psutil
import pypdfium2
from PIL import Image

from bench.documents import Writer, peak_memory
from scrubjay.documents.picture_reader import PictureReader

_PAGES = 3
_PHOTOGRAPHS = 6
_DOTS_AN_INCH = 150
_SHORT_LINES = 7
"""Words of a line, so that it ends before the edge of the page."""


def measure() -> dict[str, Any]:
    """Seconds of processor time are those of the process that reads, without its start."""
    # The process ends when it is idle, so all pictures are made before.
    pages = _scans()
    photographs = [_photograph(seed) for seed in range(_PHOTOGRAPHS)]
    with closing(PictureReader()) as reader:
        reader.read(photographs[0])
        process = reader.child.process
        assert process is not None, "it has just read a picture"
        child = psutil.Process(process.pid)
        photograph_s, found_on_photographs = _read(reader, child, photographs)
        page_s, lines = _read(reader, child, pages)
        peak = peak_memory(child.pid)
    assert found_on_photographs == 0, "they have no text"
    return {
        "lines_a_page": round(lines / _PAGES),
        "cpu_s_a_page": round(page_s, 2),
        "cpu_s_a_photograph": round(photograph_s, 2),
        "mb_at_most": round(peak / 1e6),
    }


def _read(
    reader: PictureReader, child: psutil.Process, pictures: Sequence[bytes]
) -> tuple[float, int]:
    """Mean processor time of a picture, and the lines of all of them."""
    before = child.cpu_times()
    lines = sum(len(reader.read(data).lines) for data in pictures)
    after = child.cpu_times()
    worked = after.user + after.system - before.user - before.system
    return worked / len(pictures), lines


def _scans() -> list[bytes]:
    """Full pages of print as a scanner gives them."""
    document = pypdfium2.PdfDocument(Writer().pdf(_PAGES, words=_SHORT_LINES))
    scale = _DOTS_AN_INCH / 72
    return [_jpeg(page.render(scale=scale).to_pil().convert("RGB")) for page in document]


def _photograph(seed: int) -> bytes:
    """Soft shapes and grain, 1,600 by 1,200 points."""
    chance = np.random.default_rng(seed)
    coarse = chance.integers(30, 220, (9, 12, 3), dtype=np.uint8)
    shapes = Image.fromarray(coarse).resize((1600, 1200), Image.Resampling.BICUBIC)
    grainy = np.asarray(shapes, np.float64) + chance.normal(0, 12, (1200, 1600, 1))
    return _jpeg(Image.fromarray(np.clip(grainy, 0, 255).astype(np.uint8)))


def _jpeg(picture: Image.Image) -> bytes:
    stream = io.BytesIO()
    picture.save(stream, "JPEG", quality=80)
    return stream.getvalue()
