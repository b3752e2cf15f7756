"""A dialog with the plan to import settings of another program."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from scrubjay.config.page_settings import Setting
from scrubjay.onboarding.setup_import import ImportKind, Plan, PlanItem
from scrubjay_desktop.settings.setting_row import value_words
from scrubjay_desktop.text.formatting import translate, translated
from scrubjay_desktop.widgets.buttons import dialog_buttons
from scrubjay_desktop.widgets.labels import muted_label
from scrubjay_desktop.widgets.layouts import DIALOG, vbox
from scrubjay_desktop.widgets.theme import GRID


class SetupImportDialog(QDialog):
    """The items that would be imported, and those that stay with their reasons."""

    confirmed = Signal(bool)
    """Signal that says whether models are to be copied too."""

    def __init__(
        self, plans: Sequence[Plan], settings: Sequence[Setting], parent: QWidget | None = None
    ) -> None:
        """Settings have the titles that the page shows."""
        super().__init__(parent)
        self._settings = {setting.key: setting for setting in settings}
        self.setWindowTitle(self.tr("Import settings from another program"))
        self.resize(90 * GRID, 64 * GRID)
        words = muted_label(
            self.tr(
                "Scrubjay will add the items in this list. The files of the other programs "
                "will not change, and you can undo the import."
            )
        )
        # The plan as a tree: programs, kinds of things, then things with what happens to them.
        self.tree = QTreeWidget()
        self.tree.setHeaderLabels([self.tr("Item"), self.tr("Result")])
        self.tree.setColumnWidth(0, 50 * GRID)
        self.tree.setAccessibleName(self.windowTitle())
        # The rows are as high as the style says from the first on.
        self.tree.ensurePolished()
        for plan in plans:
            self._add(plan)
        # Copying a model takes time and room, so it has its own tick.
        items = [item for plan in plans for item in plan.brought]
        self.models = QCheckBox(self.tr("Also copy the &language helpers from these programs"))
        self.models.setVisible(any(item.kind is ImportKind.MODEL for item in items))
        buttons = dialog_buttons(self, QDialogButtonBox.StandardButton.Cancel)
        self.bring = buttons.addButton(self.tr("&Import"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.bring.setEnabled(bool(items))
        parts = (words, self.tree, self.models, buttons)
        vbox(*parts, on=self, margins=DIALOG, spacing=1.5)

    def accept(self) -> None:
        """Announce the yes."""
        self.confirmed.emit(self.models.isChecked())
        super().accept()

    def _add(self, plan: Plan) -> None:
        top = _heading(f"{plan.setup.app} ({plan.setup.file})")
        self.tree.addTopLevelItem(top)
        for kind in ImportKind:
            items = [item for item in plan.items if item.kind is kind]
            if not items:
                continue
            # What has an obstacle stands with the others, and says what it is.
            group = _heading(_kind_words(kind))
            top.addChild(group)
            group.setFirstColumnSpanned(True)
            for item in items:
                effect = translated(item.obstacle) or self.tr("Will be added")
                group.addChild(QTreeWidgetItem([self._title(item), effect]))
        self.tree.expandAll()
        top.setFirstColumnSpanned(True)

    def _title(self, item: PlanItem) -> str:
        """An item as the settings page names it, where it does."""
        setting = self._settings.get(item.key)
        # An item that stays is named without its value, which may be a secret.
        if setting is None or " = " not in item.what:
            return item.what
        words = f"{translated(setting.title)}: {value_words(setting, item.value)}"
        if item.agent:
            words = f"{item.agent}: {words}"
        return words


def _heading(text: str) -> QTreeWidgetItem:
    item = QTreeWidgetItem([text])
    # Screen readers come to the second column, which is covered by the first, all the same.
    item.setData(1, Qt.ItemDataRole.AccessibleTextRole, text)
    return item


def _kind_words(kind: ImportKind) -> str:
    match kind:
        case ImportKind.WORKSPACE:
            return translate("BringOver", "Folders to search")
        case ImportKind.SETTING:
            return translate("BringOver", "Settings")
    return translate("BringOver", "Language helpers")
