"""The model files that read pictures, where this installation has them."""

from __future__ import annotations

import importlib.util
from pathlib import Path

DETECTOR = "PP-OCRv6_det_small.onnx"
RECOGNISER = "PP-OCRv6_rec_small.onnx"


def model_folder() -> Path | None:
    """Folder with both models; None without them. Imports nothing."""
    # The package is only their box. Its code needs OpenCV, and is never imported.
    package = importlib.util.find_spec("rapidocr")
    if package is None:
        return None
    for place in package.submodule_search_locations or ():
        folder = Path(place, "models")
        if (folder / DETECTOR).is_file() and (folder / RECOGNISER).is_file():
            return folder
    return None
