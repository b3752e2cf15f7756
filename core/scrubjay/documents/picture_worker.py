"""The child process that reads pictures: it gets untrusted bytes and returns lines of text.

Started as `python -m scrubjay.documents.picture_worker` (documents/request_loop).
"""

from __future__ import annotations

import os
from typing import Any

import msgspec

from scrubjay.documents.picture_limits import MOST_MEMORY, NEEDS_MORE_MEMORY
from scrubjay.documents.picture_models import model_folder
from scrubjay.documents.request_loop import Answer, serve
from scrubjay.messages import Sentence, msg
from scrubjay.records.picture_text import PictureText


def main() -> None:
    """Serve requests until stdin closes or the process is idle."""
    # Threads that numpy starts when it is imported would stay outside of the sandbox.
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    from PIL import Image

    from scrubjay.documents.picture_engine import PictureEngine
    from scrubjay.documents.picture_pixels import open_picture, reduced

    folder = model_folder()
    if folder is None:
        raise ImportError("the models that read pictures are missing")
    engine = PictureEngine(folder)

    def answer(request: dict[str, Any], data: bytes) -> Answer:
        # A person looks at it, and its text may be known.
        if "side" in request:
            picture, _, _ = open_picture(data, request["page"])
            picture.thumbnail((request["side"], request["side"]))
            return {"width": picture.width, "height": picture.height}, picture.tobytes()
        if "width" in request:
            width, height = request["width"], request["height"]
            picture = reduced(Image.frombytes("RGB", (width, height), data))
        else:
            picture, width, height = open_picture(data, request["page"])
        # Whatever pixels they get, only a lack of memory keeps the models from working.
        try:
            lines = engine.read(picture)
        except Exception as error:
            raise MemoryError from error
        text = PictureText(lines, width=width, height=height)
        return {}, msgspec.json.encode(text)

    # The decoder of HEIF ends the process where it cannot start a thread.
    serve(
        answer,
        _damaged,
        most_memory=MOST_MEMORY,
        needs_more_memory=NEEDS_MORE_MEMORY,
        with_threads=True,
    )


def _damaged(_: dict[str, Any]) -> Sentence:
    return msg("The picture is damaged.")


if __name__ == "__main__":
    main()
