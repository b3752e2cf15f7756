"""The engine as a protocol, for its parts that search."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Protocol

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.config.loading import LoadedSettings
from scrubjay.event_bus import EventBus
from scrubjay.platform.paths import Paths
from scrubjay.records.note_records import Workspace
from scrubjay.records.search_records import SearchAnswer, SearchRequest


class EnginePort(Protocol):
    """The part of an engine that searches."""

    paths: Paths
    events: EventBus

    @property
    def settings(self) -> LoadedSettings:
        """The settings file as it was read last."""

    def workspaces(self) -> tuple[Workspace, ...]:
        """All workspaces in the order of the settings, also those that are off."""

    def readable_workspaces(self) -> tuple[Workspace, ...]:
        """All workspaces that the settings do not turn off."""

    def check_on(self, workspace: Workspace) -> None:
        """Raise SearchOff for a workspace that is off, WorkspaceMissing for one not listed."""

    @property
    def is_reader_warm(self) -> bool:
        """Whether a result reader is loaded."""

    def search(self, request: SearchRequest, cancel: CancelToken) -> Future[SearchAnswer]:
        """Answer a request."""
