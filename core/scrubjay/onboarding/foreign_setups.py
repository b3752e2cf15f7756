"""Settings of other memory programs on this computer. Their files are only read."""

from __future__ import annotations

import contextlib
import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from msgspec import Struct

from scrubjay.concurrency.io_timeout import IoTimedOut, IoTimeouts
from scrubjay.config.aliases import MEMORY_PLUGIN, mapping_at
from scrubjay.config.ignore_patterns import pattern_problem
from scrubjay.config.json5.json5_parser import parse_json5
from scrubjay.config.loading import load_settings
from scrubjay.config.schema.memory_search import SessionSettings
from scrubjay.errors import ConfigError
from scrubjay.messages import msg
from scrubjay.notes.scan import foreign_path, session_folders
from scrubjay.records.engine_limits import DEFAULT_LIMITS
from scrubjay.records.note_records import Searched, Workspace
from scrubjay.text.json_values import json_objects

OPENCLAW_FAMILY = (
    ("OpenClaw", ".openclaw", "openclaw.json"),
    ("Moltbot", ".moltbot", "moltbot.json"),
    ("Clawdbot", ".clawdbot", "clawdbot.json"),
    ("CoderClaw", ".coderclaw", "coderclaw.json"),
)
"""Name, folder and settings of each program that writes files like OpenClaw's."""
_SECTIONS = frozenset({"agent", "agents", "memory"})
"""Sections of such settings, one of which is in every file that Scrubjay can use."""
_CLAWCODE = "agent-config.json"
"""Settings of ClawCode, in the folder of a project."""
_MODEL_FOLDERS = (".node-llama-cpp/models", ".cache/qmd/models", ".cache/openclaw/models")
"""Folders in the home into which these programs download models."""
_EMBEDS = ("embed", "minilm", "bge-", "e5-", "nomic", "gte-")
"""Parts of the names of embedding models; chat models are of no use here."""
_ALL_MARKDOWN = "**/*.md"
"""Pattern of QMD's collections without another one."""
_UNFILTERED = frozenset({_ALL_MARKDOWN, "**/*", "**"})
"""Patterns of QMD's collections that leave out no note."""
_FOREIGN_GLOB = re.compile(r"[@!+*?]\(|\{[^{},]*\.\.[^{},]*\}|(?:^|,)\s*!")
"""Alternatives, numbers and negations in globs of QMD, which gitignore does not have."""
_OTHER = msg("Scrubjay does not have this setting.")
_DREAMING = msg(
    "For similar suggestions in Scrubjay, turn on “Suggest additions to MEMORY.md” in the settings."
)
_NO_SUCH_GLOB = msg(
    "Scrubjay cannot use this kind of pattern. The folder is imported without it. To exclude "
    "notes, add exclusion patterns for the folder."
)
_FOR_ALL = msg("In Scrubjay, this setting would apply to other folders as well.")
_MOST_BYTES = 8 * 1024 * 1024
"""Bytes of a settings file; a larger file is something else."""


class ForeignAgent(Struct, frozen=True):
    """One agent, or one collection, and its folder."""

    id: str
    name: str
    root: Path
    ignore: tuple[str, ...] = ()
    """Patterns of notes in it that the other program does not read."""
    descriptions: Mapping[str, str] = {}
    """Descriptions of its folders, by their paths."""
    searched: Searched = "always"
    """Searches that it is part of there."""


class Setup(Struct, frozen=True):
    """Agents, settings and models of one program."""

    app: str
    file: Path | None
    """Settings file; None when only its default folders exist."""
    agents: tuple[ForeignAgent, ...]
    has_settings: bool = True
    """Whether the file has settings of memory search."""
    is_project: bool = False
    """Whether its settings are those of its one folder."""
    models: tuple[Path, ...] = ()
    """Embedding models that it fetched."""
    left_behind: Mapping[str, str] = {}
    """Sentences on why settings are not imported, by the settings as people read them."""


def find_setups(home: Path, environ: Mapping[str, str] = os.environ) -> Iterator[Setup]:
    """Set-ups on this computer, the most likely wanted first, where their drives answer."""
    drives = IoTimeouts(DEFAULT_LIMITS.search_io_seconds)
    for app, file in _settings_files(home, environ):
        if drives.answers(file) and file.is_file():
            yield _openclaw(app, file, home)
    # Projects are listed in one file, and any of them may be on another drive.
    projects: Sequence[Path] = ()
    with contextlib.suppress(IoTimedOut):
        projects = drives[home].call(lambda: tuple(claude_projects(home, environ)))
    for root in dict.fromkeys(projects):
        if drives.answers(root) and (root / _CLAWCODE).is_file():
            yield _clawcode(root)
    qmd = Path(environ.get("XDG_CONFIG_HOME") or home / ".config") / "qmd" / "index.yml"
    if drives.answers(qmd) and qmd.is_file():
        setup = _qmd(qmd, home)
        if setup:
            yield setup


def transcript_folders(
    workspace: Workspace, sessions: SessionSettings, environ: Mapping[str, str] = os.environ
) -> tuple[Path, ...]:
    """Folders with the conversations of a workspace's agent.

    Unless the settings name others, also those that other programs keep for the agents that work
    in it, whatever its id is here.
    """
    # A person who names folders wants no others.
    folders = session_folders(workspace.root, workspace.id, sessions.paths)
    if sessions.paths != SessionSettings().paths:
        return folders
    home = Path.home()
    root = os.path.realpath(workspace.root)
    known = [
        file.parent / "agents" / agent.id.lower() / "sessions"
        for app, file in _settings_files(home, environ)
        if file.parent.is_dir()
        for agent in _openclaw(app, file, home).agents
        if os.path.realpath(agent.root) == root
    ]
    return tuple(dict.fromkeys([*folders, *known]))


def _settings_files(home: Path, environ: Mapping[str, str]) -> Iterator[tuple[str, Path]]:
    """The programs of the family with their settings files, which may not be there."""
    for app, folder, name in OPENCLAW_FAMILY:
        yield app, Path(environ.get(f"{app.upper()}_STATE_DIR") or home / folder) / name


def read_setup(file: Path, home: Path) -> Setup:
    """The set-up that a settings file describes. Raises ConfigError."""
    if not file.is_file():
        raise ConfigError(
            "The settings file does not exist",
            msg("{file}.", file=file),
            hint="Check the file name.",
        )
    # The kind of file tells the program; everything else has the form of OpenClaw.
    if file.suffix in (".yml", ".yaml"):
        setup = _qmd(file, home)
        if setup:
            return setup
        raise ConfigError("This is not a QMD settings file", msg("{file}.", file=file))
    if file.name == _CLAWCODE:
        return _clawcode(file.parent)
    loaded = load_settings(file)
    if not loaded.raw:
        reason: str = msg("The file is empty.")
        if loaded.problems:
            reason = loaded.problems[0].reason
        raise ConfigError(msg("{file} cannot be read", file=file), reason)
    # Settings by any other name say something about agents or their memory.
    is_named = any(file.name == name for _, _, name in OPENCLAW_FAMILY)
    if not is_named and not _SECTIONS & loaded.raw.keys():
        raise ConfigError(
            msg("{file} is not a settings file that Scrubjay knows", file=file),
            "Scrubjay reads the settings of OpenClaw, ClawCode and QMD.",
        )
    return _openclaw(file.stem, file, home)


def _openclaw(app: str, file: Path, home: Path) -> Setup:
    """The set-up in a settings file of OpenClaw's family, which may not be there."""
    # Where the main agent works depends on the program, and on how old its set-up is.
    raw = load_settings(file).raw
    defaults = mapping_at(raw, ("agents", "defaults"))
    main_root = file.parent / "workspace"
    if file.stem == "clawdbot" and not main_root.is_dir():
        main_root = home / "clawd"
    main_root = foreign_path(defaults.get("workspace"), home) or main_root
    # Agents without a folder of their own work in one named after them; the main agent does not.
    blocks = _agent_blocks(raw)
    main = [block for block in blocks if block.get("default") is True] or blocks[:1]
    agents: dict[Path, ForeignAgent] = {}
    for block in blocks:
        agent_id = str(block.get("id") or "main")
        root = foreign_path(block.get("workspace"), home)
        if root is None:
            root = main_root if block in main else file.parent / f"workspace-{agent_id}"
        agents.setdefault(root, ForeignAgent(agent_id, str(block.get("name") or agent_id), root))
    if not agents:
        agents[main_root] = ForeignAgent("main", app, main_root)
    local = mapping_at(defaults, ("memorySearch", "local"))
    cache = foreign_path(local.get("modelCacheDir"), home)
    models = tuple(_models(home, cache))
    return Setup(
        app, file, agents=tuple(agents.values()), models=models, left_behind=_left_by_openclaw(raw)
    )


def _left_by_openclaw(raw: Mapping[str, Any]) -> dict[str, str]:
    """What plugins for memory do that no setting of Scrubjay does."""
    left: dict[str, str] = {}
    # Plugins that have nothing to do with memory are of no interest here.
    for plugin, block in mapping_at(raw, ("plugins", "entries")).items():
        config = mapping_at(block, ("config",))
        if plugin == MEMORY_PLUGIN:
            left |= {f"plugins.entries.{plugin}.config.{key}": _OTHER for key in config}
            if "dreaming" in config:
                left[f"plugins.entries.{plugin}.config.dreaming"] = _DREAMING
        elif "memory" in str(plugin):
            left[f"plugins.entries.{plugin}"] = _OTHER
    return left


def _agent_blocks(raw: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Settings of all agents: those in a list, and those by id."""
    blocks = json_objects(mapping_at(raw, ("agents",)).get("list"))
    entries = mapping_at(raw, ("agents", "entries"))
    blocks += [{"id": name, **mapping_at(block, ())} for name, block in entries.items()]
    return blocks


def _clawcode(root: Path) -> Setup:
    """The set-up of a project of ClawCode, whose one agent works in it."""
    agent = ForeignAgent(root.name.lower(), root.name, root)
    file = root / _CLAWCODE
    raw = mapping_at(read_foreign_settings(file), ())
    # Its other keys are those of OpenClaw, which are compared one by one.
    reasons = {"memoryContext": _OTHER, "dreaming": _DREAMING}
    left = {key: reason for key, reason in reasons.items() if key in raw}
    shared = mapping_at(raw, ("memory",)).keys() & {"backend", "qmd"}
    left |= {f"memory.{key}": _FOR_ALL for key in sorted(shared)}
    return Setup("ClawCode", file, agents=(agent,), is_project=True, left_behind=left)


def claude_projects(home: Path, environ: Mapping[str, str]) -> Iterator[Path]:
    """Project folders in the settings of Claude Code."""
    state = Path(environ.get("CLAUDE_CONFIG_DIR") or home / ".claude")
    for file in (home / ".claude.json", state / ".claude.json"):
        for project in mapping_at(read_foreign_settings(file), ("projects",)):
            root = foreign_path(project, home)
            if root:
                yield root


def read_foreign_settings(file: Path) -> Any:
    """Content of a settings file; None if it is missing or neither JSON nor JSON5."""
    try:
        if file.stat().st_size > _MOST_BYTES:
            return None
        # Most of them are plain JSON, which Python itself reads faster.
        text = file.read_text(encoding="utf-8")
        try:
            return json.loads(text)
        except ValueError:
            return parse_json5(text).value
    except (OSError, ValueError, RecursionError):
        return None


def _qmd(file: Path, home: Path) -> Setup | None:
    """Collections of QMD; None if the file has none."""
    from scrubjay.text.plain_yaml import parse_plain_yaml

    try:
        if file.stat().st_size > _MOST_BYTES:
            return None
        content = parse_plain_yaml(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    # Each collection is imported like the folder of an agent.
    agents = []
    left: dict[str, str] = {}
    global_context = mapping_at(content, ()).get("global_context")
    for name, collection in mapping_at(content, ("collections",)).items():
        block = mapping_at(collection, ())
        root = foreign_path(block.get("path"), home)
        if root:
            agents.append(_qmd_agent(str(name), root, block, global_context=global_context))
            for key in ("pattern", "ignore"):
                for glob in _texts(block.get(key)):
                    problem = _glob_problem(glob)
                    if problem:
                        left[f"{name}: {key} = {glob}"] = problem
    if not agents:
        return None
    return Setup(
        "QMD",
        file,
        agents=tuple(agents),
        has_settings=False,
        models=tuple(_models(home, None)),
        left_behind=left,
    )


def _qmd_agent(
    name: str, root: Path, block: Mapping[str, Any], global_context: Any
) -> ForeignAgent:
    """A collection of QMD, with those of its filters that can be used, and its descriptions."""
    # Only these files belong to a collection, which is said here by excluding the others.
    ignore: list[str] = []
    wanted = _texts(block.get("pattern"))
    is_usable = not any(_glob_problem(glob) for glob in wanted)
    if wanted and is_usable and _UNFILTERED.isdisjoint(wanted):
        ignore += ["*", "!*/", *(f"!{_anchored(glob)}" for glob in _single_globs(wanted))]
    # A glob that cannot be used excludes nothing, and the plan names it.
    ignored = [glob for glob in _texts(block.get("ignore")) if not _glob_problem(glob)]
    for text in ignored:
        ignore += [_ignored_folder(glob) or _anchored(glob) for glob in _alternatives(text)]
    # What is said of all collections is said of one that has no description of its own.
    context = block.get("context")
    if isinstance(context, str):
        context = {"/": context}
    descriptions = {
        str(folder).strip("/") or "/": text
        for folder, text in mapping_at({"": context}, ("",)).items()
        if isinstance(text, str) and text.strip()
    }
    if isinstance(global_context, str) and global_context.strip():
        descriptions = {"/": global_context, **descriptions}
    return ForeignAgent(
        name.lower(),
        name,
        root,
        ignore=tuple(ignore),
        descriptions=descriptions,
        searched="named" if block.get("includeByDefault") is False else "always",
    )


def _glob_problem(glob: str) -> str:
    """A sentence on why a glob of QMD cannot be used; empty if it can."""
    if _FOREIGN_GLOB.search(glob):
        return _NO_SUCH_GLOB
    return pattern_problem(_anchored(each) for each in _alternatives(glob))


def _single_globs(globs: Sequence[str]) -> list[str]:
    """The globs without braces that globs stand for, which may be in one text with commas."""
    texts = (each for glob in globs for text in _alternatives(glob) for each in text.split(","))
    return [each.strip() for each in texts if each.strip()]


def _anchored(pattern: str) -> str:
    """A glob of QMD, which begins at its folder, as a pattern of gitignore."""
    return f"/{pattern.removeprefix('./').lstrip('/')}"


def _alternatives(pattern: str) -> list[str]:
    """The globs that a glob with braces stands for, since gitignore has no braces."""
    braces = re.search(r"\{([^{}]*)\}", pattern)
    if braces is None:
        return [pattern]
    before, after = pattern[: braces.start()], pattern[braces.end() :]
    return [
        each
        for choice in braces[1].split(",")
        for each in _alternatives(f"{before}{choice}{after}")
    ]


def _ignored_folder(pattern: str) -> str:
    """The pattern of a folder that is ignored as a whole; empty if it ignores something else."""
    folder = pattern.removeprefix("./").removesuffix("/**").removesuffix("/**/*").strip("/")
    is_whole = folder != pattern or not PurePosixPath(folder).suffix
    is_plain = not any(sign in folder for sign in "*?[{!") and ".." not in folder.split("/")
    return f"/{folder}/" if folder and is_whole and is_plain else ""


def _texts(value: Any) -> list[str]:
    """The texts of a setting that may be one or a list."""
    if isinstance(value, str):
        value = [value]
    if not isinstance(value, list):
        return []
    return [each for each in value if isinstance(each, str) and each.strip()]


def _models(home: Path, cache: Path | None) -> Iterator[Path]:
    """Embedding models in a chosen folder and in the default ones."""
    folders = [home / folder for folder in _MODEL_FOLDERS]
    if cache:
        folders.insert(0, cache)
    for folder in dict.fromkeys(folders):
        if folder.is_dir():
            for file in sorted(folder.glob("*.gguf")):
                if any(word in file.name.lower() for word in _EMBEDS):
                    yield file
