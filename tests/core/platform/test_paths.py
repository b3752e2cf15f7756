"""Where everything lives."""

from __future__ import annotations

from pathlib import Path

import pytest

from scrubjay.platform.paths import (
    HOME_VARIABLE,
    PORTABLE_FLAG,
    Paths,
    expanded_path,
    portable_home,
    resources,
)


def test_one_variable_moves_everything(tmp_path: Path) -> None:
    paths = Paths.of_user({HOME_VARIABLE: str(tmp_path)})
    assert paths == Paths.under(tmp_path)
    assert paths.config_file == tmp_path / "config.json5"
    for place in (paths.indexes, paths.models, paths.logs, paths.cache):
        assert place.is_relative_to(tmp_path)


def test_a_relative_home_starts_at_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert Paths.of_user({HOME_VARIABLE: "here"}).config == tmp_path / "here"


@pytest.mark.parametrize("environ", [{}, {HOME_VARIABLE: ""}])
def test_without_it_the_platform_says_where(environ: dict[str, str]) -> None:
    paths = Paths.of_user(environ)
    assert {place.is_absolute() for place in (paths.config, paths.data, paths.state)} == {True}
    assert "scrubjay" in str(paths.config)


def test_resources_are_found() -> None:
    assert (resources() / "models.json").is_file()


@pytest.mark.parametrize(
    ("program", "flag"),
    [
        ("Scrubjay 1.0/scrubjay", "Scrubjay 1.0"),
        ("stick/Scrubjay.app/Contents/MacOS/scrubjay-desktop", "stick"),
    ],
)
def test_a_flag_beside_the_program_keeps_everything_there(
    tmp_path: Path, program: str, flag: str
) -> None:
    started = tmp_path / program
    started.parent.mkdir(parents=True)
    assert portable_home(started) is None
    (tmp_path / flag / PORTABLE_FLAG).touch()
    assert portable_home(started) == tmp_path / flag / "scrubjay-home"


def test_a_checkout_is_not_portable() -> None:
    assert portable_home() is None


@pytest.mark.needs("POSIX paths")
def test_the_home_of_nobody_is_taken_as_it_is_written() -> None:
    assert expanded_path(Path("~nobody-here/notes")) == Path("~nobody-here/notes")
    assert expanded_path(Path("~/notes")) == Path.home() / "notes"
    home = Paths.of_user({HOME_VARIABLE: "~nobody-here/scrubjay"}).config
    assert home == Path.cwd() / "~nobody-here" / "scrubjay"
