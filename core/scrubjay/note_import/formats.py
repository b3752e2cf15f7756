"""The program that wrote an export, recognised by the names in it."""

from __future__ import annotations

import contextlib
import itertools
import posixpath
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from scrubjay.messages import msg
from scrubjay.note_import.export_files import (
    Entries,
    open_entries,
    plain_entries,
    web_archive_entries,
)
from scrubjay.note_import.export_source import ExportSource
from scrubjay.note_import.imported_note import ExportReader, ExportRefused
from scrubjay.note_import.readers.chatgpt import ChatGptReader, is_chatgpt_record
from scrubjay.note_import.readers.claude import ClaudeReader, is_claude_record
from scrubjay.note_import.readers.conversations import conversation_records
from scrubjay.note_import.readers.evernote import EvernoteReader
from scrubjay.note_import.readers.joplin import NAME as JOPLIN_NAME
from scrubjay.note_import.readers.joplin import JoplinReader
from scrubjay.note_import.readers.keep import KeepReader, keep_note_files
from scrubjay.note_import.readers.notion_and_bear import (
    NOTION_NAME,
    BearReader,
    NotionReader,
    PageReader,
)
from scrubjay.note_import.readers.simplenote_and_dayone import DayOneReader, SimplenoteReader

SUFFIXES = frozenset(
    {
        ".enex",
        ".jex",
        ".bear2bk",
        ".textpack",
        ".textbundle",
        ".zip",
        ".html",
        ".mht",
        ".mhtml",
        ".htm",
        ".json",
    }
)
"""Endings of files that may be exports; a `.textbundle` is a folder."""
_HEAD_BYTES = 4096
"""Bytes of a JSON file that show whether it is a journal."""
_EXPORT_HEAD = re.compile(
    rb'\A(?:\xef\xbb\xbf)?\s*\[|"(?:mapping|chat_messages|conversations|conversations_memory)"\s*:'
)
"""Beginning of a JSON file with a list, or with conversations in an object."""
_CONVERSATIONS = re.compile(
    r"(?:^|/)(?:conversations|projects|memories)(?:[-_ (][^/]*)?(?:/[^/]+)?\.json$", re.IGNORECASE
)
"""Names of JSON files with conversations, also where an export has several of them."""
_FIRST_RECORDS = 3
"""Objects of a JSON file that show which program wrote it."""
_BUNDLE_TEXT = re.compile(r"(?:^|/)text\.(?:md|markdown|txt)$")


def may_be_export(path: Path) -> bool:
    """Whether a file may be an export: its ending says so, or its beginning where it is JSON.

    Settings are JSON too, and only `scrubjay import` takes both. Raises OSError.
    """
    suffix = path.suffix.lower()
    if suffix != ".json" or not path.is_file():
        return suffix in SUFFIXES and suffix != ".json"
    with path.open("rb") as stream:
        head = stream.read(_HEAD_BYTES)
    return _EXPORT_HEAD.search(head) is not None


@contextlib.contextmanager
def open_export_reader(source: ExportSource) -> Iterator[tuple[ExportReader, int]]:
    """The reader of an export, open meanwhile, and how many of its parts no reader may open.

    Raises ExportRefused for anything else.
    """
    if not source.is_folder and source.ending in (".enex", ".html", ".htm", ".json"):
        yield _reader(plain_entries(source), source), 0
    elif not source.is_folder and source.ending in (".mht", ".mhtml"):
        yield _reader(web_archive_entries(source), source), 0
    else:
        with open_entries(source) as entries:
            yield _reader(entries, source), entries.skipped


def _reader(entries: Entries, source: ExportSource) -> ExportReader:
    """The reader of an export. Raises ExportRefused for a folder of notes, and for anything else.

    The programs whose names are the surest sign come first.
    """
    names = [name for name in entries.names if not name.startswith("__MACOSX/")]
    # The order counts: the first that takes an export reads it.
    for reader_of in (
        _reader_by_name,
        _reader_of_conversations,
        _reader_of_archive,
        _reader_of_pages,
    ):
        reader = reader_of(entries, source, names)
        if reader is not None:
            return reader
    raise ExportRefused(
        msg("{name} is not an export that Scrubjay can read", name=source.name),
        msg(
            "Scrubjay reads exports from Evernote, Notion, Google Keep, Joplin, "
            "Simplenote, Day One, Bear, ChatGPT and Claude, and HTML pages such as those from "
            "Apple Notes and OneNote."
        ),
    )


def _reader_by_name(
    entries: Entries, source: ExportSource, names: list[str]
) -> ExportReader | None:
    """The reader of an export that holds files as no other program names them."""
    enex = _ending(names, ".enex")
    if enex:
        return EvernoteReader(entries, enex, source)
    # Notion's names end with ids of as many letters.
    if any(JOPLIN_NAME.search(name) for name in names) and not _has_notion_names(names):
        return JoplinReader(entries)
    is_keep = source.is_folder and source.name.casefold() == "keep"
    keep = keep_note_files(entries, is_keep=is_keep)
    if keep:
        return KeepReader(entries, keep)
    for name in names:
        if name.casefold() == "source/notes.json":
            return SimplenoteReader(entries, name)
    return None


def _reader_of_conversations(
    entries: Entries, source: ExportSource, names: list[str]
) -> ExportReader | None:
    """The reader of conversations with an assistant, whose first object tells the program."""
    jsons = _ending(names, ".json")
    for name in jsons:
        # A file that was chosen by itself may have any name.
        if len(names) > 1 and not _CONVERSATIONS.search(name):
            continue
        for record in _first_records(entries, name):
            if is_chatgpt_record(record):
                return ChatGptReader(entries, jsons)
            if is_claude_record(record):
                return ClaudeReader(entries, jsons)
    return None


def _first_records(entries: Entries, name: str) -> Iterator[dict[str, Any]]:
    """The first objects in a JSON file, until it is damaged.

    Raises ExportRefused if there is no other file.
    """
    try:
        yield from itertools.islice(conversation_records(entries, name), _FIRST_RECORDS)
    except ExportRefused:
        if len(entries.names) == 1:
            raise


def _reader_of_archive(
    entries: Entries, source: ExportSource, names: list[str]
) -> ExportReader | None:
    """The reader of an export, recognised by the places of its files or by their beginnings."""
    bundles = tuple(name for name in names if _BUNDLE_TEXT.search(name))
    if bundles and (".textbundle/" in bundles[0] or source.ending in (".textbundle", ".textpack")):
        return BearReader(entries, bundles, "Bear")
    if _has_notion_names(names):
        return NotionReader(entries, _ending(names, ".md", ".csv", ".html"))
    # Journals lie at the top, or in the one folder there.
    journals = _ending([name for name in names if name.count("/") <= 1], ".json")
    if journals and _is_journal(entries, journals[0]):
        return DayOneReader(entries, journals)
    return None


def _reader_of_pages(
    entries: Entries, source: ExportSource, names: list[str]
) -> ExportReader | None:
    """The reader of pages of which no name tells their program. Raises ExportRefused."""
    texts = _ending(names, ".md")
    if source.is_folder and texts:
        raise ExportRefused(
            msg("{name} is already a folder of notes", name=source.name),
            msg("Scrubjay can search this folder as it is, even if it is a Logseq graph."),
            hint=msg("Add this folder on the Folders page instead."),
        )
    # A folder of pages is an export, one of notes is searched as it is.
    pages = _ending(names, ".html", ".htm")
    if pages:
        return PageReader(entries, pages, msg("Web pages"))
    if texts:
        return NotionReader(entries, texts)
    return None


def _ending(names: list[str], *endings: str) -> tuple[str, ...]:
    return tuple(name for name in names if name.lower().endswith(endings))


def _is_journal(entries: Entries, name: str) -> bool:
    """Whether a JSON file begins as Day One's do: a folder may hold any others."""
    with entries.open(name) as stream:
        return b'"entries"' in stream.read(_HEAD_BYTES)


def _has_notion_names(names: list[str]) -> bool:
    """Whether pages have a title and an id in their names."""
    for name in _ending(names, ".md", ".csv", ".html"):
        page = posixpath.basename(name)
        match = NOTION_NAME.search(page.rpartition(".")[0])
        if match is not None and match.start() > 0:
            return True
    return False
