"""Dreaming in one workspace: run, decide, write to MEMORY.md, undo."""

from __future__ import annotations

import datetime as dt
import os
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

from msgspec import Struct, field

from scrubjay.agents.dreaming.dream_phases import DreamRun, run_phases
from scrubjay.agents.dreaming.line_ranges import current_range
from scrubjay.agents.dreaming.memory_file import (
    memory_entry,
    memory_file,
    memory_refusal_reason,
    promoted_keys,
    with_additions,
)
from scrubjay.agents.dreaming.recall_entry import format_time
from scrubjay.agents.dreaming.recall_store import RecallStore
from scrubjay.agents.dreaming.review_queue import DreamCandidate, ReviewQueue
from scrubjay.agents.write_rules import is_daily_note_writable
from scrubjay.embedding.similarity import TextSimilarity
from scrubjay.errors import NoteRefused, NotWritable
from scrubjay.messages import msg
from scrubjay.notes.note_edits import NoteEdit, UndoableEdits, read_for_edit
from scrubjay.notes.note_files import open_note
from scrubjay.notes.note_reader import NoteUnreadable, check_note_text, read_file
from scrubjay.records.note_records import Workspace
from scrubjay.text.encodings import detect_codec

_DIARY = "DREAMS.md"
"""Name of the file in which people read what happened in the night."""
_DIARY_TITLE = "# Dream diary\n"
"""First line of a new diary."""


class DreamsApplied(Struct, frozen=True):
    """The result of applying candidates."""

    written: tuple[DreamCandidate, ...]
    """Candidates that are in MEMORY.md now."""
    left: Mapping[str, str]
    """Reason why a candidate is not written, by its key. It stays in the queue unless MEMORY.md had
    it."""


class _Memory(Struct, frozen=True):
    """MEMORY.md as it was read."""

    before: bytes | None
    """Bytes of the file; None if there is no such file."""
    text: str
    codec: str


class _Fitting(Struct):
    """Candidates that were tried one after the other, and MEMORY.md with those that fit."""

    after: str
    """Text of MEMORY.md with the lines."""
    written: dict[str, DreamCandidate] = field(default_factory=dict)
    left: dict[str, str] = field(default_factory=dict)
    """Reasons against the other candidates, by key."""
    additions: dict[str, str] = field(default_factory=dict)
    """Lines by the keys of their marks."""


class WorkspaceDreams:
    """All steps for one workspace. Methods may raise NoteRefused, NotWritable or OSError."""

    def __init__(self, workspace: Workspace, folder: Path, similarity: TextSimilarity) -> None:
        """The folder holds the state between two runs, and nothing else."""
        self.store = RecallStore(workspace.root)
        self.review = ReviewQueue(workspace, folder / "review.json")
        self._workspace = workspace
        self.edits = UndoableEdits(folder)
        self._similarity = similarity

    def preview(self, now: dt.datetime) -> DreamRun:
        """The result that a run would have. Nothing is written."""
        # What waits or was refused is not proposed a second time.
        state = self.review.state()
        return run_phases(
            self._workspace,
            self.store.entries(),
            signals=self.store.signals(),
            now=now,
            memory=self._memory().text,
            decided={*state.waiting, *state.refused},
            similarity=self._similarity,
        )

    def run(self, now: dt.datetime) -> DreamRun:
        """Run the phases, save their counts, and put the proposals into the queue."""
        if not is_daily_note_writable(self._workspace.root):
            raise NotWritable(
                msg("{name} is read-only", name=self._workspace.name),
                "Scrubjay saves the results of each run in memory/.dreams.",
                hint=(
                    "Allow writing to the folder, or use --dry-run to see the results "
                    "without saving them."
                ),
            )
        # Candidates that wait already keep their place; refused ones do not come back.
        run = self.preview(now)
        self.store.reinforce("light", run.light, now)
        self.store.reinforce("rem", run.rem, now)
        with self.review.changed() as state:
            for candidate in run.proposed:
                if candidate.key not in state.refused:
                    state.waiting.setdefault(candidate.key, candidate)
            state.last_run = now
        # The diary tells people what happened in the night.
        if run.proposed:
            themes = ", ".join(theme.tag for theme in run.themes) or "none"
            summary = f"Looked at {run.looked_at} passages that agents had found. Themes: {themes}."
            self._write_diary(now, "Proposed", candidates=run.proposed, summary=summary)
        return run

    def apply(self, keys: Collection[str], budget: int, now: dt.datetime) -> DreamsApplied:
        """Write candidates; those that changed, or exceed budget in characters, are left."""
        with self.review.changed() as state:
            chosen = [state.waiting[key] for key in dict.fromkeys(keys) if key in state.waiting]
            memory = self._memory()
            fitting = self._fitting(chosen, memory, budget=budget, now=now)
            written = fitting.written
            if written:
                lines = "one line" if len(written) == 1 else f"{len(written)} lines"
                file = memory_file(self._workspace.root)
                self.edits.replace(
                    file,
                    self._label(file),
                    before=memory.before,
                    after=fitting.after.encode(memory.codec),
                    what=f"added {lines} to MEMORY.md",
                )
                state.applied = written
            # What MEMORY.md had already needs no decision any longer.
            for key in (*written, *promoted_keys(memory.text)):
                state.waiting.pop(key, None)
        # Other programs that share the files learn of it by the mark.
        self.store.mark_promoted(written, now)
        self._write_diary(now, "Taken into MEMORY.md", candidates=written.values())
        return DreamsApplied(tuple(written.values()), fitting.left)

    def refuse(self, keys: Iterable[str], now: dt.datetime) -> tuple[DreamCandidate, ...]:
        """Remove candidates from the queue; they are not proposed again."""
        with self.review.changed() as state:
            refused = [state.waiting.pop(key) for key in set(keys) if key in state.waiting]
            state.refused |= {candidate.key: format_time(now) for candidate in refused}
        self._write_diary(now, "Refused", candidates=refused)
        return tuple(refused)

    def undo(self, now: dt.datetime) -> NoteEdit:
        """Undo in MEMORY.md; its candidates wait again. Raises NothingToUndo or NoteRefused."""
        # A file that was changed since cannot be restored without losing those changes.
        with self.review.changed() as state:
            try:
                edit = self.edits.undo()
            except NoteRefused as error:
                names = sorted({candidate.entry.path for candidate in state.applied.values()})
                raise NoteRefused(
                    error.title,
                    "Undoing this would discard later changes to the file.",
                    hint=msg(
                        "Delete the added lines from MEMORY.md yourself. They were taken "
                        "from {names}. {hint}",
                        names=", ".join(names),
                        hint=error.hint,
                    ),
                ) from error
            restored = state.applied
            state.applied = {}
            state.waiting |= restored
        self.store.mark_promoted(restored, None)
        self._write_diary(now, "Taken back from MEMORY.md", candidates=restored.values())
        return edit

    def _fitting(
        self,
        candidates: Iterable[DreamCandidate],
        memory: _Memory,
        *,
        budget: int,
        now: dt.datetime,
    ) -> _Fitting:
        """Candidates that fit, reasons against the others, and MEMORY.md with the former."""
        fitting = _Fitting(memory.text)
        reason: str
        for candidate in candidates:
            lines = current_range(self._workspace.root, candidate.entry)
            if lines is None:
                path = candidate.entry.path
                reason = msg("{path} was changed or no longer exists.", path=path)
                fitting.left[candidate.key] = reason
                continue
            # Each candidate is judged with those before it already in the file.
            key, line = memory_entry(candidate.entry, lines, candidate.score)
            additions = {**fitting.additions, key: line}
            longer = with_additions(memory.text, additions, now.date())
            if key in promoted_keys(fitting.after):
                reason = msg("This text is already in MEMORY.md.")
            else:
                reason = memory_refusal_reason(lines.text, fitting.after, self._similarity)
            reason = reason or _unwritable(line, memory.codec)
            if not reason and len(longer) > budget:
                reason = msg(
                    "With this text, MEMORY.md would have more than {budget} characters.",
                    budget=budget,
                )
            if reason:
                fitting.left[candidate.key] = reason
            else:
                fitting.additions = additions
                fitting.after = longer
                fitting.written[candidate.key] = candidate
        return fitting

    def _label(self, file: Path) -> str:
        return file.relative_to(self._workspace.root).as_posix()

    def _memory(self) -> _Memory:
        """MEMORY.md now. Raises NoteRefused."""
        file = memory_file(self._workspace.root)
        try:
            before = read_file(file, self._label(file)).data
            # The byte order mark stays in the text, since it has to be written again.
            codec = detect_codec(before)
            return _Memory(before, check_note_text(before.decode(codec)), codec)
        except FileNotFoundError:
            return _Memory(None, "", "utf-8")
        except NoteUnreadable as error:
            raise NoteRefused(
                msg("Scrubjay cannot read {name}", name=file.name), str(error)
            ) from error
        except UnicodeDecodeError as error:
            raise NoteRefused(
                msg("{file} contains characters that Scrubjay cannot read", file=file.name),
                hint=(
                    "Nothing was changed. Open the file in a text editor, copy its "
                    "text into a new file and give the new file the same name."
                ),
            ) from error

    def _write_diary(
        self,
        now: dt.datetime,
        verb: str,
        *,
        candidates: Iterable[DreamCandidate],
        summary: str = "",
    ) -> None:
        """Append to DREAMS.md, the diary for people. Raises NotWritable or OSError."""
        lines = [
            f"{verb}: {candidate.text} "
            f"({candidate.entry.path}:{candidate.entry.first_line}, score {candidate.score:.2f})"
            for candidate in candidates
        ]
        if not lines:
            return
        file = self._workspace.root / _DIARY
        text = read_for_edit(file, _DIARY)
        codec = detect_codec(text or b"")
        # A new file gets its title; in an old one the entry begins on its own line.
        lead = ""
        if not text:
            lead = _DIARY_TITLE
        elif not text.decode(codec, "replace").endswith("\n"):
            lead = "\n"
        entry = "".join(f"- {line}\n" for line in (summary, *lines) if line)
        handle = open_note(file, _DIARY, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        with open(handle, "ab", buffering=0) as diary:  # noqa: PTH123  (a descriptor, not a path)
            # A single write: text that another program adds now comes before or after it.
            entry = f"{lead}\n## {now:%Y-%m-%d %H:%M}\n\n{entry}"
            diary.write(entry.encode(codec, "replace"))


def _unwritable(line: str, codec: str) -> str:
    """Why a line cannot be written in the codec of MEMORY.md; empty if it can."""
    if line.encode(codec, "ignore").decode(codec) == line:
        return ""
    return msg(
        "An older program saved MEMORY.md in the text format {codec}, which cannot store some of "
        "these characters.",
        codec=codec,
    )
