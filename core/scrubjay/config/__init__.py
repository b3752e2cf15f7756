"""Settings: one JSON5 file, read without ever failing and written without disturbing it."""

from scrubjay.config.conflicts import MULTIMODAL_MODEL, multimodal_problem
from scrubjay.config.loading import LoadedSettings, complete_entry, load, memory_search_for, reload
from scrubjay.config.problems import Problem
from scrubjay.config.schema.agent_features import DreamingSettings, FlushSettings, RecallSettings
from scrubjay.config.schema.memory_search import (
    Batch,
    Citations,
    HistorySettings,
    Local,
    MemorySearch,
    RemoteSettings,
    Section,
)
from scrubjay.config.schema.qmd_backend import (
    BackendSettings,
    QmdMatch,
    QmdPath,
    QmdRule,
    QmdScope,
    QmdSettings,
)
from scrubjay.config.schema.settings import (
    Access,
    AccessRule,
    ModelSettings,
    Settings,
    WorkspaceEntry,
)
from scrubjay.config.settings_diff import REBUILD_KEYS, Changes, changes
from scrubjay.config.settings_file import ConfigFile

__all__ = [
    "MULTIMODAL_MODEL",
    "REBUILD_KEYS",
    "Access",
    "AccessRule",
    "BackendSettings",
    "Batch",
    "Changes",
    "Citations",
    "ConfigFile",
    "DreamingSettings",
    "FlushSettings",
    "HistorySettings",
    "LoadedSettings",
    "Local",
    "MemorySearch",
    "ModelSettings",
    "Problem",
    "QmdMatch",
    "QmdPath",
    "QmdRule",
    "QmdScope",
    "QmdSettings",
    "RecallSettings",
    "RemoteSettings",
    "Section",
    "Settings",
    "WorkspaceEntry",
    "changes",
    "complete_entry",
    "load",
    "memory_search_for",
    "multimodal_problem",
    "reload",
]
