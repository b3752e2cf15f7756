"""The settings file as a whole: Scrubjay's own keys and the spellings of other programs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

from pydantic import Field

from scrubjay.config.schema.agent_features import (
    CompactionBlock,
    DreamingSettings,
    FlushSettings,
    RecallSettings,
)
from scrubjay.config.schema.memory_search import (
    Citations,
    MemorySearch,
    PermissionName,
    Section,
    Texts,
    Whole,
    expanded,
)
from scrubjay.config.schema.qmd_backend import BackendSettings


class WorkspaceEntry(Section):
    """A folder of notes that Scrubjay was told to search."""

    id: str = ""
    """Stable, unique, safe in a file name; also the agent id of per-agent settings."""
    name: str = ""
    """What people call it; empty for the folder's name."""
    path: str = ""
    """The folder. `~` stands for the home folder, and relative paths start there."""

    @property
    def root(self) -> Path:
        """The folder, absolute."""
        return expanded(self.path)


class ModelSettings(Section):
    """The process that holds the embedding model."""

    idle_minutes: float = Field(default=10.0, ge=0.1, le=1440)
    """Minutes without work after which the model gives its memory back."""


class AccessRule(Section):
    """What an agent may do. A value that makes no sense counts as "deny"."""

    read: PermissionName | None = None
    """Search and read: `allow`, `ask` or `deny`; unset for the next weaker rule."""
    write: PermissionName | None = None
    """Append to today's file."""


class AgentAccess(AccessRule):
    """What one agent may do."""

    workspaces: Mapping[str, AccessRule] = Field(default_factory=dict)
    """Rules for this agent in one workspace, by its id. They count before all others."""


class Access(Section):
    """What agents may do here.

    Of a rule for the agent and one for the workspace the stricter counts. A value that makes no
    sense counts as "deny".
    """

    read: PermissionName = "allow"
    """Search and read, where no other rule says something: `allow`, `ask` (in the app, while it
    runs) or `deny`."""
    write: PermissionName = "deny"
    """Append to today's file, where no other rule says something."""
    workspaces: Mapping[str, AccessRule] = Field(default_factory=dict)
    """Rules for one workspace, by its id: `{ diary: { read: "deny" } }`."""
    agents: Mapping[str, AgentAccess] = Field(default_factory=dict)
    """Rules for one agent, by its name: `{ "claude-code": { write: "allow" } }`. `workspaces` in it
    has rules for this agent in one workspace, which count before all others."""
    guest_book_days: Whole = Field(default=90, ge=0, le=3650)
    """How long requests of agents are noted; 0 for not at all."""


class UpdateSettings(Section):
    """News of newer versions."""

    check: bool = False
    """Ask once a day whether there is a newer Scrubjay. Nothing is ever installed by itself."""


class Settings(Section):
    """Everything a person can choose, checked and complete."""

    workspaces: tuple[WorkspaceEntry, ...] = ()
    """Folders to search."""
    local_only: bool = False
    """Never talk to a remote provider, whatever else is configured."""
    model: ModelSettings = Field(default_factory=ModelSettings.model_construct)
    """The process that holds the embedding model."""
    access: Access = Field(default_factory=Access.model_construct)
    """What agents may do here."""
    recall: RecallSettings = Field(default_factory=RecallSettings.model_construct)
    """What agents are reminded of, and what is kept of what people tell them."""
    flush: FlushSettings = Field(default_factory=FlushSettings.model_construct)
    """Writing down what matters before an agent's context is compacted."""
    dreaming: DreamingSettings = Field(default_factory=DreamingSettings.model_construct)
    """Which notes agents look up again and again, and so belong into MEMORY.md."""
    updates: UpdateSettings = Field(default_factory=UpdateSettings.model_construct)
    """News of newer versions."""
    memory: BackendSettings = Field(default_factory=BackendSettings.model_construct)
    """Who answers searches."""
    memory_search: MemorySearch = Field(default_factory=MemorySearch.model_construct)
    """Memory search, shared by all workspaces."""


class ClawCodeBuiltin(Section):
    """ClawCode's settings of its built-in engine."""

    temporal_decay: bool | None = None
    half_life_days: float | None = Field(default=None, ge=1, le=36_500)
    mmr: bool | None = None
    mmr_lambda: float | None = Field(default=None, ge=0, le=1)


class MemoryBlock(BackendSettings):
    """`memory`, where newer OpenClaw files and ClawCode's agent-config.json keep theirs."""

    search: MemorySearch = Field(default_factory=MemorySearch.model_construct)
    citations: Citations | None = None
    extra_paths: Texts = ()
    builtin: ClawCodeBuiltin = Field(default_factory=ClawCodeBuiltin.model_construct)


class AgentMemory(Section):
    """`memory` of one agent in newer OpenClaw files."""

    search: MemorySearch = Field(default_factory=MemorySearch.model_construct)


class AgentBlock(Section):
    """One agent, or the defaults of all."""

    id: str = ""
    memory_search: MemorySearch = Field(default_factory=MemorySearch.model_construct)
    memory: AgentMemory = Field(default_factory=AgentMemory.model_construct)
    compaction: CompactionBlock = Field(default_factory=CompactionBlock.model_construct)


class Agents(Section):
    """OpenClaw's agents."""

    defaults: AgentBlock = Field(default_factory=AgentBlock.model_construct)
    # Called `list` in the file; as a field name it would hide the type.
    listed: Annotated[tuple[AgentBlock, ...], Field(strict=False)] = Field(default=(), alias="list")
    entries: Mapping[str, AgentBlock] = Field(default_factory=dict)


class SettingsFile(Section):
    """Every key that is understood, in every spelling."""

    workspaces: Annotated[tuple[WorkspaceEntry, ...], Field(strict=False)] = ()
    local_only: bool = False
    model: ModelSettings = Field(default_factory=ModelSettings.model_construct)
    access: Access = Field(default_factory=Access.model_construct)
    recall: RecallSettings = Field(default_factory=RecallSettings.model_construct)
    flush: FlushSettings = Field(default_factory=FlushSettings.model_construct)
    dreaming: DreamingSettings = Field(default_factory=DreamingSettings.model_construct)
    updates: UpdateSettings = Field(default_factory=UpdateSettings.model_construct)
    memory_search: MemorySearch = Field(default_factory=MemorySearch.model_construct)
    memory: MemoryBlock = Field(default_factory=MemoryBlock.model_construct)
    agents: Agents = Field(default_factory=Agents.model_construct)
