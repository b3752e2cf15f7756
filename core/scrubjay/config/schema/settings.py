"""The settings file as a whole: Scrubjay's own keys and the spellings of other programs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, TypeAlias

from msgspec import Meta, field

from scrubjay.config.schema.agent_features import (
    CompactionBlock,
    DreamingSettings,
    FlushSettings,
    RecallSettings,
)
from scrubjay.config.schema.memory_search import Citations, MemorySearch, ModelsBlock
from scrubjay.config.schema.qmd_backend import BackendSettings
from scrubjay.config.schema.section import (
    BeforeValidator,
    OnPage,
    PermissionName,
    Section,
    Texts,
    Words,
    WritePermissionName,
    lower_word,
)
from scrubjay.messages import msg
from scrubjay.platform.paths import expanded_path
from scrubjay.records.note_records import Layout, Searched

SearchedName: TypeAlias = Annotated[Searched, BeforeValidator(lower_word)]


class WorkspaceEntry(Section, frozen=True):
    """A folder of notes that Scrubjay was told to search."""

    id: str = ""
    """Stable, unique, safe in a file name; also the agent id of per-agent settings."""
    name: str = ""
    """What people call it; empty for the folder's name."""
    path: str = ""
    """The folder. `~` stands for the home folder, and relative paths start there."""
    layout: Layout = ""
    """What belongs to it: `notes`, every Markdown file; `agent`, the memory of an agent, which is
    MEMORY.md, DREAMS.md and memory/. It is written when a folder is added, so that a later
    memory.md hides no note; without it the folder itself tells at each look."""
    # What of the folder is read.
    ignore: Words = ()
    """Notes in it that are not read, neither here nor by agents, in the syntax of gitignore:
    `["/Templates/", "drafts/**", "*.tmp.md", "!keep.tmp.md"]`."""
    left_out: Texts = ()
    """Folders in it that are not read, as earlier versions wrote them: `["School/Archive"]` stands
    for `["/School/Archive/"]` in `ignore`."""
    documents: bool = False
    """PDF, Word, OpenDocument, slides, sheets, web pages, books, rich text, mail and notebooks are
    read, too; never in an agent's memory. It is on for new folders with fewer than 500 of them."""
    pictures: bool = False
    """The text in picture files is read, too. If `documents` is on, so is the text in scanned pages
    and in the pictures of documents. It is never read in an agent's memory."""
    hidden_folders: bool = False
    """Folders in it whose names begin with a dot are read, too, such as `.github`."""

    searched: SearchedName = "always"
    """Searches that include it: `always` for all, or `named` for only those that name it: by
    choosing it, by `--workspace`, by an agent's argument `workspace`, or by `folder:`."""
    descriptions: Mapping[str, str] = {}
    """Descriptions of it and of its folders, a sentence or two each, for agents that find something
    there: `{ "/": "Notes of the family", "School": "Minutes of the parents' council" }`."""

    @property
    def root(self) -> Path:
        """The folder, absolute."""
        return Path.home() / expanded_path(Path(self.path))


class SharedMemoryEntry(Section, frozen=True):
    """A memory that others publish and that is searched here."""

    uri: str = ""
    """A folder, `s3://…`, `gs://…`, `az://…` or `db://…`, as in `memorySearch.store.uri`."""
    options: Mapping[str, str] = {}
    """Of the storage, without keys."""


class ModelSettings(Section, frozen=True):
    """The process that holds the embedding model."""

    idle_minutes: Annotated[
        float,
        Meta(ge=0.1, le=1440),
        OnPage(
            msg("Idle minutes before the language helper stops"),
            msg("A stopped language helper uses no memory. It starts again when needed."),
        ),
    ] = 10.0
    """Minutes without work after which the model gives its memory back."""


class AccessRule(Section, frozen=True):
    """Permissions of an agent. A value that makes no sense counts as "deny"."""

    read: PermissionName | None = None
    """Search and read: `allow`, `ask` or `deny`; unset for the next weaker rule."""
    write: WritePermissionName | None = None
    """Add to notes and change them: `allow`, `propose` (each change waits for a review), `ask` or
    `deny`."""


class AgentAccess(AccessRule, frozen=True):
    """Permissions of one agent."""

    workspaces: Mapping[str, AccessRule] = {}
    """Rules for this agent in one workspace, by its id. They count before all others."""


class AccessSettings(Section, frozen=True):
    """What agents may do here.

    Of a rule for the agent and one for the workspace the stricter counts. A value that makes no
    sense counts as "deny".
    """

    # Rules for all agents, then those for some of them.
    read: Annotated[
        PermissionName,
        OnPage(
            msg("Agents may search my notes"),
            msg("You can set different permissions for an agent or a folder on the Agents page."),
        ),
    ] = "allow"
    """Search and read, where no other rule says something: `allow`, `ask` (in the app, while it
    runs) or `deny`."""
    write: Annotated[
        WritePermissionName,
        OnPage(
            msg("Agents may change my notes"),
            msg(
                "With “After my review”, changes wait on the Agents page until you accept them. "
                "An agent can still write to its own memory without asking."
            ),
        ),
    ] = "propose"
    """Add to notes and change them, where no other rule says something: `allow`, `propose` (each
    change waits for a review, but for one in the agent's own memory), `ask` or `deny`."""
    workspaces: Mapping[str, AccessRule] = {}
    """Rules for one workspace, by its id: `{ diary: { read: "deny" } }`."""
    agents: Mapping[str, AgentAccess] = {}
    """Rules for one agent, by its name: `{ "claude-code": { write: "allow" } }`. `workspaces` in it
    has rules for this agent in one workspace, which count before all others."""
    audit_log_days: Annotated[
        int,
        Meta(ge=0, le=3650),
        OnPage(
            msg("Days to keep questions from agents"),
            msg(
                "Scrubjay records which agent asked what, and which notes the agent "
                "received. Enter 0 to keep no records."
            ),
        ),
    ] = 90
    """Days for which the audit log keeps the requests of agents; 0 for not at all. It was named
    `guestBookDays`, which is still read."""


class UpdateSettings(Section, frozen=True):
    """News of newer versions."""

    check: Annotated[
        bool,
        OnPage(
            msg("Notify me about new versions"),
            msg("Scrubjay checks once a day. It never installs anything by itself."),
        ),
    ] = False
    """Ask once a day whether there is a newer Scrubjay. Nothing is ever installed by itself."""


class Settings(Section, frozen=True):
    """All settings, checked and complete."""

    workspaces: tuple[WorkspaceEntry, ...] = ()
    """Folders to search."""
    shared_memories: tuple[SharedMemoryEntry, ...] = ()
    """Memories of teams to search, besides the folders of this computer."""
    local_only: Annotated[
        bool,
        OnPage(
            msg("Never use services on the internet"),
            msg(
                "When this is on, Scrubjay does not use online services, even if "
                "you have chosen one. When this is off, no note leaves this "
                "computer until you choose a service and agree."
            ),
        ),
    ] = False
    """Never talk to a remote provider, whatever else is configured."""
    # Blocks with keys of their own.
    model: ModelSettings = ModelSettings()
    access: AccessSettings = AccessSettings()
    recall: RecallSettings = RecallSettings()
    flush: FlushSettings = FlushSettings()
    dreaming: DreamingSettings = DreamingSettings()
    updates: UpdateSettings = UpdateSettings()
    memory: BackendSettings = BackendSettings()
    models: ModelsBlock = ModelsBlock()
    memory_search: MemorySearch = MemorySearch()


class ClawCodeBuiltin(Section, frozen=True):
    """ClawCode's settings of its built-in engine."""

    # Unset keys leave ours as they are.
    temporal_decay: bool | None = None
    half_life_days: Annotated[float, Meta(ge=1, le=36_500)] | None = None
    mmr: bool | None = None
    mmr_lambda: Annotated[float, Meta(ge=0, le=1)] | None = None


class MemoryBlock(BackendSettings, frozen=True):
    """`memory`, where newer OpenClaw files and ClawCode's agent-config.json keep theirs."""

    # Spellings of OpenClaw, then those of ClawCode.
    search: MemorySearch = MemorySearch()
    citations: Citations | None = None
    extra_paths: Texts = ()
    builtin: ClawCodeBuiltin = ClawCodeBuiltin()


class AgentMemory(Section, frozen=True):
    """`memory` of one agent in newer OpenClaw files."""

    search: MemorySearch = MemorySearch()


class AgentBlock(Section, frozen=True):
    """One agent, or the defaults of all."""

    id: str = ""
    name: str = ""
    default: bool = False
    workspace: str = ""
    # Overrides in both spellings of OpenClaw.
    memory_search: MemorySearch = MemorySearch()
    memory: AgentMemory = AgentMemory()
    compaction: CompactionBlock = CompactionBlock()


class Agents(Section, frozen=True):
    """OpenClaw's agents."""

    defaults: AgentBlock = AgentBlock()
    # Called `list` in the file; as a field name it would hide the type.
    listed: tuple[AgentBlock, ...] = field(default=(), name="list")
    entries: Mapping[str, AgentBlock] = {}


class PluginSlots(Section, frozen=True):
    """OpenClaw's plugins by what they are for."""

    memory: str | None = "memory-core"
    """`"none"` or null: memory search is off."""


class PluginEntry(Section, frozen=True):
    """One of OpenClaw's plugins."""

    is_foreign = True

    enabled: bool = True
    """False: memory search is off."""


class PluginEntries(Section, frozen=True):
    """OpenClaw's plugins by their id."""

    is_foreign = True

    memory_core: PluginEntry = field(default=PluginEntry(), name="memory-core")


class Plugins(Section, frozen=True):
    """OpenClaw's plugins. Memory search is off wherever it does not load the one for memory."""

    is_foreign = True

    enabled: bool = True
    """False: memory search is off."""
    allow: tuple[str, ...] = ()
    """Unless it is empty, memory search is off without "memory-core" in it."""
    deny: tuple[str, ...] = ()
    """Memory search is off with "memory-core" in it."""
    slots: PluginSlots = PluginSlots()
    entries: PluginEntries = PluginEntries()


class SettingsFile(Settings, frozen=True):
    """All keys of a settings file, in every spelling."""

    workspaces: tuple[WorkspaceEntry, ...] = ()
    memory: MemoryBlock = MemoryBlock()
    agents: Agents = Agents()
    plugins: Plugins = Plugins()
