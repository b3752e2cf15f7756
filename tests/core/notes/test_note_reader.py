"""Reading a note whole, decoded, and as one state."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.notes.note_reader import NoteUnreadable, NoText, decode_note, read_file


def test_bytes_digest_and_times_belong_together(tmp_path: Path) -> None:
    file = tmp_path / "a.md"
    file.write_bytes(b"text\r\n")
    note = read_file(file, file.name)
    assert (note.data, note.size) == (b"text\r\n", 6)
    assert note.mtime_ns == file.stat().st_mtime_ns
    assert note.sha256 == hashlib.sha256(b"text\r\n").digest()


def test_a_file_that_grows_while_it_is_read_is_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "a.md"
    file.write_text("one")
    fstat, calls = os.fstat, []

    def growing(handle: int) -> os.stat_result:
        if len(calls) == 1:
            with file.open("a") as more:
                more.write(" two")
        calls.append(handle)
        return fstat(handle)

    monkeypatch.setattr(os, "fstat", growing)
    assert read_file(file, file.name).data == b"one two"
    assert len(calls) == 4


@pytest.mark.needs("links")
def test_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "real.md").write_text("secret")
    (tmp_path / "link.md").symlink_to(tmp_path / "real.md")
    with pytest.raises(NoteUnreadable):
        read_file(tmp_path / "link.md", "link.md")


@pytest.mark.needs("named pipes")
def test_a_pipe_does_not_block(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.md")
    assert read_file(tmp_path / "pipe.md", "pipe.md").data == b""


def test_what_is_gone_and_what_is_a_folder(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_file(tmp_path / "gone.md", "gone.md")
    with pytest.raises(NoteUnreadable):
        read_file(tmp_path, tmp_path.name)


@given(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])))
def test_any_text_is_decoded_again(text: str) -> None:
    assert decode_note(text.encode("utf-16")) == text
    assert decode_note(text.encode("utf-8-sig")) == text
    if not text.startswith("\ufeff"):
        assert decode_note(text.encode()) == text


@given(st.binary())
def test_any_bytes_are_text_or_refused(data: bytes) -> None:
    try:
        text = decode_note(data)
    except NoteUnreadable:
        return
    assert "\0" not in text
    text.encode()


@pytest.mark.parametrize("data", [b"\xff\x01", b"a\x02\xff", b"\0", b"\xff\xfeabc"])
def test_what_is_no_text_is_told_in_a_sentence(data: bytes) -> None:
    with pytest.raises(NoteUnreadable, match=r"^The file .*\.$"):
        decode_note(data)


def test_a_document_that_no_memory_holds_is_refused_before_it_is_read(tmp_path: Path) -> None:
    file = tmp_path / "all.mbox"
    with file.open("wb") as stream:
        stream.truncate(5 * 2**30)
    with pytest.raises(NoText, match="larger than 512 MB"):
        read_file(file, "all.mbox")
