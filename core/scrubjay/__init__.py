"""Scrubjay finds what was written down: by its words and by its meaning, on this computer.

The names below are the public API. They are imported on first use, because the model's process
and a second start of the app need only a few of them, at once.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scrubjay.agents.access.access_control import AccessControl
    from scrubjay.agents.connect.connections import AgentConnection, Connections
    from scrubjay.agents.connect.settings_edit import ConnectionChange
    from scrubjay.agents.dreaming.dreaming import Dreams, DreamStatus
    from scrubjay.agents.dreaming.nightly_run import Night, PassedOver
    from scrubjay.agents.dreaming.phases import Theme
    from scrubjay.agents.dreaming.promotion import DreamsApplied
    from scrubjay.agents.dreaming.review_queue import DreamCandidate
    from scrubjay.agents.recall.capture_queue import Captured
    from scrubjay.agents.recall.capture_rules import Category
    from scrubjay.agents.recall.forget_line import Forgettable
    from scrubjay.agents.recall.recall import Forgot, Recall, Reminder, SwitchedOff
    from scrubjay.answers.journal import (
        ChangeKind,
        Journal,
        JournalDay,
        JournalDays,
        JournalPlace,
        NoteChange,
        NoteChanges,
        NoteDifference,
        NotesOfDays,
    )
    from scrubjay.concurrency.cancel import CancelToken
    from scrubjay.concurrency.worker import gathered
    from scrubjay.config import Changes, LoadedSettings, Problem
    from scrubjay.config.descriptors import Choice, ChoiceKind
    from scrubjay.embedding.remote.services import service_name
    from scrubjay.engine.api_keys import ApiKeys, KeyTest
    from scrubjay.engine.engine import Engine
    from scrubjay.engine.settings_editor import SettingsEditor
    from scrubjay.errors import (
        AccessRefused,
        Cancelled,
        ConfigError,
        ConnectFailed,
        DownloadFailed,
        IndexCorrupt,
        IndexLocked,
        IndexTooNew,
        IndexUnavailable,
        KeychainUnavailable,
        LocalOnly,
        ModelMissing,
        ModelRefused,
        NoteRefused,
        NotWritable,
        ProviderUnavailable,
        QueryError,
        RemoteRefused,
        ScrubjayError,
        SearchDisabled,
        SecretMissing,
        UpdateRefused,
        WorkspaceMissing,
        system_reason,
    )
    from scrubjay.events import (
        AccessAsked,
        AccessChanged,
        AccessSettled,
        AuditLogChanged,
        BackfillAsked,
        CapturesChanged,
        DreamsChanged,
        Event,
        EventBus,
        IndexChanged,
        IndexFailed,
        IndexFinished,
        IndexProgressed,
        ModelChanged,
        ModelComparisonProgressed,
        ModelDownloadFailed,
        ModelDownloadProgressed,
        ModelsChanged,
        Notice,
        PauseChanged,
        SettingsChanged,
        WorkspacesChanged,
    )
    from scrubjay.health.checkup import Health
    from scrubjay.health.findings import (
        Finding,
        FindingKind,
        FindingWords,
        Fix,
        HealthReport,
        MemorySize,
        Severity,
        finding_words,
    )
    from scrubjay.messages import Sentence
    from scrubjay.notes.daily_note import Remembered
    from scrubjay.notes.last_edit import LastEdit, NothingToUndo
    from scrubjay.notes.media_types import media_type
    from scrubjay.notes.note_edits import NoteEdit
    from scrubjay.onboarding.discovery import Discovery, FoundNotes, discover
    from scrubjay.onboarding.foreign_setups import Setup, SetUpAgent
    from scrubjay.onboarding.setup_import import Brought, Importer, ImportKind, Plan, PlanItem
    from scrubjay.platform.crash_reports import CrashReports, report_text
    from scrubjay.platform.keychain import StoredKey
    from scrubjay.platform.licences import Component, components
    from scrubjay.platform.paths import Paths, resources
    from scrubjay.records.access_records import (
        AccessRequest,
        Action,
        AuditedHit,
        AuditEntry,
        KnownAgent,
        Permission,
        Rule,
    )
    from scrubjay.records.model_records import (
        DownloadProgress,
        ModelComparison,
        ModelInfo,
        ModelScore,
        ModelState,
    )
    from scrubjay.records.search_records import (
        BackfillCost,
        ContextAnswer,
        DocumentInfo,
        EngineStatus,
        Explanation,
        Freshness,
        Hit,
        IndexReport,
        IndexState,
        Mode,
        ModelStatus,
        NotePage,
        Progress,
        SearchAnswer,
        SearchRequest,
        SkippedFile,
        Snippet,
        Source,
        Span,
        Takeover,
        Workspace,
        WorkspaceStatus,
    )
    from scrubjay.text.line_diff import DiffLine, LineKind
    from scrubjay.updates.check import Release, Updates, UpdateState
    from scrubjay.workspaces.skip_commands import SkipCommands

_HOMES = {
    "agents.access.access_control": ("AccessControl",),
    "agents.connect.connections": ("AgentConnection", "Connections"),
    "agents.connect.settings_edit": ("ConnectionChange",),
    "agents.dreaming.dreaming": ("DreamStatus", "Dreams"),
    "agents.dreaming.nightly_run": ("Night", "PassedOver"),
    "agents.dreaming.phases": ("Theme",),
    "agents.dreaming.promotion": ("DreamsApplied",),
    "agents.dreaming.review_queue": ("DreamCandidate",),
    "agents.recall.capture_queue": ("Captured",),
    "agents.recall.capture_rules": ("Category",),
    "agents.recall.forget_line": ("Forgettable",),
    "agents.recall.recall": ("Forgot", "Recall", "Reminder", "SwitchedOff"),
    "answers.journal": (
        "ChangeKind", "Journal", "JournalDay", "JournalDays", "JournalPlace", "NoteChange",
        "NoteChanges", "NoteDifference", "NotesOfDays",
    ),
    "concurrency.cancel": ("CancelToken",),
    "concurrency.worker": ("gathered",),
    "config": ("Changes", "LoadedSettings", "Problem"),
    "config.descriptors": ("Choice", "ChoiceKind"),
    "embedding.remote.services": ("service_name",),
    "engine.api_keys": ("KeyTest", "ApiKeys"),
    "engine.engine": ("Engine",),
    "engine.settings_editor": ("SettingsEditor",),
    "errors": (
        "AccessRefused", "Cancelled", "ConfigError", "ConnectFailed", "DownloadFailed",
        "IndexCorrupt", "IndexLocked", "IndexTooNew", "IndexUnavailable", "KeychainUnavailable",
        "LocalOnly", "ModelMissing", "ModelRefused", "NotWritable", "NoteRefused",
        "ProviderUnavailable", "QueryError", "RemoteRefused", "ScrubjayError", "SearchDisabled",
        "SecretMissing", "UpdateRefused", "WorkspaceMissing", "system_reason",
    ),
    "events": (
        "AccessAsked", "AccessChanged", "AccessSettled", "BackfillAsked", "CapturesChanged",
        "DreamsChanged", "Event", "EventBus", "AuditLogChanged", "IndexChanged", "IndexFailed",
        "IndexFinished", "IndexProgressed", "ModelChanged", "ModelComparisonProgressed",
        "ModelDownloadFailed", "ModelDownloadProgressed", "ModelsChanged", "Notice", "PauseChanged",
        "SettingsChanged", "WorkspacesChanged",
    ),
    "health.checkup": ("Health",),
    "health.findings": (
        "Finding", "FindingKind", "FindingWords", "Fix", "HealthReport", "MemorySize", "Severity",
        "finding_words",
    ),
    "messages": ("Sentence",),
    "notes.daily_note": ("Remembered",),
    "notes.last_edit": ("LastEdit", "NothingToUndo"),
    "notes.media_types": ("media_type",),
    "notes.note_edits": ("NoteEdit",),
    "onboarding.discovery": ("Discovery", "FoundNotes", "discover"),
    "onboarding.foreign_setups": ("SetUpAgent", "Setup"),
    "onboarding.setup_import": ("Brought", "ImportKind", "Importer", "Plan", "PlanItem"),
    "platform.crash_reports": ("CrashReports", "report_text"),
    "platform.keychain": ("StoredKey",),
    "platform.licences": ("Component", "components"),
    "platform.paths": ("Paths", "resources"),
    "records.access_records": (
        "AccessRequest", "Action", "KnownAgent", "Permission", "Rule", "AuditedHit", "AuditEntry",
    ),
    "records.model_records": (
        "DownloadProgress", "ModelComparison", "ModelInfo", "ModelScore", "ModelState",
    ),
    "records.search_records": (
        "BackfillCost", "ContextAnswer", "DocumentInfo", "EngineStatus", "Explanation", "Freshness",
        "Hit", "IndexReport", "IndexState", "Mode", "ModelStatus", "NotePage", "Progress",
        "SearchAnswer", "SearchRequest", "SkippedFile", "Snippet", "Source", "Span", "Takeover",
        "Workspace", "WorkspaceStatus",
    ),
    "text.line_diff": ("DiffLine", "LineKind"),
    "updates.check": ("Release", "UpdateState", "Updates"),
    "workspaces.skip_commands": ("SkipCommands",),
}  # fmt: skip

_MODULE_OF = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [  # a test compares it with the imports above
    "AccessAsked",
    "AccessChanged",
    "AccessControl",
    "AccessRefused",
    "AccessRequest",
    "AccessSettled",
    "Action",
    "AgentConnection",
    "ApiKeys",
    "AuditEntry",
    "AuditLogChanged",
    "AuditedHit",
    "BackfillAsked",
    "BackfillCost",
    "Brought",
    "CancelToken",
    "Cancelled",
    "Captured",
    "CapturesChanged",
    "Category",
    "ChangeKind",
    "Changes",
    "Choice",
    "ChoiceKind",
    "Component",
    "ConfigError",
    "ConnectFailed",
    "ConnectionChange",
    "Connections",
    "ContextAnswer",
    "CrashReports",
    "DiffLine",
    "Discovery",
    "DocumentInfo",
    "DownloadFailed",
    "DownloadProgress",
    "DreamCandidate",
    "DreamStatus",
    "Dreams",
    "DreamsApplied",
    "DreamsChanged",
    "Engine",
    "EngineStatus",
    "Event",
    "EventBus",
    "Explanation",
    "Finding",
    "FindingKind",
    "FindingWords",
    "Fix",
    "Forgettable",
    "Forgot",
    "FoundNotes",
    "Freshness",
    "Health",
    "HealthReport",
    "Hit",
    "ImportKind",
    "Importer",
    "IndexChanged",
    "IndexCorrupt",
    "IndexFailed",
    "IndexFinished",
    "IndexLocked",
    "IndexProgressed",
    "IndexReport",
    "IndexState",
    "IndexTooNew",
    "IndexUnavailable",
    "Journal",
    "JournalDay",
    "JournalDays",
    "JournalPlace",
    "KeyTest",
    "KeychainUnavailable",
    "KnownAgent",
    "LastEdit",
    "LineKind",
    "LoadedSettings",
    "LocalOnly",
    "MemorySize",
    "Mode",
    "ModelChanged",
    "ModelComparison",
    "ModelComparisonProgressed",
    "ModelDownloadFailed",
    "ModelDownloadProgressed",
    "ModelInfo",
    "ModelMissing",
    "ModelRefused",
    "ModelScore",
    "ModelState",
    "ModelStatus",
    "ModelsChanged",
    "Night",
    "NotWritable",
    "NoteChange",
    "NoteChanges",
    "NoteDifference",
    "NoteEdit",
    "NotePage",
    "NoteRefused",
    "NotesOfDays",
    "NothingToUndo",
    "Notice",
    "PassedOver",
    "Paths",
    "PauseChanged",
    "Permission",
    "Plan",
    "PlanItem",
    "Problem",
    "Progress",
    "ProviderUnavailable",
    "QueryError",
    "Recall",
    "Release",
    "Remembered",
    "Reminder",
    "RemoteRefused",
    "Rule",
    "ScrubjayError",
    "SearchAnswer",
    "SearchDisabled",
    "SearchRequest",
    "SecretMissing",
    "Sentence",
    "SetUpAgent",
    "SettingsChanged",
    "SettingsEditor",
    "Setup",
    "Severity",
    "SkipCommands",
    "SkippedFile",
    "Snippet",
    "Source",
    "Span",
    "StoredKey",
    "SwitchedOff",
    "Takeover",
    "Theme",
    "UpdateRefused",
    "UpdateState",
    "Updates",
    "Workspace",
    "WorkspaceMissing",
    "WorkspaceStatus",
    "WorkspacesChanged",
    "components",
    "discover",
    "finding_words",
    "gathered",
    "media_type",
    "report_text",
    "resources",
    "service_name",
    "system_reason",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """Import a public name on first use (PEP 562)."""
    module = _MODULE_OF.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f"{__name__}.{module}"), name)
    globals()[name] = value
    return value
