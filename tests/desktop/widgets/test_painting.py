"""Windows before their first frame, and the edge of those without a frame."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest
from PySide6.QtGui import QColor

from scrubjay_desktop.app.application import Desktop
from scrubjay_desktop.widgets.theme import GRID

_NEVER_PAINTED = """
import sys
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication, QWidget
from scrubjay_desktop.widgets.painting import fill_unpainted

app = QApplication([])
window = QWidget()
window.setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground)
window.setUpdatesEnabled(False)
window.setGeometry(50, 50, 200, 200)
fill_unpainted(window, QColor("#336699"))
window.show()
print(app.primaryScreen().grabWindow(0, 150, 150, 1, 1).toImage().pixelColor(0, 0).name())
"""


@pytest.mark.skipif(not shutil.which("Xvfb"), reason="needs an X server")
def test_a_window_of_x11_has_its_colour_before_it_paints() -> None:
    read, write = os.pipe()
    command = ["Xvfb", "-displayfd", str(write), "-screen", "0", "640x480x24"]
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, pass_fds=[write], stdout=quiet, stderr=quiet) as server:
        os.close(write)
        try:
            with os.fdopen(read) as announced:
                display = f":{announced.readline().strip()}"
            environ = {**os.environ, "DISPLAY": display, "QT_QPA_PLATFORM": "xcb"}
            program = [sys.executable, "-c", _NEVER_PAINTED]
            done = subprocess.run(program, env=environ, capture_output=True, text=True, check=True)
        finally:
            server.terminate()
    assert done.stdout.strip() == "#336699"


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.qt_log_ignore("systemTrayWindowChanged", extend=True)
def test_the_popup_has_a_shadow_and_an_edge_that_is_seen(desktop: Desktop, theme) -> None:
    desktop.theme.choose(theme)
    popup, colors = desktop.late.popup, desktop.theme.colors
    popup.present()
    picture = popup.grab().toImage()
    middle, edge = picture.height() // 2, 2 * GRID
    assert picture.pixelColor(edge // 2, middle) != colors.surface
    line = {picture.pixelColor(edge + x, middle).name() for x in (0, 1, 2)}
    assert min(abs(QColor(name).lightness() - colors.muted.lightness()) for name in line) < 40
