"""Operators of the query language in shared memories."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from scrubjay.engine.engine import Engine
from scrubjay.platform.paths import Paths
from scrubjay.records.audience import PERSON
from scrubjay.records.search_modes import Mode
from scrubjay.records.shared_records import SharedPlace
from scrubjay.store.index_records import Filters
from support.providers import WordProvider
from support.shared_memory import Asker, Sharer
from support.vault import write_notes

NOTES = {
    "Recipes/soup.md": "---\ntags: [kitchen/quick]\n---\n# Carrot soup\n\nCarrots and leeks.\n",
    "Recipes/Old stuff/stew.md": "# Stew\n\nCarrots with beans. #kitchen\n",
    "Garden/beds.md": "# Beds\n\nSow the carrots. #garden\n",
    "Garden/2023-05-04.md": "# A pond\n\nA red sail near the carrots.\n",
}
ALL = {"soup", "stew", "beds", "2023-05-04"}


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asker]:
    root = tmp_path_factory.mktemp("shared")
    paths = Paths.under(root / "home")
    place = SharedPlace(str(root / "team"))
    (root / "team").mkdir()
    engine = Engine(paths, provider=WordProvider())
    assert Sharer(engine, paths, write_notes(root / "vault", NOTES), place).publish()
    asker = Asker(engine, place)
    yield asker
    asker.close()
    engine.close()


@pytest.mark.parametrize("mode", [Mode.LEXICAL, Mode.HYBRID, Mode.VECTOR])
@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("leeks OR beans", {"soup", "stew"}),
        ("(leeks OR beans) -soup", {"stew"}),
        ("carrots -(beans OR leeks)", {"beds", "2023-05-04"}),
        ("(tag:garden OR folder:Recipes) carrots", ALL - {"2023-05-04"}),
        ('carrots -folder:"Old stuff"', ALL - {"stew"}),
        ("carrots -path:Garden", {"soup", "stew"}),
        ("carrots -tag:kitchen", {"beds", "2023-05-04"}),
        ("carrots title:Soup", {"soup"}),
        ("carrots -title:soup", ALL - {"soup"}),
        ("carrots in:2023", {"2023-05-04"}),
        ("carrots -in:2023", ALL - {"2023-05-04"}),
        ("carrots before:2024", {"2023-05-04"}),
        ("carrots ext:md -file:soup", ALL - {"soup"}),
        ("carrots -ext:md", set()),
        ("carrots -kind:note", set()),
    ],
)
def test_a_shared_memory_has_the_whole_language(
    shared: Asker, question: str, names: set[str], mode: Mode
) -> None:
    found = {Path(hit.path).stem for hit in shared.hits(question, mode, audience=PERSON)}
    if mode is Mode.VECTOR:
        # By meaning, words need not occur.
        assert {"-", ":"}.isdisjoint(question) or found <= names
    else:
        assert found == names


@pytest.mark.parametrize(
    ("part", "names"),
    [("STUFF", {"stew"}), ("recip", {"soup", "stew"}), ("soup", set()), ("old_", set())],
)
def test_a_part_of_the_name_of_a_folder_is_not_looked_for_in_names_of_files(
    shared: Asker, part: str, names: set[str]
) -> None:
    found = shared.reader().first_chunks(Filters(folder_parts=(part,)), 10)
    assert {Path(chunk.path).stem for chunk in found} == names
