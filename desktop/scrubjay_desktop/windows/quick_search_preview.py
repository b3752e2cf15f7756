"""The preview beside the rows of the popup, and what is remembered of each preview's look."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from scrubjay.engine.engine import Engine
from scrubjay_desktop.bridge.bridge import Tasks
from scrubjay_desktop.preview.open_external import Opener
from scrubjay_desktop.settings.preferences import Preferences
from scrubjay_desktop.widgets.banner import Banner
from scrubjay_desktop.widgets.layouts import NONE, vbox

if TYPE_CHECKING:
    from scrubjay_desktop.preview.preview import Preview


def keep_look(preview: Preview, preferences: Preferences) -> None:
    """Give a preview the look of the last time, and remember later ones."""
    preview.related.set_folded(preferences.folds_related)
    preview.related.folded.connect(partial(setattr, preferences, "folds_related"))
    preview.view.zoom = preferences.zoom
    preview.view.zoomed.connect(partial(setattr, preferences, "zoom"))
    preview.pages.bar.text.setChecked(preferences.shows_pdf_text)
    preview.pages.bar.changed.connect(partial(setattr, preferences, "shows_pdf_text"))


class QuickSearchPreview(QWidget):
    """A preview that is built when it is first asked for, so that the popup starts without it."""

    built = Signal(object)
    """Signal with the Preview."""
    turned = Signal()
    """Signal that it was shown or hidden."""

    def __init__(
        self, engine: Engine, tasks: Tasks, opener: Opener, preferences: Preferences
    ) -> None:
        super().__init__()
        # These are handed on to the preview when it is made.
        self._engine = engine
        self._tasks = tasks
        self._opener = opener
        self._preferences = preferences
        self.preview: Preview | None = None
        self.banner = Banner(self.tr("Close this message"))
        """Banner for messages about changes that were made in the pane."""
        self._column = vbox(self.banner, on=self, margins=NONE, spacing=0.5)
        self.hide()

    def reader(self) -> Preview | None:
        """The preview, while it is in sight."""
        if self.isHidden():
            return None
        return self.preview

    @property
    def has_keys(self) -> bool:
        """Whether keys go to the pane."""
        return self.isAncestorOf(self.window().focusWidget() or self.window())

    def turn(self) -> None:
        """Show or hide the preview, from now on."""
        self._preferences.shows_quick_preview = self.isHidden()
        self.restore()

    def restore(self) -> None:
        """Show or hide the preview as it was the last time."""
        is_shown = self._preferences.shows_quick_preview
        if self.preview is None and is_shown:
            # Imported late, as the popup is shown before a note is.
            from scrubjay_desktop.preview.preview import Preview

            self.preview = Preview(self._engine, self._tasks, self._opener)
            keep_look(self.preview, self._preferences)
            self._column.addWidget(self.preview, 1)
            self.built.emit(self.preview)
        self.setVisible(is_shown)
        self.turned.emit()
