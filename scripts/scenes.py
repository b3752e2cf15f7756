"""What the photographed app has been through: notes, carelessness, visits of agents."""

from __future__ import annotations

import datetime as dt
import json
import os
import random
import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QEventLoop, QTimer

from scrubjay import CancelToken
from scrubjay.agents.dreaming.recall_store import DreamStore
from scrubjay.records.access_records import AuditedHit, AuditEntry
from scrubjay.records.search_records import IndexState, SearchRequest
from scrubjay_desktop.app.application import Desktop
from scrubjay_desktop.workspaces.sample_notes import copy_sample, sample_name

WORDS_ONLY = '{ memorySearch: { provider: "none" } }'
"""Settings for pictures that need no model, which would only take time."""
NONSENSE = "photon detector"
"""Nobody in these notes writes of it."""
_LONGEST_S = 60.0


def sample(desktop: Desktop) -> Path:
    """The sample notes, copied for this app."""
    folder = copy_sample(desktop._paths)  # noqa: SLF001
    # Notes of different ages, as people have them.
    now = time.time()
    for number, note in enumerate(sorted(folder.rglob("*.md"))):
        age = dt.timedelta(hours=5 + 31 * number).total_seconds()
        os.utime(note, (now - age, now - age))
    return folder


def kept_for_a_year(desktop: Desktop) -> None:
    """The sample notes with a diary, after three of them changed."""
    folder = sample(desktop)
    chance = random.Random(4)
    lines = (folder / "MEMORY.md").read_text(encoding="utf-8").splitlines()
    for age in range(1, 420):
        day = dt.date.today() - dt.timedelta(days=age)
        file = folder / "memory" / f"{day}.md"
        if chance.random() < 0.4 and not file.exists():
            said = chance.choices([one for one in lines if one], k=chance.randrange(2, 30))
            file.write_text(f"# {day}\n\n" + "\n".join(said) + "\n", encoding="utf-8")
    desktop.errands.add_folder(folder, sample_name())
    until(lambda: [one.state for one in desktop.feed.status.workspaces] == [IndexState.READY])
    memory = folder / "MEMORY.md"
    changed = [*lines[:-2], "The roof garden has a bench now.", *lines[-1:], "Ask about the key."]
    memory.write_text("\n".join(changed) + "\n", encoding="utf-8")
    (folder / "memory" / "plan.md").write_text("# Plan\n\nWater the tomatoes.\n", encoding="utf-8")
    (folder / "memory" / "money.md").unlink()
    desktop.errands.refresh("")


def neglected(desktop: Desktop) -> None:
    """The sample notes, after somebody was careless with them."""
    folder = sample(desktop)
    desktop.errands.add_folder(folder, sample_name())
    until(lambda: bool(desktop.feed.status.workspaces))
    with (folder / "MEMORY.md").open("a", encoding="utf-8") as memory:
        memory.write("\nThe old [roof plan](work/roof-2019.md) is out of date.\n")
        memory.write("What the crane driver said matters less than it seemed.\n" * 420)
    (folder / "memory" / "deploy.md").write_text(
        "# Deploy\n\nPush with `ghp_" + "9aB3dE5fG7hJ1kL2mN4pQ6rS8tU0vW`.\n", encoding="utf-8"
    )


def visited(desktop: Desktop) -> None:
    """Agents asked some things about the sample notes."""
    folder = sample(desktop)
    (desktop._paths.config).mkdir(parents=True, exist_ok=True)  # noqa: SLF001
    desktop._engine.settings_editor.set("dreaming.enabled", True).result()  # noqa: SLF001
    desktop.errands.add_folder(folder, sample_name())
    until(lambda: is_ready(desktop))
    engine = desktop._engine  # noqa: SLF001
    [workspace] = engine.workspaces()
    asked = (
        (
            "claude-code",
            "Claude Code",
            "which contract is the library roof",
            "memory/work/library-roof.md",
        ),
        ("cursor", "Cursor", "who is the structural engineer", "memory/work/library-roof.md"),
        (
            "claude-code",
            "Claude Code",
            "what did we decide about the crane",
            "memory/2026-11-19.md",
        ),
    )
    for agent, title, query, path in asked:
        shown = (AuditedHit(workspace.id, path, 1, 9),)
        engine.agents.record(AuditEntry(agent, "memory_search", query, shown, title=title)).result()
    daily = sorted((folder / "memory").glob("20*.md"))[-1]
    lines = daily.read_text(encoding="utf-8").splitlines()
    at = max(range(len(lines)), key=lambda number: len(lines[number]))
    store, now = DreamStore(folder), dt.datetime.now().astimezone()
    for number in range(9):
        request = SearchRequest(lines[at], workspace=workspace.id)
        hits = engine.search(request, CancelToken()).result().hits
        store.record([(f"question {number}", hits)], now - dt.timedelta(days=8 - number))


def home_of_somebody(home: Path) -> Path:
    """A home in which an agent and two apps have left notes."""
    for folder, count, days in ((".openclaw/workspace", 214, 0), ("Garden", 1380, 1)):
        place = home / folder / "memory"
        place.mkdir(parents=True, exist_ok=True)
        age = dt.timedelta(days=days).total_seconds()
        for number in range(count):
            note = place / f"2026-{number:04}.md"
            note.touch()
            os.utime(note, (time.time() - age, time.time() - age))
    (home / ".openclaw/workspace/MEMORY.md").touch()
    (home / ".codex/memories").mkdir(parents=True, exist_ok=True)
    (home / ".codex/memories/MEMORY.md").touch()
    (home / ".config/obsidian").mkdir(parents=True, exist_ok=True)
    vaults = {"vaults": {"1": {"path": str(home / "Garden")}}}
    (home / ".config/obsidian/obsidian.json").write_text(json.dumps(vaults))
    return home


def set_up_of_somebody(home: Path) -> Path:
    """A home in which OpenClaw is set up with settings of its own."""
    home_of_somebody(home)
    search = {"provider": "local", "query": {"maxResults": 8}, "extraPaths": ["~/Garden"]}
    agents = {"defaults": {"memorySearch": search}, "list": [{"id": "main", "name": "Main"}]}
    (home / ".openclaw/openclaw.json").write_text(json.dumps({"agents": agents}))
    return home


def is_ready(desktop: Desktop) -> bool:
    """Whether every note can be found by its meaning."""
    statuses = desktop.feed.status.workspaces
    return bool(statuses) and all(
        one.state is IndexState.READY and one.freshness.embedded == 1 for one in statuses
    )


def is_read(desktop: Desktop) -> bool:
    """Whether every note can be found by its words."""
    statuses = desktop.feed.status.workspaces
    return bool(statuses) and all(
        one.state is IndexState.READY and one.freshness.documents > 0 for one in statuses
    )


def until(seen: Callable[[], bool]) -> None:
    """Let the app run until something is seen."""
    deadline = time.monotonic() + _LONGEST_S
    while not seen():
        if time.monotonic() > deadline:
            raise TimeoutError("The app did not get there")
        pause(0.02)


def pause(seconds: float) -> None:
    """Let the app run for a while."""
    loop = QEventLoop()
    QTimer.singleShot(round(1000 * seconds), loop.quit)
    loop.exec()
