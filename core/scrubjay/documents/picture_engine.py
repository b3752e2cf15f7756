"""Detector and recogniser: from the pixels of a picture to lines of text.

The models are PP-OCRv6 small, as the package `rapidocr` contains them. Only they are used; its code
would need OpenCV.
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from scrubjay.documents.picture_boxes import Box, find_boxes, sides
from scrubjay.documents.picture_models import DETECTOR, RECOGNISER
from scrubjay.documents.picture_order import reading_order
from scrubjay.records.picture_text import PictureLine

LEAST_CONFIDENCE = 0.5
"""Lines that the recogniser is less sure of are usually no text."""
SURE_OF_FEW = 0.95
"""Confidence that one or two letters need."""
_FEW = 2
LEAST_LETTERS = 0.5
"""Letters of a line for each of its heights that it is long; print has some three."""
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
"""Height by width of a box from which its text may run upwards."""
_PROBES = 4
"""Lines that tell which way up a page is."""
_SURE = 0.9
"""Confidence in each of them that makes another look unnecessary."""


_Read = tuple[str, float]
"""Text of a line and mean probability of its letters."""


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
        turn, known = self._direction(picture, boxes)
        boxes = [np.roll(box, turn, axis=0) for box in boxes]
        lines: list[PictureLine] = []
        for index in reading_order(boxes):
            text, confidence = known.get(index) or self._read_box(picture, boxes[index])
            if is_text(text, confidence, boxes[index]):
                corners = _shares(boxes[index] / picture.size)
                lines.append(PictureLine(text, confidence, corners))
        return tuple(lines)

    def _direction(self, picture: Image.Image, boxes: list[Box]) -> tuple[int, dict[int, _Read]]:
        """The corner of each box at which its text begins, and what was read to find it out.

        A page may lie on its side or be upside down, and all its lines with it.
        """
        longest = sorted(range(len(boxes)), key=lambda index: max(sides(boxes[index])))[-_PROBES:]
        across = sum(width > height for width, height in (sides(boxes[one]) for one in longest))
        turns = (0, 2)
        if across * 2 < len(longest):
            turns = (1, 3)
        best = turns[0]
        known: dict[int, _Read] = {}
        most = -1.0
        for turn in turns:
            cut = {one: cut_out(picture, np.roll(boxes[one], turn, axis=0)) for one in longest}
            read = {one: self._read_line(line) for one, line in cut.items()}
            certainty = sum(confidence * len(text) for text, confidence in read.values())
            if certainty > most:
                best = turn
                known = read
                most = certainty
            # Upside down, letters are few and doubtful.
            if turn == 0 and all(confidence > _SURE for _, confidence in read.values()):
                break
        return best, known

    def _detect(self, picture: Image.Image) -> list[Box]:
        """Rectangles around lines, in pixels of the picture."""
        factor = max(1.0, _LEAST_DETECTED / min(picture.size))
        factor = min(factor, _MOST_DETECTED / max(picture.size))
        width, height = (
            max(_STRIDE, round(side * factor / _STRIDE) * _STRIDE) for side in picture.size
        )
        # Both sides change a little, so boxes are scaled back each way by itself.
        seen = picture.resize((width, height), Image.Resampling.BILINEAR)
        probability = self._detector.run(None, {"x": _normalised(seen)})[0][0, 0]
        scale = np.array([picture.width / width, picture.height / height])
        return [(box + 0.5) * scale for box in find_boxes(probability)]

    def _read_box(self, picture: Image.Image, box: Box) -> _Read:
        """Text of a rectangle."""
        line = cut_out(picture, box)
        read = self._read_line(line)
        # It may be a single letter, or a line that runs upwards beside others.
        if line.height >= line.width * _TALL:
            turned = self._read_line(line.transpose(Image.Transpose.ROTATE_270))
            return max(read, turned, key=lambda one: one[1] * len(one[0]))
        return read

    def _read_line(self, line: Image.Image) -> _Read:
        """Text of a line whose letters are upright."""
        width = min(_MOST_WIDTH, max(1, math.ceil(_HEIGHT * line.width / line.height)))
        pixels = _normalised(line.resize((width, _HEIGHT), Image.Resampling.BILINEAR))
        # Grey, as the values in the middle are.
        padding = max(_LEAST_WIDTH - width, -width % 8)
        pixels = np.pad(pixels, ((0, 0), (0, 0), (0, 0), (0, padding)))
        scores = self._recogniser.run(None, {"x": pixels})[0][0]
        return decode(scores, self._letters)


def is_text(text: str, confidence: float, box: Box) -> bool:
    """Whether what was read is text: edges of things on photographs look like letters."""
    width, height = sides(box)
    length = max(width, height) / min(width, height)
    if len(text) < max(1, length * LEAST_LETTERS):
        return False
    if len(text) <= _FEW:
        return confidence >= SURE_OF_FEW
    return confidence >= LEAST_CONFIDENCE


def decode(scores: NDArray[np.float32], letters: Sequence[str]) -> _Read:
    """Text and mean probability of its letters, from the probabilities at each step (CTC)."""
    # A letter is new where it follows another one, or a step without any.
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
    width, height = (max(1, round(side)) for side in sides(box))
    right = (box[1] - box[0]) / width
    down = (box[3] - box[0]) / height
    (left, top) = box[0]
    return picture.transform(
        (width, height),
        Image.Transform.AFFINE,
        (right[0], down[0], left, right[1], down[1], top),
        resample=Image.Resampling.BICUBIC,
    )


def _shares(corners: Box) -> Any:
    """Eight numbers from 0 to 1."""
    return tuple(np.clip(corners, 0, 1).ravel().tolist())


def _normalised(picture: Image.Image) -> NDArray[np.float32]:
    """Colours from -1 to 1 in the order in which the models were trained: blue, green, red."""
    pixels = np.asarray(picture, np.float32)[:, :, ::-1]
    return np.ascontiguousarray((pixels / 127.5 - 1).transpose(2, 0, 1)[None])


def _session(file: Path) -> Any:
    """A model that works in this thread alone: the sandbox refuses others."""
    # Some versions send reports about their use to Microsoft, and ask for this when imported.
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena = False
    options.log_severity_level = 4
    return onnxruntime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
