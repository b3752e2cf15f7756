"""Import of workspaces, settings and models from another program.

Files of other programs are only read. Imported items go into our settings and can be taken back.
"""

from __future__ import annotations

import datetime as dt
import functools
import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future
from enum import StrEnum
from operator import getitem
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, get_args

from msgspec import Struct

from scrubjay.concurrency.io_timeout import IoTimeouts
from scrubjay.concurrency.thread_pool import SerialQueue, queued
from scrubjay.config.aliases import mapping_at
from scrubjay.config.loading import LoadedSettings, complete_entry, load_settings, memory_search_for
from scrubjay.config.page_settings import MEMORY_SEARCH, key_paths
from scrubjay.config.schema.agent_features import FlushSettings
from scrubjay.config.schema.memory_search import MemorySearch, ProviderBlock, RemoteProvider
from scrubjay.config.schema.qmd_backend import BackendSettings
from scrubjay.config.schema.section import SECRET_KEYS, canonical_provider
from scrubjay.config.schema.settings import WorkspaceEntry
from scrubjay.config.settings_diff import SomeSettings, changed_keys, needs_rebuild
from scrubjay.config.settings_file import ConfigFile
from scrubjay.errors import ConfigError, ScrubjayError
from scrubjay.messages import msg
from scrubjay.notes.scan import detect_layout, path_exists
from scrubjay.notes.unavailable_folders import unreachable_message
from scrubjay.onboarding.foreign_setups import ForeignAgent, Setup, find_setups, read_setup
from scrubjay.platform.file_names import file_name_key
from scrubjay.platform.paths import Paths
from scrubjay.platform.state_file import StateFile
from scrubjay.records.note_records import Layout, Searched
from scrubjay.records.workspace_id import WorkspaceId

if TYPE_CHECKING:
    from scrubjay.models.library.model_library import ModelLibrary

_NEVER_BROUGHT = frozenset(
    f"{MEMORY_SEARCH}.{key}" for key in ("store.path", "local.modelPath", "enabled")
)
"""Places of their index, and files that may be anywhere."""
_STEPS = "steps"
"""Key of the steps that take the last import back."""
_AT = "at"
"""Key of the time of the last import."""


class ImportKind(StrEnum):
    """Subject of a line of a plan."""

    WORKSPACE = "workspace"
    SETTING = "setting"
    MODEL = "model"


class PlanItem(Struct, frozen=True):
    """An item to import, or the reason to exclude it."""

    kind: ImportKind
    what: str
    """Text for people: the folder, the key with its value, or the file."""
    obstacle: str = ""
    """Reason to exclude it, in one sentence; empty if it is imported."""
    is_there: bool = False
    """Whether it is excluded because there is one already."""
    root: Path | None = None
    """Folder of a workspace, or file of a model."""
    agent: str = ""
    """Id of a workspace, or of the agent that a setting belongs to."""
    name: str = ""
    layout: Layout = ""
    ignore: tuple[str, ...] = ()
    """Patterns of notes in a workspace that are excluded."""
    descriptions: Mapping[str, str] = {}
    """Descriptions of the folders of a workspace, by their paths."""
    searched: Searched = "always"
    """Searches that a workspace is part of."""
    key: str = ""
    """Key of a setting, from the top of our file on."""
    value: Any = None


class Plan(Struct, frozen=True):
    """Items of one set-up."""

    setup: Setup
    items: tuple[PlanItem, ...]

    @property
    def brought(self) -> tuple[PlanItem, ...]:
        """Items that applying the plan imports."""
        return tuple(item for item in self.items if not item.obstacle)


class SetupImportResult(Struct, frozen=True):
    """Result of applying plans."""

    done: tuple[PlanItem, ...]
    failed: tuple[tuple[PlanItem, str], ...] = ()
    """Items that could not be imported, each with the reason."""


class _ModelOwner(Protocol):
    """Whoever has the models."""

    @property
    def library(self) -> ModelLibrary:
        """The library, which is made at its first use and imports numpy then."""


class ImportHost(Protocol):
    """The engine that imported items go to."""

    @property
    def settings(self) -> LoadedSettings:
        """Our settings as they were read last."""

    @property
    def models(self) -> _ModelOwner:
        """Our models."""

    def reload_settings(self) -> Future[tuple[str, ...]]:
        """Apply our settings file, after something was written to it."""


class SetupPlaces(Struct, frozen=True):
    """The places in which settings of other programs are searched."""

    home: Path
    """Home folder of a person."""
    environ: Mapping[str, str]
    """Variables by which other programs find their folders."""

    @classmethod
    def here(cls) -> SetupPlaces:
        """Those of this process."""
        return cls(Path.home(), os.environ)


class Importer:
    """Imports settings and undoes imports, one at a time. For any thread."""

    def __init__(
        self,
        paths: Paths,
        pool: Executor,
        host: ImportHost,
        surroundings: SetupPlaces | None = None,
        io_timeouts: IoTimeouts | None = None,
    ) -> None:
        self._files = paths.settings
        self._history = StateFile(paths.state / "imports.json")
        self._host = host
        self._surroundings = surroundings or SetupPlaces.here()
        self._jobs = SerialQueue(pool)
        self._io_timeouts = io_timeouts or IoTimeouts()

    @queued
    def find(self) -> tuple[Setup, ...]:
        """Set-ups of other programs on this computer."""
        return tuple(find_setups(self._surroundings.home, self._surroundings.environ))

    @queued
    def read(self, file: Path) -> Setup:
        """The set-up in a settings file. The future may raise ConfigError or DriveSilent."""
        self._io_timeouts.check(file)
        return read_setup(file, self._surroundings.home)

    @queued
    def plan(self, setup: Setup) -> Plan:
        """Items of a set-up; nothing is written."""
        return Plan(setup, tuple(self._items(setup)))

    @queued
    def apply(self, plans: Sequence[Plan], *, with_models: bool = False) -> SetupImportResult:
        """Import plans in one step; models, which are large, only with_models."""
        done: list[PlanItem] = []
        failed: list[tuple[PlanItem, str]] = []
        steps: list[dict[str, Any]] = []
        ids: dict[str, str] = {}
        # One failure does not stop the others; what was imported can be taken back as a whole.
        for item in (item for plan in plans for item in plan.brought):
            if item.kind is ImportKind.MODEL and not with_models:
                continue
            try:
                steps += self._bring(item, ids)
            except ScrubjayError as error:
                failed.append((item, str(error)))
                continue
            done.append(item)
        if steps:
            with self._history.changed() as history:
                history |= {_STEPS: steps, _AT: dt.datetime.now(dt.UTC).isoformat()}
            self._host.reload_settings().result()
        return SetupImportResult(tuple(done), tuple(failed))

    @queued
    def last(self) -> dt.datetime | None:
        """Time of the last import; None if there is nothing to take back."""
        history = self._history.read()
        if not history.get(_STEPS):
            return None
        at = str(history.get(_AT, "2026-01-01T00:00:00+00:00"))
        return dt.datetime.fromisoformat(at)

    @queued
    def undo(self) -> tuple[WorkspaceId, ...]:
        """Take back the last import; returns ids of the removed workspaces."""
        with self._history.changed() as history:
            steps = history.pop(_STEPS, [])
        if not steps:
            raise ConfigError("There is nothing to undo", "Scrubjay has not imported any settings.")
        file = ConfigFile(*self._files)
        removed: list[WorkspaceId] = []
        # Workspaces are removed by the caller, which knows more about them than their settings.
        for step in reversed(steps):
            workspace = step.get("workspace")
            if workspace:
                removed.append(WorkspaceId(str(workspace)))
            written = []
            if "place" in step:
                written.append(step["place"])
            key = step.get("key")
            if key:
                written += key_paths(load_settings(*self._files).raw, str(key))
            for key_path in written:
                file.remove([str(part) for part in key_path])
        return tuple(removed)

    def close(self) -> None:
        """Finish the queue."""
        self._jobs.close(seconds=1)

    def _items(self, setup: Setup) -> Iterator[PlanItem]:
        # A folder that is searched already keeps its id here.
        searched = {entry.root: entry.id for entry in self._host.settings.settings.workspaces}
        # The settings of an agent go to the workspace with its folder, if there is one here.
        owners: dict[str, str] = {}
        for agent in setup.agents:
            item = self._workspace_item(
                agent, is_searched=agent.root in searched, has_settings=setup.has_settings
            )
            yield item
            yield from _choices(item)
            if item.is_there or not item.obstacle:
                owners[agent.id] = searched.get(agent.root, agent.id)
        if setup.file is not None and setup.has_settings:
            theirs = load_settings(setup.file)
            yield from self._setting_items(setup, theirs, owners)
            # A value that is refused here means something to the other program.
            for problem in theirs.problems:
                yield PlanItem(ImportKind.SETTING, problem.key, obstacle=problem.reason)
        for what, reason in setup.left_behind.items():
            yield PlanItem(ImportKind.SETTING, what, obstacle=reason)
        for file in setup.models:
            yield PlanItem(ImportKind.MODEL, file.name, root=file)

    def _workspace_item(
        self, agent: ForeignAgent, *, is_searched: bool, has_settings: bool
    ) -> PlanItem:
        """The folder of an agent, with the reason if it cannot be imported."""
        is_silent = not self._io_timeouts.answers(agent.root)
        obstacle = ""
        if is_searched:
            obstacle = msg("Scrubjay already searches this folder.")
        elif is_silent:
            obstacle = unreachable_message(agent.root)
        elif not agent.root.is_dir():
            obstacle = msg("The folder does not exist.")
        # Nothing is read on a drive that does not answer, which thus counts as an agent's.
        is_agents = is_silent or (has_settings and not path_exists(agent.root / ".obsidian"))
        return PlanItem(
            ImportKind.WORKSPACE,
            str(agent.root),
            obstacle=obstacle,
            is_there=is_searched,
            root=agent.root,
            agent=agent.id,
            name=agent.name,
            layout="agent" if is_agents else detect_layout(agent.root),
            ignore=agent.ignore,
            descriptions=agent.descriptions,
            searched=agent.searched,
        )

    def _setting_items(
        self, setup: Setup, theirs: LoadedSettings, owners: Mapping[str, str]
    ) -> Iterator[PlanItem]:
        """Settings of a file that differ from the defaults, then those of its agents."""
        # A project has no settings that its agents share.
        defaults = MemorySearch()
        shared = defaults if setup.is_project else theirs.settings.memory_search
        yield from self._differences(defaults, shared)
        # Those of a project would hold for the folders of others as well.
        if not setup.is_project:
            yield from self._differences(BackendSettings(), theirs.settings.memory, block="memory")
        yield from self._differences(FlushSettings(), theirs.settings.flush, block="flush")
        for name, block in theirs.settings.models.providers.items():
            if canonical_provider(name) in get_args(RemoteProvider):
                key_path = f"models.providers.{name}"
                yield from self._differences(ProviderBlock(), block, block=key_path)
        # An agent's own settings differ from those that it shares with the others.
        for agent in setup.agents:
            own, _ = memory_search_for(theirs, agent.id)
            owner = owners.get(agent.id, "")
            yield from self._differences(
                shared, own, agent=owner or agent.id, is_brought=bool(owner)
            )

    def _differences(
        self,
        defaults: SomeSettings,
        theirs: SomeSettings,
        *,
        block: str = MEMORY_SEARCH,
        agent: str = "",
        is_brought: bool = True,
    ) -> Iterator[PlanItem]:
        """Settings that differ from the defaults, of all agents or of one."""
        raw = self._host.settings.raw
        values = theirs.by_key()
        for below in sorted(changed_keys(defaults, theirs), key=needs_rebuild):
            key = f"{block}.{below}"
            value = functools.reduce(getitem, below.split("."), values)
            key_path = ("agents", "entries", agent, *key.split("."))
            if agent:
                name = f"{agent}: {below}"
                is_ours = key_path[-1] in mapping_at(raw, key_path[:-1])
            else:
                name = key.removeprefix(f"{MEMORY_SEARCH}.")
                is_ours = bool(key_paths(raw, key))
            # A key for a service is not shown, nor is what belongs to the other program.
            what = f"{name} = {value}"
            obstacle = ""
            is_there = False
            if key_path[-1] in SECRET_KEYS:
                what = name
            if key in _NEVER_BROUGHT:
                what = name
                obstacle = msg(
                    "This setting belongs to the other program and is not imported. To "
                    "use a value of your own, set it in the Scrubjay settings."
                )
            elif agent and not is_brought:
                obstacle = msg("The folder that this setting belongs to is not imported.")
            elif is_ours:
                obstacle = msg("Scrubjay will keep your current setting.")
                is_there = True
            yield PlanItem(
                ImportKind.SETTING,
                what,
                obstacle=obstacle,
                is_there=is_there,
                agent=agent,
                key=key,
                value=value,
            )

    def _bring(self, item: PlanItem, ids: dict[str, str]) -> list[dict[str, Any]]:
        """Import an item; the result are the steps that take it back."""
        # Each step is written at once, so that what was done can be taken back after a failure.
        file = ConfigFile(*self._files)
        match item.kind:
            case ImportKind.WORKSPACE:
                # The settings name agents by their old ids, which may be in use here.
                workspaces = load_settings(*self._files).settings.workspaces
                ids_in_use = {file_name_key(entry.id) for entry in workspaces}
                written = WorkspaceEntry(
                    id=item.agent,
                    name=item.name,
                    path=str(item.root),
                    layout=item.layout,
                    ignore=item.ignore,
                    descriptions=item.descriptions,
                    searched=item.searched,
                )
                entry = complete_entry(written, ids_in_use)
                file.add_workspace(entry)
                ids[item.agent] = entry.id
                return [{"workspace": entry.id}]
            case ImportKind.SETTING if not item.key:
                pass  # it is written with its folder
            case ImportKind.SETTING if item.agent:
                key_path = ["agents", "entries", ids.get(item.agent, item.agent)]
                key_path += item.key.split(".")
                file.set(key_path, item.value)
                return [{"place": key_path}]
            case ImportKind.SETTING:
                block, *inner = item.key.split(".")
                if block == MEMORY_SEARCH:
                    file.set_memory_search(inner, item.value)
                else:
                    file.set((block, *inner), item.value)
                return [{"key": item.key}]
            case ImportKind.MODEL:
                assert item.root is not None
                self._host.models.library.import_model(item.root).result()
        return []


def _choices(item: PlanItem) -> Iterator[PlanItem]:
    """What is imported together with a workspace, but is not on its line."""
    values = {
        "ignore": ", ".join(item.ignore),
        "descriptions": " / ".join(item.descriptions.values()),
        "searched": item.searched.removeprefix("always"),
    }
    obstacle = ""
    if item.obstacle:
        obstacle = msg("The folder that this setting belongs to is not imported.")
    for key, value in values.items():
        if value:
            what = f"{item.name}: {key} = {value}"
            yield PlanItem(ImportKind.SETTING, what, obstacle=obstacle)
