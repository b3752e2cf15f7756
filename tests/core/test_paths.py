"""Where everything lives."""

from __future__ import annotations

from pathlib import Path

import pytest

from scrubjay.paths import HOME_VARIABLE, Paths, resources


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
