"""Decisions of the app: pausing, notifying, closing, showing agents, offering a larger model."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QDialog, QWidget

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.concurrency.futures import gathered
from scrubjay.engine.engine import Engine
from scrubjay.event_bus import Event
from scrubjay.events import (
    AccessAsked,
    AccessChanged,
    AuditLogChanged,
    BackfillAsked,
    IndexFailed,
    ModelDownloadFailed,
    PauseChanged,
    WorkspacesChanged,
)
from scrubjay.records.model_records import ModelInfo, ModelState
from scrubjay.records.search_records import EngineStatus, IndexState
from scrubjay_desktop.bridge.bridge import Tasks
from scrubjay_desktop.models.model_text import title
from scrubjay_desktop.platform.power import IsOnBattery
from scrubjay_desktop.settings.preferences import OnClose, Preferences
from scrubjay_desktop.text.formatting import notes, number, size, translate, translated
from scrubjay_desktop.widgets.banner import Offer
from scrubjay_desktop.widgets.message_boxes import close_question
from scrubjay_desktop.windows.main_window import MainWindow
from scrubjay_desktop.workspaces.first_run import sample_folder

if TYPE_CHECKING:
    from scrubjay.agents.connect.connections import AgentConnection
    from scrubjay.records.access_records import KnownAgent

_LOOK_MS = 60_000
"""Milliseconds between two looks at the battery, only while notes are read, or that rests for it:
an idle app asks nothing."""


class PausePolicy(QObject):
    """Pauses and resumes indexing. The user's choice counts before the battery."""

    def __init__(
        self,
        engine: Engine,
        tasks: Tasks,
        preferences: Preferences,
        is_on_battery: IsOnBattery,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._engine = engine
        self._tasks = tasks
        self._preferences = preferences
        self._is_on_battery = is_on_battery
        self._life = CancelToken()
        # One question at a time: a slow answer must not pile up others.
        self._is_asking = False
        self._timer = QTimer(self, interval=_LOOK_MS)
        self._timer.timeout.connect(self.look)

    def begin(self) -> None:
        """Go on with a pause that was begun before the last quit."""
        until = self._preferences.pause
        # A pause has a time, or lasts until it is ended.
        if isinstance(until, bool):
            if until:
                self._engine.pause(None)
            return
        left = (until - dt.datetime.now().astimezone()).total_seconds() / 60
        if left > 0:
            self._engine.pause(left)
        else:
            self._preferences.pause = False

    def pause(self, minutes: float | None) -> None:
        """Pause, as the person wants, for some minutes or until resumed."""
        now = dt.datetime.now().astimezone()
        if minutes is None:
            self._preferences.pause = True
        else:
            self._preferences.pause = now + dt.timedelta(minutes=minutes)
        self._engine.pause(minutes)

    def resume(self) -> None:
        """Go on with indexing, on battery too."""
        self._preferences.pause = False
        if self._engine.status().is_for_battery:
            self._preferences.rests_on_battery = False
        self._engine.resume()

    def on_event(self, event: Event) -> None:
        """Forget a pause that has ended by itself."""
        if isinstance(event, PauseChanged) and not event.is_paused:
            self._preferences.pause = False

    def show_status(self, status: EngineStatus) -> None:
        """Ask for the battery only while that matters."""
        # The battery matters while notes are read, and while reading rests for it.
        is_busy = any(workspace.state is IndexState.INDEXING for workspace in status.workspaces)
        matters = self._preferences.rests_on_battery and (is_busy or status.is_for_battery)
        if matters and not self._timer.isActive():
            self._timer.start()
            self.look()
        elif not matters:
            self._timer.stop()
            if status.is_for_battery and not self._preferences.rests_on_battery:
                self._engine.resume()

    def look(self) -> None:
        """Ask where the power comes from, beside the window's thread."""
        if self._is_asking:
            return
        self._is_asking = True
        self._tasks.run(self._is_on_battery, self._life, done=self._follow)

    def close(self) -> None:
        """Stop following the battery."""
        self._life.cancel()
        self._timer.stop()

    def _follow(self, is_on_battery: bool) -> None:
        self._is_asking = False
        status = self._engine.status()
        if is_on_battery and not status.is_paused:
            self._engine.pause(None, for_battery=True)
        elif not is_on_battery and status.is_for_battery:
            self._engine.resume()


class NotificationPolicy(QObject):
    """Notifies of three things only: all notes are read, something needs you, something broke."""

    all_read = Signal()
    """Signal, once in a lifetime, that every note can be found by meaning."""

    def __init__(
        self,
        notify: Callable[[str, str], None],
        preferences: Preferences,
        is_seen: Callable[[], bool],
        parent: QObject | None = None,
    ) -> None:
        """Notify shows a title and a text; is_seen tells whether the person looks at the window."""
        super().__init__(parent)
        self._notify = notify
        self._preferences = preferences
        self._is_seen = is_seen
        self._broken: set[tuple[str, str]] = set()

    def on_event(self, event: Event) -> None:
        """Notify of events that cannot wait."""
        match event:
            case AccessAsked(request=request):
                text = translate("News", "{agent} waits for your answer").format(
                    agent=request.agent
                )
                self._tell(translate("News", "An agent asks"), text)
            case BackfillAsked(cost=cost):
                text = translate("News", "{n} {n:note waits|notes wait} for your yes to be sent")
                heading = translate("News", "Scrubjay needs you")
                self._tell(heading, text.format(n=number(cost.notes)))
            case IndexFailed(workspace=workspace, reason=reason):
                # Once for each reason: a failure repeats with every pass.
                if (workspace, reason) not in self._broken:
                    self._broken.add((workspace, reason))
                    self._tell(translate("News", "Notes could not be read"), translated(reason))
            case _:
                pass

    def show_status(self, status: EngineStatus) -> None:
        """Tell once in a lifetime that all notes are read."""
        if self._preferences.has_read_all or not status.workspaces:
            return
        ready = (each.freshness for each in status.workspaces if each.state is IndexState.READY)
        found = [each for each in ready if each.documents and not each.pending]
        # Every note of every workspace can be found by meaning.
        if len([each for each in found if each.embedded == 1]) == len(status.workspaces):
            self._preferences.has_read_all = True
            count = sum(workspace.freshness.documents for workspace in status.workspaces)
            text = translate("News", "{notes} can be found. You can close the laptop.")
            self._tell(translate("News", "Done"), text.format(notes=notes(count)))
            self.all_read.emit()

    def _tell(self, title: str, text: str) -> None:
        if self._preferences.notifies and not self._is_seen():
            self._notify(title, text)


class ClosePolicy(QObject):
    """Hides the window or asks to quit, as the person once chose."""

    quit_requested = Signal()

    def __init__(
        self, window: QWidget, preferences: Preferences, has_tray: Callable[[], bool]
    ) -> None:
        super().__init__(window)
        self._window = window
        self._preferences = preferences
        self._has_tray = has_tray

    def close_window(self) -> None:
        """Do what closing means: the close button of the window was pressed."""
        match self._preferences.on_close:
            case OnClose.QUIT:
                self.quit_requested.emit()
            case OnClose.KEEP_RUNNING:
                self._window.hide()
            case OnClose.ASK:
                # The answer is remembered as the user's choice.
                box = close_question(self._window, has_tray=self._has_tray())
                box.buttonClicked.connect(lambda button: self._answered(button.objectName()))
                box.open()

    def _answered(self, name: str) -> None:
        if name in ("keep", "quit"):
            on_close = OnClose.QUIT
            if name == "keep":
                on_close = OnClose.KEEP_RUNNING
            self._preferences.on_close = on_close
            self.close_window()


class AgentsPolicy(QObject):
    """Gives the page of agents its place in the navigation once there is one, or a wish for it."""

    looked = Signal(bool)
    """Signal that says whether an agent is or was here."""

    def __init__(
        self,
        engine: Engine,
        tasks: Tasks,
        preferences: Preferences,
        window: MainWindow,
        life: CancelToken,
    ) -> None:
        super().__init__(window)
        self._engine = engine
        self._tasks = tasks
        self._preferences = preferences
        self._window = window
        self._life = life
        # The page is in the navigation for either reason.
        self._is_found = False
        self._is_wanted = False

    def look(self) -> None:
        """Look for agents, and announce the outcome."""
        agents: list[Future[Any]] = [
            self._engine.connections.list(),
            self._engine.agents.known_agents(),
        ]
        self._tasks.watch(gathered(agents), self._life, done=lambda found: self._judge(*found))

    def present(self) -> None:
        """Show the page, because the user wants to see it, until the app is closed."""
        self._is_wanted = True
        self._window.show_agents_entry(is_shown=True)
        self._window.show_page("agents")

    def on_event(self, event: Event) -> None:
        """Look again when an agent may have come."""
        signs = AccessAsked | AuditLogChanged | AccessChanged
        is_sign = isinstance(event, signs) and not self._is_found
        if is_sign or isinstance(event, WorkspacesChanged):
            self.look()

    def _judge(
        self, programs: tuple[AgentConnection, ...], visitors: tuple[KnownAgent, ...]
    ) -> None:
        # The sample notes look like those of an agent.
        sample = sample_folder(self._engine.paths)
        # An agent is here as a program, or was here, or has a rule, or has a folder.
        self._is_found = (
            any(program.is_found for program in programs)
            or bool(visitors)
            or any(not rule.is_default for rule in self._engine.agents.rules())
            or any(
                workspace.layout == "agent" and workspace.root != sample
                for workspace in self._engine.workspaces()
            )
        )
        self._preferences.shows_agents = self._is_found
        self._window.show_agents_entry(self._is_found or self._is_wanted)
        self.looked.emit(self._is_found)


def offer_upgrade(
    engine: Engine, tasks: Tasks, window: MainWindow, show: Callable[[], object]
) -> None:
    """Name the model that suits the notes, if only another one is here; show opens the models.

    It is a card over the window, and never a question that has to be answered.
    """

    def offer(infos: tuple[ModelInfo, ...]) -> None:
        # Whoever has chosen among several knows them already.
        here = [info for info in infos if info.state is not ModelState.ABSENT]
        better = next((info for info in infos if info.advice), None)
        if better is None or better in here or len(here) != 1 or window.banner.words:
            return
        sentence = translate(
            "ModelUpgrade",
            "All your notes are found by words and by meaning now. {languages}: another "
            "language helper, “{name}”, finds more ({size}).",
        ).format(
            languages=translated(better.advice),
            name=title(better.id, better.name),
            size=size(better.size_bytes or 0),
        )
        # The offer stays until it is closed, but no box asks for an answer.
        window.tell(
            sentence,
            Offer(translate("ModelUpgrade", "See the language helpers"), show, is_lasting=True),
            is_good=True,
        )

    if engine.status().model.provider == "local":
        tasks.watch(engine.models.list(), CancelToken(), done=offer)


def tell_failed_download(window: MainWindow, event: Event) -> None:
    """Say in the window that a download has failed, unless a card of the models says it."""
    if isinstance(event, ModelDownloadFailed) and not window.findChild(QDialog, "models"):
        window.tell(translated(event.reason))
