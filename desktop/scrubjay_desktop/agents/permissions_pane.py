"""Permissions of agents: for all of them or one, in all workspaces or one."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QMargins, Qt, Signal
from PySide6.QtWidgets import QComboBox, QGridLayout, QLabel, QWidget

from scrubjay.agents.access.access_control import AccessControl
from scrubjay.errors import ScrubjayError
from scrubjay.records.access_records import (
    EVERY_WORKSPACE,
    PERMISSIONS,
    Action,
    KnownAgent,
    Permission,
    shown_name,
)
from scrubjay.records.note_records import Workspace
from scrubjay_desktop.agents.agent_words import (
    action_title,
    claimed_name_text,
    other_names,
    permission_word,
)
from scrubjay_desktop.bridge.bridge import PageRequests, Tasks
from scrubjay_desktop.text.formatting import plain_tip, translate
from scrubjay_desktop.widgets.labels import bold_label, muted_label
from scrubjay_desktop.widgets.layouts import NONE, hbox, vbox
from scrubjay_desktop.widgets.theme import GRID
from scrubjay_desktop.widgets.wheel_safe_inputs import ChoiceBox

_ALL_AGENTS = ""
"""Name of the agent in a rule for all of them."""


class PermissionsPane(QWidget):
    """A line for all agents, and one for each agent that is known or has a rule."""

    announced = Signal(str, object)

    def __init__(self, agents: AccessControl, tasks: Tasks) -> None:
        super().__init__()
        self._agents = agents
        self._requests = PageRequests(tasks, self.announced)
        self.known: tuple[KnownAgent, ...] = ()
        """Agents with entries in the audit log."""
        # What the table shows. Each call of an agent asks for it again, and Qt keeps 2.7 kB for the
        # list of a box after the box is deleted.
        self._drawn: object = None
        # A box for each agent and each thing that it may do.
        self.boxes: dict[tuple[str, Action], QComboBox] = {}
        self.scope = ChoiceBox()
        self.scope.setAccessibleName(self.tr("Notes that the permissions apply to"))
        self.scope.addItem(self.tr("All notes"), "")
        self.scope.activated.connect(lambda _: self._draw())
        words = muted_label(
            self.tr(
                "A permission for one agent or one folder overrides the one for all. If there is "
                "one of each, Scrubjay uses the stricter one. With “Ask me”, Scrubjay asks you "
                "while the app is open. When the app is closed, Scrubjay tells the agent to ask "
                "you."
            )
        )
        self._table = QWidget()
        top = hbox((words, 1), self.scope)
        self._column = vbox(top, self._table, 1, on=self, margins=(0, 2, 2, 0), spacing=2)

    def show_workspaces(self, workspaces: Sequence[Workspace]) -> None:
        """Offer these workspaces to choose from."""
        # The first entry stands for all notes, and stays.
        chosen = self.scope.currentData()
        while self.scope.count() > 1:
            self.scope.removeItem(1)
        for workspace in workspaces:
            text = self.tr("Notes in {workspace}").format(workspace=workspace.name)
            self.scope.addItem(text, workspace.id)
        self.scope.setCurrentIndex(max(0, self.scope.findData(chosen)))

    def refresh(self) -> None:
        """Show the known agents and their permissions."""
        self._requests.watch(self._agents.known_agents(), self._show, self._fail)

    def _show(self, agents: tuple[KnownAgent, ...]) -> None:
        self.known = agents
        self._draw()

    def _draw(self) -> None:
        rules = self._agents.rules()
        # Agents that were here, and those that have a rule.
        workspace_id = self.scope.currentData() or EVERY_WORKSPACE
        local = {
            (rule.agent, rule.action): rule for rule in rules if rule.workspace == workspace_id
        }
        names = {agent.name: shown_name(agent.name, agent.title) for agent in self.known}
        for agent in dict.fromkeys(rule.agent for rule in rules):
            if agent not in ("", *names):
                names[agent] = shown_name(agent)
        programs = {agent.name: agent.program for agent in self.known}
        claimed = {agent.name for agent in self.known if agent.is_claimed}
        drawn = (workspace_id, rules, names, programs, claimed)
        if drawn == self._drawn:
            return
        self._drawn = drawn
        # The table is made again, since rows come and go.
        table = QWidget()
        grid = QGridLayout(table)
        grid.setContentsMargins(QMargins())
        grid.setHorizontalSpacing(3 * GRID)
        grid.setVerticalSpacing(GRID)
        grid.setColumnStretch(0, 1)
        titles = (self.tr("Agent"), *map(action_title, Action))
        for number, title in enumerate(titles):
            grid.addWidget(bold_label(title, -0.5), 0, number)
        self.boxes.clear()
        # The line for all agents comes first, and stands for those without a rule.
        lines = [(_ALL_AGENTS, self.tr("All agents")), *names.items()]
        for line, (agent, name) in enumerate(lines, start=1):
            others = other_names(agent, name, program=programs.get(agent, ""))
            marks = [muted_label(others, -1)] if others else []
            if agent in claimed:
                marks.append(_claim_label(agent))
            grid.addWidget(_name_label(name, marks), line, 0)
            for number, action in enumerate(Action, start=1):
                rule = local.get((agent, action))
                chosen = rule.permission if rule else None
                must_be_set = agent == _ALL_AGENTS and not workspace_id
                box = self._box(agent, name, action=action, chosen=chosen, is_free=not must_be_set)
                grid.addWidget(box, line, number)
        # All boxes are as wide as the widest.
        width = max(box.sizeHint().width() for box in self.boxes.values())
        for box in self.boxes.values():
            box.setFixedWidth(width)
        self._column.replaceWidget(self._table, table)
        self._table.deleteLater()
        self._table = table

    def _box(
        self, agent: str, name: str, action: Action, chosen: Permission | None, *, is_free: bool
    ) -> QComboBox:
        box = ChoiceBox()
        box.setAccessibleName(f"{name}: {action_title(action)}")
        # Where another rule holds without one of its own, that is a choice too.
        if is_free:
            text = self.tr("Same as for all agents")
            if agent == _ALL_AGENTS:
                text = self.tr("Same as for all notes")
            box.addItem(text, None)
        for permission in PERMISSIONS[action]:
            box.addItem(permission_word(permission), permission)
        box.setCurrentIndex(max(0, box.findData(chosen)))
        box.activated.connect(lambda _: self._choose(agent, action, box.currentData()))
        self.boxes[agent, action] = box
        return box

    def _choose(self, agent: str, action: Action, permission: Permission | None) -> None:
        workspace_id = self.scope.currentData() or EVERY_WORKSPACE
        future = self._agents.set_rule(agent, workspace_id, action=action, permission=permission)
        self._requests.watch(future, lambda _: self.refresh(), self._fail)

    def _fail(self, error: ScrubjayError) -> None:
        """Announce a failure, and show the rules as they still are."""
        self._requests.fail(error)
        self._drawn = None
        self._draw()


def _claim_label(agent: str) -> QLabel:
    """A mark of an agent that only sends its name, with what that means as its tooltip."""
    label = muted_label(translate("Permissions", "limited to the permissions for all agents"), -1)
    label.setToolTip(plain_tip(claimed_name_text(agent)))
    return label


def _name_label(name: str, marks: Sequence[QWidget]) -> QWidget:
    """The name of an agent, and beside it what else is known of it."""
    label = QWidget()
    title = QLabel(name, textFormat=Qt.TextFormat.PlainText)
    hbox(title, *marks, 1, on=label, margins=NONE, spacing=1)
    return label
