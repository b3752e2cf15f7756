"""Images and recordings of the extra paths, found by what is in them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from scrubjay.concurrency.io_timeout import IoTimeout
from scrubjay.documents.media_types import MediaRules, media_hash, media_type
from scrubjay.engine.engine import Engine
from scrubjay.errors import NoteRefused
from scrubjay.index.media_backfill import load_media
from scrubjay.index.scan_diff import IndexSettings
from scrubjay.notes.note_reader import NoteUnreadable
from scrubjay.platform.paths import Paths
from scrubjay.records.chunks import ChunkSizes
from scrubjay.records.engine_limits import EngineLimits
from scrubjay.records.note_records import NoteAddress
from scrubjay.records.search_modes import Mode
from scrubjay.records.status_records import IndexReport
from support import platforms
from support.embedding_server import KEY, EmbeddingServer, Refuse, far_url
from support.vault import TIMEOUT, add, ask, found, write_notes
from support.waiting import wait_until

Open = Callable[..., Engine]

PNG = b"\x89PNG\r\n\x1a\n"
MP3 = b"ID3\4\0\0"


@pytest.fixture
def agent_memory(tmp_path: Path) -> Path:
    return write_notes(
        tmp_path / "notes",
        {
            "MEMORY.md": "# Memory\n\nThe tide is at nine.\n",
            "memory/hidden.png": PNG + b"never looked at",
            "memory/2026-01-02.md": "Rain all day.\n",
        },
    )


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    return write_notes(
        tmp_path / "photos",
        {
            "IMG_2041.png": PNG + b"\0bicycle leaning against fence\0",
            "2026-03-04-holiday.png": PNG + b"\0lighthouse above cliffs\0",
            "voice/memo-7.mp3": MP3 + b"\0somebody singing lullaby\0",
            "about.md": "# About\n\nScans of the album.\n",
        },
    )


@pytest.fixture
def open_engine(paths: Paths, server: EmbeddingServer) -> Iterator[Open]:
    made: list[Engine] = []

    def engine(extra: Path, base_url: str = "", **changes: object) -> Engine:
        block = {
            "provider": "gemini",
            "model": "gemini-embedding-2-preview",
            "outputDimensionality": 256,
            "extraPaths": [str(extra)],
            "query": {"minScore": 0},
            "multimodal": {"enabled": True},
            "remote": {"baseUrl": base_url or server.base_url("gemini"), "apiKey": KEY},
            **changes,
        }
        settings = json.loads(paths.config_file.read_text()) if paths.config_file.exists() else {}
        text = json.dumps(settings | {"memorySearch": block})
        write_notes(paths.config, {"config.json5": text})
        made.append(Engine(paths, limits=EngineLimits(request_attempts=1)))
        return made[-1]

    yield engine
    for one in made:
        one.close()


def refresh(engine: Engine, **options: bool) -> IndexReport:
    [report] = engine.refresh(**options).result(TIMEOUT)
    return report


def sent(server: EmbeddingServer) -> list[tuple[str, bytes]]:
    return [one for request in server.requests for one in request.media]


def test_a_picture_and_a_recording_are_found_by_what_is_in_them(
    open_engine: Open, agent_memory: Path, photos: Path
) -> None:
    engine = open_engine(photos)
    add(engine, agent_memory)
    assert refresh(engine).embedded == 6
    for query, path, kind in (
        ("bicycle", "photos/IMG_2041.png", "image/png"),
        ("lullaby", "photos/voice/memo-7.mp3", "audio/mpeg"),
    ):
        hit = ask(engine, query, Mode.VECTOR).hits[0]
        assert (hit.path, media_type(hit.path)) == (path, kind)


def test_files_are_found_by_the_words_of_their_names(
    open_engine: Open, agent_memory: Path, photos: Path
) -> None:
    engine = open_engine(photos)
    add(engine, agent_memory)
    refresh(engine)
    assert found(engine, "holiday") == ["photos/2026-03-04-holiday.png"]
    assert found(engine, "memo") == ["photos/voice/memo-7.mp3"]
    assert found(engine, "2041") == ["photos/IMG_2041.png"]


def test_the_folders_of_the_agent_are_never_looked_through_for_pictures(
    open_engine: Open, server: EmbeddingServer, agent_memory: Path, photos: Path
) -> None:
    engine = open_engine(photos)
    add(engine, agent_memory)
    refresh(engine)
    assert sorted(kind for kind, _ in sent(server)) == ["audio/mpeg", "image/png", "image/png"]
    assert not any(b"never" in data for _, data in sent(server))


@pytest.mark.parametrize(
    ("changes", "kinds"),
    [
        ({"multimodal": {"enabled": False}}, set()),
        ({"multimodal": {"enabled": True, "modalities": ["image"]}}, {"image/png"}),
        ({"multimodal": {"enabled": True, "modalities": ["audio"]}}, {"audio/mpeg"}),
        ({"fallback": "local"}, set()),
        ({"model": "gemini-embedding-001"}, set()),
    ],
)
def test_only_what_the_settings_allow_is_sent(
    open_engine: Open,
    server: EmbeddingServer,
    agent_memory: Path,
    photos: Path,
    changes: dict[str, object],
    kinds: set[str],
) -> None:
    engine = open_engine(photos, **changes)
    add(engine, agent_memory)
    refresh(engine)
    assert {kind for kind, _ in sent(server)} == kinds


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"fallback": "local"}, "Fallback"),
        ({"model": "gemini-embedding-001"}, "gemini-embedding-2-preview"),
        ({"provider": "openai"}, "choose Gemini"),
    ],
)
def test_settings_that_do_not_go_together_are_a_problem(
    open_engine: Open, photos: Path, changes: dict[str, object], reason: str
) -> None:
    [problem] = open_engine(photos, **changes).settings.problems
    assert problem.key == "memorySearch.multimodal.enabled"
    assert reason in problem.reason


def test_a_file_that_is_not_what_its_name_says_is_listed_and_not_sent(
    open_engine: Open, server: EmbeddingServer, agent_memory: Path, photos: Path
) -> None:
    write_notes(photos, {"trap.png": b"#!/bin/sh\nsecret\n", "wrong.png": MP3})
    (photos / "big.png").write_bytes(PNG + bytes(2_000))
    platforms.make_link(photos / "link.png", photos / "IMG_2041.png")
    engine = open_engine(photos, multimodal={"enabled": True, "maxFileBytes": 1_000})
    add(engine, agent_memory)
    skipped = {file.path: file.reason for file in refresh(engine).skipped}
    assert "neither an image nor a recording" in skipped["photos/trap.png"]
    assert "the content is audio/mpeg" in skipped["photos/wrong.png"]
    assert "larger than the settings allow" in skipped["photos/big.png"]
    if not platforms.IS_WINDOWS:
        assert "only a link" in skipped["photos/link.png"]
    assert len(sent(server)) == 3


def test_what_the_provider_does_not_take_is_sent_once(
    open_engine: Open, server: EmbeddingServer, agent_memory: Path, photos: Path
) -> None:
    write_notes(photos, {"moving.gif": b"GIF89a dancing"})
    engine = open_engine(photos)
    add(engine, agent_memory)
    for _ in range(2):
        skipped = {file.path: file.reason for file in refresh(engine).skipped}
        reason = skipped["photos/moving.gif"]
        assert "found only by its name" in reason
        assert "Unsupported MIME type" in reason
    assert [kind for kind, _ in sent(server)].count("image/gif") == 1
    assert found(engine, "moving") == ["photos/moving.gif"]


def test_a_refused_key_is_no_matter_of_the_file(
    open_engine: Open, server: EmbeddingServer, agent_memory: Path, tmp_path: Path
) -> None:
    only = write_notes(tmp_path / "only", {"a.png": PNG + b"sunset"})
    engine = open_engine(only)
    add(engine, agent_memory)
    server.always = Refuse(400, "API key not valid. Please pass a valid API key.")
    assert "API key not valid" in refresh(engine).meaning_missing
    server.always = None
    assert refresh(engine).embedded == 3
    assert ask(engine, "sunset", Mode.VECTOR).hits[0].path == "only/a.png"


def test_a_renamed_picture_is_not_sent_again(
    open_engine: Open, server: EmbeddingServer, agent_memory: Path, photos: Path
) -> None:
    engine = open_engine(photos)
    add(engine, agent_memory)
    refresh(engine)
    (photos / "IMG_2041.png").rename(photos / "bike.png")
    refresh(engine)
    assert len(sent(server)) == 3
    assert ask(engine, "bicycle", Mode.VECTOR).hits[0].path == "photos/bike.png"


def test_switched_off_they_are_forgotten(
    open_engine: Open, agent_memory: Path, photos: Path
) -> None:
    engine = open_engine(photos)
    add(engine, agent_memory)
    refresh(engine)
    engine.close()
    engine = open_engine(photos, multimodal={"enabled": False})
    assert refresh(engine).removed == 3
    assert found(engine, "holiday") == []


def test_a_new_picture_is_noticed(open_engine: Open, agent_memory: Path, photos: Path) -> None:
    engine = open_engine(photos, sync={"watchDebounceMs": 10})
    add(engine, agent_memory)
    engine.start()
    refresh(engine)
    write_notes(photos, {"sunrise.png": PNG + b"morning"})
    wait_until(lambda: found(engine, "sunrise") == ["photos/sunrise.png"])


def test_agents_may_not_read_them(open_engine: Open, agent_memory: Path, photos: Path) -> None:
    engine = open_engine(photos)
    workspace = add(engine, agent_memory)
    refresh(engine)
    for path in ("photos/IMG_2041.png", "photos/voice/memo-7.mp3"):
        with pytest.raises(NoteRefused, match="Scrubjay cannot read"):
            engine.notes.page(NoteAddress(workspace.id, path)).result(TIMEOUT)


def test_the_question_counts_them(
    open_engine: Open,
    server: EmbeddingServer,
    agent_memory: Path,
    photos: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    server.stand_for_all(monkeypatch)
    engine = open_engine(photos, base_url=far_url("gemini"))
    add(engine, agent_memory)
    report = refresh(engine)
    assert report.backfill is not None
    assert (report.backfill.notes, report.backfill.files) == (3, 3)
    assert report.backfill.tokens > 2 * 258
    assert "3 notes and 3 images or recordings" in report.meaning_missing
    assert sent(server) == []


# -- the last look before a file is sent -------------------------------------------------------


LoadExtra = Callable[[str, bytes], tuple[str, bytes]]


@pytest.fixture
def load(photos: Path, tmp_path: Path) -> LoadExtra:
    media = MediaRules(max_bytes=1_000)
    settings = IndexSettings(ChunkSizes(), (str(photos),), media=media)
    return partial(load_media, tmp_path / "notes", settings, IoTimeout())


LABEL = "photos/IMG_2041.png"


def key_of(photos: Path) -> bytes:
    return media_hash("image/png", (photos / "IMG_2041.png").read_bytes())


def test_an_unchanged_file_is_read(load: LoadExtra, photos: Path) -> None:
    kind, data = load(LABEL, key_of(photos))
    assert (kind, data) == ("image/png", (photos / "IMG_2041.png").read_bytes())


def changed(photos: Path) -> None:
    (photos / "IMG_2041.png").write_bytes(PNG + b"something private")


def grown(photos: Path) -> None:
    (photos / "IMG_2041.png").write_bytes(PNG + bytes(1_000))


def no_picture(photos: Path) -> None:
    (photos / "IMG_2041.png").write_bytes(b"-----BEGIN PRIVATE KEY-----")


def linked(photos: Path) -> None:
    (photos / "IMG_2041.png").rename(photos.parent / "elsewhere.png")
    (photos / "IMG_2041.png").symlink_to(photos.parent / "elsewhere.png")


def folder_linked(photos: Path) -> None:
    photos.rename(photos.parent / "elsewhere")
    photos.symlink_to(photos.parent / "elsewhere")


@pytest.mark.parametrize(
    "happens",
    [
        changed,
        grown,
        no_picture,
        pytest.param(linked, marks=pytest.mark.needs("links")),
        pytest.param(folder_linked, marks=pytest.mark.needs("links")),
    ],
)
def test_what_is_not_as_it_was_is_not_sent(
    load: LoadExtra, photos: Path, happens: Callable[[Path], None]
) -> None:
    key = key_of(photos)
    happens(photos)
    with pytest.raises(NoteUnreadable):
        load(LABEL, key)


@pytest.mark.parametrize("label", ["notes/a.png", "photos/../secret.png", "a.png", "photos"])
def test_what_is_in_no_extra_path_is_not_sent(load: LoadExtra, photos: Path, label: str) -> None:
    (photos.parent / "secret.png").write_bytes((photos / "IMG_2041.png").read_bytes())
    with pytest.raises(NoteUnreadable):
        load(label, key_of(photos))
