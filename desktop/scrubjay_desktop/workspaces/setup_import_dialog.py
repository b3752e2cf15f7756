"""Shows what would be brought over from another program, and asks for the yes."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from scrubjay import (
    Choice,
    ImportKind,
    Plan,
    PlanItem,
)
from scrubjay_desktop.settings.setting_row import value_words
from scrubjay_desktop.text.formatting import translate, translated
from scrubjay_desktop.widgets.labels import muted_label
from scrubjay_desktop.widgets.theme import GRID


class PlanDialog(QDialog):
    """What would be brought over, what stays and why."""

    wanted = Signal(bool)
    """The yes, and whether models are to be copied too."""

    def __init__(
        self, plans: Sequence[Plan], choices: Sequence[Choice], parent: QWidget | None = None
    ) -> None:
        """Choices say what settings are called."""
        super().__init__(parent)
        self._choices = {one.key: one for one in choices}
        self.setWindowTitle(self.tr("Bring over your set-up"))
        self.resize(90 * GRID, 64 * GRID)
        words = muted_label(
            self.tr(
                "This would be added to Scrubjay. Files of the other programs are only read, "
                "and you can take all of it back."
            )
        )
        self.tree = QTreeWidget()
        self.tree.setHeaderLabels([self.tr("What"), self.tr("What happens")])
        self.tree.setColumnWidth(0, 50 * GRID)
        self.tree.setAccessibleName(self.windowTitle())
        for plan in plans:
            self._add(plan)
        items = [one for plan in plans for one in plan.brought]
        self.models = QCheckBox(self.tr("Copy their &models too"))
        self.models.setVisible(any(one.kind is ImportKind.MODEL for one in items))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.bring = buttons.addButton(
            self.tr("&Bring over"), QDialogButtonBox.ButtonRole.AcceptRole
        )
        self.bring.setEnabled(bool(items))
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(3 * GRID, 3 * GRID, 3 * GRID, 2 * GRID)
        column.setSpacing(2 * GRID)
        for widget in (words, self.tree, self.models, buttons):
            column.addWidget(widget)

    def accept(self) -> None:
        """The yes."""
        self.wanted.emit(self.models.isChecked())
        super().accept()

    def _add(self, plan: Plan) -> None:
        top = _heading(f"{plan.setup.app} ({plan.setup.file})")
        self.tree.addTopLevelItem(top)
        for kind in ImportKind:
            items = [one for one in plan.items if one.kind is kind]
            if not items:
                continue
            group = _heading(_kind_words(kind))
            top.addChild(group)
            group.setFirstColumnSpanned(True)
            for one in items:
                happens = translated(one.obstacle) or self.tr("Will be added")
                group.addChild(QTreeWidgetItem([self._what(one), happens]))
        self.tree.expandAll()
        top.setFirstColumnSpanned(True)

    def _what(self, item: PlanItem) -> str:
        """In the words of the settings page, where it has any."""
        choice = self._choices.get(item.key)
        # What stays with the other program is named without its value, which may be a secret.
        if choice is None or " = " not in item.what:
            return item.what
        words = f"{translated(choice.title)}: {value_words(choice, item.value)}"
        return f"{item.agent}: {words}" if item.agent else words


def _heading(text: str) -> QTreeWidgetItem:
    made = QTreeWidgetItem([text])
    # Screen readers come to the second column, which is covered by the first, all the same.
    made.setData(1, Qt.ItemDataRole.AccessibleTextRole, text)
    return made


def _kind_words(kind: ImportKind) -> str:
    match kind:
        case ImportKind.WORKSPACE:
            return translate("BringOver", "Folders to search")
        case ImportKind.SETTING:
            return translate("BringOver", "Settings")
    return translate("BringOver", "Models")
