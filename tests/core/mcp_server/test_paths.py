"""No path leads out of what agents may read: not by memory_get, not by a resource."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.concurrency.io_timeout import IoTimeouts
from scrubjay.engine.engine import Engine
from scrubjay.errors import NoteRefused, ScrubjayError
from scrubjay.mcp_server.authorization import Caller
from scrubjay.mcp_server.resource_addresses import parse_resource_uri, resource_uri
from scrubjay.mcp_server.server import list_memory_files
from scrubjay.mcp_server.tools import MemoryTools
from scrubjay.platform.paths import Paths
from scrubjay.records.note_records import NoteAddress
from scrubjay.records.workspace_id import WorkspaceId
from support import platforms
from support.escapes import escapes
from support.mcp_client import Client
from support.vault import TIMEOUT, write_notes

from .conftest import settings

CANARY = "the canary sings"
CALLER = Caller("test", "Test")


def build(base: Path) -> Path:
    """A workspace with secrets around and inside it, and links that lead to them."""
    root = write_notes(
        base / "agent",
        {
            "MEMORY.md": "# Memory\n",
            "memory/day.md": "A day.\n",
            "memory/sub/deep.md": "Deep.\n",
            "AGENTS.md": CANARY,
            "secret.md": CANARY,
            "notes/private.md": CANARY,
            "memory/secret.txt": CANARY,
            "memory/secret.md.bak": CANARY,
            "memory/.dreams/secret.md": CANARY,
            ".git/secret.md": CANARY,
        },
    )
    write_notes(
        base, {"secret.md": CANARY, "elsewhere/secret.md": CANARY, "agent2/secret.md": CANARY}
    )
    platforms.make_link(root / "memory" / "link.md", base / "secret.md")
    platforms.make_link(root / "memory" / "linked", base / "elsewhere")
    platforms.make_link(root / "memory" / "loop", root / "memory")
    platforms.make_link(root / "memory" / "chain.md", Path("link.md"))
    platforms.make_link(root / "memory" / "inside.md", Path("../AGENTS.md"))
    platforms.make_pipe(root / "memory" / "pipe.md")
    (root / "memory" / "folder.md").mkdir()
    return root


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MemoryTools]:
    base = tmp_path_factory.mktemp("escapes")
    root = build(base)
    write_notes(base / "home", {"config.json5": settings(root)})
    engine = Engine(Paths.under(base / "home"))
    yield MemoryTools(engine)
    engine.close()


def by_tool(tools: MemoryTools, path: str) -> str:
    """What an agent gets to see."""
    return repr(tools.call("memory_get", {"path": path}, CALLER, CancelToken()).structured)


def by_resource(tools: MemoryTools, path: str) -> str:
    try:
        return tools.read(parse_resource_uri(f"memory://agent/{path}"), CALLER, CancelToken())
    except ScrubjayError as error:
        return str(error)


def test_there_are_enough_of_them() -> None:
    assert len(escapes()) > 250


@pytest.mark.parametrize("read", [by_tool, by_resource])
def test_no_spelling_of_a_path_leads_out(
    tools: MemoryTools, read: Callable[[MemoryTools, str], str]
) -> None:
    leaks = [path for path in escapes() if "canary" in read(tools, path)]
    assert leaks == []


def test_no_escape_of_an_address_leads_out(tools: MemoryTools) -> None:
    """Each path as an address writes it, escaped once and twice."""
    once = [quote(path, safe="", errors="replace") for path in escapes()]
    twice = [quote(path, safe="") for path in once]
    leaks = [path for path in (*once, *twice) if "canary" in by_resource(tools, path)]
    assert leaks == []


PIECES = st.sampled_from(
    [
        "..",
        ".",
        "",
        "memory",
        "agent",
        "agent2",
        "elsewhere",
        "linked",
        "loop",
        "sub",
        "secret.md",
        "AGENTS.md",
        "link.md",
        "inside.md",
        "day.md",
        ".dreams",
        "notes",
        "private.md",
        "~",
        "C:",
        "%2e%2e",
        "․․",
        "secret.txt",
        "MEMORY.md",
        "\x00",
        "con",
        ".git",
    ]
)
SEPARATORS = st.sampled_from(["/", "//", "\\", "/./", "%2f", "\uff0f"])


@given(st.lists(st.tuples(PIECES, SEPARATORS), min_size=1, max_size=6), PIECES)
@example([("memory", "/"), ("..", "/")], "secret.md")
def test_no_generated_path_leads_out(
    tools: MemoryTools, steps: list[tuple[str, str]], last: str
) -> None:
    path = "".join(piece + separator for piece, separator in steps) + last
    assert "canary" not in by_tool(tools, path)
    assert "canary" not in by_resource(tools, path)


@given(st.text(max_size=60))
def test_any_text_at_all_is_answered(tools: MemoryTools, path: str) -> None:
    assert "canary" not in by_tool(tools, path)
    assert "canary" not in by_resource(tools, path)


@pytest.mark.parametrize(
    "path", ["MEMORY.md", "memory/day.md", "memory/sub/deep.md", "DREAMS.md", "memory/new.md"]
)
def test_what_may_be_read_is_read(tools: MemoryTools, path: str) -> None:
    assert "'error'" not in by_tool(tools, path)
    assert "cannot be read" not in by_resource(tools, quote(path))


@pytest.mark.parametrize(
    "uri",
    [
        "",
        "memory:",
        "memory://",
        "memory://agent",
        "memory:///MEMORY.md",
        "file:///etc/passwd",
        "http://x/y",
        "memory://agent/%ff.md",
        "MEMORY://agent/MEMORY.md",
        "agent/MEMORY.md",
    ],
)
def test_what_is_no_address_of_a_note_is_refused(uri: str) -> None:
    with pytest.raises(NoteRefused):
        parse_resource_uri(uri)


@given(st.text(min_size=1), st.text(min_size=1))
def test_an_address_names_what_it_was_made_of(workspace: str, path: str) -> None:
    note = NoteAddress(WorkspaceId(workspace), path)
    try:
        uri = resource_uri(note)
    except UnicodeEncodeError:
        assert any("\ud800" <= letter <= "\udfff" for letter in workspace + path)
        return
    assert parse_resource_uri(uri) == note


def test_the_list_of_resources_names_nothing_else(tools: MemoryTools) -> None:
    engine = tools.engine
    notes = list_memory_files(
        engine, engine.workspaces(), io_timeouts=IoTimeouts(TIMEOUT), cancel=CancelToken()
    )
    names = [note.label for _, note in notes]
    assert names == ["MEMORY.md", "memory/day.md", "memory/sub/deep.md"]


def test_a_refused_request_is_noted_and_shows_nothing(tools: MemoryTools) -> None:
    by_tool(tools, "../secret.md")
    entry = tools.engine.agents.audit_log(limit=1).result(TIMEOUT)[0]
    assert (entry.query, entry.outcome, entry.hits) == ("../secret.md", "refused", ())


def test_the_real_server_refuses_too(reader: Client) -> None:
    for path in ("../config.json5", "AGENTS.md", "/etc/passwd", "memory/.dreams/state.md"):
        assert "canary" not in reader.refusal("memory_get", path=path)
