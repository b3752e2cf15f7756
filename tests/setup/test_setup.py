"""Set-up skips what is done, does again what is stale, and says what it cannot do."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

import progress
import setup
import system_packages
from stamps import Stamp
from system_packages import Need

ABSENT = Need("libabsent1", library="libabsent.so.1")


@pytest.fixture
def recipe(tmp_path: Path) -> Path:
    recipe = tmp_path / "recipe"
    recipe.write_text("flour", encoding="utf-8")
    return recipe


def test_a_step_that_was_never_done_is_due(tmp_path: Path, recipe: Path) -> None:
    assert not Stamp(tmp_path / "stamp", (recipe,)).is_current


def test_a_step_is_skipped_while_its_inputs_stay(tmp_path: Path, recipe: Path) -> None:
    Stamp(tmp_path / "deep" / "stamp", (recipe, "oven")).write()
    assert Stamp(tmp_path / "deep" / "stamp", (recipe, "oven")).is_current


@pytest.mark.parametrize(
    ("content", "tool"), [("rye", "oven"), ("flour", "pan"), ("flourov", "en")]
)
def test_a_step_is_due_when_an_input_changed(
    tmp_path: Path, recipe: Path, content: str, tool: str
) -> None:
    Stamp(tmp_path / "stamp", (recipe, "oven")).write()
    recipe.write_text(content, encoding="utf-8")
    assert not Stamp(tmp_path / "stamp", (recipe, tool)).is_current


def test_a_removed_stamp_makes_the_step_due(tmp_path: Path, recipe: Path) -> None:
    stamp = Stamp(tmp_path / "stamp", (recipe,))
    stamp.write()
    stamp.remove()
    stamp.remove()
    assert not stamp.is_current


@pytest.mark.parametrize(
    ("need", "is_met"),
    [
        (Need("python3", program=Path(sys.executable).name), True),
        (Need("absent", program="no-such-program"), False),
        (Need("python3", module="json"), True),
        (Need("absent", module="no_such_module"), False),
        (Need("python3", file=sys.executable), True),
        (Need("absent", file="/no/such/file"), False),
        (ABSENT, False),
    ],
)
def test_needs_are_looked_for_themselves(
    need: Need, is_met: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent))
    assert need.is_met is is_met


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has system packages")
def test_what_cannot_be_installed_is_one_line_to_type(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))  # neither apt-get nor sudo
    system_packages.ensure([ABSENT, Need("python3", module="json")])
    assert capsys.readouterr().out == (
        "Please install what is missing: sudo apt-get install -y libabsent1\n"
    )


def test_a_failed_command_is_named_and_shows_its_output(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "print('no room left'); raise SystemExit(3)"]
    with pytest.raises(setup.StepFailed, match=r"no room left\nCould not bake\."):
        setup.run("bake", command, log=tmp_path / "setup.log")


def test_a_command_gets_its_variables_and_no_terminal(tmp_path: Path) -> None:
    log = tmp_path / "setup.log"
    script = "import os, sys; print(os.environ['OVEN'], repr(sys.stdin.read()))"
    setup.run("bake", [sys.executable, "-c", script], log=log, OVEN="hot")
    assert log.read_text(encoding="utf-8") == "hot ''\n"


def test_long_commands_show_that_they_live(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = progress.ProgressLine(plain_every_s=0)
    command = [sys.executable, "-c", "import json"]
    setup.run("bake", command, log=tmp_path / "setup.log", line=line, poll_s=0.005)
    assert re.search(r"^  working for \d+ s$", capsys.readouterr().out, re.MULTILINE)


def test_a_command_says_how_far_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = progress.ProgressLine(plain_every_s=0)
    setup.run(
        "bake",
        [sys.executable, "-c", "import json"],
        lambda _seconds: "half done",
        log=tmp_path / "setup.log",
        line=line,
        poll_s=0.005,
    )
    assert "half done" in capsys.readouterr().out.splitlines()


def test_an_environment_made_elsewhere_does_not_count(tmp_path: Path) -> None:
    python = Path(sys.executable)
    assert not setup.environment_works(tmp_path, python)
    (tmp_path / "activate").write_text("VIRTUAL_ENV='/elsewhere/.venv'", encoding="utf-8")
    assert not setup.environment_works(tmp_path, python)
    (tmp_path / "activate").write_text(f"VIRTUAL_ENV='{setup.VENV}'", encoding="utf-8")
    assert setup.environment_works(tmp_path, python)


def test_an_unknown_purpose_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert setup.main(["fly"]) == 2
    assert "run, test or package" in capsys.readouterr().err


def test_the_lock_names_no_registry() -> None:
    lock = setup.LOCK.read_text(encoding="utf-8")
    assert "://" not in lock
    assert "--index" not in lock
    assert "--find-links" not in lock


def test_every_catalogue_is_built() -> None:
    catalogues = (setup.ROOT / "resources" / "translations").glob("*.ts")
    assert set(setup.CATALOGUES) == set(catalogues)
