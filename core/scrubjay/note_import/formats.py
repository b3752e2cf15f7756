"""Which program an export is of, told by the names in it."""

from __future__ import annotations

import contextlib
import posixpath
import re
from collections.abc import Iterator
from pathlib import Path

from scrubjay.errors import system_reason
from scrubjay.messages import msg
from scrubjay.note_import.entries import Entries, opened_entries, web_archive_entries
from scrubjay.note_import.imported_note import ExportReader, ExportRefused
from scrubjay.note_import.readers.evernote import EvernoteReader
from scrubjay.note_import.readers.joplin import NAME as JOPLIN_NAME
from scrubjay.note_import.readers.joplin import JoplinReader
from scrubjay.note_import.readers.json_journals import DayOneReader, SimplenoteReader
from scrubjay.note_import.readers.keep import KeepReader, keep_notes
from scrubjay.note_import.readers.pages import NOTION_NAME, BearReader, NotionReader, PageReader

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
_BUNDLE_TEXT = re.compile(r"(?:^|/)text\.(?:md|markdown|txt)$")


@contextlib.contextmanager
def opened_export(path: Path) -> Iterator[tuple[ExportReader, int]]:
    """The reader of an export, open meanwhile, and how many of its parts no reader may open.

    Raises ExportRefused for anything else.
    """
    try:
        is_file = path.is_file()
        if not is_file and not path.is_dir():
            raise ExportRefused(msg("{name} is not there", name=path.name))
        is_single = is_file and path.suffix.lower() in (".enex", ".html", ".htm")
        if is_single:
            entries = Entries({path.name: lambda: path.open("rb")})
            yield _reader(entries, path), 0
            return
        if is_file and path.suffix.lower() in (".mht", ".mhtml"):
            yield _reader(web_archive_entries(path), path), 0
            return
        with opened_entries(path) as entries:
            yield _reader(entries, path), entries.skipped
    except OSError as error:
        raise ExportRefused(
            msg("{name} cannot be read", name=path.name), system_reason(error)
        ) from error


def _reader(entries: Entries, path: Path) -> ExportReader:
    names = [name for name in entries.names if not name.startswith("__MACOSX/")]
    folded = {name.casefold() for name in names}
    if enex := _ending(names, ".enex"):
        return EvernoteReader(entries, enex)
    if any(JOPLIN_NAME.search(name) for name in names) and not _has_notion_names(names):
        return JoplinReader(entries)
    if keep := keep_notes(entries, is_keep=path.is_dir() and path.name.casefold() == "keep"):
        return KeepReader(entries, keep)
    if "source/notes.json" in folded:
        return SimplenoteReader(
            entries, next(n for n in names if n.casefold() == "source/notes.json")
        )
    bundles = tuple(name for name in names if _BUNDLE_TEXT.search(name))
    if bundles and (
        ".textbundle/" in bundles[0] or path.suffix.lower() in (".textbundle", ".textpack")
    ):
        return BearReader(entries, bundles, "Bear")
    if _has_notion_names(names):
        return NotionReader(entries, _ending(names, ".md", ".csv", ".html"))
    journals = _ending([name for name in names if name.count("/") <= 1], ".json")
    if journals and (path.is_file() or _is_journal(entries, journals[0])):
        return DayOneReader(entries, journals)
    if path.is_dir() and _ending(names, ".md"):
        raise ExportRefused(
            msg("{name} is a folder of notes already", name=path.name),
            msg("Scrubjay searches it as it is; so it does with a graph of Logseq."),
            hint=msg("Add it as a folder."),
        )
    if pages := _ending(names, ".html", ".htm"):
        return PageReader(entries, pages, msg("Web pages"))
    if (texts := _ending(names, ".md")) and path.is_file():
        return NotionReader(entries, texts)
    raise ExportRefused(
        msg("{name} is no export that Scrubjay knows", name=path.name),
        msg(
            "It reads exports of Evernote, Notion, Google Keep, Joplin, Simplenote, Day One and "
            "Bear, and HTML pages as of Apple Notes and OneNote."
        ),
    )


def _ending(names: list[str], *endings: str) -> tuple[str, ...]:
    return tuple(name for name in names if name.lower().endswith(endings))


def _is_journal(entries: Entries, name: str) -> bool:
    """Whether a JSON file begins as Day One's do: a folder may hold any others."""
    with entries.open(name) as stream:
        return b'"entries"' in stream.read(_HEAD_BYTES)


def _has_notion_names(names: list[str]) -> bool:
    """Whether most pages have a title and an id in their names."""
    pages = [posixpath.basename(name) for name in _ending(names, ".md", ".csv", ".html")]
    return any(
        (match := NOTION_NAME.search(page.rpartition(".")[0])) is not None and match.start() > 0
        for page in pages
    )
