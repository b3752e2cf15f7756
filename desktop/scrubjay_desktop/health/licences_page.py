"""What Scrubjay is made of, and under which terms."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLabel,
    QListWidget,
    QPlainTextEdit,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from scrubjay import CancelToken, Component, components
from scrubjay_desktop.bridge.bridge import Tasks
from scrubjay_desktop.widgets.theme import GRID


class LicencesPage(QDialog):
    """A list of works, and the terms of the chosen one."""

    def __init__(self, tasks: Tasks, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._components: tuple[Component, ...] = ()
        self._life = CancelToken()
        self.setWindowTitle(self.tr("Licences"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(100 * GRID, 70 * GRID)
        self._build()
        self.finished.connect(self._life.cancel)
        tasks.run(components, self._life, done=self._show)

    def _build(self) -> None:
        about = QLabel(
            self.tr(
                "Scrubjay is free software under the MIT License. It is made of the works below. "
                "Qt is used under the LGPL: its libraries are files beside the program, which you "
                "may replace."
            )
        )
        about.setWordWrap(True)
        self.works = QListWidget()
        self.works.setAccessibleName(self.tr("Works that Scrubjay is made of"))
        self.terms = QPlainTextEdit()
        self.terms.setReadOnly(True)
        self.terms.setAccessibleName(self.tr("Terms of the chosen work"))
        self.works.currentRowChanged.connect(self._choose)
        parts = QSplitter()
        parts.addWidget(self.works)
        parts.addWidget(self.terms)
        parts.setStretchFactor(1, 2)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(about)
        layout.addWidget(parts, 1)
        layout.addWidget(buttons)

    def _show(self, found: tuple[Component, ...]) -> None:
        self._components = found
        self.works.addItems([f"{one.name} {one.version}".strip() for one in found])
        self.works.setCurrentRow(0)

    def _choose(self, row: int) -> None:
        if row < 0:
            return
        one = self._components[row]
        head = "\n".join(filter(None, (f"{one.name} {one.version}", one.licence, one.homepage)))
        self.terms.setPlainText("\n\n\n".join([head, *one.texts]))
