"""The forms of the query language, each against notes on the disk."""

from __future__ import annotations

import datetime as dt
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from scrubjay.engine.engine import Engine
from scrubjay.platform.paths import Paths
from scrubjay.records.audience import AGENT, PERSON, SCRIPT, Audience
from scrubjay.records.search_modes import Mode, Order
from support.providers import WordProvider
from support.vault import TIMEOUT, add, ask, write_notes

TODAY = dt.date.today()
YESTERDAY = TODAY - dt.timedelta(days=1)
LAST_WEEK = TODAY - dt.timedelta(days=7)

NOTES = {
    "Recipes/soup.md": "---\ntags: [kitchen/quick]\n---\n# Carrot soup\n\nCarrots and leeks.\n",
    "Recipes/Old stuff/stew.md": "# Stew\n\nCarrots with beans. #kitchen\n",
    "Garden/beds.md": "---\naliases: [Plan of beds]\n---\n# Beds\n\nSow the carrots. #garden\n",
    "Garden/pond.md": "# The pond\n\nA red sail near the carrots. #garden/water\n",
    "Garden/weekly plan.md": "# Weekly plan\n\nWater the tomatoes.\n",
    "Projects/boat.md": "# Boat\n\nSail red boats, chrysanthemums aboard.\n",
    "Projects/2023/log.txt": "Tomatoes in a text file.\n",
    "Journal/2023-05-04.md": "# A day\n\nTomatoes were planted.\n",
    "Journal/2024-03-09.md": "# Another day\n\nTomatoes again.\n",
    f"Journal/{YESTERDAY}.md": "# Yesterday\n\nTomatoes eaten.\n",
    f"Journal/{LAST_WEEK}.md": "# A week ago\n\nTomatoes bought.\n",
    "ssh.md": "# Shell\n\nUse ssh -T git@example.org to test, java -Xmx4g for memory.\n",
}
CARROTS = {"soup", "stew", "beds", "pond"}
TOMATOES = {"weekly plan", "log", "2023-05-04", "2024-03-09", str(YESTERDAY), str(LAST_WEEK)}
OLD = dt.datetime(2022, 6, 1, 12).timestamp()

FORMS = [
    # Words, phrases, beginnings.
    ("carrots", CARROTS),
    ('"red sail"', {"pond"}),
    ("“red sail”", {"pond"}),
    ("„red sail“", {"pond"}),
    ("«red sail»", {"pond"}),
    ("‘red sail’", {"pond"}),
    ("「red sail」", {"pond"}),
    ("chrysan*", {"boat"}),
    # Exclusions.
    ("carrots -beans", CARROTS - {"stew"}),
    ("carrots NOT beans", CARROTS - {"stew"}),
    ("carrots AND NOT beans", CARROTS - {"stew"}),
    ('carrots -"red sail"', CARROTS - {"pond"}),
    ("carrots -“red sail”", CARROTS - {"pond"}),
    ("carrots -bean*", CARROTS - {"stew"}),
    ("carrots -(beans OR leeks)", {"beds", "pond"}),
    ("carrots NOT (beans OR leeks)", {"beds", "pond"}),
    ("carrots -(red sail)", CARROTS - {"pond"}),
    ("ssh -T git@example.org", {"ssh"}),
    ("java -Xmx4g", {"ssh"}),
    # Alternatives.
    ("leeks OR beans", {"soup", "stew"}),
    ("leeks OR beans OR chrysanthemums", {"soup", "stew", "boat"}),
    ("(leeks OR beans) carrots", {"soup", "stew"}),
    ("(leeks OR beans) -soup", {"stew"}),
    ('leeks OR "red sail"', {"soup", "pond"}),
    ("(tag:garden OR folder:Recipes) carrots", CARROTS),
    ("tag:garden OR folder:Recipes carrots", CARROTS),
    ("tag:kitchen OR ext:txt", {"soup", "stew", "log"}),
    ("(leeks tag:kitchen) OR (tomatoes ext:txt)", {"soup", "log"}),
    # Paths, folders, files, titles.
    ("path:Garden carrots", {"beds", "pond"}),
    ("path:/Recipes/ carrots", {"soup", "stew"}),
    ("path:(Garden OR Recipes) carrots", CARROTS),
    ("-path:Garden carrots", {"soup", "stew"}),
    ("carrots folder:Garden", {"beds", "pond"}),
    ("carrots folder:recipes", {"soup", "stew"}),
    ("carrots folder:rec", set()),
    ('carrots folder:"Recipes/Old stuff"', {"stew"}),
    ('carrots -folder:"Old stuff"', CARROTS - {"stew"}),
    ("carrots folder:vault", CARROTS),
    ("carrots in:Vault", CARROTS),
    ("carrots -folder:vault", set()),
    ("carrots folder:vault folder:Garden", {"beds", "pond"}),
    ("carrots folder:other OR folder:Garden", {"beds", "pond"}),
    ("carrots dir:Garden", {"beds", "pond"}),
    ("carrots in:Garden", {"beds", "pond"}),
    ("carrots -in:Garden", {"soup", "stew"}),
    ("file:pond", {"pond"}),
    ("filename:pond carrots", {"pond"}),
    ("carrots -file:pond", CARROTS - {"pond"}),
    ('title:"weekly plan"', {"weekly plan"}),
    ("title:“weekly plan”", {"weekly plan"}),
    ("title:'weekly plan'", {"weekly plan"}),
    ('carrots title:"PLAN of"', {"beds"}),
    ("carrots -title:soup", CARROTS - {"soup"}),
    # Tags, kinds, ends of names.
    ("carrots #garden", {"beds", "pond"}),
    ("carrots tag:#garden/water", {"pond"}),
    ("carrots tag:kitchen", {"soup", "stew"}),
    ("carrots -#garden", {"soup", "stew"}),
    ("carrots -tag:kitchen", {"beds", "pond"}),
    ("carrots kind:note", CARROTS),
    ("carrots -kind:note", set()),
    ("tomatoes ext:txt", {"log"}),
    ("tomatoes ext:.txt", {"log"}),
    ('tomatoes ext:"txt, pdf"', {"log"}),
    ("tomatoes -ext:md", {"log"}),
    # Times.
    ("tomatoes on:2024-03-09", {"2024-03-09"}),
    ("tomatoes on:yesterday", {str(YESTERDAY)}),
    ("tomatoes on:ayer", {str(YESTERDAY)}),
    ("tomatoes in:2023", {"2023-05-04"}),
    ("tomatoes in:2024-03", {"2024-03-09"}),
    ('tomatoes in:"march 2024"', {"2024-03-09"}),
    ("tomatoes date:2023-01/2024-12", {"2023-05-04", "2024-03-09"}),
    ("tomatoes before:2024", {"weekly plan", "log", "2023-05-04"}),
    ("tomatoes after:2024", {str(YESTERDAY), str(LAST_WEEK)}),
    ("tomatoes after:yesterday", {str(YESTERDAY)}),
    ("tomatoes -in:2023", TOMATOES - {"2023-05-04"}),
    ("tomatoes -before:2024", {"2024-03-09", str(YESTERDAY), str(LAST_WEEK)}),
    ("tomatoes (in:2023 OR on:yesterday)", {"2023-05-04", str(YESTERDAY)}),
    # Wrong syntax, and names that nothing has.
    ("(carrots OR", CARROTS),
    ("carrots OR", CARROTS),
    ("carrots )", CARROTS),
    ("carrots -", CARROTS),
    ('carrots ""', CARROTS),
    ("carrots title:", CARROTS),
    ("section:(carrots)", CARROTS),
    ("match-case:carrots", CARROTS),
]


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    root = tmp_path_factory.mktemp("forms")
    engine = Engine(Paths.under(root / "home"), provider=WordProvider())
    engine.refresh(add(engine, old_notes(root / "vault"), "vault")).result(TIMEOUT)
    yield engine
    engine.close()


def old_notes(root: Path) -> Path:
    """The notes, none of which was changed lately."""
    write_notes(root, NOTES)
    for name in NOTES:
        os.utime(root / name, (OLD, OLD))
    return root


def stems(engine: Engine, question: str, mode: Mode, audience: Audience) -> set[str]:
    """Names of the notes that are found for sure."""
    answer = ask(engine, question, mode, audience=audience, max_results=20)
    return {Path(hit.path).stem for hit in answer.hits if not hit.is_perhaps}


@pytest.mark.parametrize(("question", "names"), FORMS)
def test_a_form_finds_its_notes(engine: Engine, question: str, names: set[str]) -> None:
    assert stems(engine, question, Mode.LEXICAL, SCRIPT) == names
    assert stems(engine, question, Mode.HYBRID, PERSON) == names


def test_the_forms_are_many() -> None:
    assert len(FORMS) >= 30


NARROWED = [
    ("tag:garden OR folder:Recipes", CARROTS),
    ("(tag:garden OR folder:Recipes) carrots -beans", CARROTS - {"stew"}),
    ("tomatoes (in:2023 OR on:yesterday)", {"2023-05-04", str(YESTERDAY)}),
    ("carrots title:pond", {"pond"}),
    ("carrots -kind:note", set()),
]
"""Questions that tell apart notes whatever they mean."""


@pytest.mark.parametrize("fusion", ["adaptive", "rrf", "weighted"])
def test_operators_hold_in_every_fusion_mode_and_audience(tmp_path: Path, fusion: str) -> None:
    paths = Paths.under(tmp_path / "home")
    paths.config_file.parent.mkdir(parents=True, exist_ok=True)
    hybrid = f'{{fusion: "{fusion}"}}'
    paths.config_file.write_text(f"{{memorySearch: {{query: {{minScore: 0, hybrid: {hybrid}}}}}}}")
    engine = Engine(paths, provider=WordProvider())
    engine.refresh(add(engine, old_notes(tmp_path / "vault"), "vault")).result(TIMEOUT)
    for question, names in NARROWED:
        for mode in Mode:
            for audience in (PERSON, AGENT, SCRIPT):
                answer = ask(engine, question, mode, audience=audience, max_results=20)
                found = {Path(hit.path).stem for hit in (*answer.hits, *answer.uncertain)}
                assert found <= names, (question, mode)
                assert found == names or mode is Mode.VECTOR, (question, mode)
    engine.close()


def test_each_alternative_is_searched_by_meaning(engine: Engine) -> None:
    question = "leeks OR chrysanthemums"
    answer = ask(engine, question, Mode.VECTOR, audience=AGENT)
    assert answer.mode is Mode.VECTOR
    best = {Path(hit.path).stem for hit in answer.hits[:2]}
    assert best == {"soup", "boat"}
    alone = [ask(engine, word, Mode.VECTOR).hits[0].score for word in ("leeks", "chrysanthemums")]
    assert answer.hits[0].score == max(alone)


def test_alternatives_are_listed_and_counted_once(engine: Engine) -> None:
    question = "carrots tag:garden OR folder:Garden"
    answer = ask(engine, question, audience=PERSON, order=Order.NEWEST)
    assert sorted(Path(hit.path).stem for hit in answer.hits) == ["beds", "pond"]
    assert answer.request.text == question


@pytest.mark.parametrize("question", ["carrots soup", "red boats", "what was planted"])
def test_words_alone_are_ranked_as_without_operators(engine: Engine, question: str) -> None:
    plain = ask(engine, question, audience=PERSON)
    scores = [(hit.path, hit.score) for hit in plain.hits]
    # A condition that all notes meet changes nothing.
    narrowed = ask(engine, f"-ext:zzz {question}", audience=PERSON)
    assert [(hit.path, hit.score) for hit in narrowed.hits] == scores


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("walnut path:über", {"nuss"}),
        ("walnut path:uber", {"nuss"}),
        ('walnut folder:"ÜBER uns"', {"nuss"}),
        ("walnut path:Ελιές", {"olive"}),
        ("walnut path:ελιεσ", {"olive"}),
        ("walnut folder:ёлка", {"tree"}),
        ("walnut folder:ЕЛКА", {"tree"}),
        ("walnut file:žito", {"Žito"}),
        ("walnut file:ZITO", {"Žito"}),
        ("walnut -path:über", {"olive", "tree", "Žito"}),
        ("walnut folder:strasse", {"Žito"}),
    ],
)
def test_paths_are_compared_as_words_are(abroad: Engine, question: str, expected: set[str]) -> None:
    assert stems(abroad, question, Mode.LEXICAL, SCRIPT) == expected


@pytest.fixture(scope="module")
def abroad(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """Notes in folders with letters of several scripts."""
    root = tmp_path_factory.mktemp("abroad")
    paths = ("Über uns/nuss.md", "ΕΛΙΈΣ/olive.md", "Ёлка/tree.md", "Straße/Žito.md")
    engine = Engine(Paths.under(root / "home"), provider=WordProvider())
    notes = write_notes(root / "vault", dict.fromkeys(paths, "A walnut.\n"))
    engine.refresh(add(engine, notes, "vault")).result(TIMEOUT)
    yield engine
    engine.close()
