"""Text on pictures, read by a child process with models."""

from __future__ import annotations

import importlib.util
from typing import Annotated, Any

import msgspec

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.documents.document_process import DocumentChild, Worker
from scrubjay.documents.picture_limits import MOST_MEMORY, MOST_SECONDS, NEEDS_MORE_MEMORY
from scrubjay.documents.picture_models import model_folder
from scrubjay.messages import Sentence, msg
from scrubjay.records.page_picture import DrawnPicture
from scrubjay.records.picture_text import PictureText

VERSION = 1
"""Number that changes whenever equal pixels may give another text."""
_LIBRARIES = ("PIL", "numpy", "onnxruntime", "pi_heif")
_PICTURES = Worker(
    module="scrubjay.documents.picture_worker",
    switch="--picture-worker",
    broke_down=msg("The program that reads pictures crashed."),
    needs_more_memory=NEEDS_MORE_MEMORY,
    took_too_long=msg("Reading the picture took more than {n} seconds."),
)


class _Size(msgspec.Struct, frozen=True):
    """Size of a picture as the process that drew it describes it."""

    width: Annotated[int, msgspec.Meta(ge=1)]
    height: Annotated[int, msgspec.Meta(ge=1)]


class PictureReader:
    """Reads one picture at a time. For any thread; the process starts with a picture."""

    def __init__(self, most_seconds: float = MOST_SECONDS) -> None:
        self.child = DocumentChild(most_seconds, MOST_MEMORY, worker=_PICTURES)

    def read(self, data: bytes, cancel: CancelToken | None = None, *, page: int = 1) -> PictureText:
        """Text of a picture file, or of one of its pages.

        Raises DocumentRefused, ConversionFailed, Cancelled, or OSError without a process.
        """
        return self._asked({"page": page}, data, cancel)

    def read_pixels(
        self, rgb: bytes, width: int, height: int, cancel: CancelToken | None = None
    ) -> PictureText:
        """Text of a drawn page: red, green and blue of each pixel, line after line.

        Raises as `read` does.
        """
        return self._asked({"width": width, "height": height}, rgb, cancel)

    def draw(self, data: bytes, side: int, cancel: CancelToken, *, page: int = 1) -> DrawnPicture:
        """A picture file, or one of its pages, with that many pixels a side at most.

        Raises as `read` does.
        """
        header, pixels = self.child.ask({"side": side, "page": page}, data, cancel)
        with self.child.checking():
            size = msgspec.convert(header, _Size)
            if len(pixels) != 3 * size.width * size.height:
                raise msgspec.ValidationError("another number of pixels")
        return DrawnPicture(size.width, size.height, pixels)

    def obstacle(self) -> Sentence | None:
        """Why no picture can be read on this computer, if none can. Imports nothing."""
        if model_folder() is None or not all(map(importlib.util.find_spec, _LIBRARIES)):
            return msg(
                "Scrubjay cannot read pictures because a part of the program is missing. "
                "Install Scrubjay again. If you use pipx, run: "
                'pipx install --force "scrubjay[pictures]"'
            )
        return None

    def close(self) -> None:
        """End the process unless it works."""
        self.child.close()

    def _asked(
        self, request: dict[str, Any], data: bytes, cancel: CancelToken | None
    ) -> PictureText:
        _, payload = self.child.ask(request, data, cancel or CancelToken())
        with self.child.checking():
            return msgspec.json.decode(payload, type=PictureText)
