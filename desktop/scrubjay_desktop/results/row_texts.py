"""Rows as texts for other programs: passages, quotations, links, paths."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from urllib.parse import quote as percent_encoded

from PySide6.QtCore import QMimeData, QUrl

from scrubjay_desktop.results.result_rows import Row
from scrubjay_desktop.text.formatting import translate

VaultOf = Callable[[Path], Path | None]
"""Function that gives the vault of Obsidian that a file is in."""


def passages_text(rows: Sequence[Row]) -> str:
    """What was found as plain text, or the titles of notes that were not searched for."""
    return "\n\n".join(row.passage or row.title for row in rows)


def quotations_text(rows: Sequence[Row]) -> str:
    """What was found as quotations in Markdown, each with its note and lines."""
    return "\n\n".join(map(_quotation, rows))


def paths_text(rows: Sequence[Row]) -> str:
    """Full paths of the files, one a line."""
    return "\n".join(dict.fromkeys(str(row.file) for row in rows))


def addresses_text(rows: Sequence[Row], vault_of: VaultOf) -> str:
    """Links that other programs open, one a line: Obsidian's own for notes of its vaults."""
    return "\n".join(dict.fromkeys(_address(row.file, vault_of(row.file)) for row in rows))


def wikilinks_text(rows: Sequence[Row], vault_of: VaultOf) -> str:
    """Links between the notes of a vault, one a line; none for other notes."""
    vaults = ((row.file, vault_of(row.file)) for row in rows)
    return "\n".join(dict.fromkeys(_wikilink(file, vault) for file, vault in vaults if vault))


def mime_data(rows: Sequence[Row]) -> QMimeData:
    """The files of rows, and what was found in them for programs that take text."""
    data = QMimeData()
    here = [row for row in rows if not row.is_elsewhere]
    if here:
        data.setUrls(
            [QUrl(address) for address in addresses_text(here, lambda _: None).split("\n")]
        )
    data.setText(quotations_text(rows))
    return data


def _quotation(row: Row) -> str:
    lines = (row.passage or row.title).split("\n")
    source = row.path
    if row.picture:
        source = row.picture
    elif row.hit is not None and not row.is_media:
        # Lines are named where the note was searched for.
        sentence = translate("Copy", "{path}, line {first}")
        if row.hit.last_line > row.hit.first_line:
            sentence = translate("Copy", "{path}, lines {first} to {last}")
        source = sentence.format(path=row.path, first=row.hit.first_line, last=row.hit.last_line)
    return "\n".join(f"> {line}".rstrip() for line in (*lines, "", f"— {source}"))


def _address(file: Path, vault: Path | None) -> str:
    if vault is None:
        return bytes(QUrl.fromLocalFile(str(file)).toEncoded().data()).decode()
    name = percent_encoded(vault.name, safe="")
    note = _in_vault(file, vault)
    return f"obsidian://open?vault={name}&file={percent_encoded(note, safe='')}"


def _wikilink(file: Path, vault: Path) -> str:
    note = _in_vault(file, vault)
    name = note.rpartition("/")[2]
    if note == name:
        return f"[[{note}]]"
    return f"[[{note}|{name}]]"


def _in_vault(file: Path, vault: Path) -> str:
    return file.relative_to(vault).as_posix().removesuffix(".md")
