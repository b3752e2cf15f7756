"""Brings over what is set up in another program: the plan first, then the yes."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QLabel,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from scrubjay import Brought, CancelToken, ImportKind, Plan, ScrubjayError, Setup, gathered
from scrubjay_desktop.bridge import Tasks
from scrubjay_desktop.notes_engine import NotesEngine
from scrubjay_desktop.notices import Offer
from scrubjay_desktop.theme import GRID
from scrubjay_desktop.wording import listed, translate


class BringingOver(QObject):
    """Looks for set-ups, shows the plan, applies it, takes it back."""

    found = Signal(str)
    """Names of the programs that have something for us, for a button."""
    told = Signal(str, object)
    """A sentence, and an Offer to undo what it tells of or None."""
    workspaces_changed = Signal()
    broke = Signal(object)

    def __init__(self, engine: NotesEngine, tasks: Tasks, window: QWidget) -> None:
        super().__init__(window)
        self._engine = engine
        self._tasks = tasks
        self._window = window
        self._life = CancelToken()

    def look(self) -> None:
        """Find out quietly whether there is something to bring over."""

        def show(setups: tuple[Setup, ...]) -> None:
            if setups:
                self.found.emit(listed(list(dict.fromkeys(one.app for one in setups))))

        self._watch(self._engine.importer.find(), show)

    def present(self) -> None:
        """Show what would be brought over, or say that there is nothing."""

        def plan(setups: tuple[Setup, ...]) -> None:
            if not setups:
                text = self.tr("No set-up of OpenClaw, ClawCode or QMD was found here.")
                self.told.emit(text, None)
                return
            plans = gathered([self._engine.importer.plan(one) for one in setups])
            self._watch(plans, self._show)

        self._watch(self._engine.importer.find(), plan)

    def close(self) -> None:
        """Show nothing any more."""
        self._life.cancel()

    def _show(self, plans: tuple[Plan, ...]) -> None:
        dialog = PlanDialog(plans, self._window)
        dialog.wanted.connect(lambda with_models: self._apply(plans, with_models=with_models))
        dialog.open()

    def _apply(self, plans: tuple[Plan, ...], *, with_models: bool) -> None:
        def done(brought: Brought) -> None:
            self.workspaces_changed.emit()
            text = self.tr("Brought over: {n}.").format(n=len(brought.done))
            for item, reason in brought.failed:
                text += " " + self.tr("Not {what}: {reason}").format(what=item.what, reason=reason)
            self.told.emit(text, Offer(self.tr("Undo"), self._undo))

        future = self._engine.importer.apply(plans, with_models=with_models)
        self._watch(future, done)

    def _undo(self) -> None:
        def done(workspaces: tuple[str, ...]) -> None:
            gone = gathered([self._engine.remove_workspace(one) for one in workspaces])
            self._watch(gone, lambda _: self._taken_back())

        self._watch(self._engine.importer.undo(), done)

    def _taken_back(self) -> None:
        self.workspaces_changed.emit()
        self.told.emit(self.tr("Taken back. Nothing of the other program was touched."), None)

    def _watch(self, future: object, done: object) -> None:
        self._tasks.watch(future, self._life, done=done, failed=self._fail)  # type: ignore[arg-type]

    def _fail(self, error: BaseException) -> None:
        if isinstance(error, ScrubjayError):
            self.told.emit(str(error), None)
            return
        self.broke.emit(error)


class PlanDialog(QDialog):
    """What would be brought over, what stays and why."""

    wanted = Signal(bool)
    """The yes, and whether models are to be copied too."""

    def __init__(self, plans: Sequence[Plan], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Bring over your set-up"))
        self.resize(90 * GRID, 64 * GRID)
        words = QLabel(
            self.tr(
                "This would be added to Scrubjay. Files of the other programs are only read, "
                "and you can take all of it back."
            )
        )
        words.setWordWrap(True)
        words.setForegroundRole(QPalette.ColorRole.PlaceholderText)
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
        top = QTreeWidgetItem([f"{plan.setup.app} ({plan.setup.file})"])
        self.tree.addTopLevelItem(top)
        for kind in ImportKind:
            items = [one for one in plan.items if one.kind is kind]
            if not items:
                continue
            group = QTreeWidgetItem([_kind_words(kind)])
            top.addChild(group)
            for one in items:
                happens = one.obstacle or self.tr("Will be added")
                group.addChild(QTreeWidgetItem([one.what, happens]))
        self.tree.expandAll()
        top.setFirstColumnSpanned(True)


def _kind_words(kind: ImportKind) -> str:
    match kind:
        case ImportKind.WORKSPACE:
            return translate("BringOver", "Folders to search")
        case ImportKind.SETTING:
            return translate("BringOver", "Settings")
    return translate("BringOver", "Models")
