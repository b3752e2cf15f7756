"""Brings over what people set up elsewhere: agents, their workspaces, settings and models.

Files of other programs are only read. What is brought over goes into our settings and can be
taken back.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, Protocol

from scrubjay.concurrency.thread_pool import SerialQueue
from scrubjay.config.descriptors import MEMORY_SEARCH, places
from scrubjay.config.loading import LoadedSettings, complete_entry, load, memory_search_for
from scrubjay.config.schema.memory_search import MemorySearch
from scrubjay.config.schema.qmd_backend import BackendSettings
from scrubjay.config.schema.section import Section
from scrubjay.config.schema.settings import WorkspaceEntry
from scrubjay.config.settings_diff import SomeSettings, changes
from scrubjay.config.settings_file import ConfigFile
from scrubjay.errors import ConfigError, ScrubjayError
from scrubjay.messages import msg
from scrubjay.onboarding.foreign_setups import Setup, find_setups, setup_in
from scrubjay.platform.paths import Paths
from scrubjay.platform.state_file import StateFile
from scrubjay.records.model_records import ModelInfo

_NEVER_BROUGHT = frozenset({"store.path", "remote.apiKey", "local.modelPath", "enabled"})
"""Where their index is, their keys, and files that may be anywhere."""
_STEPS = "steps"


class ImportKind(StrEnum):
    """What one line of a plan is about."""

    WORKSPACE = "workspace"
    SETTING = "setting"
    MODEL = "model"


@dataclass(frozen=True, slots=True)
class PlanItem:
    """One thing that would be brought over, or why it would not."""

    kind: ImportKind
    what: str
    """For people: the folder, the key with its value, or the file."""
    obstacle: str = ""
    """Why it stays away, in one sentence; empty when it is brought over."""
    root: Path | None = None
    """Of a workspace: its folder. Of a model: its file."""
    agent: str = ""
    """Of a workspace and of an agent's own setting: the id."""
    name: str = ""
    key: str = ""
    """Of a setting: from `memorySearch` or `memory` on."""
    value: Any = None


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything that one set-up has for us."""

    setup: Setup
    items: tuple[PlanItem, ...]

    @property
    def brought(self) -> tuple[PlanItem, ...]:
        """What applying it would bring over."""
        return tuple(one for one in self.items if not one.obstacle)


@dataclass(frozen=True, slots=True)
class Brought:
    """What became of a plan."""

    done: tuple[PlanItem, ...]
    failed: tuple[tuple[PlanItem, str], ...] = ()
    """What could not be brought over, and why."""
    workspaces: tuple[str, ...] = field(default=())
    """Ids of the workspaces that are new."""


class TakesModels(Protocol):
    """The engine, as the importer needs it."""

    def import_file(self, file: Path, *, accept_terms: bool = False) -> Future[ModelInfo]:
        """Check a model file and copy it."""


class Importer:
    """Finds, plans, brings over and takes back, on a thread of its own. For any thread."""

    def __init__(
        self,
        paths: Paths,
        pool: Executor,
        loaded: Callable[[], LoadedSettings],
        models: TakesModels,
        changed: Callable[[], object],
        home: Path | None = None,
        environ: Mapping[str, str] = os.environ,
    ) -> None:
        """Changed is called on this thread when our settings were written."""
        self._config = paths.config_file
        self._notes = StateFile(paths.state / "imports.json")
        self._loaded = loaded
        self._models = models
        self._changed = changed
        self._home = home
        self._environ = environ
        self._jobs = SerialQueue(pool)

    def find(self) -> Future[tuple[Setup, ...]]:
        """Set-ups of other programs on this computer."""
        return self._jobs.submit(
            lambda: tuple(find_setups(self._home or Path.home(), self._environ))
        )

    def read(self, file: Path) -> Future[Setup]:
        """One settings file, wherever it is. The future may raise ConfigError."""
        return self._jobs.submit(lambda: setup_in(file, self._home or Path.home()))

    def plan(self, setup: Setup) -> Future[Plan]:
        """What would be brought over; nothing is written."""
        return self._jobs.submit(lambda: Plan(setup, tuple(self._items(setup))))

    def apply(self, plans: Sequence[Plan], *, with_models: bool = False) -> Future[Brought]:
        """Bring plans over in one step. Models are copied only when wanted: they are large."""
        return self._jobs.submit(lambda: self._apply(plans, with_models=with_models))

    def undo(self) -> Future[tuple[str, ...]]:
        """Take back what was brought over last: ids of the workspaces that are gone again."""
        return self._jobs.submit(self._undo)

    def close(self) -> None:
        """Finish what is queued."""
        self._jobs.close(seconds=1)

    # -- on the thread ------------------------------------------------------------------------

    def _items(self, setup: Setup) -> Iterator[PlanItem]:
        known = {entry.root for entry in self._loaded().settings.workspaces}
        brought: set[str] = set()
        for agent in setup.agents:
            obstacle = ""
            if agent.root in known:
                obstacle = msg("It is searched already.")
            elif not agent.root.is_dir():
                obstacle = msg("The folder is not there.")
            if not obstacle:
                brought.add(agent.id)
            yield PlanItem(ImportKind.WORKSPACE, str(agent.root), obstacle, agent.root, agent.id,
                           agent.name)  # fmt: skip
        if setup.file is not None and setup.has_settings:
            yield from self._settings_of(setup, load(setup.file), brought)
        for file in setup.models:
            yield PlanItem(ImportKind.MODEL, file.name, root=file)

    def _settings_of(
        self, setup: Setup, theirs: LoadedSettings, brought: Collection[str]
    ) -> Iterator[PlanItem]:
        shared = theirs.settings.memory_search
        yield from self._differences(MemorySearch(), shared)
        yield from self._differences(BackendSettings(), theirs.settings.memory, "memory")
        for agent in setup.agents:
            own, _ = memory_search_for(theirs, agent.id)
            is_brought = agent.id in brought
            yield from self._differences(shared, own, agent=agent.id, is_brought=is_brought)

    def _differences(
        self,
        usual: SomeSettings,
        wanted: SomeSettings,
        block: str = MEMORY_SEARCH,
        *,
        agent: str = "",
        is_brought: bool = True,
    ) -> Iterator[PlanItem]:
        raw = self._loaded().raw
        differing = changes(usual, wanted)
        for below in (*differing.hot, *differing.rebuild):
            key, value = f"{block}.{below}", _plain(wanted, below)
            told = f"{agent}: {below}" if agent else key.removeprefix(f"{MEMORY_SEARCH}.")
            shown, obstacle = f"{told} = {value}", ""
            if below in _NEVER_BROUGHT or "headers" in below:
                shown = told
                obstacle = msg("It belongs to the other program; choose it here in the settings.")
            elif agent and not is_brought:
                obstacle = msg("Its folder is not brought over.")
            elif not agent and places(raw, key):
                obstacle = msg("Your own setting stays.")
            yield PlanItem(ImportKind.SETTING, shown, obstacle, agent=agent, key=key, value=value)

    def _apply(self, plans: Sequence[Plan], *, with_models: bool) -> Brought:
        done, failed = list[PlanItem](), list[tuple[PlanItem, str]]()
        steps, ids = list[dict[str, Any]](), dict[str, str]()
        for item in (one for plan in plans for one in plan.brought):
            if item.kind is ImportKind.MODEL and not with_models:
                continue
            try:
                steps += self._bring(item, ids)
            except ScrubjayError as error:
                failed.append((item, str(error)))
                continue
            done.append(item)
        if steps:
            with self._notes.changed() as held:
                held[_STEPS] = steps
            self._changed()
        return Brought(tuple(done), tuple(failed), tuple(ids.values()))

    def _bring(self, item: PlanItem, ids: dict[str, str]) -> list[dict[str, Any]]:
        file = ConfigFile(self._config)
        match item.kind:
            case ImportKind.WORKSPACE:
                taken = {entry.id.casefold() for entry in load(self._config).settings.workspaces}
                written = WorkspaceEntry(id=item.agent, name=item.name, path=str(item.root))
                entry = complete_entry(written, taken)
                file.add_workspace(entry)
                ids[item.agent] = entry.id
                return [{"workspace": entry.id}]
            case ImportKind.SETTING if item.agent:
                place = ["agents", "entries", ids.get(item.agent, item.agent)]
                place += item.key.split(".")
                file.set(place, item.value)
                return [{"place": place}]
            case ImportKind.SETTING:
                block, *inner = item.key.split(".")
                if block == MEMORY_SEARCH:
                    file.set_memory_search(inner, item.value)
                else:
                    file.set((block, *inner), item.value)
                return [{"key": item.key}]
            case ImportKind.MODEL:
                assert item.root is not None
                self._models.import_file(item.root).result()
        return []

    def _undo(self) -> tuple[str, ...]:
        with self._notes.changed() as held:
            steps = held.pop(_STEPS, [])
        if not steps:
            raise ConfigError("There is nothing to take back", "Nothing was brought over here.")
        file = ConfigFile(self._config)
        gone = []
        for step in reversed(steps):
            if workspace := step.get("workspace"):
                gone.append(str(workspace))
            for place in _written_places(step, load(self._config).raw):
                file.remove(place)
        return tuple(gone)


def _written_places(step: Mapping[str, Any], raw: Mapping[str, Any]) -> Iterable[list[str]]:
    if place := step.get("place"):
        return [[str(part) for part in place]]
    if key := step.get("key"):
        return [[str(part) for part in place] for place in places(raw, str(key))]
    return []


def _plain(settings: Section, key: str) -> Any:
    """A value as a settings file has it."""
    value: Any = settings.model_dump(by_alias=True, mode="json")
    for step in key.split("."):
        value = value[step]
    return value
