"""The facade of the core: opens workspaces, owns the threads, answers from any thread."""

from __future__ import annotations

from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.concurrency.lazy import late
from scrubjay.concurrency.worker import gathered
from scrubjay.engine.model_commands import ModelCommands
from scrubjay.messages import msg
from scrubjay.platform.paths import Paths
from scrubjay.records.search_records import (
    ContextAnswer,
    DocumentInfo,
    EngineStatus,
    IndexReport,
    ModelStatus,
    NotePage,
    SearchAnswer,
    SearchRequest,
    Workspace,
)
from scrubjay.workspaces.registry import Registry
from scrubjay.workspaces.skip_list import SkipList
from scrubjay.workspaces.status_board import StatusBoard

if TYPE_CHECKING:
    from scrubjay.agents.dreaming.dreaming import Dreams
    from scrubjay.agents.recall.recall import Recall
    from scrubjay.answers.message_context import Context
    from scrubjay.config.loading import LoadedSettings
    from scrubjay.config.problems import Problem
    from scrubjay.config.settings_diff import Changes
    from scrubjay.embedding.provider import EmbeddingProvider
    from scrubjay.health.checkup import Health
    from scrubjay.index.auto_index import AutoIndexer
    from scrubjay.notes.daily_note import Remembered
    from scrubjay.onboarding.setup_import import Importer


class Engine(ModelCommands):
    """Everything the faces of Scrubjay need. All methods may be called from any thread."""

    def __init__(self, paths: Paths, *, provider: EmbeddingProvider | None = None) -> None:
        """Read the settings; no thread is started and no index opened yet.

        A provider that is given here is used whatever the settings say.
        """
        board = StatusBoard(_model_before_start(provider), SkipList(paths.state / "left-out.json"))
        super().__init__(paths, Registry(paths), board, provider)
        self._board.list(self._registry.known())

    # -- settings and workspaces ------------------------------------------------------------

    @property
    def settings(self) -> LoadedSettings:
        """The settings file as it was read, with its problems."""
        return self._registry.loaded

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What is wrong in the settings file, in plain words."""
        return self._registry.loaded.problems

    def reload_settings(self) -> Future[Changes]:
        """Read the settings file again and apply it; while following, that happens by itself.

        A file that cannot be used changes nothing: `problems` and a Notice say why.
        """
        return self._live.reload()

    def workspaces(self) -> tuple[Workspace, ...]:
        """All workspaces, in the order of the settings."""
        return self._registry.all()

    def find_workspace(self, name_or_path: str) -> Workspace:
        """The workspace that a person means. Raises WorkspaceMissing, which says what to do."""
        return self._registry.named(name_or_path)

    def open_folder(self, root: Path) -> Workspace:
        """A folder to index and search in this run only. Raises WorkspaceMissing."""
        workspace = self._registry.guest(root)
        self._board.list(self._registry.known())
        return workspace

    def add_workspace(self, root: Path, name: str | None = None) -> Future[Workspace]:
        """Put a folder on the list. The future may raise WorkspaceMissing or ConfigError."""
        return self._words.submit(lambda: self._add_workspace(root, name))

    def remove_workspace(self, workspace_id: str) -> Future[None]:
        """Forget a workspace: its index is deleted, its notes are not touched."""
        return self._words.submit(lambda: self._remove_workspace(workspace_id))

    # -- indexing -----------------------------------------------------------------------------

    def start(self) -> None:
        """Follow the notes from now on: watch all folders and bring all indexes up to date."""
        self._library.resume()
        self._words.submit(self._words.show_what_is_there)
        self._following.start()
        # From here on other processes leave indexing to this one, and have it ask the person.
        self.agents.attend()
        self._live.watch(self.paths.config_file)
        self.updates.check_when_due()
        self.dreams.start()
        self.qmd.start()

    def refresh(
        self,
        workspace_id: str | None = None,
        *,
        force: bool = False,
        words_only: bool = False,
        may_send: bool = False,
    ) -> Future[tuple[IndexReport, ...]]:
        """Bring one index, or all, up to date. With force every file is read again.

        May_send is the yes to a BackfillAsked: without it a remote provider gets only small
        changes to what it was once allowed to have.

        The future may raise Cancelled or IndexUnavailable; WorkspaceMissing is raised at once.
        """
        chosen = [self._registry.get(workspace_id)] if workspace_id else self._registry.enabled()
        return gathered([self._submit_pass(one, force, words_only, may_send) for one in chosen])

    def call_off(self) -> None:
        """Stop passes that run or wait. What was indexed is kept."""
        self._index.cancel()

    def pause(self, minutes: float | None = None, *, for_battery: bool = False) -> None:
        """Stop indexing for some minutes, or until resume. Searching goes on.

        For_battery only says why, for those who read the status.
        """
        self._following.pause(minutes, for_battery=for_battery)

    def resume(self) -> None:
        """Go on with indexing from where it stopped."""
        self._following.resume()

    # -- reading ------------------------------------------------------------------------------

    def search(self, request: SearchRequest, cancel: CancelToken) -> Future[SearchAnswer]:
        """Answer a request. The future may raise Cancelled, QueryError or IndexUnavailable."""
        # The part that knows QMD is not even imported where nobody uses it.
        return (self.qmd if self._uses_qmd else self._deadline).search(request, cancel)

    def context(
        self,
        message: str,
        cancel: CancelToken,
        *,
        workspace: str | None = None,
        among: frozenset[str] = frozenset(),
        words_only: bool = False,
    ) -> Future[ContextAnswer]:
        """What the notes say about a whole message; nothing for greetings and commands.

        Among limits the workspaces, as in a SearchRequest; words_only asks no model. The future
        may raise Cancelled or IndexUnavailable.
        """
        return self._context.of(message, workspace, cancel, among, words_only=words_only)

    def read(self, workspace_id: str, path: str) -> Future[str]:
        """Whole text of an indexed note, for a person. The future may raise NoteRefused."""
        return self._words.submit(lambda: self._read(self._registry.get(workspace_id), path))

    def get(
        self, workspace_id: str, path: str, *, first_line: int = 1, line_count: int | None = None
    ) -> Future[NotePage]:
        """One page of a memory file, for an agent. The future may raise NoteRefused."""
        from scrubjay.notes.note_pages import memory_get

        workspace = self._registry.get(workspace_id)
        extra = self._registry.settings(workspace).extra_paths
        return self._words.submit(
            lambda: (
                self._qmd_page(workspace, path, first_line, line_count)
                or self._words.patiently(
                    workspace,
                    path,
                    lambda: memory_get(
                        workspace.root, extra, path, first_line=first_line, line_count=line_count
                    ),
                )
            )
        )

    def remember(self, workspace_id: str, text: str) -> Future[Remembered]:
        """Append to today's file. The future may raise NotWritable or QueryError.

        WorkspaceMissing is raised at once.
        """
        return self._notebook.remember(workspace_id, text)

    def undo_remember(self, remembered: Remembered) -> Future[bool]:
        """Take an entry back; False when it does not stand there any more as it was written."""
        return self._notebook.undo(remembered)

    def recent(self, limit: int = 10) -> Future[tuple[DocumentInfo, ...]]:
        """The notes that changed last, over all workspaces."""
        return self._words.submit(lambda: self._words.recent(limit))

    def status(self) -> EngineStatus:
        """What is known right now, without looking at any file."""
        snapshot = self._board.snapshot()
        following: AutoIndexer | None = self._made("_following")
        status = following.with_pending(snapshot) if following else snapshot
        return self.qmd.with_status(status) if self._uses_qmd else status

    def diagnostics(self, *about: str) -> Future[str]:
        """What helps to find a fault, without text of notes and keys; about is put into it."""
        from scrubjay.health.diagnostics import diagnostics

        return self._words.submit(
            lambda: diagnostics(self.paths, self._registry.loaded, self._look(), about)
        )

    def current_status(self) -> Future[EngineStatus]:
        """Status with the sizes of all indexes as they are on disk."""
        return self._words.submit(self._look)

    def close(self) -> None:
        """Stop everything within two seconds. What was committed is kept."""
        self._alarms.close()
        self._close_made("qmd", "health", "importer", "_following")
        # Whoever waits for a key or for vectors is let go first, and then ends at once.
        self._keychain.close()
        self._close_made("keys", "choosing", "_providers", "_comparisons", "_library")
        self._close_made("recall", "dreams", "_notebook", "agents", "connections", "updates")
        self._close_made("_index")
        self._meaning.close()
        self._close_made("journal")
        self._words.close()

    # -- parts that search and write through the whole ----------------------------------------

    @late
    def recall(self) -> Recall:
        """Reminding agents, and what they are told."""
        from scrubjay.agents.recall.recall import Recall

        return Recall(self, self._likeness, self._pool)

    @late
    def dreams(self) -> Dreams:
        """What agents find again and again."""
        from scrubjay.agents.dreaming.dreaming import Dreams

        return Dreams(self, self._likeness, self._alarms, self._pool)

    @late
    def importer(self) -> Importer:
        """Bringing over set-ups of other programs."""
        from scrubjay.onboarding.setup_import import Importer

        return Importer(
            self.paths, self._pool, lambda: self._registry.loaded, self, self._apply_settings
        )

    @late
    def health(self) -> Health:
        """What is wrong with the notes, and how to mend it."""
        from scrubjay.health.checkup import Health

        return Health(
            self.paths,
            self._pool,
            self._registry,
            self._library,
            self._keychain,
            self.current_status,
            self._board.left_out,
            lambda one, force: self.refresh(one, force=force),
        )

    @late
    def _context(self) -> Context:
        from scrubjay.answers.message_context import Context

        return Context(self.search)

    @property
    def _uses_qmd(self) -> bool:
        return self._registry.loaded.settings.memory.backend == "qmd"

    # -- on the search threads ----------------------------------------------------------------

    def _qmd_page(
        self, workspace: Workspace, path: str, first_line: int, line_count: int | None
    ) -> NotePage | None:
        return self.qmd.page(workspace, path, first_line, line_count) if self._uses_qmd else None

    def _read(self, workspace: Workspace, path: str) -> str:
        text = self.qmd.text(workspace, path) if self._uses_qmd else None
        return self._words.read(workspace, path) if text is None else text

    def _look(self) -> EngineStatus:
        self._words.show_what_is_there()
        if self._uses_qmd:
            self.qmd.look()
        return self.status()

    def _add_workspace(self, root: Path, name: str | None) -> Workspace:
        workspace = self._registry.add(root, name)
        self._live.follow()
        return workspace

    def _remove_workspace(self, workspace_id: str) -> None:
        workspace = self._registry.get(workspace_id)
        file = self._registry.index_file(workspace)
        self._following.forget(workspace_id)
        self._registry.remove(workspace_id)
        self.recall.drop(workspace_id)
        self.dreams.drop(workspace_id)
        self.qmd.drop(workspace_id)
        self._board.left_out.drop(workspace_id)
        self._board.list(self._registry.all())
        self._words.forget(file)
        # Not waited for: that thread may be waiting for a model.
        self._meaning.submit(lambda: self._meaning.forget(file))
        self.journal.forget(file)
        self._index.delete(workspace_id, file).result()
        self._live.follow()

    # -- plumbing -----------------------------------------------------------------------------

    def _submit_pass(
        self, workspace: Workspace, force: bool, words_only: bool, may_send: bool
    ) -> Future[IndexReport]:
        settings = self._registry.settings(workspace)
        file = self._registry.index_file(workspace)
        from scrubjay.index.index_thread import Job

        settled = self._following.on_pass_finished(workspace.id)
        future = self._index.submit(Job(workspace, file, settings, force, words_only, may_send))
        future.add_done_callback(settled)
        future.add_done_callback(self._pass_ended)
        return future

    def _pass_ended(self, _: Future[IndexReport]) -> None:
        """A model may have made its last vectors obsolete."""
        if self._providers.has_former:
            self._words.submit(lambda: self._providers.retire(self._words.identities()))


def _model_before_start(given: EmbeddingProvider | None) -> ModelStatus:
    if given:
        return ModelStatus(given.name, given.model, is_ready=True)
    return ModelStatus("none", "", is_ready=False, reason=msg("Not started yet."))
