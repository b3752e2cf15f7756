"""The process that reads an export: fenced in, and not believed."""

from __future__ import annotations

import base64
import json
import os
import random
import re
import socket
import struct
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.errors import Cancelled
from scrubjay.note_import.export_process import open_export
from scrubjay.note_import.imported_note import (
    FIELDS,
    PROGRAMS,
    ExportRefused,
    ImportedNote,
    Obstacle,
)
from scrubjay.note_import.note_import import NoteImport
from support import export_intruder, lying_worker
from support.exports import EXPORTS, bear, enex, enex_note, zipped
from support.vault import TIMEOUT
from support.waiting import wait_until

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the process is started by a script")

_BROKE_DOWN = "The program that reads the document crashed."
_NOTE: dict[str, Any] = {
    "key": "1", "title": "Jam", "folder": [], "created": None, "modified": None, "tags": [],
    "attachments": [["a", "a.png"]], "fields": {},
}  # fmt: skip
_OPENED = {"program": "Bear", "skipped": 0}
Script = Callable[[str], None]
Lie = Callable[[Any, bytes], None]


@pytest.fixture
def script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Script:
    """Let a command of the shell be the process that reads exports."""

    def start_with(command: str) -> None:
        program = tmp_path / "python"
        program.write_text(f"#!/bin/sh\nexec {command}\n")
        program.chmod(0o755)
        monkeypatch.setattr(sys, "executable", str(program))

    return start_with


@pytest.fixture
def lie(script: Script, tmp_path: Path) -> Lie:
    """Start a process that answers this to everything."""

    def start_with(header: Any, payload: bytes = b"") -> None:
        text = header if isinstance(header, bytes) else json.dumps(header).encode()
        answer = tmp_path / "answer"
        answer.write_bytes(struct.pack("<II", len(text), len(payload)) + text + payload)
        script(f"{sys.executable} {lying_worker.__file__} {answer}")

    return start_with


@pytest.fixture
def export(tmp_path: Path) -> Path:
    return bear(tmp_path)


def read(export: Path, step_s: float = 60.0) -> list[ImportedNote | Obstacle]:
    with open_export(export, CancelToken(), has_attachments=True, step_s=step_s) as opened:
        return [*opened.notes()]


def descriptors() -> int:
    return len([*Path("/proc/self/fd").iterdir()])


# What the system and the parent let the process do.


@pytest.mark.skipif(sys.platform != "linux", reason="what other sandboxes refuse is another list")
def test_a_reader_that_was_taken_over_does_nothing(
    script: Script, tmp_path: Path, export: Path
) -> None:
    folder = tmp_path / "home"
    folder.mkdir()
    (folder / "secret.md").write_text("kept")
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        script(f"{sys.executable} {export_intruder.__file__} {folder} {port}")
        (note,) = read(export)
    assert isinstance(note, ImportedNote)
    outcomes = json.loads(note.body)
    assert (len(outcomes), set(outcomes.values())) == (6, {"PermissionError"})
    assert [(file.name, file.read_text()) for file in folder.iterdir()] == [("secret.md", "kept")]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells of others' sandboxes")
def test_the_kernel_says_that_it_is_in_a_sandbox(export: Path) -> None:
    with open_export(export, CancelToken(), has_attachments=False) as opened:
        status = Path(f"/proc/{opened.process_id}/status").read_text()
    facts = dict(re.findall(r"(?m)^(\w+):\t(.*)$", status))
    assert (facts["NoNewPrivs"], facts["Seccomp"], facts["Threads"]) == ("1", "2", "1")


# A process that dies, hangs, floods or lies.


def test_a_process_that_dies_is_said_in_a_sentence(script: Script, export: Path) -> None:
    script("false")
    with pytest.raises(ExportRefused, match=_BROKE_DOWN):
        read(export)


def test_a_program_that_is_not_there_is_said(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, export: Path
) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "missing"))
    with pytest.raises(ExportRefused, match="could not be started"):
        read(export)


def test_a_process_that_hangs_is_ended(script: Script, export: Path) -> None:
    script("sleep 600")
    with pytest.raises(ExportRefused, match="took more than 1 seconds"):
        read(export, step_s=1.0)


def test_a_process_that_takes_too_much_memory_is_ended(script: Script, export: Path) -> None:
    script(f"{sys.executable} -c 'import time; x = b\"x\" * (400 << 20); time.sleep(600)'")
    refused = "The export needs more memory than Scrubjay allows for one export."
    with (
        pytest.raises(ExportRefused, match=refused),
        open_export(export, CancelToken(), has_attachments=True, most_memory=300 * 2**20),
    ):
        raise AssertionError("it answers nothing")


def test_cancelling_ends_a_process_that_hangs(script: Script, export: Path) -> None:
    script("sleep 600")
    cancel = CancelToken()
    threading.Timer(0.2, cancel.cancel).start()
    with pytest.raises(Cancelled), open_export(export, cancel, has_attachments=False, step_s=600.0):
        pass


@pytest.mark.parametrize(
    "header",
    [
        pytest.param(b"no json", id="no JSON"),
        pytest.param([1], id="a list"),
        pytest.param({"program": "../../outside", "skipped": 0}, id="a program that is a path"),
        pytest.param({"program": "/etc", "skipped": 0}, id="a program that is a root"),
        pytest.param({"program": 5, "skipped": 0}, id="a program that is a number"),
        pytest.param({"skipped": 0}, id="no program"),
        pytest.param({"program": "Bear", "skipped": -1}, id="fewer parts than none"),
        pytest.param({"program": "Bear", "skipped": 1e400}, id="parts without end"),
        pytest.param({"refused": 5}, id="a refusal that is a number"),
        pytest.param({"refused": ["a", 5, {}]}, id="a refusal of numbers"),
        pytest.param({"refused": []}, id="a refusal without words"),
        pytest.param({"closed": 5, **_OPENED}, id="closed files that are none"),
        pytest.param({"closed": [[]], **_OPENED}, id="closed files that are lists"),
        pytest.param({"call": "read", "file": 0, "at": -1, "size": 5}, id="before the beginning"),
        pytest.param({"call": "read", "file": 0, "at": 2**70, "size": 5}, id="far after the end"),
        pytest.param({"call": "read", "file": -1, "at": 0, "size": 5}, id="the file before"),
        pytest.param({"call": "read", "file": 99, "at": 0, "size": 5}, id="the file after"),
        pytest.param({"call": "read", "file": "x", "at": 0, "size": 5}, id="a file by its name"),
        pytest.param({"call": "read", "file": 0, "at": 0, "size": -1}, id="all bytes"),
        pytest.param({"call": "read", "file": 0, "at": 1e400, "size": 5}, id="at no number"),
        pytest.param({"call": "add", "file": 0}, id="writing to the export"),
        pytest.param({"call": "open", "file": 0}, id="another call"),
        pytest.param({"call": "make"}, id="files without end"),
    ],
)
def test_an_answer_that_makes_no_sense_is_the_end(header: Any, lie: Lie, export: Path) -> None:
    content = export.read_bytes()
    lie(header, b"x")
    with pytest.raises(ExportRefused, match=_BROKE_DOWN):
        read(export)
    assert export.read_bytes() == content


@pytest.mark.parametrize(
    "change",
    [
        {"note": None},
        {"note": {}},
        {"note": {**_NOTE, "title": 5}},
        {"note": {**_NOTE, "folder": "abc"}},
        {"note": {**_NOTE, "created": "yesterday"}},
        {"note": {**_NOTE, "modified": 5}},
        {"note": {**_NOTE, "tags": [None]}},
        {"note": {**_NOTE, "attachments": ["a.png"]}},
        {"note": {**_NOTE, "fields": {"imported-from": "bear 2"}}},
        {"note": {**_NOTE, "fields": {"a\n---\nb": "c"}}},
        {"obstacle": ["one"]},
        {"obstacle": 5},
    ],
)
def test_a_note_is_one_or_the_last(change: dict[str, Any], lie: Lie, export: Path) -> None:
    lie({**_OPENED, **change}, b"")
    assert read(export) == [Obstacle(export.name, _BROKE_DOWN)]


def test_a_note_that_is_no_text_is_the_last(lie: Lie, export: Path) -> None:
    lie({**_OPENED, "note": _NOTE}, b"\xff")
    assert read(export) == [Obstacle(export.name, _BROKE_DOWN)]


def test_notes_without_end_come_to_an_end(lie: Lie, export: Path) -> None:
    lie({**_OPENED, "note": _NOTE}, b"x" * 2**25)
    *notes, last = read(export)
    assert len(notes) == 8
    assert isinstance(last, Obstacle)
    assert "too large when unpacked" in last.reason


def test_an_attachment_without_end_comes_to_an_end(lie: Lie, export: Path) -> None:
    lie({**_OPENED, "note": _NOTE}, b"x" * 2**24)
    with open_export(export, CancelToken(), has_attachments=True) as opened:
        note = next(opened.notes())
        assert isinstance(note, ImportedNote)
        with pytest.raises(ExportRefused, match="too large when unpacked"):
            note.attachments[0].open()


def test_long_names_are_cut(lie: Lie, export: Path) -> None:
    long = "x" * 1_000_000
    lie({**_OPENED, "note": {**_NOTE, "title": long, "tags": [long], "folder": [long]}}, b"")
    with open_export(export, CancelToken(), has_attachments=True) as opened:
        note = next(opened.notes())
    assert isinstance(note, ImportedNote)
    assert {len(each) for each in (note.title, *note.tags, *note.folder)} == {1_000}


def test_a_sentence_without_end_is_shown_as_it_is_and_cut(lie: Lie, export: Path) -> None:
    lie({"refused": ['{"say": ' + "[" * 1_000_000, "", ""]})
    with pytest.raises(ExportRefused) as error:
        read(export)
    assert error.value.title.startswith('{"say": [[[')
    assert len(error.value.title) < 10_000


def test_an_import_says_that_reading_broke_off(
    lie: Lie, export: Path, note_import: NoteImport, target: Path
) -> None:
    plan = note_import.plan(export, target).result(TIMEOUT)
    lie({**_OPENED, "note": _NOTE}, b"x" * 2**25)
    (failed,) = note_import.apply(plan).result(TIMEOUT).failed
    assert failed.what == export.name
    assert "too large when" in failed.reason


def test_closing_ends_an_import_that_has_a_token_of_its_own(
    script: Script, export: Path, note_import: NoteImport, target: Path
) -> None:
    plan = note_import.plan(export, target).result(TIMEOUT)
    script("sleep 600")
    importing = note_import.apply(plan, CancelToken())
    wait_until(target.exists)
    note_import.close()
    with pytest.raises(Cancelled):
        importing.result(TIMEOUT)


@pytest.mark.skipif(sys.platform != "linux", reason="counts what /proc shows")
def test_nothing_stays_open(lie: Lie, export: Path) -> None:
    before = descriptors()
    lie({**_OPENED, "note": _NOTE}, b"x" * 2**25)
    read(export)
    # What earlier tests left may be closed meanwhile.
    assert descriptors() <= before


# What honest exports need of it.


@pytest.mark.parametrize("name", EXPORTS)
def test_programs_and_fields_are_those_that_the_parent_knows(name: str, tmp_path: Path) -> None:
    with open_export(EXPORTS[name](tmp_path), CancelToken(), has_attachments=True) as opened:
        notes = [note for note in opened.notes() if isinstance(note, ImportedNote)]
    assert opened.program in PROGRAMS
    assert len(notes) >= 2
    assert all(FIELDS.issuperset(note.fields) for note in notes)


def test_attachments_of_many_notes_keep_their_bytes(tmp_path: Path) -> None:
    """Notes share temporary files, some end in a later part of the export than they begin in."""
    dice = random.Random(5)
    contents = [dice.randbytes(size) for size in [0, 5, 300] * 100 + [60_000, 7, 200_000, 90] * 5]
    resources = [
        f"<resource><data>{base64.b64encode(content).decode()}</data></resource>"
        for content in contents
    ]
    notes = [
        enex_note(f"Note {number}", "x", "".join(resources[number : number + 2]))
        for number in range(0, len(resources), 2)
    ]
    export = tmp_path / "n.enex"
    export.write_text(enex(*notes))
    found = []
    with open_export(export, CancelToken(), has_attachments=True) as opened:
        for note in opened.notes():
            assert isinstance(note, ImportedNote)
            for attachment in reversed(note.attachments):
                with attachment.open() as stream:
                    found.append(stream.read())
    assert sorted(found) == sorted(contents)


def test_one_picture_in_each_page_is_no_attack(tmp_path: Path) -> None:
    """All pages together come to more than what the archive may unfold to."""
    picture = bytes(2**20)
    pages = {f"{number}.html": '<p>x<img src="a.png"></p>' for number in range(270)}
    export = zipped(tmp_path / "pages.zip", {**pages, "a.png": picture})
    count = 0
    with open_export(export, CancelToken(), has_attachments=True) as opened:
        for note in opened.notes():
            assert isinstance(note, ImportedNote)
            with note.attachments[0].open() as stream:
                count += len(stream.read())
    assert count == 270 * 2**20
