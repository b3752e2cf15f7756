"""Exports that took the square of their length, or more: each one ends in time."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.note_import.export_process import open_export
from scrubjay.note_import.imported_note import ExportRefused, ImportedNote, Obstacle
from scrubjay.note_import.note_import import NoteImport
from support.exports import zipped
from support.vault import TIMEOUT

_PUNYCODE = b"Content-Type: text/html; charset=punycode\n\na-"
Make = Callable[[Path], Path]


def _file(name: str, data: bytes) -> Make:
    def make(folder: Path) -> Path:
        (folder / name).write_bytes(data)
        return folder / name

    return make


def _journal(text: str) -> Make:
    entries = {"entries": [{"uuid": "1", "text": text}]}
    return lambda folder: zipped(folder / "D.zip", {"Journal.json": json.dumps(entries)})


def _keep(record: str) -> Make:
    return lambda folder: zipped(folder / "K.zip", {"Takeout/Keep/a.json": record})


_MULTIPARTS = b"".join(
    b"Content-Type: multipart/related; boundary=B%d\n\n--B%d\n" % (depth, depth)
    for depth in range(20_000)
)
KINDS: dict[str, Make] = {
    "encodings that are none of a text": _file("p.mht", _PUNYCODE + b"b" * 3_000_000),
    "parts in parts": _file("p.mht", _MULTIPARTS),
    "a comment without end": _file("n.enex", b"<en-export><!--" + b"x" * 8_000_000),
    "a tag without end": _file("n.enex", b"<en-export><note a='" + b"x" * 8_000_000),
    "lists in lists": _file("p.html", b"<ul><li>x" * 40_000),
    "links without end": _journal("![](dayone-moment:/" * 40_000),
    "pictures without end": _journal("![](" * 100_000),
    "brackets in brackets": _keep('{"isTrashed": ' + "[" * 2_000_000),
    "digits without end": _keep('{"isArchived": false, "isTrashed": ' + "1" * 2_000_000 + "}"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_an_export_ends_in_time(kind: str, tmp_path: Path) -> None:
    notes: list[ImportedNote | Obstacle] = []
    export = KINDS[kind](tmp_path)
    try:
        with open_export(export, CancelToken(), has_attachments=True, step_s=TIMEOUT) as opened:
            notes += opened.notes()
    except ExportRefused as error:
        notes.append(Obstacle(export.name, str(error)))
    reasons = [str(note.reason) for note in notes if isinstance(note, Obstacle)]
    assert not any("took more than" in reason for reason in reasons)


def test_notes_and_pictures_of_one_name_are_numbered_in_a_row(
    note_import: NoteImport, tmp_path: Path, target: Path
) -> None:
    pages = {f"{n}/Page.html": f"<title>One</title><p>{n}<img src=a.png>" for n in range(300)}
    pictures = {f"{n}/a.png": b"%d" % n for n in range(300)}
    flat = {f"Page{n}.html": f"<title>One</title><p>{n}" for n in range(300)}
    export = zipped(tmp_path / "pages.zip", {**pages, **pictures, **flat})
    done = note_import.apply(note_import.plan(export, target).result(TIMEOUT)).result(TIMEOUT)
    assert (done.notes, done.attachments, done.failed) == (600, 300, ())
    assert {f"One {n}.md" for n in range(2, 301)} < {file.name for file in target.iterdir()}
