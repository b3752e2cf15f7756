"""What agents may do: for all of them, for one, in all workspaces or in one."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QComboBox, QGridLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from scrubjay import AccessControl
from scrubjay.records.access_records import Action, KnownAgent, Permission
from scrubjay.records.search_records import Workspace
from scrubjay_desktop.bridge.bridge import Requests, Tasks
from scrubjay_desktop.widgets.labels import muted_label
from scrubjay_desktop.widgets.theme import GRID, sized
from scrubjay_desktop.widgets.wheel_safe_inputs import ChoiceBox

_EVERYBODY = ""


class RulesPane(QWidget):
    """A line for all agents, and one for each that was here or has a rule."""

    announced = Signal(str, object)

    def __init__(self, agents: AccessControl, tasks: Tasks) -> None:
        super().__init__()
        self._agents = agents
        self._requests = Requests(tasks, self.announced, self._draw)
        self._seen: tuple[KnownAgent, ...] = ()
        self.boxes: dict[tuple[str, Action], QComboBox] = {}
        self.place = ChoiceBox()
        self.place.setAccessibleName(self.tr("In which notes"))
        self.place.addItem(self.tr("In all notes"), "")
        self.place.activated.connect(lambda _: self._draw())
        words = muted_label(
            self.tr(
                "Of two rules the stricter counts. “Ask me” shows a question here while Scrubjay "
                "runs; otherwise the agent is told to ask you."
            )
        )
        self._table = QWidget()
        top = QHBoxLayout()
        top.addWidget(words, 1)
        top.addWidget(self.place)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 2 * GRID, 0, 0)
        self._column.setSpacing(2 * GRID)
        self._column.addLayout(top)
        self._column.addWidget(self._table)
        self._column.addStretch(1)

    def show_workspaces(self, workspaces: Sequence[Workspace]) -> None:
        """Between which notes can be told apart."""
        chosen = self.place.currentData()
        while self.place.count() > 1:
            self.place.removeItem(1)
        for one in workspaces:
            self.place.addItem(self.tr("In {workspace}").format(workspace=one.name), one.id)
        self.place.setCurrentIndex(max(0, self.place.findData(chosen)))

    def refresh(self) -> None:
        """Show who was here and what holds for them."""
        self._requests.watch(self._agents.known_agents(), self._show)

    def _show(self, seen: tuple[KnownAgent, ...]) -> None:
        self._seen = seen
        self._draw()

    def _draw(self) -> None:
        rules = self._agents.rules()
        place = str(self.place.currentData() or "")
        held = {(one.agent, one.action): one for one in rules if one.workspace == place}
        names = {one.name: one.title or one.name for one in self._seen}
        names |= {one.agent: one.agent for one in rules if one.agent and one.agent not in names}
        table = QWidget()
        grid = QGridLayout(table)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(3 * GRID)
        grid.setVerticalSpacing(GRID)
        grid.setColumnStretch(0, 1)
        titles = (self.tr("Agent"), self.tr("May search"), self.tr("May add to today's note"))
        for number, title in enumerate(titles):
            label = QLabel(title)
            label.setFont(sized(self.font(), -0.5, QFont.Weight.DemiBold))
            grid.addWidget(label, 0, number)
        self.boxes.clear()
        for line, (agent, shown) in enumerate(
            [(_EVERYBODY, self.tr("All agents")), *names.items()]
        ):
            grid.addWidget(QLabel(shown), line + 1, 0)
            for number, action in enumerate(Action):
                rule = held.get((agent, action))
                chosen = rule.permission if rule else None
                must_be_set = agent == _EVERYBODY and not place
                box = self._box(agent, shown, action, chosen, is_free=not must_be_set)
                grid.addWidget(box, line + 1, number + 1)
        self._column.replaceWidget(self._table, table)
        self._table.deleteLater()
        self._table = table

    def _box(
        self, agent: str, shown: str, action: Action, chosen: Permission | None, *, is_free: bool
    ) -> QComboBox:
        box = ChoiceBox()
        what = self.tr("May search") if action is Action.READ else self.tr("May add")
        box.setAccessibleName(f"{shown}: {what}")
        if is_free:
            text = (
                self.tr("As for all notes") if agent == _EVERYBODY else self.tr("As for all agents")
            )
            box.addItem(text, None)
        for permission, name in (
            (Permission.ALLOW, self.tr("Yes")),
            (Permission.ASK, self.tr("Ask me")),
            (Permission.DENY, self.tr("No")),
        ):
            box.addItem(name, permission)
        box.setCurrentIndex(max(0, box.findData(chosen)))
        box.activated.connect(lambda _: self._choose(agent, action, box.currentData()))
        self.boxes[agent, action] = box
        return box

    def _choose(self, agent: str, action: Action, wanted: Permission | None) -> None:
        place = str(self.place.currentData() or "")
        future = self._agents.set_rule(agent, place, action, wanted)
        self._requests.watch(future, lambda _: self.refresh())
