"""A dialog with all that Scrubjay has stored on this computer, each part with a tick."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QDialog, QDialogButtonBox, QWidget

from scrubjay.engine.uninstallation import Inventory, Part, StoredPart
from scrubjay_desktop.text.formatting import (
    abbreviate_home,
    format_number,
    format_size,
    plain_tip,
    translate,
    translated,
)
from scrubjay_desktop.widgets.buttons import dialog_buttons
from scrubjay_desktop.widgets.labels import muted_label, plain_label
from scrubjay_desktop.widgets.layouts import DIALOG, scroll_area, vbox
from scrubjay_desktop.widgets.theme import GRID

_SIDE = 78 * GRID
"""Width of the dialog, and its height at most."""
_SHOWN = 3
"""Places of a part that are listed; its tip has all of them."""


class UninstallDialog(QDialog):
    """What is where, what would be removed, and what stays in any case."""

    confirmed = Signal(object)
    """Signal with the parts to remove, after which the app quits."""

    def __init__(self, inventory: Inventory, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Uninstall Scrubjay"))
        words = self.tr(
            "Scrubjay will remove the selected parts from this computer and then quit. "
            "You cannot undo this. The program itself is removed separately, as described below."
        )
        # A tick for each part, with its places below it.
        self.ticks: dict[Part, QCheckBox] = {}
        content = QWidget()
        lines: list[QWidget] = []
        for each in inventory.parts:
            lines += self._lines_of(each)
        vbox(*lines, 1, on=content, margins=(0, 0, 1, 0), spacing=0.5)
        # What stays, and how the program itself goes.
        sentences = [translated(sentence) for sentence in (*inventory.remaining, inventory.program)]
        stays = muted_label(" ".join(sentences))
        stays.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.trouble = plain_label()
        self.trouble.hide()
        buttons = dialog_buttons(self, QDialogButtonBox.StandardButton.Cancel)
        role = QDialogButtonBox.ButtonRole.ActionRole
        self.remove = buttons.addButton(self.tr("&Remove and quit"), role)
        self.remove.clicked.connect(self._confirm)
        # Enter, pressed without reading, removes nothing.
        self.remove.setAutoDefault(False)
        buttons.button(QDialogButtonBox.StandardButton.Cancel).setDefault(True)
        area = scroll_area(content, self.windowTitle())
        parts = (muted_label(words), (area, 1), stays, self.trouble, buttons)
        layout = vbox(*parts, on=self, margins=DIALOG, spacing=1.5)
        # As high as its parts need, which scroll where there are many.
        others = layout.totalHeightForWidth(_SIDE) - area.sizeHint().height()
        self.resize(_SIDE, min(_SIDE, others + content.sizeHint().height()))
        self._enable()

    def show_problems(self, problems: tuple[str, ...]) -> None:
        """Say what could not be removed; the user chooses again."""
        text = self.tr(
            "Some parts could not be removed. To continue without them, clear their check boxes."
        )
        self.trouble.setText("\n".join([text, *map(translated, problems)]))
        self.trouble.show()

    def _lines_of(self, each: StoredPart) -> list[QWidget]:
        """The tick of a part, and the line with its places."""
        title = translated(each.title)
        if each.size_bytes is not None:
            title = f"{title} · {format_size(each.size_bytes)}"
        tick = QCheckBox(title.replace("&", "&&"))
        tick.setChecked(each.is_chosen_first)
        tick.toggled.connect(self._enable)
        self.ticks[each.part] = tick
        # The first places are shown, and a tip has the others.
        places = [abbreviate_home(place) for place in each.places]
        tick.setToolTip(plain_tip("\n".join(places)))
        shown = places[:_SHOWN]
        if len(places) > _SHOWN:
            more = translate("UninstallDialog", "and {n} more")
            shown.append(more.format(n=format_number(len(places) - _SHOWN)))
        where = muted_label("\n".join(shown), -0.5)
        where.setContentsMargins(3 * GRID, 0, 0, GRID)
        tick.setAccessibleDescription(where.text())
        return [tick, where]

    def _enable(self) -> None:
        self.remove.setEnabled(any(tick.isChecked() for tick in self.ticks.values()))

    def _confirm(self) -> None:
        # Nothing is changed while the parts are being removed.
        self.setEnabled(False)
        chosen = tuple(part for part, tick in self.ticks.items() if tick.isChecked())
        self.confirmed.emit(chosen)
