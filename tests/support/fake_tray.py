"""A tray that a test sees, clicks and takes away."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QMenu


class FakeTray:
    """Keeps what it was given."""

    def __init__(self, *, is_there: bool = True) -> None:
        self.is_there = is_there
        self.menu: QMenu | None = None
        self.icon = QIcon()
        self.tooltip = ""
        self.notes: list[tuple[str, str]] = []
        self.click: Callable[[], None] = lambda: None
        self.middle_click: Callable[[], None] = lambda: None

    @property
    def is_visible(self) -> bool:
        return self.is_there and self.menu is not None

    def show(
        self, menu: QMenu, clicked: Callable[[], None], middle_clicked: Callable[[], None]
    ) -> None:
        self.menu, self.click, self.middle_click = menu, clicked, middle_clicked

    def draw(self, icon: QIcon, tooltip: str) -> None:
        self.icon, self.tooltip = icon, tooltip

    def notify(self, title: str, text: str) -> None:
        self.notes.append((title, text))

    def close(self) -> None:
        self.menu = None
