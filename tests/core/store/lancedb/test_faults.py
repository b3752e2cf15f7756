"""Publishers that die, storage that goes away, hangs or refuses."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from scrubjay.errors import SharedUnavailable
from scrubjay.records.search_modes import Mode
from scrubjay.records.shared_records import SharedPlace
from scrubjay.store.lancedb import lease
from scrubjay.store.lancedb.shared_store import SharedStore, StoreAccess
from scrubjay.store.reader import Reader
from scrubjay.store.rows import Filters
from support.shared_memory import Asker, Sharer, bucket, bucket_at
from support.vault import NewEngine, write_notes
from support.waiting import wait_until

KILLED = 100 if os.environ.get("SCRUBJAY_SOAK") else 8
_PROGRAM = Path(__file__).parents[3] / "support" / "killed_publisher.py"


def test_killed_publishers_lose_and_double_nothing(
    monkeypatch: pytest.MonkeyPatch, sharer: Sharer, asker: Asker, notes: Path
) -> None:
    monkeypatch.setattr(lease, "LEASE_SECONDS", 0.0)
    dice = random.Random(7)
    assert sharer.publish()
    before = {f"n{number}.md": f"Word{number} rivers.\n" for number in range(60)}
    write_notes(notes, before)
    done = 0
    for attempt in range(KILLED):
        # Each changes, adds and takes away some.
        changed = dict.fromkeys(dice.sample([*before], 20), f"Word{attempt} rivers and lakes.\n")
        write_notes(notes, changed)
        for path in dice.sample([*before], 5):
            (notes / path).unlink(missing_ok=True)
        sharer.engine.refresh(sharer.workspace.id).result()
        folder = sharer.store.place.uri
        program = [sys.executable, str(_PROGRAM), str(sharer.file), folder, f"k{attempt}"]
        process = subprocess.Popen(program, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(dice.random() * 0.6)
        process.kill()
        done += "done" in process.stdout.read()
        process.wait()
        process.stdout.close()
        # Whatever is there can be read: each document whole, and none twice.
        reader = asker.reader()
        chunks = reader.first_chunks(Filters(), 500)
        assert len({chunk.path for chunk in chunks}) == len(chunks) == reader.count(Filters())
        assert reader.text("garden.md") is not None
    assert done < KILLED, "none of them was killed in the middle"
    assert sharer.publish()
    here = Reader.open(sharer.file)
    chunks = here.first_chunks(Filters(), 500)
    there = asker.reader().first_chunks(Filters(), 500)
    assert {(each.path, each.text) for each in there} == {(each.path, each.text) for each in chunks}
    assert asker.reader().chunk_count() == here.chunk_count()
    here.close()


def test_a_folder_that_is_away_is_told_and_never_made(sharer: Sharer, asker: Asker) -> None:
    assert sharer.publish()
    folder = Path(sharer.store.place.uri)
    folder.rename(folder.with_name("away"))
    with pytest.raises(SharedUnavailable, match="cannot be reached"):
        asker.hits("tomatoes")
    other = Asker(sharer.engine, sharer.store.place)
    with pytest.raises(SharedUnavailable, match="The folder is not there"):
        other.hits("tomatoes")
    with pytest.raises(SharedUnavailable):
        sharer.publish()
    assert not folder.exists()
    folder.with_name("away").rename(folder)
    assert asker.paths("tomatoes") == ["garden.md"]
    assert sharer.publish()
    other.close()


def test_files_that_went_while_they_were_read_are_told(sharer: Sharer, asker: Asker) -> None:
    assert sharer.publish()
    reader = asker.reader()
    for folder in Path(sharer.store.place.uri).glob("*.chunks.lance/data"):
        shutil.rmtree(folder)
    with pytest.raises(SharedUnavailable, match="cannot be reached"):
        reader.text("garden.md")


@pytest.mark.parametrize(
    ("uri", "options"),
    [
        ("s3://bucket/memory", {}),
        ("gs://bucket", {}),
        ("db://team", {}),
        ("s3://bucket", {"aws_endpoint": "https://storage.example.org"}),
    ],
)
def test_local_only_forbids_addresses_of_other_computers(uri: str, options: dict[str, str]) -> None:
    store = SharedStore(SharedPlace.of(uri, options), StoreAccess(is_local_only=lambda: True))
    with pytest.raises(SharedUnavailable, match="Nothing may leave this computer"):
        store.call(store.open)


def test_other_addresses_are_refused() -> None:
    store = SharedStore(SharedPlace("https://example.org/memory"), StoreAccess())
    with pytest.raises(SharedUnavailable, match="is no address of a shared memory"):
        store.call(store.open)


# -- object storage -------------------------------------------------------------------------------


class Gate(BaseHTTPRequestHandler):
    """Stands before an object storage, and does to its answers what a test wants."""

    protocol_version = "HTTP/1.1"
    target = ""
    refused = 0.0
    """Share of requests that are answered with 503."""
    lost = 0.0
    """Share of writes whose answer is lost."""
    hangs = threading.Event()
    dice = random.Random(3)

    def answer(self) -> None:
        """Pass a request on."""
        import http.client

        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        while self.hangs.is_set():
            time.sleep(0.05)
        if self.dice.random() < self.refused:
            self._reply(503, [], b"SlowDown")
            return
        host = self.target.removeprefix("http://")
        connection = http.client.HTTPConnection(host, timeout=60)
        headers = {name: value for name, value in self.headers.items() if name.lower() != "host"}
        connection.request(self.command, self.path, body, {**headers, "Host": host})
        response = connection.getresponse()
        data, kept = response.read(), list(response.getheaders())
        connection.close()
        is_write = self.command in ("PUT", "POST")
        if is_write and self.dice.random() < self.lost:
            self._reply(500, [], b"")
            return
        self._reply(response.status, kept, data)

    do_GET = do_PUT = do_POST = do_DELETE = do_HEAD = answer

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def _reply(self, status: int, headers: list[tuple[str, str]], data: bytes) -> None:
        self.send_response(status)
        length = str(len(data))
        for name, value in headers:
            if name.lower() == "content-length":
                length = value
            elif name.lower() not in ("transfer-encoding", "connection", "date", "server"):
                self.send_header(name, value)
        self.send_header("Content-Length", length)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)


@pytest.fixture
def gate(storage: str) -> Gate:
    class OwnGate(Gate):
        target = storage
        hangs = threading.Event()

    server = ThreadingHTTPServer(("127.0.0.1", 0), OwnGate)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    OwnGate.address = f"http://127.0.0.1:{server.server_port}"
    yield OwnGate
    OwnGate.hangs.clear()
    server.shutdown()
    server.server_close()
    thread.join()


def test_a_bucket_is_shared_like_a_folder(
    new_engine: NewEngine, paths, notes: Path, storage: str
) -> None:
    place = bucket(storage, "plain")
    engine = new_engine()
    sharer, asker = Sharer(engine, paths, notes, place), Asker(engine, place)
    assert sharer.publish()
    assert asker.paths("tomatoes", Mode.HYBRID)[0] == "garden.md"
    write_notes(notes, {"garden.md": "# Garden\n\nThe cucumbers froze.\n"})
    assert sharer.publish()
    assert asker.paths("cucumbers") == ["garden.md"]
    assert asker.paths("tomatoes") == []
    asker.close()


def test_refused_requests_and_lost_answers_do_no_harm(
    new_engine: NewEngine, paths, notes: Path, storage: str, gate
) -> None:
    bucket(storage, "refusing")
    place = bucket_at(gate.address, "refusing")
    engine = new_engine()
    sharer, asker = Sharer(engine, paths, notes, place), Asker(engine, place)
    assert sharer.publish()
    gate.refused = gate.lost = 0.1
    for number in range(4):
        write_notes(notes, {f"n{number}.md": f"Word{number} rivers.\n"})
        for _ in range(30):
            try:
                if sharer.publish():
                    break
            except SharedUnavailable:
                continue
        else:
            pytest.fail("was never published")
    gate.refused = gate.lost = 0.0
    reader = asker.reader()
    assert reader.count(Filters()) == reader.chunk_count() == 7
    assert sorted(asker.paths("rivers")) == [f"n{number}.md" for number in range(4)]
    asker.close()


def test_storage_that_hangs_is_given_up_in_time(
    new_engine: NewEngine, paths, notes: Path, storage: str, gate
) -> None:
    bucket(storage, "hanging")
    place = bucket_at(gate.address, "hanging")
    engine = new_engine()
    sharer = Sharer(engine, paths, notes, place)
    assert sharer.publish()
    asker = Asker(engine, place, seconds=1.0)
    wait_until(lambda: _is_answered(asker))
    gate.hangs.set()
    with pytest.raises(SharedUnavailable, match="cannot be reached"):
        asker.hits("tomatoes")
    gate.hangs.clear()
    wait_until(lambda: _is_answered(asker))
    asker.close()


def _is_answered(asker: Asker) -> bool:
    try:
        return asker.paths("tomatoes") == ["garden.md"]
    except SharedUnavailable:
        return False
