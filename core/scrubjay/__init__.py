"""Scrubjay finds what was written down: by its words and by its meaning, on this computer.

The names below are the public API. They are imported on first use, because the model's process
and a second start of the app need only a few of them, at once.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scrubjay.agents import Agents
    from scrubjay.choosing import Choosing
    from scrubjay.config import Changes, Loaded, Problem
    from scrubjay.config.choices import Choice, ChoiceKind
    from scrubjay.connect import AgentConnection, ConnectionChange, Connections
    from scrubjay.crash_reports import CrashReports, report_text
    from scrubjay.discovery import Discovery, FoundNotes, discover
    from scrubjay.dreaming.dreams import Dreams, DreamStatus
    from scrubjay.dreaming.night import Night, PassedOver
    from scrubjay.dreaming.phases import Theme
    from scrubjay.dreaming.review import DreamCandidate
    from scrubjay.dreaming.workspace_dreams import DreamsApplied
    from scrubjay.embedding.remote.known import service_name
    from scrubjay.engine import Engine
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
        BackfillAsked,
        CapturesChanged,
        DreamsChanged,
        Event,
        EventBus,
        GuestBookChanged,
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
    from scrubjay.importer import Brought, Importer, ImportKind, Plan, PlanItem
    from scrubjay.jobs import CancelToken, gathered
    from scrubjay.journal import (
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
    from scrubjay.keys import Keys, KeyTest
    from scrubjay.last_edit import LastEdit, NothingToUndo
    from scrubjay.leaving_out import LeavingOut
    from scrubjay.licences import Component, components
    from scrubjay.line_diff import DiffLine, LineKind
    from scrubjay.media import media_type
    from scrubjay.model_records import (
        DownloadProgress,
        ModelComparison,
        ModelInfo,
        ModelScore,
        ModelState,
    )
    from scrubjay.note_edits import NoteEdit
    from scrubjay.paths import Paths, resources
    from scrubjay.recall.capture_queue import Captured
    from scrubjay.recall.forgetting import Forgettable
    from scrubjay.recall.recall import Forgot, Recall, Reminder, SwitchedOff
    from scrubjay.recall.rules import Category
    from scrubjay.records import (
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
    from scrubjay.remember import Remembered
    from scrubjay.secrets import StoredKey
    from scrubjay.setups import Setup, SetUpAgent
    from scrubjay.translated import Sentence
    from scrubjay.updates import Release, Updates, UpdateState
    from scrubjay.visitors import AccessRequest, Action, AgentSeen, Permission, Rule, Shown, Visit

_HOMES = {
    "agents": ("Agents",),
    "choosing": ("Choosing",),
    "config": ("Changes", "Loaded", "Problem"),
    "config.choices": ("Choice", "ChoiceKind"),
    "connect": ("AgentConnection", "ConnectionChange", "Connections"),
    "crash_reports": ("CrashReports", "report_text"),
    "discovery": ("Discovery", "FoundNotes", "discover"),
    "dreaming.dreams": ("DreamStatus", "Dreams"),
    "dreaming.night": ("Night", "PassedOver"),
    "dreaming.phases": ("Theme",),
    "dreaming.review": ("DreamCandidate",),
    "dreaming.workspace_dreams": ("DreamsApplied",),
    "embedding.remote.known": ("service_name",),
    "engine": ("Engine",),
    "errors": (
        "AccessRefused", "Cancelled", "ConfigError", "ConnectFailed", "DownloadFailed",
        "IndexCorrupt", "IndexLocked", "IndexTooNew", "IndexUnavailable", "KeychainUnavailable",
        "LocalOnly", "ModelMissing", "ModelRefused", "NotWritable", "NoteRefused",
        "ProviderUnavailable", "QueryError", "RemoteRefused", "ScrubjayError", "SearchDisabled",
        "SecretMissing", "UpdateRefused", "WorkspaceMissing", "system_reason",
    ),
    "events": (
        "AccessAsked", "AccessChanged", "AccessSettled", "BackfillAsked", "CapturesChanged",
        "DreamsChanged", "Event", "EventBus", "GuestBookChanged", "IndexChanged", "IndexFailed",
        "IndexFinished", "IndexProgressed", "ModelChanged", "ModelComparisonProgressed",
        "ModelDownloadFailed", "ModelDownloadProgressed", "ModelsChanged", "Notice", "PauseChanged",
        "SettingsChanged", "WorkspacesChanged",
    ),
    "health.checkup": ("Health",),
    "health.findings": (
        "Finding", "FindingKind", "FindingWords", "Fix", "HealthReport", "MemorySize", "Severity",
        "finding_words",
    ),
    "importer": ("Brought", "ImportKind", "Importer", "Plan", "PlanItem"),
    "jobs": ("CancelToken", "gathered"),
    "journal": (
        "ChangeKind", "Journal", "JournalDay", "JournalDays", "JournalPlace", "NoteChange",
        "NoteChanges", "NoteDifference", "NotesOfDays",
    ),
    "keys": ("KeyTest", "Keys"),
    "last_edit": ("LastEdit", "NothingToUndo"),
    "leaving_out": ("LeavingOut",),
    "licences": ("Component", "components"),
    "line_diff": ("DiffLine", "LineKind"),
    "media": ("media_type",),
    "model_records": (
        "DownloadProgress", "ModelComparison", "ModelInfo", "ModelScore", "ModelState",
    ),
    "note_edits": ("NoteEdit",),
    "paths": ("Paths", "resources"),
    "recall.capture_queue": ("Captured",),
    "recall.forgetting": ("Forgettable",),
    "recall.recall": ("Forgot", "Recall", "Reminder", "SwitchedOff"),
    "recall.rules": ("Category",),
    "records": (
        "BackfillCost", "ContextAnswer", "DocumentInfo", "EngineStatus", "Explanation", "Freshness",
        "Hit", "IndexReport", "IndexState", "Mode", "ModelStatus", "NotePage", "Progress",
        "SearchAnswer", "SearchRequest", "SkippedFile", "Snippet", "Source", "Span", "Takeover",
        "Workspace", "WorkspaceStatus",
    ),
    "remember": ("Remembered",),
    "secrets": ("StoredKey",),
    "setups": ("SetUpAgent", "Setup"),
    "translated": ("Sentence",),
    "updates": ("Release", "UpdateState", "Updates"),
    "visitors": ("AccessRequest", "Action", "AgentSeen", "Permission", "Rule", "Shown", "Visit"),
}  # fmt: skip

_MODULE_OF = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [  # a test compares it with the imports above
    "AccessAsked", "AccessChanged", "AccessRefused", "AccessRequest", "AccessSettled", "Action",
    "AgentConnection", "AgentSeen", "Agents", "BackfillAsked", "BackfillCost", "Brought",
    "CancelToken", "Cancelled", "Captured", "CapturesChanged", "Category", "ChangeKind", "Changes",
    "Choice", "ChoiceKind", "Choosing", "Component", "ConfigError", "ConnectFailed",
    "ConnectionChange", "Connections", "ContextAnswer", "CrashReports", "DiffLine", "Discovery",
    "DocumentInfo", "DownloadFailed", "DownloadProgress", "DreamCandidate", "DreamStatus", "Dreams",
    "DreamsApplied", "DreamsChanged", "Engine", "EngineStatus", "Event", "EventBus", "Explanation",
    "Finding", "FindingKind", "FindingWords", "Fix", "Forgettable", "Forgot", "FoundNotes",
    "Freshness", "GuestBookChanged", "Health", "HealthReport", "Hit", "ImportKind", "Importer",
    "IndexChanged", "IndexCorrupt", "IndexFailed", "IndexFinished", "IndexLocked",
    "IndexProgressed", "IndexReport", "IndexState", "IndexTooNew", "IndexUnavailable", "Journal",
    "JournalDay", "JournalDays", "JournalPlace", "KeyTest", "KeychainUnavailable", "Keys",
    "LastEdit", "LeavingOut", "LineKind", "Loaded", "LocalOnly", "MemorySize", "Mode",
    "ModelChanged", "ModelComparison", "ModelComparisonProgressed", "ModelDownloadFailed",
    "ModelDownloadProgressed", "ModelInfo", "ModelMissing", "ModelRefused", "ModelScore",
    "ModelState", "ModelStatus", "ModelsChanged", "Night", "NotWritable", "NoteChange",
    "NoteChanges", "NoteDifference", "NoteEdit", "NotePage", "NoteRefused", "NotesOfDays",
    "NothingToUndo", "Notice", "PassedOver", "Paths", "PauseChanged", "Permission", "Plan",
    "PlanItem", "Problem", "Progress", "ProviderUnavailable", "QueryError", "Recall", "Release",
    "Remembered", "Reminder", "RemoteRefused", "Rule", "ScrubjayError", "SearchAnswer",
    "SearchDisabled", "SearchRequest", "SecretMissing", "Sentence", "SetUpAgent", "SettingsChanged",
    "Setup", "Severity", "Shown", "SkippedFile", "Snippet", "Source", "Span", "StoredKey",
    "SwitchedOff", "Takeover", "Theme", "UpdateRefused", "UpdateState", "Updates", "Visit",
    "Workspace", "WorkspaceMissing", "WorkspaceStatus", "WorkspacesChanged", "components",
    "discover", "finding_words", "gathered", "media_type", "report_text", "resources",
    "service_name", "system_reason",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """Import a public name on first use (PEP 562)."""
    module = _MODULE_OF.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f"{__name__}.{module}"), name)
    globals()[name] = value
    return value
