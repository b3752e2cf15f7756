"""Settings of the search backend: Scrubjay itself, or the program QMD."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta

from scrubjay.config.schema.section import BeforeValidator, Section, lower_word

_DURATION = re.compile(r"(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)?")
_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86_400.0}


def _minutes(value: Any) -> Any:
    """`"5m"`, `"90s"` and `"1h"` as minutes; a plain number means minutes."""
    if not isinstance(value, str):
        return value
    # Anything else stays as it is, and is refused with its own words later.
    match = _DURATION.fullmatch(value.strip().lower())
    if match is None:
        return value
    return float(match[1]) * _SECONDS[match[2] or "m"] / 60


Minutes: TypeAlias = Annotated[float, BeforeValidator(_minutes)]
SearchModeName: TypeAlias = Annotated[
    Literal["search", "vsearch", "query"], BeforeValidator(lower_word)
]
BackendName: TypeAlias = Annotated[Literal["builtin", "qmd"], BeforeValidator(lower_word)]
ActionName: TypeAlias = Annotated[Literal["allow", "deny"], BeforeValidator(lower_word)]
ChatType: TypeAlias = Annotated[Literal["direct", "group", "channel"], BeforeValidator(lower_word)]


class QmdPath(Section, frozen=True):
    """One more folder that QMD indexes."""

    path: str = ""
    """A folder or one file, absolute or relative to the workspace; `~` is the home folder."""
    pattern: str = "**/*.md"
    """Which files of it, as in `notes/**/*.md` or `*.{md,markdown}`."""
    name: str = ""
    """What the collection is called in paths (`qmd/<name>/...`); empty for `custom-1` and on."""


class QmdSessions(Section, frozen=True):
    """Conversations of agents, exported as Markdown for QMD."""

    enabled: bool = False
    """Export them, with secrets blanked out."""
    export_dir: str = ""
    """Where to: below it each workspace has a folder `scrubjay-<id>`, in which other files are
    deleted. Empty for Scrubjay's own folder."""
    retention_days: Annotated[int, Meta(ge=1, le=36_500)] | None = None
    """Leave out conversations that are older; unset for none."""


class QmdUpdate(Section, frozen=True):
    """When QMD reads the notes again."""

    not_used = frozenset({"commandTimeoutMs", "startup", "startupDelayMs"})

    # When notes are read.
    interval: Annotated[Minutes, Meta(ge=0, le=10_080)] = 5.0
    """Minutes, or a text such as `"90s"` or `"1h"`; 0 for only when notes are seen to change."""
    debounce_ms: Annotated[int, Meta(ge=0, le=3_600_000)] = 15_000
    """Notes that changed are read after so much quiet."""
    # At the start of the app.
    on_boot: bool = True
    """In the background when the app starts."""
    wait_for_boot_sync: bool = False
    """Searches wait until the notes were read for the first time, and for the reading at start.
    Otherwise they wait for ten seconds, and then the built-in search answers."""
    # Vectors take much longer than words, so they are computed more rarely.
    embed_interval: Annotated[Minutes, Meta(ge=0, le=10_080)] = 60.0
    """How often vectors are computed, for the modes that need them; 0 for never."""
    # Programs that take longer are ended.
    update_timeout_ms: Annotated[int, Meta(ge=100, le=86_400_000)] = 120_000
    """How long reading the notes may take."""
    embed_timeout_ms: Annotated[int, Meta(ge=100, le=86_400_000)] = 120_000
    """How long computing vectors may take; what is done by then is kept by QMD."""


class QmdLimits(Section, frozen=True):
    """How much QMD may answer, and how long it may take."""

    max_results: Annotated[int, Meta(ge=1, le=1000)] = 6
    """Hits in an answer."""
    max_snippet_chars: Annotated[int, Meta(ge=20, le=100_000)] = 700
    """Characters of one snippet."""
    max_injected_chars: Annotated[int, Meta(ge=20, le=1_000_000)] = 4000
    """Characters of all snippets together."""
    timeout_ms: Annotated[int, Meta(ge=100, le=600_000)] = 4000
    """After this the built-in search answers."""


class QmdMatch(Section, frozen=True):
    """Which conversations a rule is about; what is omitted matches all."""

    chat_type: ChatType | None = None
    """`direct`, `group` or `channel`."""
    # Parts of the key of a conversation, as OpenClaw writes it.
    channel: str | None = None
    """Such as `telegram`: the first part of the key."""
    key_prefix: str | None = None
    """How the key of the conversation begins, without its `agent:<id>:`."""
    raw_key_prefix: str | None = None
    """How the whole key begins."""


class QmdRule(Section, frozen=True):
    """One rule; the first that matches counts."""

    action: ActionName = "deny"
    """`allow` or `deny`."""
    match: QmdMatch = QmdMatch()


class QmdScope(Section, frozen=True):
    """In which conversations notes are found. A rule that makes no sense denies all of them."""

    default: ActionName = "deny"
    """Where no rule matches."""
    rules: tuple[QmdRule, ...] = (QmdRule(action="allow", match=QmdMatch(chat_type="direct")),)
    """`{ action: "allow", match: { chatType: "direct" } }` and the like; `match` has `chatType`
    (`direct`, `group`, `channel`), `channel`, `keyPrefix` and `rawKeyPrefix`. Unset: direct chats
    are allowed."""


class QmdSettings(Section, frozen=True):
    """The program QMD."""

    not_used = frozenset({"mcporter", "searchTool", "rerank"})

    command: str = "qmd"
    """The program, with arguments if it needs any."""
    search_mode: SearchModeName = "search"
    """`search` finds words, `vsearch` meaning, `query` both. The last two need QMD's own models."""
    # What QMD indexes.
    include_default_memory: bool = True
    """The workspace's own notes."""
    paths: tuple[QmdPath, ...] = ()
    """More folders, as `{ path: "~/wiki", pattern: "**/*.md", name: "wiki" }`."""
    sessions: QmdSessions = QmdSessions()
    # When it does so, and how much of it an agent gets.
    update: QmdUpdate = QmdUpdate()
    limits: QmdLimits = QmdLimits()
    scope: QmdScope = QmdScope()


class BackendSettings(Section, frozen=True):
    """Who answers searches."""

    backend: BackendName = "builtin"
    """`builtin` is Scrubjay's own search. With `qmd` the program of that name answers, which you
    install yourself; when it does not, the built-in search does and `scrubjay status` says why."""
    qmd: QmdSettings = QmdSettings()


def closed_scope(memory: Any, troubles: list[str]) -> Any:
    """The block with a scope that allows nothing, when something in its scope makes no sense.

    Troubles are keys as text. Whoever wrote a rule wanted to limit something.
    """
    # A rule that cannot be read must not open what it was written to close.
    if not any(key.startswith("memory.qmd.scope") for key in troubles):
        return memory
    closed = {"default": "deny", "rules": []}
    return {**memory, "qmd": {**memory.get("qmd", {}), "scope": closed}}
