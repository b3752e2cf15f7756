"""Commands of the user about workspaces, notes, skipped files and models."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec.structs import replace

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.concurrency.futures import flattened
from scrubjay.concurrency.thread_pool import queued
from scrubjay.config.schema.memory_search import MemorySearch
from scrubjay.errors import (
    DriveSilent,
    NoteRefused,
    NotWritable,
    SearchOff,
    StillShared,
    WorkspaceMissing,
    system_reason,
)
from scrubjay.events import IndexChanged, ModelsChanged
from scrubjay.messages import msg
from scrubjay.records.audience import PERSON
from scrubjay.records.conversation import NO_KEY, Conversation
from scrubjay.records.model_records import ModelInfo
from scrubjay.records.note_records import (
    ONE_PAGE,
    DocumentInfo,
    MovedFolder,
    NoteCounts,
    NotePage,
    PageRequest,
    Workspace,
)
from scrubjay.records.page_picture import PagePicture, PageWanted
from scrubjay.records.search_records import SearchRequest
from scrubjay.records.workspace_id import WorkspaceId
from scrubjay.workspaces.open_workspace import LocalWorkspace, OpenWorkspace
from scrubjay.workspaces.shared_workspace import SharedWorkspace

if TYPE_CHECKING:
    from scrubjay.answers.search_thread import SearchThread
    from scrubjay.engine.wiring import EngineParts
    from scrubjay.evaluation.model_comparison import ModelComparisons
    from scrubjay.models.library.model_library import ModelLibrary
    from scrubjay.notes.daily_note import Remembered
    from scrubjay.notes.note_edits import NoteEdit, UndoableEdits
    from scrubjay.notes.note_links import LinkTargets
    from scrubjay.store.reader import Reader

T = TypeVar("T")
_NOTES_LOOKED_AT = 100
"""Notes of a folder whose headings may be questions to try."""
_CHUNKS_LOOKED_AT = 400
"""Chunks of these notes that are read at most."""


_ONLY_SEARCHED = msg("It can only be searched here. To remove it, remove its shared memory.")
"""Hint for a folder of another computer."""


def remove_workspace(
    parts: EngineParts, workspace_id: WorkspaceId, drop: Callable[[WorkspaceId, Path], None]
) -> None:
    """Take a workspace off the list. Raises WorkspaceMissing, StillShared or ConfigError.

    Drop deletes the state of other parts for a workspace id and its index file. On the words
    thread.
    """
    workspace = parts.registry.local(workspace_id, _ONLY_SEARCHED)
    if parts.registry.publish_settings_of(workspace):
        raise StillShared(
            msg("{name} is shared with others", name=workspace.name),
            "Stop sharing it first, so that nobody is left with an outdated copy.",
        )
    # It is no longer watched or listed before its index goes, so that nothing makes it again.
    file = workspace.index_file
    parts.auto_index.forget(workspace)
    parts.registry.remove(workspace)
    drop(workspace_id, file)
    parts.qmd.updates.drop(workspace)
    workspace.user_skips.drop(workspace.record)
    parts.words.forget(file)
    # This is not waited for: that thread may be waiting for a model.
    parts.meaning.submit(lambda: parts.meaning.forget(file))
    parts.index.delete(workspace).result()
    parts.settings_reload.follow()


class _Commands:
    """Commands whose jobs run on the thread that searches by words, made with the first of them."""

    def __init__(self, parts: EngineParts) -> None:
        self._parts = parts

    @property
    def _jobs(self) -> SearchThread:
        return self._parts.words


class FolderCommands(_Commands):
    """Commands of the user about folders on the list. For any thread."""

    @queued
    def change(self, workspace: Workspace) -> Workspace:
        """Give the workspace of an id another name, root, layout or folders to exclude.

        What was learned of its notes stays. The answer is the former one, with which this can be
        undone. The future may raise WorkspaceMissing or ConfigError.
        """
        self._parts.registry.local(workspace.id, _ONLY_SEARCHED)
        former = self._parts.registry.change(workspace)
        self._parts.settings_reload.follow()
        return former

    def note_counts(self, workspace: Workspace) -> Future[NoteCounts]:
        """Numbers of notes in a workspace, including excluded ones."""

        def labels(layout: str, **changes: Any) -> Iterable[str]:
            from scrubjay.index.scan_diff import IndexSettings, scanned

            changed = {"left_out": (), "documents": False, **changes}
            candidate = replace(workspace, layout=layout, **changed)
            scan = scanned(
                workspace.root,
                IndexSettings.of(MemorySearch(), candidate),
                cancel=CancelToken(),
                io_timeout=self._parts.index_io[workspace.root],
            )
            return scan.files

        def job() -> NoteCounts:
            # The same folder is read in three ways, since a person chooses between them.
            notes = [*labels("notes")]
            memory = [*labels("agent")]
            parents = (PurePosixPath(label).parents for label in notes)
            # The last parent is the folder itself.
            folders = Counter(str(folder) for above in parents for folder in [*above][:-1])
            read = labels("notes", left_out=workspace.left_out, documents=True)
            documents = Counter(PurePosixPath(path).suffix.lower() for path in {*read} - {*notes})
            return NoteCounts(
                notes=len(notes), memory=len(memory), subfolders=folders, documents=documents
            )

        return self._parts.pool.submit(job)

    def moved_folder(
        self, workspace_id: WorkspaceId, root: Path | None = None
    ) -> Future[MovedFolder | None]:
        """A folder compared with the index of a workspace; without a root, one found nearby.

        The future may raise WorkspaceMissing or DriveSilent.
        """
        parts = self._parts
        workspace = parts.registry.local(workspace_id)

        def compare(sizes: dict[str, int]) -> MovedFolder | None:
            from scrubjay.index.scan_diff import folder_nearby, known_notes

            def look() -> MovedFolder | None:
                if root is None:
                    return folder_nearby(workspace.root, sizes, parts.registry.listed)
                folder = parts.registry.free_folder(root)
                return MovedFolder(folder, known_notes(folder, sizes), len(sizes))

            # A drive that does not answer must not keep others waiting.
            return parts.index_io.ask(root or workspace.root, look)

        def begin() -> Future[MovedFolder | None]:
            # The index is read on the words thread, the disk on another one.
            reader = parts.words.reader(workspace)
            sizes = reader.metadata.sizes() if reader else {}
            return parts.pool.submit(compare, sizes)

        return flattened(parts.words.submit(begin))


class NoteCommands(_Commands):
    """Commands of users and agents about single notes. For any thread."""

    @queued
    def read(self, workspace_id: WorkspaceId, path: str) -> str:
        """Whole text of an indexed note, for a user.

        The future may raise NoteRefused or WorkspaceMissing.
        """
        parts = self._parts
        workspace = parts.registry.get(workspace_id)
        if isinstance(workspace, SharedWorkspace):
            return self._shared_text(workspace, path)
        local = parts.registry.local(workspace_id)
        text: str | None = None
        if parts.registry.uses_qmd:
            text = parts.qmd.text(local, path)
        if text is None:
            return parts.words.read(local, path)
        return text

    def draw_page(
        self, workspace_id: WorkspaceId, path: str, wanted: PageWanted, cancel: CancelToken
    ) -> Future[PagePicture]:
        """A page of an indexed PDF file, with the places of words on it.

        The future may raise NoteRefused, WorkspaceMissing or Cancelled.
        """
        parts = self._parts

        def begin() -> Future[PagePicture]:
            # The words thread finds the file, and drawing does not hold up searches.
            workspace = parts.registry.local(workspace_id)
            return parts.pool.submit(draw, workspace, parts.words.file_of(workspace, path))

        def draw(workspace: LocalWorkspace, file: Path) -> PagePicture:
            from scrubjay.answers.search_thread import explained
            from scrubjay.notes.note_reader import draw_page, read_file

            with explained(workspace.record, path):
                data = parts.words.patiently(workspace, path, lambda: read_file(file, path).data)
                return draw_page(data, wanted, client=parts.page_client, cancel=cancel)

        return flattened(parts.words.submit(begin))

    def _shared_text(
        self, workspace: SharedWorkspace, path: str, missing: str | None = None
    ) -> str:
        """Stored text of a shared note. Raises NoteRefused, unless given what a missing one is."""
        reader = self._parts.words.shared_reader(workspace.address)
        text = reader.text(path) if reader else None
        text = text or missing
        if text is None:
            title = msg("{path} is not among the notes", path=path)
            raise NoteRefused(title, msg("It has not been published yet."))
        return text

    @queued
    def link_targets(self, workspace_id: WorkspaceId) -> LinkTargets | None:
        """The notes of a workspace that links may lead to; None while it has no index."""
        reader = self._parts.words.reader(self._parts.registry.get(workspace_id))
        if not reader:
            return None
        return reader.relations.link_targets()

    @queued
    def info(self, workspace_id: WorkspaceId, path: str) -> DocumentInfo | None:
        """The record of an indexed note, without its text; None where there is none."""
        reader = self._parts.words.reader(self._parts.registry.get(workspace_id))
        if not reader:
            return None
        return reader.relations.info(workspace_id, path)

    def page(
        self,
        workspace_id: WorkspaceId,
        path: str,
        wanted: PageRequest = ONE_PAGE,
        conversation: Conversation = NO_KEY,
    ) -> Future[NotePage]:
        """One page of a memory file, for an agent, or all of it if it is not long.

        The future may raise NoteRefused or SearchOff.
        """
        parts = self._parts
        workspace = parts.registry.get(workspace_id)

        # On the words thread, which knows the indexes and waits for slow drives.
        def job() -> NotePage:
            from scrubjay.notes.note_pages import memory_get, text_page

            # Whether an agent may read the note at all, before anything is read.
            if not workspace.settings.enabled:
                raise SearchOff
            if not conversation.admits(Path(path)):
                raise NoteRefused(
                    msg("{path} cannot be read here", path=repr(path)),
                    "MEMORY.md is read in private conversations only.",
                )
            if isinstance(workspace, SharedWorkspace):
                return text_page(self._shared_text(workspace, path, ""), path, wanted)
            local = parts.registry.local(workspace_id)
            # QMD has its own texts; a note that it does not know is read from its file.
            if parts.registry.uses_qmd:
                page = parts.qmd.page(local, path, wanted)
                if page:
                    return page
            record = local.record
            return parts.words.patiently(
                local,
                path,
                lambda: memory_get(
                    record.root,
                    local.settings.extra_paths,
                    path=path,
                    wanted=wanted,
                    layout=record.layout,
                    left_out=record.left_out,
                    documents=record.documents,
                ),
            )

        return parts.words.submit(job)

    @queued
    def recent(self, limit: int = 10) -> tuple[DocumentInfo, ...]:
        """The notes that changed last, over all workspaces."""
        return self._parts.words.recent(limit)

    @queued
    def tags(self, workspace_id: WorkspaceId | None = None) -> tuple[tuple[str, int], ...]:
        """The tags of one workspace or of all with the number of their notes, the most first."""
        # The first note with a tag decides how it is written for all.
        labels: dict[str, str] = {}
        counts = Counter[str]()
        for reader in self._readers_of(workspace_id):
            for name, label, count in reader.relations.tags():
                labels.setdefault(name, label)
                counts[name] += count
        return tuple((labels[name], count) for name, count in counts.most_common())

    @queued
    def folders(self, workspace_id: WorkspaceId | None = None) -> tuple[tuple[str, int], ...]:
        """The folders inside one workspace or all with the number of their notes, by name."""
        counts = Counter[str]()
        for reader in self._readers_of(workspace_id):
            counts.update(dict(reader.relations.folders()))
        return tuple(sorted(counts.items()))

    @queued
    def suggested_questions(self, count: int) -> tuple[str, ...]:
        """Questions to try, from headings of the notes that changed last."""
        from scrubjay.search.query.suggested_questions import suggested_questions

        # Numbers keep notes of one path apart that are in different workspaces.
        passages = (
            (f"{at} {path}", text)
            for at, reader in enumerate(self._readers_of(None))
            for path, text in reader.relations.recent_texts(
                notes=_NOTES_LOOKED_AT, chunks=_CHUNKS_LOOKED_AT
            )
        )
        return suggested_questions(passages, count)

    @queued
    def count(self, text: str, workspace_id: WorkspaceId | None = None) -> int:
        """The number of notes with all words of a question that its operators admit.

        The future may raise WorkspaceMissing or IndexUnavailable.
        """
        registry = self._parts.registry
        workspaces: tuple[OpenWorkspace, ...] = registry.all()
        if workspace_id:
            workspaces = (registry.get(workspace_id),)
        # After a space, the last word is not one that has only begun.
        request = SearchRequest(f"{text} ", workspace_id, audience=PERSON)
        return self._parts.words.count(request, workspaces)

    def _readers_of(self, workspace_id: WorkspaceId | None) -> Iterator[Reader]:
        """Readers of the index of one workspace, or of all that have one."""
        for workspace in self._parts.registry.all():
            if workspace_id not in (None, workspace.id):
                continue
            reader = self._parts.words.reader(workspace)
            if reader:
                yield reader

    def remember(self, workspace_id: WorkspaceId, text: str) -> Future[Remembered]:
        """Append to today's file. The future may raise NotWritable or QueryError.

        WorkspaceMissing is raised at once.
        """
        from scrubjay.notes.daily_note import remember

        # Nothing is written into what another computer publishes.
        workspace = self._parts.registry.get(workspace_id)
        if not isinstance(workspace, LocalWorkspace):
            raise NotWritable(
                msg("{name} can only be read here", name=workspace.name),
                hint="Choose a folder on this computer.",
            )
        return self._written(
            workspace.root, lambda: remember(workspace.root, text, layout=workspace.record.layout)
        )

    def undo_remember(self, remembered: Remembered) -> Future[bool]:
        """Take an entry back; the answer is whether it still stood there as it was written."""
        from scrubjay.notes.daily_note import undo

        return self._written(remembered.file, lambda: undo(remembered))

    def add_line(self, workspace_id: WorkspaceId, path: str, text: str) -> Future[Remembered]:
        """Append a line to an indexed note. The future may raise as that of `remember`."""
        from scrubjay.notes.daily_note import add_line

        return self._edited(workspace_id, path, lambda file: add_line(file, path, text))

    def tick(self, workspace_id: WorkspaceId, path: str, line: int, shown: str) -> Future[NoteEdit]:
        """Tick the task of a line, or open it again, in a note that reads as it was shown.

        The future may raise NoteRefused or NotWritable.
        """
        from scrubjay.notes.note_edits import tick

        def edit(file: Path) -> NoteEdit:
            return tick(self._edits(), file, label=path, line=line, shown=shown)

        return self._edited(workspace_id, path, edit)

    def undo_tick(self, edit: NoteEdit) -> Future[NoteEdit]:
        """Put a note back as it was before its last tick.

        The future may raise NothingToUndo, NoteRefused or NotWritable.
        """
        return self._written(edit.file, lambda: self._edits().undo(edit))

    def _edits(self) -> UndoableEdits:
        from scrubjay.notes.note_edits import UndoableEdits

        return UndoableEdits(self._parts.paths.state / "ticked")

    def _edited(self, workspace_id: WorkspaceId, path: str, edit: Callable[[Path], T]) -> Future[T]:
        """The result of a change to an indexed note that is text, after other changes."""
        from scrubjay.notes.note_edits import EDITED

        parts = self._parts
        workspace = parts.registry.local(workspace_id)

        # The index knows where the file is; the change itself waits for other changes.
        def begin() -> Future[T]:
            if not path.lower().endswith(EDITED):
                raise NoteRefused(
                    msg("{name} cannot be changed", name=path), "It is not a plain-text note."
                )
            file = parts.words.file_of(workspace, path)
            return self._written(workspace.root, lambda: edit(file))

        return flattened(parts.words.submit(begin))

    def _written(self, path: Path, write: Callable[[], T]) -> Future[T]:
        """The result of a change to a note, after other changes. The future may raise NotWritable.

        Path is the note, or a folder around it.
        """

        def job() -> T:
            # A drive that does not answer may write later, so a person has to look.
            try:
                return self._parts.index_io.ask(path, write)
            except DriveSilent as error:
                raise NotWritable(
                    error.title,
                    error.message,
                    hint="Connect it, and check whether this was written before you try again.",
                ) from error

        return self._parts.daily_notes.submit(job)

    @queued
    def set_skipped(self, workspace_id: WorkspaceId, path: str, *, is_skipped: bool) -> None:
        """Skip a file until it changes, or stop skipping it. The future may raise NotWritable."""
        try:
            is_changed = self._parts.registry.local(workspace_id).set_skipped(
                path, is_skipped=is_skipped
            )
        except WorkspaceMissing:
            return  # removed at this moment
        except OSError as error:
            title = msg("Scrubjay could not save what to skip")
            raise NotWritable(title, msg("{reason}.", reason=system_reason(error))) from error
        if is_changed:
            self._parts.events.publish(IndexChanged(workspace_id, 0, 0))


class ModelCommands(_Commands):
    """Commands of the user about models. For any thread."""

    @property
    def library(self) -> ModelLibrary:
        """Model files: imports, checks, removal, and downloads to be paused or cancelled."""
        return self._parts.library

    @property
    def comparisons(self) -> ModelComparisons:
        """Comparisons of two models over the notes."""
        return self._parts.comparisons

    @queued
    def list(self) -> tuple[ModelInfo, ...]:
        """All models of the catalogue and of this computer, with advice from the notes."""
        from scrubjay.models.library.model_status import advised

        return advised(self._parts.library.list(), self._parts.words.sample())

    def download(self, model: str, *, accept_terms: bool = False) -> Future[ModelInfo]:
        """Fetch a model by id or reference, or resume its download; see ModelDownloadProgressed.

        The future may raise DownloadFailed, ModelRefused, or Cancelled after a pause.
        """

        def arrived(done: Future[ModelInfo]) -> None:
            """On the download thread: the settings may have been waiting for this model."""
            if not done.exception() and done.result().is_used:
                self._rebuild_vectors()

        parts = self._parts
        # Begun on the words thread, since making the library takes a while.
        begun = parts.words.submit(lambda: parts.library.download(model, accept_terms=accept_terms))
        answer = flattened(begun)
        answer.add_done_callback(arrived)
        return answer

    @queued
    def use(self, name: str) -> ModelInfo:
        """Compute vectors with another model from now on; the old one answers until all are there.

        The future may raise ModelMissing, ModelRefused or ConfigError.
        """
        model, setting = self._parts.library.setting_for(name)
        # The settings are written; now everything that computes vectors follows them.
        self._parts.registry.choose_model(setting)
        self._parts.settings_reload.follow()
        self._rebuild_vectors()
        self._parts.events.publish(ModelsChanged())
        return self._parts.library.get(model.id)

    def _rebuild_vectors(self) -> None:
        """Build new vectors in the background where the settings now ask for others."""
        self._parts.providers.reload()
        self._parts.auto_index.look_again()
