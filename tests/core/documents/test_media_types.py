"""Images and recordings are known by their names and by their bytes."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scrubjay.documents.media_types import (
    NO_MEDIA,
    media_rules,
    media_tokens,
    media_type,
    sniff_media_type,
)

BEGINNINGS = {
    "a.png": b"\x89PNG\r\n\x1a\n\0\0",
    "a.JPG": b"\xff\xd8\xff\xe0\0\x10JFIF",
    "a.jpeg": b"\xff\xd8\xff\xe1",
    "a.webp": b"RIFF\x10\0\0\0WEBPVP8 ",
    "a.gif": b"GIF89a\1\0",
    "a.heic": b"\0\0\0\x18ftypheic\0\0",
    "a.heif": b"\0\0\0\x18ftypmif1\0\0",
    "a.mp3": b"ID3\4\0",
    "b.mp3": b"\xff\xfb\x90\x64",
    "a.wav": b"RIFF\x24\0\0\0WAVEfmt ",
    "a.ogg": b"OggS\0\2",
    "a.opus": b"OggS\0\2\0\0\0\0\0\0\0\0OpusHead",
    "a.m4a": b"\0\0\0\x20ftypM4A \0\0",
    "a.aac": b"\xff\xf1\x50\x80",
    "a.flac": b"fLaC\0\0\0\x22",
}


@pytest.mark.parametrize("name", BEGINNINGS)
def test_name_and_bytes_of_each_type_agree(name: str) -> None:
    assert sniff_media_type(BEGINNINGS[name]) == media_type(name) != ""


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff",
        b"# A note",
        b"<svg xmlns='http://www.w3.org/2000/svg'>",
        b"RIFF\x10\0\0\0AVI LIST",
        b"\0\0\0\x18ftypqt  ",
        b"%PDF-1.7",
        b"MZ\x90\0",
    ],
)
def test_other_bytes_are_nothing_that_is_sent(data: bytes) -> None:
    assert sniff_media_type(data) == ""


@example(b"ftypM4A ", b"\xff\xf1\x50\x80")
@given(st.binary(max_size=40), st.sampled_from(sorted(BEGINNINGS.values())))
def test_any_bytes_can_be_looked_at(data: bytes, beginning: bytes) -> None:
    assert sniff_media_type(data) in {"", *map(sniff_media_type, BEGINNINGS.values())}
    assert sniff_media_type(beginning + data) == sniff_media_type(beginning)


@given(st.text(max_size=30))
def test_any_name_can_be_looked_at(name: str) -> None:
    assert media_type(name) == media_type(name.upper()) or not name.isascii()
    assert media_type(f"{name}.png") == "image/png"


@pytest.mark.parametrize("name", ["a.md", "a.svg", "a.mp4", "png", ".", "", "a.png.txt"])
def test_other_names_are_neither_image_nor_recording(name: str) -> None:
    assert media_type(name) == ""


@pytest.mark.parametrize(
    ("modalities", "image", "audio"),
    [
        ((), True, True),
        (("all",), True, True),
        (("image",), True, False),
        (("audio",), False, True),
    ],
)
def test_what_the_settings_ask_for(modalities: tuple[str, ...], image: bool, audio: bool) -> None:
    wanted = media_rules(modalities, 10)
    assert (wanted.wants("a.png"), wanted.wants("a.mp3")) == (image, audio)


def test_nothing_is_wanted_unless_it_is_asked_for() -> None:
    assert not any(NO_MEDIA.wants(name) for name in (*BEGINNINGS, "a.md", "plain"))


def test_a_long_recording_costs_more_than_a_picture_up_to_the_limit() -> None:
    assert media_tokens("a.png", 5_000_000) == 258
    assert media_tokens("a.mp3", 1_000_000) == 2_001
    assert media_tokens("a.wav", 90_000_000) == 8_192
