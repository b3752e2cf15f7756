"""Detector and recogniser: from the pixels of a picture to lines of text.

The models are PP-OCRv6 small, as the package `rapidocr` contains them. Only they are used; its code
would need OpenCV.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from PIL import Image

from scrubjay.documents.picture_boxes import Box, find_boxes
from scrubjay.documents.picture_models import DETECTOR, RECOGNISER
from scrubjay.documents.picture_order import in_reading_order
from scrubjay.records.picture_text import PictureLine

LEAST_CONFIDENCE = 0.5
"""Lines that the recogniser is less sure of are usually no text."""
_MOST_DETECTED = 1600
"""Pixels of the longer side of what the detector sees."""
_LEAST_DETECTED = 736
"""Pixels of its shorter side, to which small pictures are enlarged."""
_STRIDE = 32
"""The detector takes sides that are multiples of it."""
_HEIGHT = 48
"""Pixels of the height of a line for the recogniser."""
_LEAST_WIDTH = 320
"""Width of a line for the recogniser, at least."""
_MOST_WIDTH = 4800
_TALL = 1.5
"""Height by width of a box from which its text runs downwards."""


class PictureEngine:
    """Both models. Not for several threads at once."""

    def __init__(self, folder: Path) -> None:
        """Loads both and uses each once, so that nothing is left to be loaded."""
        self._detector = _session(folder / DETECTOR)
        self._recogniser = _session(folder / RECOGNISER)
        letters = self._recogniser.get_modelmeta().custom_metadata_map["character"]
        # The first class is "no letter", and the last one a space.
        self._letters = ["", *letters.split("\n"), " "]
        self.read(Image.new("RGB", (_STRIDE * 4, _STRIDE * 4)))
        self._read_line(Image.new("RGB", (_HEIGHT, _HEIGHT)))

    def read(self, picture: Image.Image) -> tuple[PictureLine, ...]:
        """Lines of a picture in RGB, in reading order."""
        boxes = self._detect(picture)
        if not boxes:
            return ()
        lines = [(box, *self._read_line(cut_out(picture, box))) for box in boxes]
        lines = [line for line in lines if line[1] and line[2] >= LEAST_CONFIDENCE]
        size = np.array(picture.size)
        return tuple(
            PictureLine(text, confidence, _shares(box / size))
            for box, text, confidence in in_reading_order(lines)
        )

    def _detect(self, picture: Image.Image) -> list[Box]:
        """Rectangles around lines, in pixels of the picture."""
        factor = max(1.0, _LEAST_DETECTED / min(picture.size))
        factor = min(factor, _MOST_DETECTED / max(picture.size))
        width, height = (
            max(_STRIDE, round(side * factor / _STRIDE) * _STRIDE) for side in picture.size
        )
        seen = picture.resize((width, height), Image.Resampling.BILINEAR)
        probability = self._detector.run(None, {"x": _normalised(seen)})[0][0, 0]
        scale = np.array([picture.width / width, picture.height / height])
        return [(box + 0.5) * scale for box in find_boxes(probability)]

    def _read_line(self, line: Image.Image) -> tuple[str, float]:
        """Text and mean probability of its letters."""
        width = min(_MOST_WIDTH, max(1, math.ceil(_HEIGHT * line.width / line.height)))
        pixels = _normalised(line.resize((width, _HEIGHT), Image.Resampling.BILINEAR))
        # Grey, as the values in the middle are.
        padding = max(_LEAST_WIDTH - width, -width % 8)
        pixels = np.pad(pixels, ((0, 0), (0, 0), (0, 0), (0, padding)))
        scores = self._recogniser.run(None, {"x": pixels})[0][0]
        return decode(scores, self._letters)


def decode(scores: NDArray[np.float32], letters: Sequence[str]) -> tuple[str, float]:
    """Text and mean probability of its letters, from the probabilities at each step (CTC)."""
    best = scores.argmax(axis=1)
    is_new = np.ones(len(best), bool)
    is_new[1:] = best[1:] != best[:-1]
    steps = np.nonzero(is_new & (best > 0))[0]
    if not len(steps):
        return "", 0.0
    text = "".join(letters[best[step]] for step in steps)
    return text.strip(), float(scores[steps, best[steps]].mean())


def cut_out(picture: Image.Image, box: Box) -> Image.Image:
    """The rectangle as a picture of its own, with its text upright."""
    width = max(1, round(float(np.hypot(*(box[1] - box[0])))))
    height = max(1, round(float(np.hypot(*(box[3] - box[0])))))
    right = (box[1] - box[0]) / width
    down = (box[3] - box[0]) / height
    (left, top) = box[0]
    line = picture.transform(
        (width, height),
        Image.Transform.AFFINE,
        (right[0], down[0], left, right[1], down[1], top),
        resample=Image.Resampling.BICUBIC,
    )
    if height >= width * _TALL:
        return line.transpose(Image.Transpose.ROTATE_90)
    return line


def _shares(corners: Box) -> Any:
    """Eight numbers from 0 to 1."""
    return tuple(np.clip(corners, 0, 1).ravel().tolist())


def _normalised(picture: Image.Image) -> NDArray[np.float32]:
    """Colours from -1 to 1 in the order in which the models were trained: blue, green, red."""
    pixels = np.asarray(picture, np.float32)[:, :, ::-1]
    return np.ascontiguousarray((pixels / 127.5 - 1).transpose(2, 0, 1)[None])


def _session(file: Path) -> Any:
    """A model that works in this thread alone: the sandbox refuses others."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena = False
    options.log_severity_level = 4
    return onnxruntime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
