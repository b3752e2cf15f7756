"""One session with each remote provider in turn: `remote_session.py HOME NOTES LOCAL_ONLY`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.engine.engine import Engine
from scrubjay.errors import ScrubjayError
from scrubjay.platform.paths import Paths
from scrubjay.records.engine_limits import EngineLimits
from scrubjay.records.search_modes import Mode
from scrubjay.records.search_records import SearchRequest

ONCE = EngineLimits(request_attempts=1)  # a refused line stays refused

_TIMEOUT = 60
_PROVIDERS = ("openai", "gemini", "voyage", "mistral", "ollama", "auto")


def main() -> None:
    """Print what each answered, one JSON object a line."""
    home, notes, is_local_only = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3] == "yes"
    for name in _PROVIDERS:
        paths = Paths.under(home / name)
        paths.config.mkdir(parents=True)
        remote = {"batch": {"enabled": True}, "apiKey": "key"}
        if name == "ollama":  # which is here by default
            remote["baseUrl"] = "http://ollama.elsewhere.invalid:11434"
        block = {
            "provider": name,
            "fallback": "openai" if name == "gemini" else "gemini",
            "local": {"modelPath": "/nowhere.gguf"},
            "remote": remote,
        }
        settings = {"localOnly": is_local_only, "memorySearch": block}
        paths.config_file.write_text(json.dumps(settings))
        print(json.dumps(_session(Engine(paths, limits=ONCE), name, notes)), flush=True)


def _session(engine: Engine, name: str, notes: Path) -> dict[str, object]:
    """Everything that may send something: notes, a query, a key that is tried."""
    workspace = engine.add_workspace(notes).result(_TIMEOUT)
    engine.start()
    [report] = engine.refresh(workspace, may_send=True).result(_TIMEOUT)
    request = SearchRequest("tomatoes", mode=Mode.HYBRID)
    answer = engine.search(request, CancelToken()).result(_TIMEOUT)
    try:
        tried = engine.keys.test("gemini" if name == "auto" else name).result(_TIMEOUT)
        key = str(tried)
    except ScrubjayError as error:
        key = str(error)
    engine.close()
    return {
        "provider": name,
        "embedded": report.embedded,
        "found": [hit.path for hit in answer.hits],
        "reason": f"{report.meaning_missing} {answer.fallback_reason}",
        "key": key,
    }


if __name__ == "__main__":
    main()
