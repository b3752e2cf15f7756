"""A settings file that another program replaces by nothing and puts back, again and again.

Servers, the app and hooks keep the last good rules and folders: who is denied never gets a text,
and who is allowed always does.
"""

from __future__ import annotations

import contextlib
import json
import random
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from scrubjay.cli.command_server import CommandServer
from scrubjay.engine.engine import Engine
from scrubjay.platform.paths import Paths
from support.attacks import command, tries
from support.mcp_client import connected, text_of
from support.vault import TIMEOUT, write_notes

pytestmark = pytest.mark.soak

SECRET = "the quinces are under the floor"
NOTHING: tuple[bytes | None, ...] = (
    b"{}", b"{ }\n", b"// being written\n{}", b"\xef\xbb\xbf{}", b"null", b"[]", b"", b"\n",
    b"\xef\xbb\xbf", "{}".encode("utf-16"), b'{"localOnly": true', None,
)  # fmt: skip
LONGEST_S = 0.03


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folders = []
    for name, text in (("open", "Apricot cake.\n"), ("diary", f"Today {SECRET}.\n")):
        root = write_notes(tmp_path / name, {f"{name}.md": text})
        folders.append({"id": name, "path": str(root), "layout": "notes"})
    rules = {"bad": {"workspaces": {"diary": {"read": "deny"}}}}
    settings = {
        "memorySearch": {"provider": "none"},
        "workspaces": folders,
        "access": {"agents": rules},
    }
    home = write_notes(tmp_path / "home", {"config.json5": json.dumps(settings)})
    with contextlib.closing(Engine(Paths.under(home))) as engine:
        engine.refresh().result(TIMEOUT)
    return home


@contextlib.contextmanager
def flickering(file: Path) -> Iterator[list[int]]:
    """Another program replaces the settings meanwhile; the list grows each time that it does."""
    good, dice = file.read_bytes(), random.Random(2026)
    times: list[int] = []
    is_over = threading.Event()

    def put(content: bytes | None) -> None:
        if content is None:
            file.unlink()
        elif dice.random() < 0.5:
            file.write_bytes(content)
        else:
            write_notes(file.parent, {"other": content})
            (file.parent / "other").replace(file)

    def replace() -> None:
        while not is_over.is_set():
            put(dice.choice(NOTHING))
            time.sleep(dice.random() * LONGEST_S)
            put(good)
            times.append(len(times))
            time.sleep(dice.random() * LONGEST_S)

    thread = threading.Thread(target=replace)
    thread.start()
    try:
        yield times
    finally:
        is_over.set()
        thread.join()


def test_servers_keep_the_last_good_rules_and_folders(home: Path) -> None:
    with (
        connected(home, name="bad") as bad,
        connected(home, name="good") as good,
        flickering(home / "config.json5") as times,
    ):
        for _ in range(tries(60, 5_000)):
            refused = bad.tool("memory_get", path="diary.md", workspace="diary")
            assert refused.is_error, len(times)
            assert SECRET not in text_of(bad.tool("memory_search", query="quinces floor"))
            assert SECRET in good.answer("memory_get", path="diary.md", workspace="diary")["text"]
            assert good.answer("memory_search", query="quinces floor")["results"]
    assert len(times) > 10


@pytest.mark.parametrize("has_app", [True, False])
def test_hooks_of_the_app_and_of_commands_keep_them_too(home: Path, *, has_app: bool) -> None:
    prompt = json.dumps({"prompt": "where are the quinces, under the floor of what?"}).encode()
    with contextlib.ExitStack() as stack:
        if has_app:
            app = stack.enter_context(contextlib.closing(Engine(Paths.under(home))))
            app.start()
            server = CommandServer(app)
            server.start()
            stack.callback(server.close)
        times = stack.enter_context(flickering(home / "config.json5"))
        for _ in range(tries(8, 300)):
            for agent in ("bad", "good"):
                ran = command(home, "hook", "recall", "--agent", agent, stdin=prompt).check()
                assert (SECRET in ran.out) is (agent == "good"), (ran, len(times))
    assert times
