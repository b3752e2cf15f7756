"""Accuracy, processor time and memory of reading pictures that the tests draw.

`PYTHONPATH=tests .venv/bin/python -m support.picture_accuracy` prints them.
"""

from __future__ import annotations

import json
import resource
import time
from collections.abc import Iterable
from typing import Any

from scrubjay.documents.picture_engine import PictureEngine
from scrubjay.documents.picture_models import model_folder
from scrubjay.documents.picture_pixels import open_picture
from support import pictures
from support.printed_scans import printed_scans


def measure() -> dict[str, Any]:
    """Character error rates, and seconds of processor time for each picture."""
    folder = model_folder()
    assert folder is not None, "run `make setup`"
    engine = PictureEngine(folder)
    results = {
        "clean": _read(engine, pictures.clean_pictures()),
        "degraded": _read(engine, pictures.degraded_pictures()),
        "printed and scanned": _read(engine, printed_scans()),
        "chancery hand": _read(engine, pictures.handwritten_pictures()),
        "without text": _read(engine, _landscapes()),
    }
    # Pictures that are drawn here take some of it as well.
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {**results, "peak memory in MB": round(peak)}


def _landscapes() -> Iterable[pictures.Drawn]:
    for seed in range(3, 9):
        yield pictures.Drawn("landscape", pictures.landscape(seed=seed), ())


def _read(engine: PictureEngine, group: Iterable[pictures.Drawn]) -> dict[str, Any]:
    errors = letters = count = seconds = 0.0
    for drawn in group:
        data = pictures.encoded(drawn.picture)
        started = time.process_time()
        picture, _, _ = open_picture(data)
        lines = [line.text for line in engine.read(picture)]
        seconds += time.process_time() - started
        wanted = "\n".join(drawn.lines)
        errors += pictures.distance(wanted, "\n".join(lines))
        letters += len(wanted)
        count += 1
    return {
        "pictures": round(count),
        "character error rate": round(errors / max(letters, 1.0), 4),
        "seconds a picture": round(seconds / count, 2),
    }


if __name__ == "__main__":
    print(json.dumps(measure(), indent=2))
