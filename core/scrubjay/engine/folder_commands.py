"""The user's commands for the listed folders."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.concurrency.futures import flatten_future
from scrubjay.concurrency.thread_pool import queued
from scrubjay.config.ignore_patterns import EntryMatcher, excluded_entries, pattern_problem
from scrubjay.config.schema.memory_search import MemorySearch
from scrubjay.engine.command_queue import QueuedCommands
from scrubjay.errors import (
    NotWritable,
    QueryError,
    SearchOff,
    StillShared,
    WorkspaceMissing,
    system_reason,
)
from scrubjay.events import IndexChanged
from scrubjay.messages import msg
from scrubjay.records.note_records import (
    FolderDescription,
    MovedFolder,
    NoteAddress,
    NoteCounts,
    Workspace,
)
from scrubjay.records.status_records import PictureCount
from scrubjay.store.index_file import deletion_note

if TYPE_CHECKING:
    from scrubjay.engine.engine_parts import EngineParts
    from scrubjay.workspaces.open_workspace import LocalWorkspace

_ONLY_SEARCHED = msg(
    "On this computer, this folder can only be searched. To remove the "
    "folder, remove its shared memory."
)
"""Hint for a folder of another computer."""


class FolderCommands(QueuedCommands):
    """The user's commands for the listed folders. For any thread."""

    def __init__(self, parts: EngineParts, drop: Callable[[LocalWorkspace], None]) -> None:
        """Drop deletes what other parts of the engine keep of a workspace that is removed."""
        super().__init__(parts)
        self._drop = drop

    @queued
    def change(self, workspace: Workspace) -> Workspace:
        """Give the workspace of an id another name, root, layout or folders to exclude.

        What was learned of its notes stays. The answer is the former one, with which this can be
        undone. The future may raise WorkspaceMissing or ConfigError.
        """
        self._parts.registry.find_local(workspace, _ONLY_SEARCHED)
        former = self._parts.registry.change(workspace)
        self._parts.settings_reload.follow()
        return former

    @queued
    def describe(self, record: Workspace, folder: str, text: str) -> FolderDescription:
        """Describe a workspace, or a folder in it by its path there or on the disk.

        The answer is the description as it was saved. The future may raise WorkspaceMissing,
        QueryError or ConfigError.
        """
        registry = self._parts.registry
        workspace = registry.find_local(record, _ONLY_SEARCHED)
        description = FolderDescription(
            registry.folder_label(workspace, folder), " ".join(text.split())
        )
        if not description.text:
            raise QueryError(
                "The description is empty", hint="Describe the folder in one or two sentences."
            )
        others = _without_description(workspace.record, description.folder)
        registry.change(replace(workspace.record, descriptions=(*others, description)))
        self._parts.settings_reload.follow()
        return description

    @queued
    def drop_description(self, record: Workspace, folder: str) -> FolderDescription | None:
        """Remove the description of a folder, which may be gone; written as for `describe`.

        The answer is what was removed, if there was any. The future may raise the errors of
        `change`.
        """
        registry = self._parts.registry
        workspace = registry.find_local(record, _ONLY_SEARCHED)
        label = registry.former_label(workspace, folder)
        former = workspace.record.descriptions
        removed = next((each for each in former if each.folder == label), None)
        # The settings stay as they are where there is nothing to remove.
        if removed:
            others = _without_description(workspace.record, label)
            registry.change(replace(workspace.record, descriptions=others))
            self._parts.settings_reload.follow()
        return removed

    @queued
    def remove(self, record: Workspace) -> None:
        """Take a workspace off the list: its index is deleted, its notes are not touched.

        The future may raise WorkspaceMissing, ConfigError or, while it is published, StillShared.
        """
        parts = self._parts
        workspace = parts.registry.find_local(record, _ONLY_SEARCHED)
        if parts.registry.find_publish_settings(workspace):
            raise StillShared(
                msg("{name} is shared with others", name=workspace.name),
                (
                    "Stop sharing the folder first. Otherwise, other people will keep an "
                    "outdated copy."
                ),
            )
        # It is no longer watched or listed before its index goes, so that nothing makes it again.
        file = workspace.index_file
        parts.auto_index.forget(workspace)
        parts.registry.remove(workspace)
        self._drop(workspace)
        parts.qmd.updates.drop(workspace)
        workspace.user_skips.drop(workspace.record)
        parts.words.forget(file)
        parts.release_index(file)
        parts.index.delete(workspace).result()
        # A later start finds by itself only what is in Scrubjay's own folder.
        note = deletion_note(file)
        if note.parent != parts.paths.indexes and note.exists():
            parts.deletions_elsewhere.add(note)
        parts.settings_reload.follow()

    @queued
    def set_skipped(self, file: NoteAddress, *, is_skipped: bool) -> None:
        """Skip a file until it changes, or stop skipping it. The future may raise NotWritable."""
        try:
            workspace = self._parts.registry.local(file.workspace)
            is_changed = workspace.set_skipped(file.path, is_skipped=is_skipped)
        except (WorkspaceMissing, SearchOff):
            return  # removed or turned off at this moment
        except OSError as error:
            title = msg("Scrubjay could not save the list of files to skip")
            raise NotWritable(title, msg("{reason}.", reason=system_reason(error))) from error
        if is_changed:
            self._parts.events.publish(IndexChanged(file.workspace, 0, 0))

    def note_counts(self, workspace: Workspace) -> Future[NoteCounts]:
        """Numbers of notes in a workspace, including excluded ones."""

        def labels(layout: str, **changes: Any) -> Iterable[str]:
            from scrubjay.index.scan_diff import IndexSettings, scan_workspace

            changed = {"left_out": (), "documents": False, "hidden_folders": False, **changes}
            candidate = replace(workspace, layout=layout, **changed)
            scan = scan_workspace(
                workspace.root,
                IndexSettings.of(MemorySearch(), candidate),
                cancel=CancelToken(),
                io_timeout=self._parts.index_io[workspace.root],
            )
            return scan.files

        def job() -> NoteCounts:
            # The same folder is read in five ways, since a person chooses between them.
            notes = [*labels("notes")]
            memory = [*labels("agent")]
            documents = {*labels("notes", documents=True)} - {*notes}
            read = {*labels("notes", left_out=workspace.left_out, documents=True)}
            kinds = Counter(PurePosixPath(path).suffix.lower() for path in documents & read)
            # Those in hidden folders are counted by themselves, whether they are read now or not.
            hidden = {*labels("notes", hidden_folders=True)} - {*notes}
            return NoteCounts(
                notes=len(notes),
                memory=len(memory),
                subfolders=_by_folder(notes),
                documents=kinds,
                document_folders=_by_folder(documents),
                hidden=len(hidden),
                read=len(read - documents),
                paths=tuple(notes),
            )

        return self._parts.pool.submit(job)

    def count_pictures(self, record: Workspace, cancel: CancelToken) -> Future[PictureCount]:
        """What would be read of a workspace with its pictures, and how long that would take.

        The future may raise Cancelled or WorkspaceMissing.
        """
        parts = self._parts

        def count() -> PictureCount:
            from scrubjay.documents.picture_converter import PictureConverter
            from scrubjay.index.picture_count import count_pictures

            texts = parts.picture_texts
            counted = count_pictures(
                parts.registry.find_local(record).record,
                texts,
                PictureConverter(parts.converter, texts),
                io_timeout=parts.index_io[record.root],
                cancel=cancel,
            )
            return replace(counted, obstacle=texts.obstacle() or "")

        return parts.pool.submit(count)

    def count_excluded(
        self, counts: NoteCounts, patterns: Sequence[str], cancel: CancelToken
    ) -> Future[int]:
        """Number of the counted notes that patterns exclude.

        The future may raise QueryError or Cancelled.
        """

        def job() -> int:
            cancel.check()
            problem = pattern_problem(patterns)
            if problem:
                raise QueryError(problem)
            matcher = EntryMatcher(excluded_entries(patterns))
            excluded = 0
            # Of a large folder this takes seconds, in which a person types on.
            for path in counts.paths:
                cancel.check()
                excluded += matcher.excludes(path)
            return excluded

        return self._parts.pool.submit(job)

    def moved_folder(
        self, record: Workspace, root: Path | None = None
    ) -> Future[MovedFolder | None]:
        """A folder compared with the index of a workspace; without a root, one found nearby.

        The future may raise WorkspaceMissing or DriveSilent.
        """
        parts = self._parts
        workspace = parts.registry.find_local(record)

        def compare(sizes: dict[str, int]) -> MovedFolder | None:
            from scrubjay.index.scan_diff import count_known_notes, find_moved_folder

            def look() -> MovedFolder | None:
                if root is None:
                    return find_moved_folder(workspace.root, sizes, parts.registry.listed)
                folder = parts.registry.free_folder(root)
                return MovedFolder(folder, count_known_notes(folder, sizes), len(sizes))

            # A drive that does not answer must not keep others waiting.
            return parts.index_io.ask(root or workspace.root, look)

        def begin() -> Future[MovedFolder | None]:
            # The index is read on the words thread, the disk on another one.
            reader = parts.words.reader(workspace)
            sizes = reader.metadata.sizes() if reader else {}
            return parts.pool.submit(compare, sizes)

        return flatten_future(parts.words.submit(begin))


def _without_description(workspace: Workspace, folder: str) -> tuple[FolderDescription, ...]:
    """The descriptions of a workspace without that of one folder."""
    return tuple(each for each in workspace.descriptions if each.folder != folder)


def _by_folder(labels: Iterable[str]) -> Counter[str]:
    """Number of files in and below each folder inside the root, by its path."""
    # The last parent of a path is the root itself.
    parents = (PurePosixPath(label).parents for label in labels)
    return Counter(str(folder) for above in parents for folder in [*above][:-1])
