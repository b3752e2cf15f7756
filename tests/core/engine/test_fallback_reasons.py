"""Why a fallback answers, or does not: in each place, and for each process."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from scrubjay.answers.answer_json import status_json
from scrubjay.engine.engine import Engine
from scrubjay.health.findings import FindingKind
from scrubjay.platform.paths import Paths
from scrubjay.records.engine_limits import EngineLimits
from scrubjay.records.status_records import IndexReport
from support.embedding_server import KEY, EmbeddingServer
from support.secret_service import NO_KEYCHAIN, keyring_variables
from support.vault import TIMEOUT, ask, write_notes

NOBODY = "http://127.0.0.1:9/v1"
"""Address at which nobody listens."""

Open = Callable[..., Engine]


@pytest.fixture
def start(paths: Paths, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Open]:
    """Opens an engine, as a process of its own would, over one folder."""
    root = write_notes(tmp_path / "ws", {"MEMORY.md": "The heron.\n"})
    for variable in ("OPENAI_API_KEY", "GEMINI_API_KEY"):
        monkeypatch.delenv(variable, raising=False)
    made: list[Engine] = []

    def engine(**search: object) -> Engine:
        folder = {"id": "ws", "path": str(root), "layout": "agent"}
        settings = {"workspaces": [folder], "memorySearch": search}
        write_notes(paths.config, {"config.json5": json.dumps(settings)})
        made.append(Engine(paths, limits=EngineLimits(request_attempts=1)))
        return made[-1]

    with keyring_variables(NO_KEYCHAIN):
        yield engine
    for each in made:
        each.close()


def index(engine: Engine) -> IndexReport:
    [report] = engine.refresh(may_send=True).result(TIMEOUT)
    engine.close()
    return report


def told(engine: Engine) -> dict[FindingKind, str]:
    """Findings of the check-up, with their reasons."""
    findings = engine.health.check().result(TIMEOUT).findings
    return {finding.kind: str(finding.values.get("reason")) for finding in findings}


def test_a_remote_fallback_of_a_local_model_is_asked_where_the_settings_say(
    start: Open, server: EmbeddingServer, tmp_path: Path
) -> None:
    remote = {"baseUrl": server.base_url("openai"), "apiKey": KEY}
    local = {"modelPath": str(tmp_path / "none.gguf")}
    search = {"provider": "local", "local": local, "fallback": "openai", "remote": remote}
    report = index(start(**search))
    assert report.takeover is not None
    assert "none.gguf does not exist" in report.takeover.reason
    assert any("heron" in text for text in server.texts)
    assert f"Bearer {KEY}" in server.requests[0].headers.values()


@pytest.mark.model
def test_a_later_process_says_why_the_fallback_answers(start: Open) -> None:
    search = {
        "provider": "openai",
        "remote": {"baseUrl": NOBODY, "apiKey": KEY},
        "fallback": "local",
    }
    report = index(start(**search))
    assert report.takeover is not None
    assert "127.0.0.1 did not respond" in report.takeover.reason
    later = start(**search)
    assert ask(later, "heron").takeover == report.takeover
    status = later.current_status().result(TIMEOUT)
    assert status.takeover == report.takeover
    fallback = status_json(status).as_json()["fallback"]
    assert fallback == {"from": "openai", "reason": report.takeover.reason}
    assert "127.0.0.1 did not respond" in told(later)[FindingKind.FALLBACK]
    assert FindingKind.MODEL not in told(later)
    # Other settings have nothing to do with it.
    other = start(**{**search, "remote": {"baseUrl": NOBODY + "/", "apiKey": KEY}})
    assert other.current_status().result(TIMEOUT).takeover is None


@pytest.mark.parametrize(
    ("fallback", "second"),
    [
        ({"fallback": "gemini"}, "There is no key for Gemini"),
        (
            {"fallback": "openai", "remote": {"baseUrl": NOBODY, "apiKey": KEY}},
            "127.0.0.1 did not respond",
        ),
    ],
)
def test_where_both_fail_both_reasons_are_told(
    start: Open, tmp_path: Path, fallback: dict[str, object], second: str
) -> None:
    search = {"provider": "local", "local": {"modelPath": str(tmp_path / "none.gguf")}, **fallback}
    report = index(start(**search))
    assert report.backfill is None
    later = start(**search)
    answer = ask(later, "heron")
    status = later.current_status().result(TIMEOUT)
    assert status.takeover is not None
    both = f"{status.takeover.reason} {status.takeover.fallback_reason}"
    for text in (report.meaning_missing, answer.fallback_reason, both):
        assert "none.gguf does not exist" in text
        assert second in text
    assert second in told(later)[FindingKind.MODEL]
    assert FindingKind.FALLBACK not in told(later)
