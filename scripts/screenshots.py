"""Photographs every screen of the app: light and dark, at 1x and 2x, in English and Spanish.

.venv/bin/python scripts/screenshots.py [--only NAME,NAME] [--language en] [--scale 2]

The pictures go to docs/screenshots. Language and scale hold for a whole process, so that each pair
of them gets one of its own.
"""

from __future__ import annotations

import argparse
import itertools
import os
import subprocess
import sys
import tempfile
from pathlib import Path

os.environ["QT_QPA_PLATFORM"] = "offscreen"

from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication

from camera import Camera
from scrubjay_desktop.text.language import Language, speak
from shots import SHOTS

_LOCALES: dict[Language, str] = {"en": "en_US", "es": "es_ES"}
_SCALES = ("1", "2")


def main() -> None:
    """Take all pictures, or those whose name begins as asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="first letters of the pictures, commas between")
    parser.add_argument("--language", choices=_LOCALES)
    parser.add_argument("--scale", choices=_SCALES)
    options = parser.parse_args()
    if options.language and options.scale:
        _photograph(options.language, options.scale, options.only)
        return
    languages = [options.language] if options.language else list(_LOCALES)
    scales = [options.scale] if options.scale else _SCALES
    for language, scale in itertools.product(languages, scales):
        chosen = ["--only", options.only, "--language", language, "--scale", scale]
        subprocess.run([sys.executable, __file__, *chosen], check=True)


def _photograph(language: Language, scale: str, only: str) -> None:
    os.environ["QT_SCALE_FACTOR"] = scale
    # Whoever photographs a download that fails wants to see the same failure everywhere.
    os.environ["HF_ENDPOINT"] = "http://127.0.0.1:9"
    app = QApplication(sys.argv[:1])
    app.setStyle("Fusion")
    app.setCursorFlashTime(0)
    speak(app, language, QLocale(_LOCALES[language]))
    with tempfile.TemporaryDirectory(prefix="scrubjay-pictures-") as name:
        camera = Camera(app, Path(name), language, only)
        for shot in SHOTS:
            shot(camera)


if __name__ == "__main__":
    main()
