"""Questions that look in a folder, or for a part of a path."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

import pytest

from scrubjay.engine.engine import Engine
from scrubjay.platform.paths import Paths
from scrubjay.records.audience import PERSON
from support.providers import WordProvider
from support.vault import TIMEOUT, add, ask, write_notes

PATHS = ("Recipes/soup.md", "Old Recipes/soup.md", "Home/Recipes/soup.md", "Über uns/soup.md")


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    root = tmp_path_factory.mktemp("paths")
    engine = Engine(Paths.under(root / "home"), provider=WordProvider())
    vault = write_notes(root / "vault", dict.fromkeys(PATHS, "# Soup\n\nCarrots.\n"))
    engine.refresh(add(engine, vault, "vault")).result(TIMEOUT)
    yield engine
    engine.close()


@pytest.mark.parametrize(
    ("part", "paths"),
    [
        ("/Recipes/", {"Recipes/soup.md"}),
        ("/recipes/", {"Recipes/soup.md"}),
        ("/Home/Recipes/", {"Home/Recipes/soup.md"}),
        ("Recipes/", {"Recipes/soup.md", "Old Recipes/soup.md", "Home/Recipes/soup.md"}),
        ('"/Über uns/"', {"Über uns/soup.md"}),
        ("soup", set(PATHS)),
        ("/soup", set()),
    ],
)
def test_a_folder_is_itself_and_no_other(engine: Engine, part: str, paths: set[str]) -> None:
    for question in (f"path:{part}", f"path:{part} carrots"):
        assert {hit.path for hit in ask(engine, question, audience=PERSON).hits} == paths
    days = (dt.date.min, dt.date.max)
    page = engine.journal.notes(*days, part=part.strip('"')).result(TIMEOUT)
    assert {note.path for note in page.notes} == paths


@pytest.mark.parametrize(
    ("part", "paths"),
    [("soup", set(PATHS)), ("SOU", set(PATHS)), ("recipes", set()), ('"soup.md"', set(PATHS))],
)
def test_the_name_of_a_file_is_not_that_of_its_folder(
    engine: Engine, part: str, paths: set[str]
) -> None:
    for question in (f"file:{part}", f"file:{part} carrots"):
        assert {hit.path for hit in ask(engine, question, audience=PERSON).hits} == paths
