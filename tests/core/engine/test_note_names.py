"""What notes are called, and that a note is the first row of its name."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest

from scrubjay.engine.engine import Engine
from scrubjay.platform.paths import Paths
from scrubjay.records.audience import PERSON
from scrubjay.records.search_modes import Mode
from support.providers import WordProvider
from support.vault import TIMEOUT, NewEngine, add, ask, indexed, write_notes

DAILY = {
    "Daily/2023-09-30.md": "## Notes\n\nThe walrus slept.\n",
    "Trips/Kyoto.md": "Temples and gardens.\n\n## Trips\n\nIn spring.\n",
    "boiler.md": "# Heating\n\nCall Ramón.\n",
    "garden.md": "---\ntitle: The south bed\n---\n# Garden\n\nBeans and peas.\n",
}
"""Notes, most of whose first headings name a part of them."""
TITLES = {
    "Daily/2023-09-30.md": "2023-09-30",
    "Trips/Kyoto.md": "Kyoto",
    "boiler.md": "Heating",
    "garden.md": "The south bed",
}
"""What they are called in a folder of notes."""
FILE_NAMES = {path: Path(path).stem for path in DAILY}
"""What they are called in a vault."""


def titles(engine: Engine) -> dict[str, str]:
    """Path -> title of all notes."""
    answer = engine.notes.recent(limit=50).result(TIMEOUT)
    return {note.path: note.title for note in answer}


def first(engine: Engine, question: str, mode: Mode = Mode.HYBRID) -> str:
    """Path of the first row that a person sees."""
    return ask(engine, question, mode, audience=PERSON).hits[0].path


def test_a_note_is_called_by_its_title_its_top_heading_or_its_file(
    engine: Engine, tmp_path: Path
) -> None:
    indexed(engine, write_notes(tmp_path / "folder", DAILY))
    assert titles(engine) == TITLES


@pytest.mark.parametrize("place", ["", "Trips", "above"])
def test_a_note_in_a_vault_is_called_as_its_file(
    engine: Engine, tmp_path: Path, place: str
) -> None:
    folder = write_notes(tmp_path / "folder", DAILY)
    vault = tmp_path if place == "above" else folder / place
    (vault / ".obsidian").mkdir()
    indexed(engine, folder)
    inside = [path for path in DAILY if place == "above" or path.startswith(place)]
    assert titles(engine) == {**TITLES, **{path: FILE_NAMES[path] for path in inside}}


def test_a_mail_in_a_vault_is_called_by_its_subject(engine: Engine, tmp_path: Path) -> None:
    mail = "From: ana@x.org\nSubject: Trip money\nContent-Type: text/plain\n\nEleven euros.\n"
    folder = write_notes(tmp_path / "folder", {"Mail/1.eml": mail, "a.md": "# Other\n\nA.\n"})
    (folder / ".obsidian").mkdir()
    indexed(engine, folder)
    assert titles(engine) == {"Mail/1.eml": "Trip money", "a.md": "a"}


def test_a_folder_that_becomes_a_vault_is_named_anew_and_back(
    engine: Engine, tmp_path: Path
) -> None:
    folder = write_notes(tmp_path / "folder", DAILY)
    workspace = indexed(engine, folder)
    (folder / ".obsidian").mkdir()
    engine.refresh(workspace).result(TIMEOUT)
    assert titles(engine) == FILE_NAMES
    (folder / ".obsidian").rmdir()
    engine.refresh(workspace).result(TIMEOUT)
    assert titles(engine) == TITLES


OTHERS = {
    f"Newsletter {number}.md": f"# Newsletter {number}\n\nCallouts, tags, aliases and Kyoto: "
    f"callouts callouts tags tags kyoto kyoto, issue {number}.\n"
    for number in range(40)
}
"""Notes that say the names of others more often than those do themselves."""
NAMED = {
    "Editing/Callouts.md": "Add a box to a page.\n\n## Change the title\n\nWrite it.\n",
    "Editing/Callouts for print.md": "Boxes on paper.\n",
    "Tags.md": "Words with a sign.\n",
    "Places/Kyoto.md": "---\naliases:\n  - Miyako\n  - 'Old capital'\n---\nA city.\n",
    "People/Kevin Kelly.md": "---\naliases: [KK, The editor]\n---\nWrites.\n",
    "basic-formatting_syntax.md": "How to write.\n",
    "What it is.md": "An explanation.\n",
    "Émile.md": "A friend.\n",
}


@pytest.fixture
def vault(new_engine: NewEngine, tmp_path: Path) -> Engine:
    """An engine with a vault of notes that others talk about."""
    engine = new_engine(WordProvider())
    folder = write_notes(tmp_path / "vault", {**OTHERS, **NAMED})
    (folder / ".obsidian").mkdir()
    indexed(engine, folder)
    return engine


@pytest.mark.parametrize("mode", [Mode.LEXICAL, Mode.HYBRID])
@pytest.mark.parametrize(
    ("question", "path"),
    [
        ("callouts", "Editing/Callouts.md"),
        ("Callouts", "Editing/Callouts.md"),
        ("callouts for", "Editing/Callouts for print.md"),
        ("tags", "Tags.md"),
        ("kyoto?", "Places/Kyoto.md"),
        ("miyako", "Places/Kyoto.md"),
        ("old capital", "Places/Kyoto.md"),
        ("kk", "People/Kevin Kelly.md"),
        ("kevin k", "People/Kevin Kelly.md"),
        ("the editor", "People/Kevin Kelly.md"),
        ("basic formatting syntax", "basic-formatting_syntax.md"),
        ("what it is", "What it is.md"),
        ("emile", "Émile.md"),
    ],
)
def test_a_note_is_the_first_row_of_its_name(
    vault: Engine, question: str, path: str, mode: Mode
) -> None:
    assert first(vault, question, mode) == path


def test_names_that_begin_so_come_after_the_name_and_before_texts(vault: Engine) -> None:
    hits = ask(vault, "callouts", audience=PERSON).hits
    assert [hit.path for hit in hits[:2]] == [
        "Editing/Callouts.md",
        "Editing/Callouts for print.md",
    ]
    assert len(hits) > 2


def test_a_name_does_not_pass_an_operator(vault: Engine) -> None:
    hits = ask(vault, "callouts path:newsletter", audience=PERSON).hits
    assert hits
    assert all(hit.path.startswith("Newsletter") for hit in hits)


def test_notes_of_an_older_index_get_their_names(tmp_path: Path) -> None:
    paths = Paths.under(tmp_path / "home")
    folder = write_notes(tmp_path / "vault", {**OTHERS, **NAMED})
    engine = Engine(paths, provider=WordProvider())
    workspace = add(engine, folder, "vault")
    engine.refresh(workspace).result(TIMEOUT)
    engine.close()
    [file] = paths.indexes.glob("*.sqlite")
    with apsw.Connection(str(file)) as db:
        db.execute("drop table name; update document set chunking = '5:400:80', title = 'Trips'")
        db.execute("alter table document drop column ctime_ns; pragma user_version = 7")
    engine = Engine(paths, provider=WordProvider())
    try:
        # Until a writer has seen the index, names are looked up in nothing.
        assert ask(engine, "callouts", audience=PERSON).hits
        assert [*paths.indexes.glob("*damaged*")] == []
        engine.refresh(workspace).result(TIMEOUT)
        assert first(engine, "miyako") == "Places/Kyoto.md"
        assert titles(engine)["Places/Kyoto.md"] == "Kyoto"
    finally:
        engine.close()
