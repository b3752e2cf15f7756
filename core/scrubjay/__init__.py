"""Scrubjay searches notes by their words and by their meaning, on this computer.

The public API: these names, and the vocabulary in `errors`, `events`, `messages` and `records`.
A name is imported on first use, because the model's process and a second start of the app need
only a few of them, at once.
"""

from __future__ import annotations

import builtins
import contextlib
import importlib
from collections.abc import Iterator, Sequence
from types import SimpleNamespace
from typing import Any

_MODULES: dict[str, str] = {}
"""The module of each public name."""


@contextlib.contextmanager
def _imported_on_first_use() -> Iterator[None]:
    """Context in which this module's `from ... import` only fills `_MODULES`."""
    real_import = builtins.__import__

    def note(
        module: str,
        importer: dict[str, Any] | None = None,
        local_names: Any = None,
        names: Sequence[str] = (),
        level: int = 0,
    ) -> Any:
        if importer is not globals():  # another thread imports something
            return real_import(module, importer, local_names, names, level)
        _MODULES.update(dict.fromkeys(names, module))
        return SimpleNamespace(**dict.fromkeys(names))

    vars(builtins)["__import__"] = note
    try:
        yield
    finally:
        vars(builtins)["__import__"] = real_import
        for name in _MODULES:
            globals().pop(name, None)


with _imported_on_first_use():
    from scrubjay.agents.access.access_control import AccessControl
    from scrubjay.agents.connect.connections import AgentConnection, Connections
    from scrubjay.agents.connect.settings_edit import ConnectionChange
    from scrubjay.agents.dreaming.dreaming import Dreams
    from scrubjay.agents.dreaming.promotion import DreamsApplied
    from scrubjay.agents.dreaming.review_queue import DreamCandidate
    from scrubjay.agents.recall.capture_queue import Captured
    from scrubjay.agents.recall.recall import Recall
    from scrubjay.answers.journal import Journal
    from scrubjay.concurrency.cancel import CancelToken
    from scrubjay.concurrency.futures import gathered
    from scrubjay.config.descriptors import Choice, ChoiceKind
    from scrubjay.embedding.remote.services import service_name
    from scrubjay.engine.api_keys import ApiKeys, KeyTest
    from scrubjay.engine.engine import Engine
    from scrubjay.engine.settings_editor import SettingsEditor
    from scrubjay.engine.workspace_commands import SkipCommands
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
    from scrubjay.notes.daily_note import Remembered
    from scrubjay.notes.media_types import media_type
    from scrubjay.notes.note_edits import LastEdit, NoteEdit
    from scrubjay.onboarding.discovery import Discovery, NotesFolder, discover
    from scrubjay.onboarding.foreign_setups import Setup
    from scrubjay.onboarding.setup_import import Brought, Importer, ImportKind, Plan, PlanItem
    from scrubjay.platform.crash_reports import CrashReports, report_text
    from scrubjay.platform.keychain import StoredKey
    from scrubjay.platform.licences import Component, components
    from scrubjay.platform.logs import log_to
    from scrubjay.platform.paths import Paths, resources

__all__ = sorted(_MODULES)


def __getattr__(name: str) -> Any:
    """Import a public name on first use (PEP 562)."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(_MODULES[name]), name)
    globals()[name] = value
    return value
