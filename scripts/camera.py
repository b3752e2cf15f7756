"""Keeps pictures of the running app: each in light and in dark, small enough for a repository."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from PySide6.QtCore import QSize
from PySide6.QtGui import QImage, QImageWriter, QPixmap
from PySide6.QtWidgets import QApplication, QWidget

from scenes import is_ready, pause, sample, until
from scrubjay import Engine, Paths
from scrubjay_desktop.app.application import Desktop, Start
from scrubjay_desktop.app.start_request import StartRequest
from scrubjay_desktop.text.language import Language
from scrubjay_desktop.widgets.theme import GRID, Choice
from scrubjay_desktop.workspaces.sample_notes import sample_name

PLACE = Path(__file__).resolve().parents[1] / "docs" / "screenshots"
THEMES: tuple[Choice, ...] = ("light", "dark")
_WINDOW = QSize(145 * GRID, 90 * GRID)
_SETTLES_S = 0.25
_MOST_COLORS = 96


class Camera:
    """Brings the app into a state and keeps pictures of it."""

    def __init__(self, app: QApplication, folder: Path, language: Language, only: str) -> None:
        self._app = app
        self._folder = folder
        self.language = language
        self._place = PLACE / language
        self._only = tuple(only.split(","))
        self._place.mkdir(parents=True, exist_ok=True)

    def wants(self, *names: str) -> bool:
        """Whether any of these pictures was asked for."""
        return any(name.startswith(self._only) for name in names)

    def keep(
        self,
        desktop: Desktop,
        widget: QWidget,
        name: str,
        settles: float = 1,
        begin: Callable[[], object] | None = None,
    ) -> None:
        """Photograph a widget in light and dark, as a person who changes the theme sees it.

        A widget that is about to change by itself settles for 0 of the usual time. Begin starts
        what is soon over, each time.
        """
        if not self.wants(name):
            return
        for theme in THEMES:
            desktop.theme.choose(theme)
            pause(settles * _SETTLES_S)
            if begin:
                begin()
                pause(0)
            self.save(widget.grab(), name, theme)
        desktop.theme.choose(THEMES[0])

    def save(self, picture: QPixmap, name: str, theme: Choice) -> None:
        """Write one picture."""
        scale = picture.devicePixelRatio()
        suffix = "" if scale == 1 else f"@{scale:.0f}x"
        save_small(picture.toImage(), self._place / f"{name}-{theme}{suffix}.png")

    @contextmanager
    def running(
        self, home: str, *, settings: str = "", person: Path | None = None
    ) -> Iterator[Desktop]:
        """The app in a home of that name, which later scenes may use again."""
        paths = Paths.under(self._folder / home)
        if settings:
            paths.config.mkdir(parents=True, exist_ok=True)
            paths.config_file.write_text(settings, encoding="utf-8")
        nobody = self._folder / "nobody"
        nobody.mkdir(exist_ok=True)
        os.environ["HOME"] = str(person or nobody)
        engine = Engine(paths)
        desktop = Desktop(self._app, engine, paths, Start(theme=THEMES[0]))
        desktop.preferences.has_read_all = True  # else a better model is offered on every picture
        desktop.window.resize(_WINDOW)
        desktop.begin(StartRequest.WINDOW)
        pause(_SETTLES_S)
        try:
            yield desktop
        finally:
            desktop.dispose()
            engine.close()

    @contextmanager
    def with_notes(self) -> Iterator[Desktop]:
        """The app with the sample notes, read and learnt."""
        with self.running("indexed") as desktop:
            if not desktop._engine.workspaces():  # noqa: SLF001
                desktop.errands.add_folder(sample(desktop), sample_name())
            until(lambda: is_ready(desktop))
            yield desktop

    def somebody(self) -> Path:
        """A person's home, empty."""
        return self._folder / "somebody"


def save_small(image: QImage, file: Path) -> None:
    """Write a PNG of at most 96 colours, chosen so that no distinct one is lost.

    Half of them are the most frequent, the others those that lie farthest from any chosen one.
    """
    image = image.convertToFormat(QImage.Format.Format_ARGB32)
    pixels = np.frombuffer(image.constBits(), np.uint32)
    colors, inverse, counts = np.unique(pixels, return_inverse=True, return_counts=True)
    points = colors.view(np.uint8).reshape(-1, 4).astype(np.int32)
    frequent = np.argsort(-counts)[: _MOST_COLORS // 2]
    chosen = list(frequent)
    nearest = np.full(len(colors), np.iinfo(np.int64).max)
    which = np.zeros(len(colors), np.uint8)
    for place in range(min(_MOST_COLORS, len(colors))):
        if place == len(chosen):
            chosen.append(int(np.argmax(nearest)))
        distance = ((points - points[chosen[place]]) ** 2).sum(axis=1)
        which[distance < nearest] = place
        nearest = np.minimum(nearest, distance)
    width, height = image.width(), image.height()
    rows = np.zeros((height, (width + 3) // 4 * 4), np.uint8)
    rows[:, :width] = which[inverse].reshape(height, width)
    small = QImage(rows.tobytes(), width, height, rows.shape[1], QImage.Format.Format_Indexed8)
    small.setColorTable([int(colors[one]) for one in chosen[: len(colors)]])
    writer = QImageWriter(str(file), b"png")
    writer.setCompression(100)
    if not writer.write(small):
        raise OSError(f"{file}: {writer.errorString()}")
