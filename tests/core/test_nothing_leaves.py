"""While the local-only switch is on, no way of using a remote provider opens a connection."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from support.vault import TIMEOUT, write_notes

TRAPPED = """
import json, sys
from pathlib import Path

wanted = []
HERE = ("127.0.0.1", "::1", "localhost", None, "")


def trap(event, arguments):
    if event in ("socket.getaddrinfo", "socket.gethostbyname"):
        host = arguments[0]
    elif event in ("socket.connect", "socket.sendto"):
        address = arguments[1]
        host = None if isinstance(address, str | bytes) else address[0]  # a path is this computer
    else:
        return
    host = host.decode() if isinstance(host, bytes) else host
    if host not in HERE:
        wanted.append(host)
        raise ConnectionRefusedError("the trap")


sys.addaudithook(trap)
from scrubjay import CancelToken, Engine, Paths, SearchRequest

home, notes, blocks = Path(sys.argv[1]), Path(sys.argv[2]), json.loads(sys.argv[3])
for number, block in enumerate(blocks):
    paths = Paths.under(home / str(number))
    paths.config.mkdir(parents=True)
    paths.config_file.write_text(json.dumps(block))
    engine = Engine(paths)
    engine.add_workspace(notes).result()
    [report] = engine.refresh(may_send=True).result()
    answer = engine.search(SearchRequest("acorn"), CancelToken()).result()
    assert answer.hits, "words go on"
    print(json.dumps({"missing": report.meaning_missing, "wanted": sorted(set(wanted))}))
    wanted.clear()
    engine.close()
"""

FAR = "https://embeddings.example/v1"


def settings(local_only: bool, **search: object) -> dict[str, object]:
    block = {"remote": {"apiKey": "sk-any", "batch": {"enabled": True, "pollIntervalMs": 100}}}
    return {"localOnly": local_only, "memorySearch": {**block, **search}}


def remote(base_url: str) -> dict[str, object]:
    return {"baseUrl": base_url, "apiKey": "sk-any", "batch": {"enabled": True}}


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """Enough for a batch, and a picture."""
    write_notes(tmp_path / "photos", {"oak.png": b"\x89PNG\r\n\x1a\n oak"})
    many = {f"memory/{n}.md": f"# Note {n}\n\nAcorn number {n}.\n" for n in range(70)}
    return write_notes(tmp_path / "notes", {"MEMORY.md": "# Memory\n\nAn acorn.\n", **many})


def run(tmp_path: Path, notes: Path, blocks: list[dict[str, object]]) -> list[dict[str, object]]:
    done = subprocess.run(
        [sys.executable, "-c", TRAPPED, str(tmp_path / "homes"), str(notes), json.dumps(blocks)],
        capture_output=True,
        text=True,
        timeout=2 * TIMEOUT,
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def ways(tmp_path: Path, *, local_only: bool) -> list[dict[str, object]]:
    """Everything that would send something: providers, endpoints, batches, pictures, fallbacks."""
    return [
        settings(local_only, provider="openai"),
        settings(local_only, provider="openai", model="any", remote=remote(FAR)),
        settings(local_only, provider="voyage"),
        settings(local_only, provider="mistral"),
        settings(local_only, provider="ollama", remote=remote("http://192.0.2.7:11434")),
        settings(local_only, provider="gemini", fallback="openai"),
        settings(
            local_only,
            provider="gemini",
            model="gemini-embedding-2-preview",
            multimodal={"enabled": True},
            extraPaths=[str(tmp_path / "photos")],
        ),
    ]


def test_local_only_keeps_everything_here(tmp_path: Path, notes: Path) -> None:
    ran = run(tmp_path, notes, ways(tmp_path, local_only=True))
    assert [one["wanted"] for one in ran] == [[]] * len(ran)
    assert all("local-only switch is on" in str(one["missing"]) for one in ran)


def test_the_trap_catches_what_would_leave(
    tmp_path: Path, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    endpoint = {"baseUrl": FAR, "apiKey": "sk-any"}
    [ran] = run(tmp_path, notes, [settings(False, provider="openai", model="any", remote=endpoint)])
    assert ran["wanted"] == ["embeddings.example"]
