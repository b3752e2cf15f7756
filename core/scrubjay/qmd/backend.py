"""Search with QMD if the settings choose it, with the built-in search as its fallback."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from msgspec.structs import replace

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.config.schema.qmd_backend import QmdScope
from scrubjay.errors import Cancelled, NoteRefused, QmdFailed
from scrubjay.messages import msg
from scrubjay.notes.note_pages import file_inside, note_facts, read_page
from scrubjay.notes.note_reader import NoteUnreadable, decode_note, read_file
from scrubjay.qmd.collections import PREFIX
from scrubjay.qmd.results import limit_hits
from scrubjay.qmd.updates import QmdFolder, QmdUpdates
from scrubjay.records.conversation import Conversation
from scrubjay.records.note_records import NotePage, PageRequest, Source
from scrubjay.records.search_modes import Mode
from scrubjay.records.search_records import Hit, SearchAnswer, SearchRequest
from scrubjay.records.status_records import BackendStatus, EngineStatus, Freshness, Takeover
from scrubjay.search.query.query_parser import named_folders, parse_query
from scrubjay.workspaces.open_workspace import LocalWorkspace, OpenWorkspace
from scrubjay.workspaces.registry import Registry
from scrubjay.workspaces.search_backend import SearchBackend

log = logging.getLogger(__name__)

_FIRST_UPDATE_S = 10.0
"""Seconds that a search waits for the first index of the notes."""
_SEARCHES = 4
"""Searches at once."""


class QmdBackend:
    """Answers in place of the built-in search while the settings choose QMD. For any thread."""

    def __init__(self, updates: QmdUpdates, registry: Registry, builtin: SearchBackend) -> None:
        """Updates are closed with the backend; builtin is the search that takes over."""
        self.updates = updates
        self._registry = registry
        self._builtin = builtin
        self._searches = ThreadPoolExecutor(_SEARCHES, "scrubjay-qmd")

    def search(self, request: SearchRequest, cancel: CancelToken) -> Future[SearchAnswer]:
        """The answer of QMD or of the built-in search, with the errors of the latter.

        QMD gets whole questions of agents and users. The built-in search gets half-typed queries,
        and those by words or meaning alone.
        """
        answer: Future[SearchAnswer] = Future()
        if not is_allowed(self.updates.settings.scope, request.conversation):
            answer.set_result(_out_of_scope(request))
            return answer
        # Folders that are open in this run only are not QMD's.
        registry = self._registry
        named = named_folders(request)
        workspaces = [
            each for each in registry.readable() if registry.is_searched(each, request, named)
        ]
        if request.mode is not Mode.HYBRID or request.is_typing or not workspaces:
            return self._builtin.search(request, cancel)
        try:
            if not parse_query(request.text).is_plain:
                return self._searches.submit(lambda: self._without_qmd(request, cancel))
            return self._searches.submit(lambda: self._answer(request, workspaces, cancel))
        except RuntimeError:  # closed
            answer.set_exception(Cancelled())
            return answer

    def page(self, workspace: OpenWorkspace, path: str, wanted: PageRequest) -> NotePage:
        """A page of the note at `qmd/<collection>/<path>`, or of any other. Raises NoteRefused."""
        file = self._file(workspace, path)
        # QMD has its own texts; a note that it does not know is read from its file.
        if file is None:
            return self._builtin.page(workspace, path, wanted)
        page = read_page(file, path, wanted)
        if not wanted.has_facts:
            return page
        # Files of QMD are only read, and a digest is only for changes.
        return replace(page, facts=replace(note_facts(file, path), digest=""))

    def text(self, workspace: OpenWorkspace, path: str) -> str:
        """The whole text of such a note. Reads a file. Raises NoteRefused."""
        file = self._file(workspace, path)
        if file is None:
            return self._builtin.text(workspace, path)
        try:
            return decode_note(read_file(file, path).data)
        except (FileNotFoundError, NoteUnreadable) as error:
            raise NoteRefused(msg("{path} cannot be shown", path=path), str(error)) from error

    def with_status(self, status: EngineStatus, *, is_current: bool = False) -> EngineStatus:
        """The status with the name and the troubles of this backend.

        With is_current, what other processes learned of them counts, which is read from a file.
        """
        if is_current:
            self.updates.breaker.load()
        backend = BackendStatus("qmd", self.updates.breaker.reason, self.updates.note)
        return replace(status, backend=backend)

    def close(self) -> None:
        """End running programs and start no others."""
        self.updates.close()
        self._searches.shutdown(cancel_futures=True)

    # -- answering ----------------------------------------------------------------------------

    def _without_qmd(self, request: SearchRequest, cancel: CancelToken) -> SearchAnswer:
        """The answer of the built-in search to a question whose operators QMD does not have."""
        answer = self._builtin.search(request, cancel).result()
        return replace(answer, takeover=Takeover("qmd", msg("QMD does not know these operators.")))

    def _answer(
        self, request: SearchRequest, workspaces: Sequence[LocalWorkspace], cancel: CancelToken
    ) -> SearchAnswer:
        began = time.perf_counter()
        settings = self.updates.settings
        # Whatever goes wrong with QMD, the built-in search answers and says why.
        try:
            cancel.check()
            if self.updates.breaker.is_open:
                raise QmdFailed(self.updates.breaker.reason)
            recalled = self._registry.recalled_in(request.conversation)
            hits = [
                hit
                for workspace in workspaces
                for hit in self._hits(request, workspace, cancel)
                if hit.source is not Source.SESSIONS or workspace.id in recalled
            ]
        except QmdFailed as failure:
            self.updates.breaker.on_failure(settings, failure)
            answer = self._builtin.search(request, cancel).result()
            why = failure.message
            reason = answer.fallback_reason
            if reason:
                reason = msg("{why} {reason}", why=why, reason=reason)
            return replace(answer, takeover=Takeover("qmd", why), fallback_reason=reason)
        self.updates.breaker.on_success()
        return SearchAnswer(
            request,
            limit_hits(hits, settings, request.max_results),
            mode=Mode.LEXICAL if settings.search_mode == "search" else Mode.HYBRID,
            provider="qmd",
            model=settings.search_mode,
            # The state of the built-in index, since QMD does not tell that of its own.
            freshness=Freshness(
                documents=sum(each.status.freshness.documents for each in workspaces),
                pending=0,
                unreadable=0,
                embedded=1.0,
                checked_at=None,
                reason=self.updates.note,
            ),
            elapsed_ms=(time.perf_counter() - began) * 1000,
            not_searched=self._registry.not_searched(request, named_folders(request)),
            described=self._registry.described(),
        )

    def _hits(
        self, request: SearchRequest, workspace: LocalWorkspace, cancel: CancelToken
    ) -> list[Hit]:
        # QMD cannot list notes without any words.
        index = self.updates.index(workspace)
        if not request.text.strip():
            return []
        update = self.updates.settings.update
        boot = workspace.part(QmdFolder).boot
        is_waiting = update.wait_for_boot_sync and boot is not None and not boot.done()
        is_due = not self.updates.is_automatic and index.is_due
        # The index is brought up to date first, but only as long as the settings allow.
        if is_waiting or is_due or not index.is_ready:
            seconds = _FIRST_UPDATE_S
            if update.wait_for_boot_sync:
                seconds = update.update_timeout_ms / 1000
            first = boot
            if first is None or not is_waiting:
                first = self.updates.update(workspace)
            try:
                first.result(seconds)
            except TimeoutError:
                if not index.is_ready:
                    raise QmdFailed("QMD is reading the notes for the first time.") from None
            except QmdFailed:
                if not index.is_ready:
                    raise
                # The older index still answers; the status says that it is behind.
        return index.search(request, cancel)

    def _file(self, workspace: OpenWorkspace, path: str) -> Path | None:
        if not isinstance(workspace, LocalWorkspace) or not path.startswith(PREFIX):
            return None
        # An address as QMD printed it, in a collection that the settings still have.
        name, _, inside = path[len(PREFIX) :].partition("/")
        collection = self.updates.index(workspace).collections.get(name)
        if collection is None:
            return None
        if not collection.holds(inside):
            raise NoteRefused(
                msg("Scrubjay cannot read {path}", path=repr(path)),
                "The file is not in that folder.",
            )
        return file_inside(collection.root, inside, workspace.record)


def _out_of_scope(request: SearchRequest) -> SearchAnswer:
    """The answer in a conversation in which no notes may be found."""
    conversation = request.conversation
    log.warning(
        "memory.qmd.scope lets no notes be found: channel %r, chatType %r",
        conversation.channel,
        conversation.chat_type,
    )
    reason = msg("The settings do not allow searches in this conversation (memory.qmd.scope).")
    return SearchAnswer(
        request, (), mode=request.mode, provider="none", model="", fallback_reason=reason
    )


def is_allowed(scope: QmdScope, conversation: Conversation) -> bool:
    """True if notes may be found in a conversation: by the first rule that matches its key.

    Keys are such as `telegram:group:123`, `discord:channel:9`, `main`. A blank key stands for a
    direct chat: of the user of this computer, or of their own agent.
    """
    raw = conversation.raw
    key = conversation.key
    # Every part of a rule that is given has to match.
    for rule in scope.rules:
        match = rule.match
        prefix = (match.key_prefix or "").strip().lower()
        raw_prefix = (match.raw_key_prefix or "").strip().lower()
        # Older settings have the whole key here.
        whole = raw if prefix.startswith("agent:") else key
        is_type = match.chat_type is None or match.chat_type == conversation.chat_type
        is_channel = match.channel is None or match.channel.strip().lower() == conversation.channel
        if is_type and is_channel and whole.startswith(prefix) and raw.startswith(raw_prefix):
            return rule.action == "allow"
    return scope.default == "allow"
