"""Commands of the user about folders that are shared and shared memories that are searched."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QAbstractButton

from scrubjay.errors import IndexUnavailable, ScrubjayError
from scrubjay.event_bus import Event
from scrubjay.events import SharingChanged
from scrubjay.records.note_records import Workspace
from scrubjay.records.shared_records import PublishPhase, PublishState, SharedMemory
from scrubjay.records.status_records import WorkspaceStatus
from scrubjay_desktop.bridge.bridge import PageRequests
from scrubjay_desktop.text.formatting import (
    abbreviate_home,
    format_note_count,
    join_words,
    translated,
)
from scrubjay_desktop.text.status_sentences import failure_reason
from scrubjay_desktop.widgets.banner import NEWS

if TYPE_CHECKING:
    from scrubjay_desktop.app.ui import Ui
    from scrubjay_desktop.workspaces.sharing_dialogs import ChosenPlace, PlaceDialog


class SharingActions(QObject):
    """Does what is chosen about sharing; one dialog at a time."""

    announced = Signal(str, object)
    """Signal with a sentence, and NEWS or, for a failure, None."""

    workspaces_changed = Signal()

    def __init__(self, ui: Ui, parent: QObject) -> None:
        super().__init__(parent)
        self._ui = ui
        self._sharing = ui.engine.sharing
        self._requests = PageRequests(ui.tasks, self.announced)
        self._dialog: PlaceDialog | None = None
        self._workspace_id = ""
        """The folder that the open dialog publishes; empty while it does not."""

    def act(self, action: str, status: WorkspaceStatus) -> None:
        """Do what an entry of a menu says."""
        workspace = status.workspace
        # What others would notice, or what is lost here, is asked about first.
        match action:
            case "share":
                self._share(workspace)
            case "publish":
                self.publish(workspace)
            case "unshare":
                self._ask_to_unshare(workspace)
            case "look":
                self._look(workspace)
            case "drop":
                self._ask_to_drop(workspace)

    def add(self) -> None:
        """Ask for a shared memory to search from now on."""
        self._open(None, self._add)

    def publish(self, workspace: Workspace, then: Callable[[], object] = lambda: None) -> None:
        """Publish a folder now; what follows is called when it is."""
        name = workspace.name

        def done(publication: PublishState) -> None:
            # Another computer may be the one that publishes this folder.
            sentence = self.tr("The latest version of {name} was published.").format(name=name)
            if publication.state is PublishPhase.ELSEWHERE:
                sentence = f"{name}: {translated(publication.reason)}"
            self.announced.emit(sentence, NEWS)
            then()

        self.announced.emit(self.tr("Publishing {name}…").format(name=name), NEWS)
        self._requests.watch(self._sharing.publish(workspace), done)

    # -- share and add ------------------------------------------------------------------------

    def _open(
        self, folder: Workspace | None, begin: Callable[[PlaceDialog, ChosenPlace], None]
    ) -> None:
        # A second dialog would not know which of them an outcome is for.
        from scrubjay_desktop.workspaces.sharing_dialogs import PlaceDialog

        if self._dialog is not None:
            self._dialog.raise_()
            return
        dialog = PlaceDialog(self._ui.preferences.stored, self._ui.window, folder)
        self._dialog = dialog
        dialog.finished.connect(self._forget_dialog)
        dialog.confirmed.connect(lambda place: self._keep_key(dialog, place, begin))
        dialog.open()

    def _forget_dialog(self) -> None:
        self._dialog = None
        self._workspace_id = ""

    def _keep_key(
        self,
        dialog: PlaceDialog,
        place: ChosenPlace,
        begin: Callable[[PlaceDialog, ChosenPlace], None],
    ) -> None:
        """Put the key that was entered into the keychain first: the storage asks for it there."""
        # Without a key there is nothing to keep, or it is there already.
        dialog.start()
        if not place.key:
            begin(dialog, place)
            return
        keys = self._ui.engine.keys
        self._watch(dialog, lambda: keys.set(place.uri, place.key), lambda _: begin(dialog, place))

    def _share(self, workspace: Workspace) -> None:
        self._open(workspace, partial(self._share_at, workspace))

    def _share_at(
        self,
        workspace: Workspace,
        dialog: PlaceDialog,
        place: ChosenPlace,
        *,
        is_read: bool = False,
    ) -> None:
        engine = self._ui.engine
        self._workspace_id = workspace.id

        def done(publication: PublishState) -> None:
            text = self.tr(
                "The folder {name} is now shared at {place}. Other people can "
                "search it after they add this shared memory in Scrubjay."
            )
            shown = text.format(name=workspace.name, place=abbreviate_home(publication.uri))
            self._end(dialog, shown)

        def failed(error: ScrubjayError) -> None:
            if isinstance(error, IndexUnavailable) and not is_read:
                # A new folder, whose notes are read first.
                again = partial(self._share_at, workspace, dialog, place=place, is_read=True)
                self._watch(dialog, lambda: engine.refresh(workspace), lambda _: again())
                return
            self._fail(dialog, error)

        def share() -> Future[PublishState]:
            return self._sharing.share(workspace, place.uri, name=place.name, options=place.options)

        self._watch(dialog, share, done=done, failed=failed)

    def _add(self, dialog: PlaceDialog, place: ChosenPlace) -> None:
        def done(memory: SharedMemory) -> None:
            self._end(dialog, self._added(memory))

        self._watch(dialog, lambda: self._sharing.add(place.uri, place.options), done)

    def _added(self, memory: SharedMemory) -> str:
        """The sentence about what is searched from now on."""
        # A memory may hold several folders, or none that is not searched already.
        found = [
            f"{each.workspace.name} ({format_note_count(each.freshness.documents)})"
            for each in self._ui.engine.status().shared
            if each.workspace.memory_uri == memory.uri
        ]
        if memory.reason:
            return translated(memory.reason)
        if memory.excluded:
            return translated(memory.damage)
        if not found:
            return self.tr("Scrubjay already searches all the shared folders at {place}.").format(
                place=abbreviate_home(memory.uri)
            )
        return self.tr("Scrubjay will also search {folders} from now on.").format(
            folders=join_words(found)
        )

    def _watch(
        self,
        dialog: PlaceDialog,
        ask: Callable[[], Future[Any]],
        done: Callable[[Any], None],
        failed: Callable[[ScrubjayError], object] | None = None,
    ) -> None:
        """Ask something for a dialog, which tells of a failure while it is open."""
        failed = failed or partial(self._fail, dialog)
        # What is refused at once is told just as what fails later.
        try:
            future = ask()
        except ScrubjayError as error:
            failed(error)
            return
        self._requests.watch(future, done, failed)

    def _end(self, dialog: PlaceDialog, sentence: str) -> None:
        if self._dialog is dialog:
            dialog.accept()
        self.workspaces_changed.emit()
        self.announced.emit(sentence, NEWS)

    def _fail(self, dialog: PlaceDialog, error: ScrubjayError) -> None:
        if self._dialog is dialog:
            self._workspace_id = ""
            dialog.show_failure(translated(str(error)))
        else:
            self._requests.fail(error)

    def on_event(self, event: Event) -> None:
        """Show progress while a dialog publishes a folder."""
        if self._dialog is None or not isinstance(event, SharingChanged):
            return
        for publication in self._sharing.status().publications:
            if publication.workspace == self._workspace_id:
                self._dialog.show_progress(publication)

    # -- leave --------------------------------------------------------------------------------

    def _ask_to_unshare(self, workspace: Workspace) -> None:
        from scrubjay_desktop.workspaces.sharing_dialogs import unshare_question

        # The question names the place, which the user may have forgotten.
        publications = self._sharing.status().publications
        uri = next((each.uri for each in publications if each.workspace == workspace.id), "")
        question = unshare_question(workspace, uri, self._ui.window)
        question.buttonClicked.connect(
            lambda button: self._unshare(workspace, uri, button.objectName())
        )
        question.open()

    def _unshare(self, workspace: Workspace, uri: str, choice: str) -> None:
        if not choice:
            return
        sentence = self.tr("{name} is no longer shared.").format(name=workspace.name)

        # The folder is no longer shared in either case; what lies there may stay.
        def done(is_gone: bool) -> None:
            busy = self.tr(
                "The published notes were not deleted because another computer also "
                "publishes this folder."
            )
            text = sentence
            if not is_gone:
                text = f"{sentence} {busy}"
            self.announced.emit(text, NEWS)
            self.workspaces_changed.emit()

        def failed(error: ScrubjayError) -> None:
            self.workspaces_changed.emit()
            text = self.tr("The published notes at {place} could not be deleted: {reason}")
            reason = text.format(place=abbreviate_home(uri), reason=translated(str(error)))
            self.announced.emit(f"{sentence} {reason}", None)

        future = self._sharing.unshare(workspace, keeps=choice == "keep")
        self._requests.watch(future, done, failed)

    def _look(self, workspace: Workspace) -> None:
        """Ask the memories again, and say how the one of a workspace is."""

        def done(_: object) -> None:
            # The memory may be gone, out of reach, or as it should be.
            shared = self._ui.engine.status().shared
            status = next((each for each in shared if each.workspace.id == workspace.id), None)
            reason = failure_reason(status) if status is not None else None
            if status is None:
                text = self.tr("{name} is no longer published.")
                self.announced.emit(text.format(name=workspace.name), NEWS)
            elif reason:
                self.announced.emit(reason, None)
            else:
                text = self.tr("{name} can be searched ({notes}).")
                count = format_note_count(status.freshness.documents)
                self.announced.emit(text.format(name=workspace.name, notes=count), NEWS)
            self._ui.feed.refresh()

        self._requests.watch(self._sharing.look(), done)

    def _ask_to_drop(self, workspace: Workspace) -> None:
        from scrubjay_desktop.workspaces.sharing_dialogs import drop_question

        # All folders of this memory go with it, so the question names them.
        uri = workspace.memory_uri
        names = [
            each.name for each in self._ui.engine.searchable_workspaces() if each.memory_uri == uri
        ]
        question = drop_question(uri, names, self._ui.window)

        def answer(button: QAbstractButton) -> None:
            if button.objectName() == "drop":
                self._drop(uri)

        question.buttonClicked.connect(answer)
        question.open()

    def _drop(self, uri: str) -> None:
        def done(_: bool) -> None:
            sentence = self.tr("Scrubjay no longer searches {place}.").format(
                place=abbreviate_home(uri)
            )
            self.announced.emit(sentence, NEWS)
            self.workspaces_changed.emit()

        self._requests.watch(self._sharing.remove(uri), done)
