"""Tags offered while one is typed into a search box."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QCompleter, QLineEdit, QListView

from scrubjay_desktop.search.live_search import LiveSearch
from scrubjay_desktop.search.query_operators import unfinished_tag, with_tag
from scrubjay_desktop.text.formatting import format_number

_MOST_TAGS = 8
"""Tags that are offered at once."""
_TAKING = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab)
_TAG_ROLE = Qt.ItemDataRole.UserRole


class TagCompleter(QCompleter):
    """The tags of the searched notes that begin as the last word of a box does."""

    def __init__(self, box: QLineEdit, search: LiveSearch) -> None:
        super().__init__(box)
        self._box = box
        self._search = search
        # The tags are filtered here, since only the last word of the box counts.
        self._model = QStandardItemModel(self)
        self.setModel(self._model)
        self.setWidget(box)
        self.setCompletionMode(QCompleter.CompletionMode.UnfilteredPopupCompletion)
        self.setCompletionRole(_TAG_ROLE)
        self._list = QListView()
        self._list.setAccessibleName(self.tr("Tags"))
        self.setPopup(self._list)
        self._list.installEventFilter(self)
        box.textEdited.connect(self._ask)
        self.activated.connect(self._take)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Qt's hook: Enter would reach the box as well, and open a note."""
        # Tab takes the first tag, the arrow keys choose another one.
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            index = self._list.currentIndex()
            if event.key() == Qt.Key.Key_Tab and not index.isValid():
                index = self._model.index(0, 0)
            if event.key() in _TAKING and index.isValid():
                self._list.hide()
                self._take(index.data(_TAG_ROLE))
                return True
        return super().eventFilter(watched, event)

    def _ask(self, text: str) -> None:
        if unfinished_tag(text) is None or self._box.cursorPosition() != len(text):
            self._list.hide()
            return
        self._search.count("tags", self._offer)

    def _offer(self, counts: Sequence[tuple[str, int]]) -> None:
        typed = unfinished_tag(self._box.text())
        if typed is None or not self._box.hasFocus():
            return
        beginning = typed.casefold()
        tags = [(tag, count) for tag, count in counts if tag.casefold().startswith(beginning)]
        self._model.clear()
        for tag, count in tags[:_MOST_TAGS]:
            item = QStandardItem(f"#{tag}   {format_number(count)}")
            item.setData(tag, _TAG_ROLE)
            self._model.appendRow(item)
        # A tag that is typed in full needs no offer.
        if tags and [tag.casefold() for tag, _ in tags] != [beginning]:
            self.complete()
        else:
            self._list.hide()

    def _take(self, tag: str) -> None:
        text = with_tag(self._box.text(), tag)
        self._box.setText(text)
        self._box.textEdited.emit(text)
