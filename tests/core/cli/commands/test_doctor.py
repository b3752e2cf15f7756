"""`scrubjay doctor`: exit codes, finding_words and JSON."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.core.cli.conftest import Ran

TOKEN = "ghp_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9v"
Cli = Callable[..., Ran]


@pytest.fixture
def root(tmp_path: Path, cli: Cli) -> Path:
    root = tmp_path / "vault"
    root.mkdir()
    (root / "a.md").write_text("# A note\n")
    cli("workspace", "add", str(root))
    return root


def test_all_is_well_ends_with_0(cli: Cli, root: Path) -> None:
    ran = cli("doctor")
    said, computing, reading = ran.out.splitlines()
    assert (ran.code, said) == (0, "Checked 1 note. No problems were found.")
    # Which build it is differs between computers; that it is said does not.
    assert computing.startswith("Build of llama.cpp for the local model: portable (")
    answer = cli("doctor", "--json").json
    assert computing.removesuffix(".").endswith(answer["library"])
    assert reading == answer["documentSandbox"]
    assert reading.startswith("Document sandbox: ")


def test_a_finding_ends_with_1_and_says_what_to_do(cli: Cli, root: Path) -> None:
    (root / "a.md").write_text(f"# A\n{TOKEN}\n")
    ran = cli("doctor")
    assert ran.code == 1
    assert "Line 2 of a.md contains what looks like a key for GitHub." in ran.out
    assert TOKEN not in ran.out


def test_of_several_folders_a_finding_names_its_own(cli: Cli, root: Path) -> None:
    (root / "a.md").write_text(f"# A\n{TOKEN}\n")
    (root.parent / "other").mkdir()
    cli("workspace", "add", str(root.parent / "other"))
    assert "Line 2 of vault › a.md contains what looks like a key for GitHub." in cli("doctor").out


def test_json_has_the_same_findings(cli: Cli, root: Path) -> None:
    (root / "a.md").write_text(f"# A\n{TOKEN}\n")
    answer = cli("doctor", "--json").json
    assert not answer["healthy"]
    (finding,) = answer["findings"]
    assert (finding["kind"], finding["path"], finding["line"]) == ("secret", "a.md", 2)


def test_fixing_never_changes_a_note(cli: Cli, root: Path, paths) -> None:
    (root / "a.md").write_text(f"# A\n{TOKEN}\n")
    paths.models.mkdir(parents=True)
    (paths.models / "m.gguf.part").write_bytes(b"half")
    ran = cli("doctor", "--fix")
    assert "Fixed: 1 unfinished download" in ran.out
    assert (root / "a.md").read_text() == f"# A\n{TOKEN}\n"
    assert list(paths.models.glob("*.part")) == []
