"""Actions of the menu of a folder, which can be undone."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QInputDialog

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.records.note_records import MovedFolder, NoteCounts, Workspace
from scrubjay.records.status_records import EngineStatus, PictureCount, WorkspaceStatus
from scrubjay_desktop.bridge.bridge import PageRequests
from scrubjay_desktop.text.formatting import abbreviate_home, format_note_count
from scrubjay_desktop.widgets.banner import NEWS, Offer
from scrubjay_desktop.workspaces.descriptions_dialog import DescriptionsDialog
from scrubjay_desktop.workspaces.folder_dialogs import (
    ReadNotesDialog,
    forget_question,
    moved_question,
)
from scrubjay_desktop.workspaces.patterns_field import PatternsField
from scrubjay_desktop.workspaces.pictures_tick import named_pictures

if TYPE_CHECKING:
    from scrubjay_desktop.app.controllers.engine_actions import EngineActions
    from scrubjay_desktop.app.ui import Ui


class FolderActions(QObject):
    """Does what is chosen in the menu of a folder; changes of it can be undone."""

    announced = Signal(str, object)
    """Signal with a sentence and an offer, or None."""

    sharing_requested = Signal(str, object)
    """Signal with an action that is about sharing, and the WorkspaceStatus that it is done with."""

    def __init__(self, ui: Ui, actions: EngineActions, parent: QObject) -> None:
        super().__init__(parent)
        self._ui = ui
        self._actions = actions
        self._folders = ui.engine.folders
        self._requests = PageRequests(ui.tasks, self.announced)
        self._away: list[WorkspaceStatus] = []
        self._counting = CancelToken()
        """Token of the count of pictures in the folder that was added last."""

    def act(self, action: str, status: WorkspaceStatus) -> None:
        """Do what an entry of the menu says."""
        actions = self._actions
        window = self._ui.window
        workspace = status.workspace
        match action:
            # What this class does not know is about sharing.
            case "refresh" | "rebuild":
                getattr(actions, action)(workspace)
            case "problems":
                window.show_problems(workspace)
            case "reveal":
                self._ui.opener.open_folder(workspace.root)
            case "forget" if workspace.id in window.published():
                # Others would keep what nobody keeps up.
                self.sharing_requested.emit("unshare", status)
            case "forget":
                question = forget_question(status, window)
                question.accepted.connect(lambda: actions.forget(workspace))
                question.open()
            case "rename":
                self._ask_name(workspace)
            case "choose":
                counted = self._folders.note_counts(workspace)
                self._requests.watch(counted, lambda counts: self._ask_notes(workspace, counts))
            case "describe":
                counted = self._folders.note_counts(workspace)
                self._requests.watch(counted, lambda counts: self._ask_texts(workspace, counts))
            case "locate":
                self._look(workspace)
            case _:
                self.sharing_requested.emit(action, status)

    def _look(self, workspace: Workspace, root: Path | None = None) -> None:
        """Compare a folder, or one found nearby, with what is known of a workspace."""

        def show(moved: MovedFolder | None) -> None:
            # Without a folder the person is asked; a folder that fits is taken at once, another one
            # is a question.
            if moved is None:
                self._ask_folder(workspace)
            elif root is not None and moved.is_likely:
                self._move(workspace, moved.root)
            else:
                question = moved_question(
                    workspace,
                    moved,
                    look_elsewhere=lambda: self._ask_folder(workspace),
                    parent=self._ui.window,
                )
                question.accepted.connect(lambda: self._move(workspace, moved.root))
                question.open()

        self._requests.watch(self._folders.moved_folder(workspace, root), show)

    def _ask_folder(self, workspace: Workspace) -> None:
        title = self.tr("Locate the folder “{name}”").format(name=workspace.name)
        self._ui.window.workspaces.ask_for_folder(
            title, lambda folder: self._look(workspace, folder)
        )

    def _move(self, workspace: Workspace, root: Path) -> None:
        sentence = self.tr(
            "The new location of {name} is {folder}. Scrubjay does not have to "
            "prepare the notes for search by meaning again."
        )
        sentence = sentence.format(name=workspace.name, folder=abbreviate_home(root))
        self._change(replace(workspace, root=root), sentence)

    def _ask_name(self, workspace: Workspace) -> None:
        # The name of the folder on the disk stays, so nothing has to be read again.
        dialog = QInputDialog(self._ui.window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle(self.tr("Rename"))
        dialog.setLabelText(
            self.tr("Name in Scrubjay (the name of the folder itself does not change):")
        )
        dialog.setTextValue(workspace.name)
        sentence = self.tr("The folder {folder} now has a different name in Scrubjay.")
        sentence = sentence.format(folder=abbreviate_home(workspace.root))
        dialog.textValueSelected.connect(
            lambda name: self._change(replace(workspace, name=name.strip()), sentence)
        )
        dialog.open()

    def _ask_notes(self, workspace: Workspace, counts: NoteCounts) -> None:
        own = {each.root for each in self._ui.engine.workspaces() if each.layout == "notes"}
        dialog = ReadNotesDialog(workspace, counts, parent=self._ui.window, own=own)
        sentence = self.tr("Your selection of notes in {name} was saved.").format(
            name=workspace.name
        )
        dialog.accepted.connect(lambda: self._change(dialog.chosen, sentence))
        field = dialog.patterns
        field.count_wanted.connect(partial(self._count_excluded, field, counts))
        field.count()
        # A word stands in place of the number until it is known.
        pictures = dialog.pictures
        counted = self._folders.count_pictures(workspace, pictures.counting)
        self._ui.tasks.watch(
            counted,
            pictures.counting,
            done=pictures.show_count,
            failed=pictures.show_mistake,
            settled=pictures.end_count,
        )
        dialog.open()

    def _count_excluded(
        self,
        field: PatternsField,
        counts: NoteCounts,
        patterns: tuple[str, ...],
        cancel: CancelToken,
    ) -> None:
        counted = self._folders.count_excluded(counts, patterns, cancel)
        done = field.show_count
        self._ui.tasks.watch(counted, cancel, done=done, failed=field.show_mistake)

    def _ask_texts(self, workspace: Workspace, counts: NoteCounts) -> None:
        dialog = DescriptionsDialog(workspace, counts.subfolders, self._ui.window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        sentence = self.tr("The descriptions for {name} were saved.").format(name=workspace.name)
        dialog.accepted.connect(lambda: self._change(dialog.chosen, sentence))
        dialog.open()

    def offer_to_choose(self, workspace: Workspace) -> None:
        """Say what is read in a new folder, with an offer to exclude some of it."""
        counted = self._folders.note_counts(workspace)
        self._requests.watch(counted, partial(self._announce_new, workspace))

    def _announce_new(self, workspace: Workspace, counts: NoteCounts) -> None:
        sentence = self.tr("Scrubjay found no notes in {name}.")
        offer: Offer | None = None
        documents = 0
        if workspace.documents:
            documents = sum(counts.documents.values())
        # What is read depends on what is in the folder, and on what was excluded before.
        if counts.notes and not documents and not counts.read:
            sentence = self.tr(
                "All notes in {name} are excluded or belong to other folders that Scrubjay "
                "searches."
            )
        elif counts.notes or documents:
            sentence = self.tr("Scrubjay now searches {name} ({notes}).")
            offer = NEWS
        if counts.subfolders and workspace.layout == "notes" and not workspace.left_out:
            choose = partial(self._ask_notes, workspace, counts)
            offer = Offer(self.tr("Choose folders…"), choose)
        read = counts.read
        if workspace.layout == "agent":
            read = counts.memory
        sentence = sentence.format(name=workspace.name, notes=format_note_count(read + documents))
        # Pictures take longer to count than notes, so the news does not wait for them.
        self.announced.emit(sentence, offer)
        self._counting.cancel()
        if workspace.layout == "notes" and not workspace.pictures:
            self._counting = CancelToken()
            done = partial(self._offer_pictures, workspace, counts, sentence)
            counted = self._folders.count_pictures(workspace, self._counting)
            self._ui.tasks.watch(counted, self._counting, done=done, failed=lambda _: None)

    def _offer_pictures(
        self, workspace: Workspace, counts: NoteCounts, sentence: str, pictures: PictureCount
    ) -> None:
        # Reading pictures takes long, so it is never begun unasked.
        named = named_pictures(pictures, with_scans=workspace.documents)
        if named and not pictures.obstacle:
            more = self.tr("Scrubjay can also read the text in {pictures} in this folder.")
            choose = partial(self._ask_notes, workspace, counts)
            offer = Offer(self.tr("Choose what to read…"), choose)
            self.announced.emit(f"{sentence} {more.format(pictures=named)}", offer)

    def _change(self, workspace: Workspace, sentence: str = "") -> None:
        def done(former: Workspace) -> None:
            if sentence and former != workspace:
                undo = Offer(self.tr("Undo"), lambda: self._change(former))
                self.announced.emit(sentence, undo)

        self._requests.watch(self._folders.change(workspace), done)

    def show_status(self, status: EngineStatus) -> None:
        """Know which folders there are, and which of them are absent."""
        self._away = [each for each in status.workspaces if each.away]
        self._ui.opener.folders = [each.workspace.root for each in status.workspaces]
        self._ui.opener.absent = [each.workspace.root for each in self._away]

    def offer_to_locate(self, file: Path) -> None:
        """Say that the folder of a file is absent, with an offer to locate it."""
        status = next(each for each in self._away if file.is_relative_to(each.workspace.root))
        sentence = self.tr("{name} cannot be opened because the folder {folder} is missing.")
        sentence = sentence.format(name=file.name, folder=abbreviate_home(status.workspace.root))
        offer = Offer(self.tr("Locate the folder…"), lambda: self._look(status.workspace))
        self._ui.window.tell(sentence, offer)
