"""Writes docs/settings.md from the schema: `scripts/settings_reference.py [FILE]`."""

from __future__ import annotations

import ast
import inspect
import sys
import textwrap
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from scrubjay.config.aliases import MEMORY_KEYS
from scrubjay.config.page_settings import EVERYDAY, GROUPS, MEMORY_SEARCH
from scrubjay.config.problems import key_text, short_text
from scrubjay.config.schema.agent_features import DreamingSettings, FlushSettings, RecallSettings
from scrubjay.config.schema.memory_search import MemorySearch
from scrubjay.config.schema.qmd_backend import BackendSettings, QmdSettings
from scrubjay.config.schema.section import Key, Section, is_section, section_keys
from scrubjay.config.schema.settings import (
    AccessRule,
    AccessSettings,
    ModelSettings,
    Settings,
    SharedMemoryEntry,
    UpdateSettings,
    WorkspaceEntry,
)
from scrubjay.config.settings_diff import REBUILD_KEYS
from scrubjay.platform.streams import use_utf8

_NO_CHOICE = """\
`store.vector` has nothing to choose: cosines come from sqlite-vec where it loads and from numpy
where it does not, with the same results, and no other build of the extension is ever loaded.
"""

_INTRO = """\
# Settings

Generated from the schema by `scripts/settings_reference.py docs/settings.md`.

Scrubjay reads one JSON5 file, `config.json5` in its configuration folder (in `$SCRUBJAY_HOME` when
that is set). Comments, unquoted keys and trailing commas are fine. Nothing in it can keep Scrubjay
from starting: a number out of range is moved to the nearest end of its range, a value of the wrong
type gives way to the next weaker setting or the default, and `scrubjay status` lists each such
case. Only `localOnly` errs the other way: whatever is wrong with it, it is on. Keys that Scrubjay
does not know stay in the file and are listed too. When the app changes a setting it leaves
comments, order and layout alone, and keeps the previous text as `config.json5.bak`, without keys
and passwords that the settings no longer hold.

A file that cannot be used, is empty or gone leaves the settings from before in force. So does one
that says nothing (`{}`), or has no outer braces, until it has stayed the same for two seconds:
sync programs and editors may put such a file there for a moment.

```json5
{
  workspaces: [{ id: "notes", name: "My notes", path: "~/notes" }],
  memorySearch: {
    extraPaths: ["~/projects/handbook"],
    query: { maxResults: 10 },
  },
}
```

## Blocks of other programs

A block of OpenClaw or ClawCode can be pasted unchanged, also without its outer braces. The folders
that it names for agents (`agents.defaults.workspace` and `workspace` of an agent) are searched.
`models.providers` gives address, key and headers of a service where `remote` says nothing else, but
no key and no header to another address. Of two spellings that set the same key the one further up
counts:

1. for one agent, whose id is the workspace's id or whose `workspace` is its folder:
   `agents.entries.<id>` before `agents.list[]`, in each `memory.search` before `memorySearch`;
2. for all: `memory.search`, `agents.defaults.memory.search`, `agents.defaults.memorySearch`,
   `memorySearch`;
3. keys directly below `memory`, as in ClawCode's agent-config.json.

Objects merge key by key, lists replace one another, and `extraPaths` add up.

| Below `memory` | stands for |
|---|---|
"""

_REBUILD = """
Keys marked "rebuild" change the chunks or the vectors: a new index is built in the background, and
the old one answers until it is complete. All others apply at once.
"""
_HEAD = (
    "| Key | Type | Default | Range | Change | On the page | Meaning |\n"
    "|---|---|---|---|---|---|---|\n"
)


def page() -> str:
    """The whole of docs/settings.md."""
    theirs = (f"| `{key_text(a)}` | `{key_text(b)}` |" for a, b in MEMORY_KEYS.items())
    parts = [
        _INTRO + "\n".join(theirs) + "\n",
        "## Keys of Scrubjay\n\n" + _table(Settings, ""),
        "Each entry of `workspaces`:\n\n" + _table(WorkspaceEntry, ""),
        "Each entry of `sharedMemories`:\n\n" + _table(SharedMemoryEntry, ""),
        "`model`:\n\n" + _table(ModelSettings, "model."),
        f"`access`: {AccessSettings.__doc__}\n" + _table(AccessSettings, "access."),
        "Each rule in it:\n\n" + _table(AccessRule, ""),
        f"`recall`: {RecallSettings.__doc__}\n\n" + _table(RecallSettings, "recall."),
        f"`flush`: {inspect.getdoc(FlushSettings)}\n\n" + _table(FlushSettings, "flush."),
        f"`dreaming`: {DreamingSettings.__doc__}\n\n" + _table(DreamingSettings, "dreaming."),
        "`updates`:\n\n" + _table(UpdateSettings, "updates."),
        *_backend(),
        "## Keys of memorySearch\n" + _REBUILD + "\n" + _table(MemorySearch, ""),
    ]
    sections = [item for item in _sections(MemorySearch, "") if item[0]]
    for prefix, section in sections:
        title = f"### {prefix.removesuffix('.')}\n\n{section.__doc__}\n\n"
        parts.append(title + _table(section, prefix))
    unused: list[tuple[str, type[Section]]] = [
        *_sections(QmdSettings, "memory.qmd."),
        ("", MemorySearch),
    ]
    names = [
        f"`{at}{key}`" for at, section in unused + sections for key in sorted(section.not_used)
    ]
    parts.append(f"## Accepted, not used here\n\n{', '.join(names)}.\n\n{_NO_CHOICE}")
    return "\n".join(parts)


def _backend() -> Iterator[str]:
    """Sections of the search backend."""
    yield f"`memory`: {BackendSettings.__doc__}\n\n" + _table(BackendSettings, "memory.")
    for prefix, section in _sections(QmdSettings, "memory.qmd."):
        yield f"`{prefix.removesuffix('.')}`: {section.__doc__}\n\n" + _table(section, prefix)


def _sections(section: type[Section], prefix: str) -> Iterator[tuple[str, type[Section]]]:
    yield prefix, section
    for info in section_keys(section).values():
        if is_section(info.type.kind):
            yield from _sections(info.type.kind, f"{prefix}{info.key}.")


def _table(section: type[Section], prefix: str) -> str:
    meanings = _meanings(section)
    rows = [
        " | ".join(
            (
                f"| `{prefix}{info.key}`",
                _type(info.type.kind),
                _default(info),
                _range(info),
                "rebuild" if f"{prefix}{info.key}" in REBUILD_KEYS else "",
                _floor(f"{prefix}{info.key}"),
                f"{meanings[info.name]} |",
            )
        ).replace("|  |", "| |")
        for info in section_keys(section).values()
        if not is_section(info.type.kind)
    ]
    return _HEAD + "\n".join(rows).replace("|  |", "| |") + "\n"


def _floor(key: str) -> str:
    """Where the settings page shows a key."""
    names = {key, f"{MEMORY_SEARCH}.{key}"}
    if names & set(EVERYDAY):
        return "first"
    is_on_page = any(names & set(keys.split()) for keys in GROUPS.values())
    return "for experts" if is_on_page else "in the file only"


def _meanings(section: type[Section]) -> Mapping[str, str]:
    """The text under each field; only the source has it."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(section))).body[0]
    body = tree.body if isinstance(tree, ast.ClassDef) else []
    texts: dict[str, str] = {}
    for statement, follower in pairwise(body):
        match statement, follower:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(str(text))):
                texts[name] = " ".join(text.split())
    return texts


def _type(annotation: Any) -> str:
    origin, parts = get_origin(annotation), get_args(annotation)
    if origin is Literal:
        return ", ".join(f'`"{choice}"`' for choice in parts)
    if origin is tuple:
        return "list" if is_section(parts[0]) else f"list of {_type(parts[0])}"
    if origin is Mapping:
        return "object"
    return {bool: "true or false", int: "whole number", float: "number"}.get(annotation, "text")


def _default(info: Key) -> str:
    value = info.default
    is_entries = isinstance(value, tuple) and any(isinstance(entry, Section) for entry in value)
    if value is None or is_entries or value in ("", {}, ()):
        return ""  # the text of the key describes its entries
    return f"`{short_text(value)}`"


def _range(info: Key) -> str:
    low, high = info.type.limits
    return "" if low is None else f"{short_text(low)} to {short_text(high)}"


def main() -> None:
    """Write the page to the file that is named, else to standard output."""
    if len(sys.argv) > 1:
        Path(sys.argv[1]).write_text(page(), encoding="utf-8")
    else:
        use_utf8()
        sys.stdout.write(page())


if __name__ == "__main__":
    main()
