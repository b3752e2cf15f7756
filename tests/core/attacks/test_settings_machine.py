"""Any series of edits of the settings, good and bad, with requests of all faces in between.

The last good settings and rules hold, a denied agent never gets text of a denied folder, and
`localOnly` opens no address elsewhere.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from scrubjay.engine.engine import Engine
from scrubjay.errors import ConfigError
from scrubjay.mcp_server.tools import MemoryTools
from scrubjay.platform.paths import Paths
from scrubjay.records.access_records import Action, Permission
from scrubjay.records.search_modes import Mode
from support.attacks import IS_LONG, command, nowhere_else, resource, tool, tries
from support.vault import TIMEOUT, ask, write_notes

AGENTS = st.sampled_from(["bad", "good"])
RULES = st.sampled_from(["allow", "deny"])
NONSENSE = st.sampled_from([None, "yes please", [], {}, 17, "lokal"])
SECRET = "the quinces are under the floor"
BROKEN = st.one_of(
    st.sampled_from([b"", b"\n \t", b"\xef\xbb\xbf", b"[]", b"null", b"{", b"\xff\xfe{}", b"}{"]),
    st.binary(min_size=1, max_size=40).map(lambda some: b'{"a": \x01' + some),
)


class SettingsAndRequests(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.base = Path(tempfile.mkdtemp(prefix="attack-"))
        notes = {"open": {"cake.md": "Apricot cake.\n"}, "diary": {"day.md": f"Today {SECRET}.\n"}}
        for name, files in notes.items():
            write_notes(self.base / name, files)
        self.home = self.base / "home"
        self.file = self.home / "config.json5"
        self.read, self.own = "allow", dict[str, str]()
        self.is_good = True
        self.reached = nowhere_else()
        self.addresses = self.reached.__enter__()

    @initialize(local=st.one_of(st.just(True), NONSENSE))
    def begin(self, local: object) -> None:
        self.local = local
        write_notes(self.home, {"config.json5": self.text()})
        self.app = Engine(Paths.under(self.home))
        self.app.refresh(words_only=True).result(TIMEOUT)
        self.server = MemoryTools(Engine(Paths.under(self.home)))

    def text(self) -> str:
        own = {name: {"workspaces": {"diary": {"read": value}}} for name, value in self.own.items()}
        folders = [{"id": name, "path": str(self.base / name)} for name in ("open", "diary")]
        elsewhere = {"baseUrl": "http://203.0.113.7:9/v1", "apiKey": "sk-attacked"}
        return json.dumps(
            {
                "localOnly": self.local,
                "workspaces": folders,
                "access": {"read": self.read, "write": "allow", "agents": own},
                "memorySearch": {"provider": "openai", "remote": elsewhere},
            }
        )

    # -- edits ---------------------------------------------------------------------------------

    @rule(read=RULES, bad=RULES, local=st.one_of(st.just(True), NONSENSE))
    def save(self, read: str, bad: str, local: object) -> None:
        self.read, self.own, self.local, self.is_good = read, {"bad": bad}, local, True
        self.put(self.text().encode())
        self.app.reload_settings().result(TIMEOUT)

    @rule(agent=AGENTS, value=RULES)
    def set_rule(self, agent: str, value: str) -> None:
        done = self.app.agents.set_rule(agent, "diary", Action.READ, Permission(value))
        try:
            done.result(TIMEOUT)
        except ConfigError:
            assert not self.is_good
        else:
            self.own[agent], self.is_good = value, True
            self.app.reload_settings().result(TIMEOUT)

    @rule(content=BROKEN)
    def spoil(self, content: bytes) -> None:
        self.put(content)
        self.is_good = False

    @precondition(lambda self: self.is_good)
    @rule(share=st.floats(0, 0.99))
    def truncate(self, share: float) -> None:
        self.spoil(self.file.read_bytes()[: int(share * self.file.stat().st_size)])

    @rule(kind=st.sampled_from(["missing", "folder", "pipe"]))
    def replace(self, kind: str) -> None:
        self.put(b"")
        self.file.unlink()
        if kind == "folder":
            self.file.mkdir()
        elif kind == "pipe":
            os.mkfifo(self.file)
        self.is_good = False

    @precondition(lambda self: self.is_good)
    @rule(agent=AGENTS)
    def ask_while_it_is_saved(self, agent: str) -> None:
        """Editors empty a file and write it in pieces."""
        whole = self.file.read_bytes()
        for end in (0, len(whole) // 2, len(whole)):
            self.file.write_bytes(whole[:end])
            self.get(agent)

    def put(self, content: bytes) -> None:
        if self.file.is_dir():
            self.file.rmdir()
        elif self.file.is_fifo():
            self.file.unlink()
        self.file.write_bytes(content)

    # -- requests ------------------------------------------------------------------------------

    def is_denied(self, agent: str) -> bool:
        return self.own.get(agent, self.read) == "deny"

    def judge(self, agent: str, text: str) -> None:
        assert (SECRET in text) is not self.is_denied(agent), (agent, text)

    @rule(agent=AGENTS)
    def get(self, agent: str) -> None:
        self.judge(agent, tool(self.server, agent, "memory_get", path="day.md", workspace="diary"))

    @rule(agent=AGENTS)
    def read_resource(self, agent: str) -> None:
        self.judge(agent, resource(self.server, agent, "diary", "day.md"))

    @rule(agent=AGENTS)
    def search(self, agent: str) -> None:
        self.judge(agent, tool(self.server, agent, "memory_search", query="quinces floor"))

    @rule(agent=AGENTS)
    def write(self, agent: str) -> None:
        tool(self.server, agent, "memory_write", text="A line.", workspace="open")

    @rule(agent=AGENTS)
    def remind(self, agent: str) -> None:
        prompt = json.dumps({"prompt": "where are the quinces under the floor?"}).encode()
        ran = command(self.home, "hook", "recall", "--agent", agent, stdin=prompt).check()
        assert not (self.is_denied(agent) and SECRET in ran.out)

    @rule(mode=st.sampled_from(Mode))
    def search_in_the_app(self, mode: Mode) -> None:
        assert "day.md" in {hit.path for hit in ask(self.app, "quinces floor", mode).hits}

    @rule()
    def search_at_the_command_line(self) -> None:
        assert "day.md" in command(self.home, "search", "quinces floor").check().out

    @invariant()
    def nothing_leaves(self) -> None:
        assert self.addresses == []

    def teardown(self) -> None:
        self.reached.__exit__(None, None, None)
        if hasattr(self, "app"):
            self.app.close()
            self.server.engine.close()
        shutil.rmtree(self.base)


@pytest.mark.soak
def test_the_last_good_settings_and_rules_hold(capsys: pytest.CaptureFixture[str]) -> None:
    from hypothesis.stateful import run_state_machine_as_test

    run_state_machine_as_test(
        SettingsAndRequests,
        settings=settings(
            max_examples=tries(12, 300),
            stateful_step_count=tries(12, 40),
            deadline=None,
            derandomize=not IS_LONG,
            suppress_health_check=list(HealthCheck),
        ),
    )
