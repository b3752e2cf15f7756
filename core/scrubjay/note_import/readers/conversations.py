"""Notes of conversations with an assistant, and the parts of them that are not imported."""

from __future__ import annotations

import datetime as dt
import enum
import re
from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import Struct

from scrubjay.messages import msg
from scrubjay.note_import.export_files import Entries
from scrubjay.note_import.export_limits import MOST_TEXT
from scrubjay.note_import.imported_note import ExportRefused, ImportedNote, Obstacle
from scrubjay.note_import.readers.file_reader import FileReader
from scrubjay.text.json_values import json_object, json_objects

USER = "You"
"""Name of the person in a note."""
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")
_TICKS = re.compile(r"`{3,}")
_MOST_KINDS = 50
"""Unknown kinds that are named; more of them are counted together."""


class Part(enum.Enum):
    """A kind of part that a note of a conversation does not have."""

    TOOL = enum.auto()
    REASONING = enum.auto()
    HIDDEN = enum.auto()
    VERSION = enum.auto()
    CANVAS = enum.auto()
    VOICE = enum.auto()
    FILE = enum.auto()
    EMPTY = enum.auto()


class Turn(Struct, frozen=True):
    """What one side says in a conversation."""

    speaker: str
    text: str


class OmittedParts:
    """Counts of the parts of an export that are not imported."""

    def __init__(self) -> None:
        self._parts: Counter[Part] = Counter()
        self._kinds: Counter[str] = Counter()

    def add(self, part: Part, count: int = 1) -> None:
        """Count parts of a known kind."""
        self._parts[part] += count

    def add_unknown(self, kind: str) -> None:
        """Count a part of a kind that Scrubjay does not know."""
        # A hostile export may name each of its parts in another way.
        if kind not in self._kinds and len(self._kinds) >= _MOST_KINDS:
            kind = "…"
        self._kinds[kind[:100]] += 1

    def obstacles(self) -> Iterator[Obstacle]:
        """One obstacle for each kind that occurred."""
        for part in Part:
            if self._parts[part]:
                yield _obstacle(part, self._parts[part])
        for kind, count in self._kinds.items():
            yield Obstacle(
                msg('{n} {n:part|parts} of the kind "{kind}"', n=count, kind=kind),
                msg("Scrubjay does not know this kind of content."),
            )


class ConversationReader(FileReader):
    """An export whose JSON files hold conversations, among other records."""

    def __init__(self, entries: Entries, names: tuple[str, ...]) -> None:
        super().__init__(entries, names)
        self._omitted = OmittedParts()

    def notes(self) -> Iterator[ImportedNote | Obstacle]:
        """Notes of all records that are the program's, then what is not imported."""
        for name in self._names:
            has_records = False
            try:
                for record in conversation_records(self._entries, name):
                    if self._is_ours(record):
                        has_records = True
                        yield from map(_within_limit, self._notes_of(record))
            # The conversations before a damaged one are kept.
            except ExportRefused as error:
                yield Obstacle(name, str(error))
                continue
            if not has_records:
                yield _account_obstacle(name)
        yield from self._omitted.obstacles()

    @abstractmethod
    def _is_ours(self, record: dict[str, Any]) -> bool:
        """Whether a record is one of the program's."""

    @abstractmethod
    def _notes_of(self, record: dict[str, Any]) -> Iterator[ImportedNote]:
        """The notes of a record; none if nothing was written in it."""


def _obstacle(part: Part, count: int) -> Obstacle:
    """The sentences about so many parts of a kind."""
    only_text = msg("Scrubjay imports only what you and the assistant wrote to each other.")
    match part:
        case Part.TOOL:
            what = msg("{n} tool {n:call or result|calls and results}", n=count)
            return Obstacle(what, only_text)
        case Part.REASONING:
            what = msg("{n} {n:passage|passages} of the assistant's reasoning", n=count)
            return Obstacle(what, only_text)
        case Part.HIDDEN:
            what = msg("{n} hidden {n:message|messages}", n=count)
            return Obstacle(what, only_text)
        case Part.VERSION:
            what = msg("{n} {n:message|messages} of other versions", n=count)
            return Obstacle(
                what,
                msg(
                    "If a message was edited or an answer was generated again, only the "
                    "version that was last shown is imported."
                ),
            )
        case Part.CANVAS:
            what = msg("{n} {n:change|changes} to a canvas or artifact", n=count)
            return Obstacle(what, msg("Scrubjay does not import canvases and artifacts."))
        case Part.VOICE:
            what = msg("{n} voice {n:recording|recordings}", n=count)
            return Obstacle(what, msg("Scrubjay imports only the transcript of a recording."))
        case Part.FILE:
            what = msg("{n} {n:picture or file|pictures and files}", n=count)
            return Obstacle(what, msg("The attachment is not in the export."))
        case Part.EMPTY:
            what = msg("{n} {n:conversation|conversations}", n=count)
            return Obstacle(what, msg("Scrubjay does not import conversations without text."))


def _account_obstacle(name: str) -> Obstacle:
    """The obstacle for a file that contains no conversations."""
    return Obstacle(name, msg("Scrubjay does not import account data, feedback or settings."))


def conversation_records(entries: Entries, name: str) -> Iterator[dict[str, Any]]:
    """The objects in a JSON file, which lists them alone or as its `conversations`."""
    for element in entries.json_elements(name):
        listed = json_object(element).get("conversations")
        if isinstance(listed, list):
            yield from json_objects(listed)
        else:
            yield json_object(element)


def _within_limit(note: ImportedNote) -> ImportedNote | Obstacle:
    """The note, or an obstacle in place of one that is too long."""
    if len(note.body) > MOST_TEXT:
        return Obstacle(note.title, msg("The conversation is too long for a note."))
    return note


def dated_title(title: str, created: dt.datetime | None) -> str:
    """The title of a note, after its day."""
    words = " ".join(title.split())
    if created is None:
        return words
    return f"{created:%Y-%m-%d} {words}".strip()


def conversation_body(turns: Iterable[Turn]) -> str:
    """The text of a note: the speaker in bold, then what it says."""
    parts: list[str] = []
    speaker = ""
    for turn in turns:
        if turn.speaker != speaker:
            speaker = turn.speaker
            parts.append(f"**{speaker}:**")
        parts.append(close_code(turn.text.replace("\r\n", "\n").strip("\n")))
    return "\n\n".join(parts)


def code_block(text: str, language: str = "") -> str:
    """A block of code around a text, which may contain blocks itself."""
    longest = max(map(len, _TICKS.findall(text)), default=2)
    fence = "`" * (longest + 1)
    word = re.sub(r"[^\w+#.-]", "", language)
    return f"{fence}{word}\n{text.strip(chr(10))}\n{fence}"


def close_code(text: str) -> str:
    """The text with its last block of code closed, so that the next speaker is not part of it."""
    fence = ""
    for line in text.split("\n"):
        match = _FENCE.match(line)
        if match is None:
            continue
        if not fence:
            # Backticks after a fence of backticks are code within a line.
            if match[1][0] == "~" or "`" not in match[2]:
                fence = match[1]
        elif match[1].startswith(fence) and not match[2].strip():
            fence = ""
    if fence:
        return f"{text}\n{fence}"
    return text
