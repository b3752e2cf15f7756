"""The pages of the window, and the list at its left to choose from."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct
from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QAction, QIcon, QKeySequence, QPaintEvent, QPalette
from PySide6.QtWidgets import QButtonGroup, QPushButton, QSizePolicy, QStackedWidget, QWidget

from scrubjay_desktop.widgets.icons import icon, pixmap
from scrubjay_desktop.widgets.labels import bold_label
from scrubjay_desktop.widgets.layouts import hbox, vbox
from scrubjay_desktop.widgets.theme import palette_colors


class Page(Struct, frozen=True):
    """One entry of the navigation."""

    key: str
    icon: str
    """Name of a line icon in resources/icons."""
    title: str
    make: Callable[[], QWidget]
    """Function that is called when the page is first shown, so that no page slows the start of the
    app."""
    needs_notes: bool = True
    """Whether it has nothing to say before there is a folder of notes."""


class Pages(QStackedWidget):
    """The pages of the window, made when they are first shown."""

    changed = Signal(str)
    """Signal with the key of the page that is shown from now on."""

    def __init__(self, first_step: QWidget | None = None) -> None:
        """The first step stands in for pages that need notes while there are none."""
        super().__init__()
        self._first_step = first_step
        self._has_notes = True
        self._pages: dict[str, Page] = {}
        self._made: dict[str, QWidget] = {}
        self.key = ""
        """Key of the page that is shown."""
        if first_step is not None:
            self.addWidget(first_step)
        # Pages are sheets to read from, so they have the colour that notes have.
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setAutoFillBackground(True)

    def add(self, page: Page) -> None:
        """Add one more page. The first is shown at once."""
        self._pages[page.key] = page
        if not self.key:
            self.show_page(page.key)

    def show_page(self, key: str) -> QWidget:
        """Show a page, which gets the keys of the one before. Raises KeyError for no such page."""
        # The keys stay on the page, whichever it is.
        had_focus = self.isAncestorOf(self.window().focusWidget() or self)
        self.prepare(key)
        self._turn_to(key)
        if had_focus and key != self.key:
            self.focus_page()
        if key != self.key:
            self.key = key
            self.changed.emit(key)
        return self._made[key]

    def prepare(self, key: str) -> None:
        """Make a page, unless it is there already."""
        if key not in self._made:
            self._made[key] = self._pages[key].make()
            self.addWidget(self._made[key])

    def set_notes(self, has_notes: bool) -> bool:
        """Turn to the first step or back to the page; true when another widget is shown now."""
        before = self.currentWidget()
        self._has_notes = has_notes
        self._turn_to(self.key)
        return self.currentWidget() is not before

    def _turn_to(self, key: str) -> None:
        is_first = self._pages[key].needs_notes and not self._has_notes and self._first_step
        self.setCurrentWidget(is_first or self._made[key])

    def focus_page(self) -> None:
        """Let keys go to the first control of the page that is shown."""
        page = self.currentWidget()
        if page is None:
            return
        # A page that takes no keys itself leads them to its first control.
        page.setFocus(Qt.FocusReason.ShortcutFocusReason)
        is_led_on = page.focusProxy() is not None
        if page.hasFocus() and not is_led_on and page.focusPolicy() is Qt.FocusPolicy.NoFocus:
            page.focusNextChild()


class Navigation(QWidget):
    """A column of entries, one of them chosen."""

    chosen = Signal(str)
    """Signal with the key of a page."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.entries: dict[str, NavigationEntry] = {}
        """Entries by the key of their page."""
        self._group = QButtonGroup(self)
        self._column = vbox(on=self, margins=(1, 1, 1, 0), spacing=0.25)
        self.setAccessibleName(self.tr("Pages"))

    def add(self, page: Page) -> None:
        """Add one more entry, with Ctrl and its number as shortcut."""
        entry = NavigationEntry(page.icon, page.title)
        entry.clicked.connect(lambda: self.chosen.emit(page.key))
        self._group.addButton(entry)
        self._column.addWidget(entry)
        self.entries[page.key] = entry
        entry.setChecked(len(self.entries) == 1)
        self._number_entries()

    def set_shown(self, key: str, is_shown: bool) -> None:
        """Show or hide an entry; the numbers of the others follow."""
        self.entries[key].setVisible(is_shown)
        self._number_entries()

    def page_actions(self, parent: QObject) -> list[QAction]:
        """An action for each page in sight but the first, to which searching leads too."""
        actions = []
        for entry in list(self.entries.values())[1:]:
            if not entry.isHidden():
                action = QAction(entry.text(), parent)
                # Of no window, so that its keys go to the entry alone.
                action.setShortcut(entry.shortcut())
                action.triggered.connect(entry.click)
                actions.append(action)
        return actions

    def show_chosen(self, key: str) -> None:
        """Mark an entry without announcing it."""
        self.entries[key].setChecked(True)

    def _number_entries(self) -> None:
        shown = (entry for entry in self.entries.values() if not entry.isHidden())
        for number, entry in enumerate(shown, start=1):
            entry.setShortcut(QKeySequence(f"Ctrl+{number}"))
            entry.setToolTip(f"{entry.text()} ({entry.shortcut().toString(_NATIVE)})")


_NATIVE = QKeySequence.SequenceFormat.NativeText


class NavigationEntry(QPushButton):
    """An icon and a word, with a number when something waits there."""

    def __init__(self, icon_name: str, title: str) -> None:
        super().__init__(title)
        self._icon_name = icon_name
        self._drawn: tuple[bool, float] | None = None
        self.setAccessibleName(title)
        self.setCheckable(True)
        # Tab alone: a click, or Ctrl and a number, is for the page, and keys shall go there.
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._badge = bold_label("", -1)
        self._badge.setObjectName("badge")
        hbox(1, self._badge, on=self, margins=(0, 0, 1, 0))
        self.show_count(0, "")
        self._draw_icon()

    def event(self, event: QEvent) -> bool:
        """Qt's hook: a button's key waits for a tenth of a second, in which letters are lost."""
        if event.type() == QEvent.Type.Shortcut:
            self.click()
            return True
        return super().event(event)

    def show_count(self, count: int, meaning: str) -> None:
        """Show a number, none for 0; meaning says it in words for screen readers."""
        text = str(count)
        if count >= 100:
            text = "99+"
        self._badge.setText(text)
        self._badge.setVisible(bool(count))
        self.setAccessibleDescription(meaning if count else "")

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: D102
        # Theme and screen may have changed.
        self._draw_icon()
        super().paintEvent(event)

    def _draw_icon(self) -> None:
        colors = palette_colors(self.palette())
        scale = self.devicePixelRatioF()
        look = (colors.is_dark, scale)
        # The icon is redrawn only when the theme or the screen has changed.
        if look == self._drawn:
            return
        self._drawn = look
        image = icon(self._icon_name, colors.muted, size=18, widget=self)
        chosen = pixmap(self._icon_name, colors.accent, size=18, scale=scale)
        image.addPixmap(chosen, state=QIcon.State.On)
        self.setIcon(image)
        self.setIconSize(QSize(18, 18))
