"""`scrubjay proposals`, as a person types it after agents have proposed changes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.core.cli.conftest import Ran

from support.mcp_client import connected
from support.vault import write_notes

Cli = Callable[..., Ran]


@pytest.fixture
def notes(cli: Cli, home: Path, tmp_path: Path) -> Path:
    """A folder with three changes of an agent that wait."""
    root = write_notes(tmp_path / "notes", {"plan.md": "# Plan\n\n- tiles\n", "pond.md": "Fish.\n"})
    cli("workspace", "add", root)
    with connected(home) as client:
        for path, text in (("plan.md", "gutter"), ("pond.md", "Frogs."), ("pond.md", "Newts.")):
            client.answer("memory_write", path=path, text=text)
    return root


def test_without_proposals_it_says_so(cli: Cli) -> None:
    assert cli("proposals", "list").out == "There are no changes to review.\n"
    written = cli("proposals", "written").out
    assert written == "There are no changes by agents to undo.\n"


def test_changes_are_shown_accepted_refused_and_undone(cli: Cli, notes: Path) -> None:
    shown = cli("proposals", "list")
    assert "+ - gutter" in shown.out
    assert (notes / "plan.md").read_text() == "# Plan\n\n- tiles\n"
    first, second, third = (each["id"] for each in cli("proposals", "list", "--json").json)
    assert "plan.md:4" in cli("proposals", "accept", first[:6]).out
    assert (notes / "plan.md").read_text() == "# Plan\n\n- tiles\n- gutter\n"
    assert "Discarded: pond.md" in cli("proposals", "refuse", second).out
    assert cli("proposals", "accept", third, "--text", "Toads.").code == 0
    assert (notes / "pond.md").read_text() == "Fish.\n\nToads.\n"
    written = cli("proposals", "written", "--json").json
    assert [each["path"] for each in written] == ["pond.md", "plan.md"]
    for each in written:
        assert cli("proposals", "undo", each["id"]).out.startswith("Undone: ")
    assert (notes / "pond.md").read_text() == "Fish.\n"
    assert (notes / "plan.md").read_text() == "# Plan\n\n- tiles\n"


def test_all_changes_of_an_agent_are_decided_at_once(cli: Cli, notes: Path) -> None:
    [agent] = {each["agent"] for each in cli("proposals", "list", "--json").json}
    # One that no longer fits does not hold up the others, and stays.
    (notes / "plan.md").unlink()
    ran = cli("proposals", "accept", "--agent", agent)
    assert ran.code == 1
    assert "does not exist" in ran.err
    assert (notes / "pond.md").read_text() == "Fish.\n\nFrogs.\n\nNewts.\n"
    assert len(cli("proposals", "list", "--json").json) == 1
    assert "+ gutter" in cli("proposals", "list").out


@pytest.mark.parametrize(
    "arguments",
    [("accept",), ("accept", "0000"), ("accept", "--agent", "nobody"), ("undo", "0000")],
)
def test_what_is_not_in_the_list_is_wrong_usage(
    cli: Cli, notes: Path, arguments: tuple[str, ...]
) -> None:
    assert cli("proposals", *arguments).code == 2
