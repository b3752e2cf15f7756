"""Copies that sync programs leave, which stand behind their note."""

from __future__ import annotations

from pathlib import Path

import pytest

from scrubjay.answers.answer_json import search_answer_json
from scrubjay.engine.engine import Engine
from scrubjay.platform.paths import Paths
from scrubjay.records.audience import AGENT, PERSON, Audience
from scrubjay.records.search_modes import Mode
from scrubjay.records.search_records import Hit
from support.providers import WordProvider
from support.vault import add, ask, write_notes

TEXT = "# Pond list\n\nNet, waders, bucket and a lid for the newts.\n"
NOTE = "Pond.md"
COPIES = (
    "Pond (Nora's conflicted copy 2027-03-11).md",
    "Pond.sync-conflict-20270311-081502-K4XQ2ZA.md",
    "Pond 2.md",
)
OTHERS = {f"other-{n}.md": f"# Other {n}\n\nNothing about animals, part {n}.\n" for n in range(6)}


class Vault:
    """Notes in a new folder, and the answers about them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.engine = Engine(Paths.under(folder / "home"), provider=WordProvider())

    def hits(self, notes: dict[str, str], words: str, **fields: object) -> tuple[Hit, ...]:
        add(self.engine, write_notes(self.folder / "vault", {**OTHERS, **notes}), "vault")
        return ask(self.engine, words, **fields).hits


@pytest.fixture
def vault(tmp_path: Path):
    vault = Vault(tmp_path)
    yield vault
    vault.engine.close()


@pytest.mark.parametrize("audience", [AGENT, PERSON])
@pytest.mark.parametrize("mode", [Mode.HYBRID, Mode.LEXICAL])
def test_copies_stand_behind_their_note_as_one_row(
    vault: Vault, audience: Audience, mode: Mode
) -> None:
    # The copies are shorter, so that each of them alone would stand above the note.
    notes = {NOTE: f"{TEXT}\nA later line on reeds.\n", **dict.fromkeys(COPIES, TEXT)}
    hits = vault.hits(notes, "waders newts", audience=audience, mode=mode)
    [hit] = [hit for hit in hits if "Pond" in hit.path]
    assert (hit.path, sorted(hit.conflict_copies)) == (NOTE, sorted(COPIES))


@pytest.mark.parametrize("audience", [AGENT, PERSON])
def test_a_note_of_a_series_is_found_by_its_name(vault: Vault, audience: Audience) -> None:
    template = "# Meeting\n\n- Present\n- Agenda\n- Votes\n- Next date\n- Any other business\n"
    notes = {
        "Meeting.md": f"{template}- Ann orders chairs\n",
        "Meeting 2.md": f"{template}- Bob cancels the lease\n",
    }
    hits = vault.hits(notes, "Meeting 2", audience=audience, mode=Mode.LEXICAL)
    assert "Meeting 2.md" in [hit.path for hit in hits]


def test_a_copy_that_alone_has_a_word_is_found(vault: Vault) -> None:
    notes = {NOTE: TEXT, COPIES[0]: f"{TEXT}\nThe heron came at noon.\n"}
    hits = vault.hits(notes, "newts heron", mode=Mode.LEXICAL)
    assert hits[0].path == COPIES[0]


def test_copies_of_a_note_that_is_gone_are_one_row(vault: Vault) -> None:
    hits = vault.hits(dict.fromkeys(COPIES[:2], TEXT), "waders newts", mode=Mode.LEXICAL)
    [hit] = [hit for hit in hits if "Pond" in hit.path]
    assert len(hit.conflict_copies) == 1


def test_a_note_with_a_number_and_another_text_is_not_a_copy(vault: Vault) -> None:
    notes = {NOTE: TEXT, "Pond 2.md": "# Second pond\n\nDeeper, with newts and a bucket.\n"}
    hits = vault.hits(notes, "newts bucket", mode=Mode.LEXICAL)
    assert {hit.path for hit in hits} >= {NOTE, "Pond 2.md"}
    assert not any(hit.conflict_copies for hit in hits)


@pytest.mark.parametrize("fusion", ["rrf", "weighted"])
@pytest.mark.parametrize("audience", [AGENT, PERSON])
def test_each_fusion_puts_copies_behind_their_note(
    tmp_path: Path, fusion: str, audience: Audience
) -> None:
    settings = f'{{memorySearch: {{query: {{hybrid: {{fusion: "{fusion}"}}}}}}}}'
    write_notes(tmp_path / "home", {"config.json5": settings})
    vault = Vault(tmp_path)
    assert not vault.engine.settings.problems
    notes = {NOTE: f"{TEXT}\nA later line on reeds.\n", **dict.fromkeys(COPIES, TEXT)}
    hits = vault.hits(notes, "waders newts", audience=audience)
    vault.engine.close()
    [hit] = [hit for hit in hits if "Pond" in hit.path]
    assert (hit.path, sorted(hit.conflict_copies)) == (NOTE, sorted(COPIES))


_DIARY = {f"2027-03-{day:02}.md": f"# Day {day}\n\nFed the newts.\n" for day in range(1, 13)}
_MARKS = (".sync-conflict-20270311-081502-K4XQ2ZA", " (Nora's conflicted copy 2027-03-11)", " 2")


@pytest.mark.parametrize("words", ["march 2027", "tag:pond", "path:2027"])
@pytest.mark.parametrize("limit", [1, 5, 10])
def test_a_limit_counts_notes_and_not_their_copies(vault: Vault, words: str, limit: int) -> None:
    tagged = {name: f"---\ntags: pond\n---\n{text}" for name, text in _DIARY.items()}
    copies = {
        f"{name.removesuffix('.md')}{mark}.md": text
        for name, text in tagged.items()
        for mark in _MARKS
    }
    hits = vault.hits({**tagged, **copies}, words, max_results=limit)
    assert len(hits) == limit
    assert {hit.path for hit in hits} <= set(_DIARY)
    assert all(len(hit.conflict_copies) == len(_MARKS) for hit in hits)


def test_a_list_without_words_has_the_note_alone(vault: Vault) -> None:
    tagged = f"---\ntags: pond\n---\n{TEXT}"
    hits = vault.hits({NOTE: tagged, COPIES[0]: tagged, COPIES[2]: tagged}, "#pond")
    assert [(hit.path, hit.conflict_copies) for hit in hits] == [(NOTE, (COPIES[0], COPIES[2]))]


def test_a_list_hides_no_note_of_a_series(vault: Vault) -> None:
    tagged = f"---\ntags: pond\n---\n{TEXT}"
    hits = vault.hits({NOTE: tagged, "Pond 2.md": f"{tagged}\nAnd a heron.\n"}, "#pond")
    assert {hit.path for hit in hits} == {NOTE, "Pond 2.md"}


def test_scripts_and_agents_get_the_paths_of_the_copies(vault: Vault) -> None:
    notes = {NOTE: TEXT, COPIES[0]: TEXT}
    vault.hits(notes, "waders newts")
    answer = ask(vault.engine, "waders newts", mode=Mode.LEXICAL)
    assert search_answer_json(answer).as_json()["results"][0]["conflictCopies"] == [COPIES[0]]
