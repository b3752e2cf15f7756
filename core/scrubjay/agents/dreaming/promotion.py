"""Dreaming in one workspace: run, decide, write into MEMORY.md, take back."""

from __future__ import annotations

import datetime as dt
import os
import shutil
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from scrubjay.agents.dreaming.line_ranges import located, places
from scrubjay.agents.dreaming.memory_file import (
    Addition,
    addition,
    memory_file,
    promoted_keys,
    why_not,
    with_additions,
)
from scrubjay.agents.dreaming.nightly_run import Night, PassedOver, dream
from scrubjay.agents.dreaming.recall_entry import stamp
from scrubjay.agents.dreaming.recall_store import DreamStore, Search
from scrubjay.agents.dreaming.review_queue import DreamCandidate, Review, ReviewState
from scrubjay.agents.write_rules import is_writable
from scrubjay.embedding.similarity import Likeness
from scrubjay.errors import NoteRefused, NotWritable
from scrubjay.messages import msg
from scrubjay.notes.last_edit import LastEdit, UndoableEdits, read_for_edit
from scrubjay.notes.note_reader import NoteUnreadable, read_note
from scrubjay.records.search_records import Workspace


@dataclass(frozen=True, slots=True)
class DreamsApplied:
    """What became of candidates that a person said yes to."""

    written: tuple[DreamCandidate, ...]
    """Stand in MEMORY.md now."""
    left: tuple[PassedOver, ...]
    """Do not, and why. They wait on, but for those that are there already."""


class WorkspaceDreams:
    """All steps for one workspace. Methods may raise NoteRefused, NotWritable or OSError."""

    def __init__(self, workspace: Workspace, folder: Path, likeness: Likeness) -> None:
        """The folder holds what is kept between two runs, and nothing else."""
        self.store = DreamStore(workspace.root)
        self.review = Review(workspace.id, folder / "review.json")
        self._workspace = workspace
        self._folder = folder
        self._edits = UndoableEdits(folder)
        self._likeness = likeness

    def record(self, searches: Iterable[Search], now: dt.datetime) -> int:
        """Note which daily places were found; how many they were. Read-only folders stay so."""
        root = self._workspace.root
        if not is_writable(root):
            return 0
        narrowed = [(query, tuple(places(root, hits))) for query, hits in searches]
        return self.store.record(narrowed, now)

    def look(self, now: dt.datetime) -> Night:
        """What a run would find. Nothing is written, anywhere."""
        state = self.review.state()
        return dream(
            self._workspace.id,
            self._workspace.root,
            self.store.entries(),
            self.store.reinforcements(),
            now,
            held=self._memory()[1],
            decided={*state.waiting, *state.refused},
            likeness=self._likeness,
        )

    def run(self, now: dt.datetime) -> Night:
        """Look, note what the phases met, and put what is proposed on the list."""
        if not is_writable(self._workspace.root):
            raise NotWritable(
                msg("{name} is read-only", name=self._workspace.name),
                "A run notes in memory/.dreams what it met.",
                hint="Allow writing to the folder, or look only (--dry-run).",
            )
        night = self.look(now)
        self.store.meet("light", night.light, now)
        self.store.meet("rem", night.rem, now)
        with self.review.changed() as state:
            for one in night.proposed:
                if one.key not in state.refused:
                    state.waiting.setdefault(one.key, one)
            state.last_run = now
        if night.proposed:
            themes = ", ".join(theme.tag for theme in night.themes) or "none"
            seen = f"Looked at {night.looked_at} places that agents had found; themes: {themes}."
            self._tell([seen, *(f"Proposed: {_shown(one)}" for one in night.proposed)], now)
        return night

    def apply(self, keys: Collection[str], budget: int, now: dt.datetime) -> DreamsApplied:
        """Write candidates into MEMORY.md; those that do not fit or changed are left."""
        with self.review.changed() as state:
            chosen = [state.waiting[key] for key in dict.fromkeys(keys) if key in state.waiting]
            before, held = self._memory()
            written, left, after = self._fitting(chosen, held, budget, now)
            if written:
                what = f"wrote {_lines(len(written))} into MEMORY.md"
                file = memory_file(self._workspace.root)
                self._edits.replace(file, before, after.encode(), what)
                state.applied = {one.key: one for one in written}
            for key in (*(one.key for one in written), *promoted_keys(held)):
                state.waiting.pop(key, None)
        self.store.mark_promoted([one.key for one in written], now)
        if written:
            self._tell([f"Taken into MEMORY.md: {_shown(one)}" for one in written], now)
        return DreamsApplied(tuple(written), tuple(left))

    def refuse(self, keys: Iterable[str], now: dt.datetime) -> tuple[DreamCandidate, ...]:
        """Take candidates off the list; they are not proposed again."""
        with self.review.changed() as state:
            refused = [state.waiting.pop(key) for key in set(keys) if key in state.waiting]
            state.refused |= {one.key: stamp(now) for one in refused}
        if refused:
            self._tell([f"Refused: {_shown(one)}" for one in refused], now)
        return tuple(refused)

    def undo(self, now: dt.datetime) -> LastEdit:
        """Put MEMORY.md back as it was before the last time; what was written waits again.

        Raises NothingToUndo, and NoteRefused when MEMORY.md was changed since.
        """
        with self.review.changed() as state:
            last = self._undone(state)
            back, state.applied = state.applied, {}
            state.waiting |= back
        self.store.mark_promoted(back, None)
        self._tell([f"Taken back from MEMORY.md: {_shown(one)}" for one in back.values()], now)
        return last

    def can_undo(self) -> bool:
        """True when something was written that undo would take back."""
        return self._edits.last() is not None

    def drop(self) -> None:
        """Delete what is kept between two runs. The workspace's own files stay."""
        shutil.rmtree(self._folder, ignore_errors=True)

    def _undone(self, state: ReviewState) -> LastEdit:
        try:
            return self._edits.undo()
        except NoteRefused as error:
            days = {one.path for one in state.applied.values()}
            raise NoteRefused(
                error.title,
                "Undoing would throw the later changes away.",
                hint=msg(
                    "Delete the lines by hand: they name their source, {names}. {hint}",
                    names=", ".join(sorted(days)),
                    hint=error.hint,
                ),
            ) from error

    def _fitting(
        self, chosen: Collection[DreamCandidate], held: str, budget: int, now: dt.datetime
    ) -> tuple[list[DreamCandidate], list[PassedOver], str]:
        """What can be written, what cannot, and MEMORY.md with the former."""
        written: list[DreamCandidate] = []
        left: list[PassedOver] = []
        additions: list[Addition] = []
        after = held
        for one in chosen:
            line, reason = self._addition(one, after)
            if line is not None and not reason:
                longer = with_additions(held, [*additions, line], now.date())
                if len(longer) > budget:
                    reason = msg(
                        "MEMORY.md would have more than {budget} characters.", budget=budget
                    )
                else:
                    additions.append(line)
                    after = longer
                    written.append(one)
                    continue
            left.append(PassedOver(one.key, reason))
        return written, left, after

    def _addition(self, one: DreamCandidate, held: str) -> tuple[Addition | None, str]:
        place = located(self._workspace.root, one.entry())
        if place is None:
            return None, msg("{path} was changed since, or is gone.", path=one.path)
        line = addition(one.entry(), place, one.score)
        if line.key in promoted_keys(held):
            return None, msg("It stands in MEMORY.md already.")
        return line, why_not(place.text, held, self._likeness)

    def _memory(self) -> tuple[bytes | None, str]:
        """MEMORY.md as it is, and its text."""
        file = memory_file(self._workspace.root)
        try:
            before = read_note(file).data
            # Not without its byte order mark, which has to be there again afterwards.
            return before, before.decode()
        except FileNotFoundError:
            return None, ""
        except NoteUnreadable as error:
            raise NoteRefused(
                msg("{name} is not a readable note", name=file.name), str(error)
            ) from error
        except UnicodeDecodeError as error:
            raise NoteRefused(
                msg("{file} is not UTF-8 text", file=file.name), hint="Save it as UTF-8."
            ) from error

    def _tell(self, lines: list[str], now: dt.datetime) -> None:
        if lines:
            write_diary(self._workspace.root, lines, now)


def _lines(count: int) -> str:
    return "one line" if count == 1 else f"{count} lines"


def _shown(one: DreamCandidate) -> str:
    return f"{one.text} ({one.path}:{one.first_line}, score {one.score:.2f})"


_NAME = "DREAMS.md"
_TITLE = "# Dream diary\n"


def write_diary(root: Path, lines: Sequence[str], now: dt.datetime) -> None:
    """Append what happened. Nothing that stands there is touched.

    Raises NotWritable, or OSError on a full disk.
    """
    file = root / _NAME
    held = read_for_edit(file)
    moment = now.strftime("%Y-%m-%d %H:%M")
    entry = "".join(f"- {line}\n" for line in lines)
    lead = _TITLE if not held else "" if held.endswith(b"\n") else "\n"
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
    handle = os.open(file, flags, 0o644)
    with open(handle, "ab", buffering=0) as opened:  # noqa: PTH123  (a descriptor, not a path)
        # One write: whatever somebody else adds at this moment comes before or after it.
        opened.write(f"{lead}\n## {moment}\n\n{entry}".encode())
