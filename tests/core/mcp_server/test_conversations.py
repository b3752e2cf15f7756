"""The key of a conversation: what an agent gets in a group, and what in a direct chat."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.mcp_client import Client, connected
from support.vault import write_notes

from .conftest import settings

GROUP = "agent:main:telegram:group:42"
DIRECT = "agent:main:telegram:direct:7"
CLOSED = ("agent:main:discord:channel:9", "whatsapp:120363@g.us", "agent:main:subagent:1", GROUP)


def paths_of(answer: dict[str, list[dict[str, str]]]) -> set[str]:
    return {hit["path"] for key in ("results", "uncertain") for hit in answer.get(key, ())}


@pytest.mark.parametrize("key", CLOSED)
def test_in_a_group_the_curated_memory_is_neither_found_nor_read(reader: Client, key: str) -> None:
    for query in ("Rod green tea", "MEMORY.md", "path:memory tea", "Rod"):
        found = paths_of(reader.answer("memory_search", query=query, sessionKey=key))
        assert "MEMORY.md" not in found
    assert "memory/2026-05-08.md" in found
    context = reader.answer(
        "memory_context", message="What does Rod like to drink?", sessionKey=key
    )
    assert "green tea" not in str(context)
    assert "private" in reader.refusal("memory_get", path="MEMORY.md", sessionKey=key)
    assert reader.answer("memory_get", path="memory/2026-05-08.md", sessionKey=key)["text"]


@pytest.mark.parametrize("key", ["", DIRECT, "agent:main:main"])
def test_in_a_private_conversation_it_is_open(reader: Client, key: str) -> None:
    hits = reader.answer("memory_search", query="Rod green tea", sessionKey=key)["results"]
    assert hits[0]["path"] == "MEMORY.md"
    context = reader.answer(
        "memory_context", message="What does Rod like to drink?", sessionKey=key
    )
    assert "green tea" in context["context"]
    assert "green tea" in reader.answer("memory_get", path="MEMORY.md", sessionKey=key)["text"]


@pytest.mark.parametrize(("key", "cites"), [("", False), (DIRECT, True), (GROUP, False)])
def test_sources_are_named_in_direct_chats(reader: Client, key: str, cites: bool) -> None:
    answer = reader.answer("memory_search", query="router attic", sessionKey=key)
    assert answer["citations"] == ("on" if cites else "off")
    snippet = answer["results"][0]["snippet"]
    assert snippet.endswith("Source: memory/2026-05-08.md#L1-L5") is cites


def test_an_extra_file_of_that_name_is_closed_too(home: Path, tmp_path: Path) -> None:
    """Its label may be another one."""
    more = write_notes(tmp_path / "more", {"MEMORY.md": "# More\n\nThe walrus sings.\n"})
    extra = f"memory: {{ extraPaths: [{str(more / 'MEMORY.md')!r}] }}"
    write_notes(home, {"config.json5": settings(tmp_path / "agent", extra)})
    with connected(home) as client:
        [hit] = client.answer("memory_search", query="walrus")["results"]
        assert hit["path"] != "MEMORY.md"
        assert not paths_of(client.answer("memory_search", query="walrus", sessionKey=GROUP))


@pytest.mark.parametrize(
    "name",
    [
        "MEMORY.sync-conflict-20240101-120000.md",
        "Memory (Nora's conflicted copy 2024-01-01).md",
        "MEMORY 2.md",
    ],
)
def test_in_a_group_a_conflict_copy_of_it_is_closed_too(
    home: Path, workspace: Path, name: str
) -> None:
    copy = f"memory/{name}"
    write_notes(workspace, {copy: "# Memory\n\nRod's salary is a secret.\n"})
    with connected(home) as client:
        assert copy in paths_of(client.answer("memory_search", query="salary secret"))
        assert copy not in paths_of(
            client.answer("memory_search", query="salary secret", sessionKey=GROUP)
        )
        context = client.answer(
            "memory_context", message="What is the salary of Rod?", sessionKey=GROUP
        )
        assert "secret" not in str(context)
        assert copy not in str(client.answer("memory_list", sessionKey=GROUP))
        related = client.answer("memory_links", path="memory/2026-05-08.md", sessionKey=GROUP)
        assert copy not in str(related)
        assert "private" in client.refusal("memory_get", path=copy, sessionKey=GROUP)
        assert client.answer("memory_get", path=copy)["text"]
