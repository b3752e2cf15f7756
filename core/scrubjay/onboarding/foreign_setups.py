"""Finds what other memory programs have set up on this computer. Reads, and never writes."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scrubjay.config.loading import load
from scrubjay.errors import ConfigError
from scrubjay.messages import msg
from scrubjay.notes.scan import given_path

_FAMILY = (
    ("OpenClaw", ".openclaw", "openclaw.json"),
    ("Moltbot", ".moltbot", "moltbot.json"),
    ("Clawdbot", ".clawdbot", "clawdbot.json"),
    ("CoderClaw", ".coderclaw", "coderclaw.json"),
)
"""Name, folder and settings of each program that writes files like OpenClaw's."""
_CLAWCODE = "agent-config.json"
_MODEL_FOLDERS = (".node-llama-cpp/models", ".cache/qmd/models", ".cache/openclaw/models")
_EMBEDS = ("embed", "minilm", "bge-", "e5-", "nomic", "gte-")
"""What the names of embedding models have; chat models are of no use here."""
_MOST_BYTES = 8 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class SetUpAgent:
    """One agent, or one collection, and its folder."""

    id: str
    name: str
    root: Path


@dataclass(frozen=True, slots=True)
class Setup:
    """What one program has set up."""

    app: str
    file: Path | None
    """Its settings; None when only its usual folders are there."""
    agents: tuple[SetUpAgent, ...]
    has_settings: bool = True
    """The file has settings of memory search."""
    models: tuple[Path, ...] = ()
    """Embedding models that it fetched."""


def find_setups(home: Path, environ: Mapping[str, str] = os.environ) -> Iterator[Setup]:
    """All that are here, in the order in which people are likely to want them."""
    for app, folder, name in _FAMILY:
        state = home / folder
        if app == "OpenClaw" and (given := environ.get("OPENCLAW_STATE_DIR")):
            state = Path(given)
        file = state / name
        if file.is_file():
            yield _openclaw(app, file, home)
    for root in _clawcode_roots(home, environ):
        yield _clawcode(root)
    qmd = Path(environ.get("XDG_CONFIG_HOME") or home / ".config") / "qmd" / "index.yml"
    if qmd.is_file() and (found := _qmd(qmd, home)):
        yield found


def setup_in(file: Path, home: Path) -> Setup:
    """The set-up that a settings file describes. Raises ConfigError."""
    if not file.is_file():
        raise ConfigError(
            "There is no such settings file", msg("{file}.", file=file), hint="Check the path."
        )
    if file.suffix in (".yml", ".yaml"):
        if found := _qmd(file, home):
            return found
        raise ConfigError("This is no settings file of QMD", msg("{file}.", file=file))
    if file.name == _CLAWCODE:
        return _clawcode(file.parent)
    loaded = load(file)
    if not loaded.raw:
        reason = loaded.problems[0].reason if loaded.problems else msg("It is empty.")
        raise ConfigError(msg("{file} cannot be read", file=file), reason)
    return _openclaw(file.stem, file, home)


def _openclaw(app: str, file: Path, home: Path) -> Setup:
    raw = load(file).raw
    agents = _mapping(raw.get("agents"))
    defaults = _mapping(agents.get("defaults"))
    usual = given_path(defaults.get("workspace"), home) or file.parent / "workspace"
    listed = [_mapping(one) for one in agents.get("list") or () if isinstance(one, dict)]
    listed += [
        {"id": name, **_mapping(one)} for name, one in _mapping(agents.get("entries")).items()
    ]
    found: dict[Path, SetUpAgent] = {}
    for one in listed:
        agent_id = str(one.get("id") or "main")
        given = given_path(one.get("workspace"), home)
        root = given or (usual if _is_default(one, listed) else None)
        root = root or file.parent / f"workspace-{agent_id}"
        found.setdefault(root, SetUpAgent(agent_id, str(one.get("name") or agent_id), root))
    if not found:
        found[usual] = SetUpAgent("main", app, usual)
    cache = given_path(_dig(defaults, "memorySearch", "local", "modelCacheDir"), home)
    return Setup(app, file, tuple(found.values()), models=tuple(_models(home, cache)))


def _is_default(agent: Mapping[str, Any], listed: list[Any]) -> bool:
    marked = [one for one in listed if one.get("default") is True]
    return agent in (marked or listed[:1])


def _clawcode(root: Path) -> Setup:
    agent = SetUpAgent(root.name.lower(), root.name, root)
    return Setup("ClawCode", root / _CLAWCODE, (agent,))


def _clawcode_roots(home: Path, environ: Mapping[str, str]) -> Iterator[Path]:
    """Project folders that Claude Code knows and ClawCode made an agent's."""
    state = Path(environ.get("CLAUDE_CONFIG_DIR") or home / ".claude")
    seen: set[Path] = set()
    for file in (home / ".claude.json", state / ".claude.json"):
        for given in _mapping(load(file).raw.get("projects")):
            root = given_path(given, home)
            if root and root not in seen and (root / _CLAWCODE).is_file():
                seen.add(root)
                yield root


def _qmd(file: Path, home: Path) -> Setup | None:
    """QMD's collections. Its YAML is read by PyYAML, which the model hub brings anyway."""
    import yaml

    try:
        if file.stat().st_size > _MOST_BYTES:
            return None
        held = yaml.safe_load(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, yaml.YAMLError, RecursionError):
        return None
    agents = []
    for name, one in _mapping(_mapping(held).get("collections")).items():
        if root := given_path(_mapping(one).get("path"), home):
            agents.append(SetUpAgent(str(name).lower(), str(name), root))
    if not agents:
        return None
    return Setup("QMD", file, tuple(agents), has_settings=False, models=tuple(_models(home, None)))


def _models(home: Path, cache: Path | None) -> Iterator[Path]:
    folders = [home / one for one in _MODEL_FOLDERS]
    for folder in dict.fromkeys([*([cache] if cache else []), *folders]):
        if folder.is_dir():
            for file in sorted(folder.glob("*.gguf")):
                if any(word in file.name.lower() for word in _EMBEDS):
                    yield file


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _dig(value: Any, *steps: str) -> Any:
    for step in steps:
        value = _mapping(value).get(step)
    return value
