"""Notes found by their tags."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from scrubjay.engine.engine import Engine
from scrubjay.platform.paths import Paths
from scrubjay.records.audience import PERSON
from scrubjay.records.note_records import Workspace
from support.providers import WordProvider
from support.vault import TIMEOUT, add, ask, write_notes

NOTES = {
    "beds.md": "---\ntags: [Garden, spring]\n---\n# Beds\n\nSow the carrots.\n",
    "pond.md": "# Pond\n\nThe carrots near the water. #garden/pond\n",
    "soup.md": "# Soup\n\nCarrots again, see #1. #kitchen\n",
    "code.md": "# Code\n\n```sh\n#garden carrots\n```\n",
}


@pytest.fixture(scope="module")
def tagged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Engine, Workspace]]:
    """An engine with notes that have tags."""
    root = tmp_path_factory.mktemp("tags")
    engine = Engine(Paths.under(root / "home"), provider=WordProvider())
    vault = write_notes(root / "vault", NOTES)
    yield engine, add(engine, vault, "vault")
    engine.close()


@pytest.mark.parametrize(
    ("question", "paths"),
    [
        ("carrots #garden", {"beds.md", "pond.md"}),
        ("tag:garden carrots", {"beds.md", "pond.md"}),
        ("tag:#garden/pond carrots", {"pond.md"}),
        ("#garden #spring carrots", {"beds.md"}),
        ("#GARDEN", {"beds.md", "pond.md"}),
        ("#gard", {"beds.md", "pond.md"}),
        ("#gard carrots", set()),
        ("#nothing carrots", set()),
        ("carrots #garden -water", {"beds.md"}),
    ],
)
def test_tags_filter_strictly(
    tagged: tuple[Engine, Workspace], question: str, paths: set[str]
) -> None:
    answer = ask(tagged[0], question, audience=PERSON)
    assert {hit.path for hit in (*answer.hits, *answer.uncertain)} == paths


def test_a_number_behind_a_hash_is_a_word(tagged: tuple[Engine, Workspace]) -> None:
    assert ask(tagged[0], "carrots #1").hits[0].path == "soup.md"


def test_agents_find_all_notes_of_a_tag(tagged: tuple[Engine, Workspace]) -> None:
    assert {hit.path for hit in ask(tagged[0], "tag:garden").hits} == {"beds.md", "pond.md"}


def test_tags_and_folders_are_counted(tagged: tuple[Engine, Workspace]) -> None:
    tags = dict(tagged[0].notes.tags(tagged[1].id).result(TIMEOUT))
    assert tags == {"Garden": 1, "garden/pond": 1, "kitchen": 1, "spring": 1}
    assert tagged[0].notes.folders().result(TIMEOUT) == ()


def test_notes_of_an_older_index_get_their_tags(tmp_path: Path) -> None:
    paths = Paths.under(tmp_path / "home")
    vault = write_notes(tmp_path / "vault", NOTES)
    engine = Engine(paths, provider=WordProvider())
    workspace = add(engine, vault, "vault")
    engine.refresh(workspace).result(TIMEOUT)
    engine.close()
    [file] = paths.indexes.glob("*.sqlite")
    with closing(apsw.Connection(str(file))) as db:
        db.execute("drop table tag; update document set chunking = '4:400:80'")
        db.execute("pragma user_version = 6")
        before = db.execute("select max(id) from vector").get
    engine = Engine(paths, provider=WordProvider())
    engine.refresh(workspace).result(TIMEOUT)
    assert {hit.path for hit in ask(engine, "#garden").hits} == {"beds.md", "pond.md"}
    engine.close()
    db = apsw.Connection(str(file))
    assert db.execute("select max(id) from vector").get == before
