"""Everything that Scrubjay needs has a licence that can be shown."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scrubjay.platform.licences import (
    DATA_FILE,
    Component,
    data_file_text,
    list_components,
    normalized_name,
    package_component,
    required_packages,
)


def test_every_package_that_is_needed_states_its_licence() -> None:
    unstated = [one.name for one in list_components() if not one.licence]
    assert unstated == []


def test_needed_are_also_the_needs_of_the_needed() -> None:
    found = required_packages("scrubjay")
    assert {"pyside6-essentials", "shiboken6", "httpx2", "httpcore2"} <= found
    assert not {"pytest", "ruff", "mypy"} & found


def test_a_package_brings_its_texts() -> None:
    numpy = package_component("numpy")
    assert any("NumPy Developers" in text for text in numpy.texts)
    assert len(numpy.texts) == len(set(numpy.texts))


@pytest.mark.parametrize("name", ["huggingface_hub", "Huggingface.Hub", "huggingface-hub"])
def test_spellings_of_a_name_are_one(name: str) -> None:
    assert normalized_name(name) == "huggingface-hub"


def test_a_bundle_shows_what_was_written_for_it(tmp_path: Path) -> None:
    made = (
        Component("acorn", "1.0", "MIT", "https://example.org", ("one text",)),
        Component("beech", "2.0", "MIT", "", ("one text", "two")),
    )
    (tmp_path / DATA_FILE).write_text(data_file_text(made), encoding="utf-8")
    assert list_components(tmp_path) == made
    assert len(json.loads(data_file_text(made))["texts"]) == 2
