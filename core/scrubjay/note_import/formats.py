"""The program that wrote an export, recognised by the names in it."""

from __future__ import annotations

import contextlib
import posixpath
import re
from collections.abc import Iterator

from scrubjay.messages import msg
from scrubjay.note_import.export_files import (
    Entries,
    open_entries,
    plain_entries,
    web_archive_entries,
)
from scrubjay.note_import.export_source import ExportSource
from scrubjay.note_import.imported_note import ExportReader, ExportRefused
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
    }
)
"""Endings of files that may be exports; a `.textbundle` is a folder."""
_HEAD_BYTES = 4096
"""Bytes of a JSON file that show whether it is a journal."""
_BUNDLE_TEXT = re.compile(r"(?:^|/)text\.(?:md|markdown|txt)$")


@contextlib.contextmanager
def open_export_reader(source: ExportSource) -> Iterator[tuple[ExportReader, int]]:
    """The reader of an export, open meanwhile, and how many of its parts no reader may open.

    Raises ExportRefused for anything else.
    """
    if not source.is_folder and source.ending in (".enex", ".html", ".htm"):
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
    for reader_of in (_reader_by_name, _reader_of_archive, _reader_of_pages):
        reader = reader_of(entries, source, names)
        if reader is not None:
            return reader
    raise ExportRefused(
        msg("{name} is not an export that Scrubjay can read", name=source.name),
        msg(
            "Scrubjay reads exports from Evernote, Notion, Google Keep, Joplin, "
            "Simplenote, Day One and Bear, and HTML pages such as those from Apple "
            "Notes and OneNote."
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
    if journals and (not source.is_folder or _is_journal(entries, journals[0])):
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
