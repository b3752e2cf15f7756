"""What ships beside the code is well formed."""

from __future__ import annotations

import itertools
import re
import shutil
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

from scrubjay.platform.paths import resources

ICONS = sorted((resources() / "icons").glob("*.svg"))
TRAY = [icon for icon in ICONS if icon.stem.startswith("tray-")]
MONOCHROME = [icon for icon in ICONS if icon.stem != "app"]
TRAY_SIZE = 22
"""Pixels that most panels give an icon."""


def shape(icon: Path, size: int) -> list[bool]:
    """For every pixel, whether the icon covers it."""
    image = QImage(size, size, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    QSvgRenderer(str(icon)).render(painter)
    painter.end()
    return [
        image.pixelColor(x, y).alpha() > 127 for y, x in itertools.product(range(size), repeat=2)
    ]


def test_every_state_of_the_tray_has_an_icon() -> None:
    states = {icon.stem.removeprefix("tray-") for icon in TRAY}
    assert states == {"ready", "indexing", "paused", "error", "attention", "model"}


@pytest.mark.parametrize("icon", ICONS, ids=lambda icon: icon.stem)
def test_icons_are_square_and_not_blank(icon: Path) -> None:
    left, top, width, height = map(float, ET.parse(icon).getroot().attrib["viewBox"].split())
    assert (left, top, width) == (0, 0, height)
    assert any(shape(icon, 16))


@pytest.mark.parametrize("icon", MONOCHROME, ids=lambda icon: icon.stem)
def test_icons_that_are_recoloured_are_black_only(icon: Path) -> None:
    colours = set(re.findall(r'(?:fill|stroke)="(.*?)"', icon.read_text(encoding="utf-8")))
    assert colours <= {"none", "#000"}


@pytest.mark.parametrize(
    ("first", "second"), list(itertools.combinations(TRAY, 2)), ids=lambda icon: icon.stem
)
def test_tray_states_differ_in_shape(first: Path, second: Path) -> None:
    pixels = zip(shape(first, TRAY_SIZE), shape(second, TRAY_SIZE), strict=True)
    assert sum(a != b for a, b in pixels) >= 0.03 * TRAY_SIZE**2


@pytest.mark.skipif(not shutil.which("desktop-file-validate"), reason="needs desktop-file-utils")
def test_the_desktop_file_is_valid() -> None:
    file = resources() / "org.scrubjay.Scrubjay.desktop"
    checked = subprocess.run(
        ["desktop-file-validate", "--warn-kde", str(file)], capture_output=True, text=True
    )
    assert checked.stdout == ""
    assert checked.returncode == 0
