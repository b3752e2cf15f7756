"""Notes that belong to a note, as the engine finds them."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from scrubjay.answers.relations import MOST_OF_DAY, RelatedSearch
from scrubjay.concurrency.cancel import CancelToken
from scrubjay.engine.engine import Engine
from scrubjay.errors import Cancelled
from scrubjay.records.note_records import ChunkId, NoteAddress, RelatedNote, Relation
from scrubjay.records.vectors import Vector
from scrubjay.store.index_records import Filters
from scrubjay.store.reader import Reader
from scrubjay.text.tokenizer import Analyzer
from support.providers import AbsentProvider, WordProvider
from support.vault import TIMEOUT, NewEngine, add, write_notes

SYNONYMS = {"furnace": "boiler", "costly": "expensive"}
NOTES = {
    "House/Boiler.md": "# Boiler\n\nThe boiler loses pressure and a new one is expensive.\n",
    "Garden/Boiler.md": "# Tea\n\nA kettle for the shed.\n",
    "Plan.md": "# Plan\n\nFirst a line.\n\nAsk about [[House/Boiler|the heating]] in **May**.\n",
    "Costs.md": "# Costs\n\n- see [here](House/Boiler.md#top)\n- and [[Boiler]] again\n",
    "Furnace.md": "# Furnace\n\nThe furnace loses pressure; costly.\n",
    "Sheep.md": "# Sheep\n\nWool and lambs on the hill of a farmer.\n",
    "Talk.md": "# Talk\n\nBoiler is a word, `[[House/Boiler]]` is code, [[Boilers]] is another.\n",
    "Fence.md": "# Fence\n\n```\n[[House/Boiler]]\n```\n",
    "Odd (1) ñandú.md": "# Odd\n\nA bird.\n",
    "Bird.md": "# Bird\n\nSee [it](Odd%20%281%29%20%C3%B1and%C3%BA.md) and [[🌱]].\n",
    "🌱.md": "# Seed\n\nGrow.\n",
    "a/2026-03-04.md": "# Wednesday\n\nRain.\n",
    "b/2026-03-04 walk.md": "# Walk\n\nMud everywhere.\n",
    "c/2026-03-05.md": "# Thursday\n\nSun.\n",
}


@pytest.fixture
def related(
    new_engine: NewEngine, tmp_path: Path
) -> Callable[[str, Relation], list[tuple[str, str, int]]]:
    """Path, reason and line of the notes that belong to one in a certain way."""
    engine = new_engine(WordProvider(synonyms=SYNONYMS))
    root = write_notes(tmp_path / "vault", NOTES)
    for number, path in enumerate(NOTES):  # each changed on another day
        day = 1_700_000_000 + number * 90_000
        os.utime(root / path, (day, day))
    workspace = add(engine, root)
    engine.refresh(workspace).result(TIMEOUT)

    def of(path: str, relation: Relation) -> list[tuple[str, str, int]]:
        notes = engine.relations.of(NoteAddress(workspace.id, path), CancelToken()).result(TIMEOUT)
        assert len({each.note.path for each in notes}) == len(notes)
        return [(each.note.path, each.why, each.line) for each in notes if is_of(each, relation)]

    return of


def is_of(related: RelatedNote, relation: Relation) -> bool:
    return related.relation is relation


def test_notes_with_a_link_are_told_with_the_line_that_has_it(related) -> None:
    assert related("House/Boiler.md", Relation.LINKS) == [
        ("Costs.md", "see here", 3), ("Plan.md", "Ask about the heating in May.", 5),
    ]  # fmt: skip


def test_a_link_counts_for_the_note_that_a_click_would_open(related) -> None:
    # Of two notes with the name, the shorter path; a plural is another note.
    assert [path for path, _, _ in related("Garden/Boiler.md", Relation.LINKS)] == []


@pytest.mark.parametrize("path", ["Odd (1) ñandú.md", "🌱.md"])
def test_names_that_are_written_otherwise_in_a_link_are_found(related, path: str) -> None:
    assert [each for each, _, _ in related(path, Relation.LINKS)] == ["Bird.md"]


def test_similar_notes_are_found_by_their_meaning_with_the_words_they_share(related) -> None:
    [(path, words, line), *others] = related("House/Boiler.md", Relation.SIMILAR)
    assert (path, line) == ("Furnace.md", 1)
    assert "Sheep.md" not in [other for other, _, _ in others]
    assert set(words.split(", ")) == {"loses", "pressure"}


def test_a_note_is_similar_from_the_score_on_that_makes_a_hit_of_a_search_sure(
    new_engine: NewEngine, tmp_path: Path
) -> None:
    files = {
        "One.md": "Furnace pressure, radiator valve; costly plumber.\n",
        "Two.md": "Furnace kettle, garden summer; cheap holiday.\n",
        **{f"{word}.md": f"{word} only, and more {word}.\n" for word in UNRELATED},
    }
    engine = new_engine(WordProvider())
    [similar] = related_in(engine, tmp_path, files, "One.md")
    assert similar.note.path == "Two.md"
    assert 0.35 <= similar.score < 0.99
    [workspace] = engine.workspaces()
    one = NoteAddress(workspace.id, "One.md")
    least = "memorySearch.query.minScore"
    engine.settings_editor.set(least, similar.score - 0.001).result(TIMEOUT)
    assert engine.relations.of(one, CancelToken()).result(TIMEOUT) == (similar,)
    engine.settings_editor.set(least, similar.score + 0.001).result(TIMEOUT)
    assert engine.relations.of(one, CancelToken()).result(TIMEOUT) == ()


def test_notes_without_a_common_subject_are_not_similar_where_every_hit_is_wanted(
    new_engine: NewEngine, tmp_path: Path
) -> None:
    files = {f"{word}.md": f"{word} only, and more {word}.\n" for word in UNRELATED}
    engine = new_engine(WordProvider())
    assert not related_in(engine, tmp_path, files, f"{UNRELATED[0]}.md")
    engine.settings_editor.set("memorySearch.query.minScore", 0).result(TIMEOUT)
    [workspace] = engine.workspaces()
    note = NoteAddress(workspace.id, f"{UNRELATED[0]}.md")
    assert engine.relations.of(note, CancelToken()).result(TIMEOUT) == ()


def test_notes_that_a_note_links_to_are_told_after_those_that_link_to_it(related) -> None:
    assert related("Costs.md", Relation.LINKED) == [("House/Boiler.md", "", 1)]
    assert related("Bird.md", Relation.LINKED) == [
        ("Odd (1) ñandú.md", "", 1), ("🌱.md", "", 1),
    ]  # fmt: skip


def test_links_come_first_and_the_same_day_last(new_engine: NewEngine, tmp_path: Path) -> None:
    files = {
        "Trip.md": "---\ndate: 2026-03-04\nplaces: ['[[Kyoto]]']\n---\nTemples, gardens, moss.\n",
        "Moss.md": "Temples, gardens, moss.\n",
        "Kyoto.md": "A city.\n",
        "Plan.md": "We talk about the [[Trip]].\n",
        "2026-03-04.md": "Nothing else.\n",
        **{f"{word}.md": f"{word} only, and more {word}.\n" for word in UNRELATED},
    }
    assert [
        (each.note.path, each.relation)
        for each in related_in(new_engine(WordProvider()), tmp_path, files, "Trip.md")
    ] == [
        ("Plan.md", Relation.LINKS), ("Kyoto.md", Relation.LINKED),
        ("Moss.md", Relation.SIMILAR), ("2026-03-04.md", Relation.SAME_DAY),
    ]  # fmt: skip


UNRELATED = (
    "Alder", "Basalt", "Cobalt", "Dingo", "Ember", "Fjord", "Garnet", "Heron", "Indigo", "Jasper",
    "Kelp", "Lichen",
)  # fmt: skip


def related_in(
    engine: Engine, tmp_path: Path, files: Mapping[str, str], path: str
) -> tuple[RelatedNote, ...]:
    """What is related to one of some notes, which all changed on days of their own."""
    root = write_notes(tmp_path / "vault", files)
    for number, name in enumerate(files):
        day = 1_600_000_000 + number * 90_000
        os.utime(root / name, (day, day))
    workspace = add(engine, root)
    engine.refresh(workspace).result(TIMEOUT)
    return engine.relations.of(NoteAddress(workspace.id, path), CancelToken()).result(TIMEOUT)


def test_a_note_that_shares_a_few_words_with_another_one_is_not_similar(
    new_engine: NewEngine, tmp_path: Path
) -> None:
    # A trip to a museum, and the lease of a flat, as far from it as all others are.
    files = {
        "Museum.md": "Museum of science with class larch. Bus paid Thursday, permits.\n",
        "Lease.md": "Contract of the flat. Rent paid Thursday by larch street, deposit, keys.\n",
        **{
            f"{word}.md": f"Paid Thursday for {word}, larch and {word} repair.\n"
            for word in UNRELATED
        },
    }
    found = related_in(new_engine(WordProvider()), tmp_path, files, "Museum.md")
    assert [each for each in found if each.relation is Relation.SIMILAR] == []


def test_a_note_with_the_same_meaning_and_one_rare_word_in_five_is_similar(
    new_engine: NewEngine, tmp_path: Path
) -> None:
    words = ("furnace", "costly", "plumber", "winter")
    synonyms = {f"{word}other": word for word in words}
    files = {
        "One.md": f"Chimney {' '.join(words)}.\n",
        "Two.md": f"Chimney {' '.join(synonyms)}.\n",
        **{f"{word}.md": f"{word} only, and more {word}.\n" for word in UNRELATED},
    }
    found = related_in(new_engine(WordProvider(synonyms=synonyms)), tmp_path, files, "One.md")
    similar = [(each.note.path, each.why) for each in found if is_of(each, Relation.SIMILAR)]
    assert similar == [("Two.md", "Chimney")]


def reason(new_engine: NewEngine, tmp_path: Path, files: Mapping[str, str]) -> set[str]:
    """The words that tell why the note Two is similar to the note One, in lower case."""
    others = {f"Other/{word}.md": f"{word} only, and more {word}.\n" for word in UNRELATED}
    found = related_in(new_engine(WordProvider()), tmp_path, {**files, **others}, "One.md")
    [similar] = [each for each in found if each.note.path.endswith("Two.md")]
    assert similar.relation is Relation.SIMILAR
    return set(filter(None, similar.why.lower().split(", ")))


@pytest.mark.parametrize(
    "day", ["Thursday", "September", "jueves", "diciembre", "Donnerstag", "février"]
)
def test_no_day_or_month_is_a_reason(new_engine: NewEngine, tmp_path: Path, day: str) -> None:
    files = {
        "One.md": f"{day} {day} the boiler lost pressure, plumber {day}.\n",
        "Two.md": f"{day} {day} a boiler with lower pressure {day}.\n",
    }
    assert reason(new_engine, tmp_path, files) == {"boiler", "pressure"}


def test_no_name_of_a_property_is_a_reason(new_engine: NewEngine, tmp_path: Path) -> None:
    matter = "---\ncover: x\ngenre: y\nyear: 1999\n---\n"
    files = {
        "One.md": f"{matter}The boiler lost pressure.\n",
        "Two.md": f"{matter}A boiler with pressure.\n",
    }
    assert reason(new_engine, tmp_path, files) == {"boiler", "pressure"}


def test_no_word_of_a_template_is_a_reason(new_engine: NewEngine, tmp_path: Path) -> None:
    lesson = "Warmers, homework, finishers.\n"
    files = {
        "One.md": f"{lesson}Volcanoes erupt lava.\n",
        "Two.md": f"{lesson}Lava of volcanoes.\n",
        **{f"{number}.md": f"{lesson}{word} {word}.\n" for number, word in enumerate(UNRELATED)},
    }
    assert reason(new_engine, tmp_path, files) == {"lava", "volcanoes"}


def test_notes_that_share_only_a_template_are_not_similar(
    new_engine: NewEngine, tmp_path: Path
) -> None:
    files = {
        f"{number}.md": f"Warmers, homework, finishers, {word}.\n"
        for number, word in enumerate(UNRELATED)
    }
    files |= {f"Other/{word}.md": f"{word}ish only, and more.\n" for word in UNRELATED}
    found = related_in(new_engine(WordProvider()), tmp_path, files, "0.md")
    assert [each for each in found if each.relation is Relation.SIMILAR] == []


def test_a_day_that_a_program_wrote_into_many_notes_relates_none(
    new_engine: NewEngine, tmp_path: Path
) -> None:
    matter = "---\ncreated: 2026-03-04\n---\n"
    files = {f"{number}.md": f"{matter}Word{number}.\n" for number in range(MOST_OF_DAY + 1)}
    engine = new_engine(AbsentProvider())
    assert len(related_in(engine, tmp_path, files, "0.md")) == MOST_OF_DAY
    files[f"{MOST_OF_DAY + 1}.md"] = f"{matter}One more.\n"
    assert related_in(engine, tmp_path / "more", files, "0.md") == ()


def test_a_base_knows_when_notes_were_changed(engine: Engine, tmp_path: Path) -> None:
    root = write_notes(tmp_path / "base", {"a.md": "A.\n", "b.md": "B.\n"})
    os.utime(root / "a.md", (1_600_000_000, 1_600_000_000))
    workspace = add(engine, root)
    engine.refresh(workspace).result(TIMEOUT)
    text = "filters: file.mtime > now() - '1 day'\nviews: [{order: [file.name]}]"
    note = NoteAddress(workspace.id, "a.md")
    table = engine.relations.base_table(note, text, "").result(TIMEOUT)
    assert table.rows == (("[[b|b]]",),)


def test_a_base_knows_the_properties_that_stand_in_the_beginning_of_a_note(
    engine: Engine, tmp_path: Path
) -> None:
    long = "some words of a long text\n" * 150
    files = {
        "Open.md": "---\nstatus: open\n---\nText.\n",
        "Rule.md": "---\nA note that begins with a rule.\n",
        "Long rule.md": f"---\n{long}",
        "Empty.md": f"---\n---\n{long}",
        "Long.md": f"---\nabstract: {'some words ' * 400}\nstatus: open\n---\nText.\n",
    }
    workspace = add(engine, write_notes(tmp_path / "base", files))
    engine.refresh(workspace).result(TIMEOUT)
    text = "views: [{order: [file.basename, status], sort: [{property: status}]}]"
    note = NoteAddress(workspace.id, "Open.md")
    table = engine.relations.base_table(note, text, "").result(TIMEOUT)
    # What stands below a rule is no property, and of longer properties not all are known.
    assert [row[0].strip("[]").partition("|")[2] for row in table.rows] == [
        "Open", "Empty", "Long rule", "Rule",
    ]  # fmt: skip
    assert [row[1] for row in table.rows] == ["open", "", "", ""]
    assert table.excluded == 1


class ChangingReader(Reader):
    """Reads an index that is written to right after the nearest chunks were looked for."""

    change: Callable[[], object]

    def nearest(
        self, query: Vector, limit: int, filters: Filters, cancel: CancelToken
    ) -> list[tuple[ChunkId, float]]:
        nearest = super().nearest(query, limit, filters, cancel)
        self.change()
        return nearest


@pytest.mark.parametrize("gone", ["Furnace.md", "House/Boiler.md"])
def test_a_note_may_vanish_while_similar_ones_are_looked_for(
    new_engine: NewEngine, tmp_path: Path, gone: str
) -> None:
    engine = new_engine(WordProvider(synonyms=SYNONYMS))
    root = write_notes(tmp_path / "vault", NOTES)
    workspace = add(engine, root)
    engine.refresh(workspace).result(TIMEOUT)
    index_file = engine.current_status().result(TIMEOUT).details[workspace.id]["indexFile"]

    def change() -> None:
        (root / gone).unlink()
        engine.refresh(workspace).result(TIMEOUT)

    with contextlib.closing(ChangingReader.open(Path(index_file))) as reader:
        reader.change = change
        search = RelatedSearch(reader, Analyzer(), min_score=0.35)
        notes = search.notes("House/Boiler.md", CancelToken())
    assert gone not in [each.note.path for each in notes]
    assert "Plan.md" in [each.note.path for each in notes]


class RoundingReader(Reader):
    """Reads cosines whose mean is above each of them, since sums are rounded."""

    def nearest(
        self, query: Vector, limit: int, filters: Filters, cancel: CancelToken
    ) -> list[tuple[ChunkId, float]]:
        nearest = super().nearest(query, limit, filters, cancel)
        return [(chunk, 0.8) for chunk, cosine in nearest if cosine > 0.5]


def test_notes_that_are_all_as_near_as_each_other_are_similar(
    new_engine: NewEngine, tmp_path: Path
) -> None:
    engine = new_engine(WordProvider())
    copies = {f"{number}/Copy.md": NOTES["Furnace.md"] for number in range(25)}
    others = {f"{number}/Other.md": f"Note{number}.\n" for number in range(120)}
    workspace = add(engine, write_notes(tmp_path / "vault", {**copies, **others}))
    engine.refresh(workspace).result(TIMEOUT)
    index_file = engine.current_status().result(TIMEOUT).details[workspace.id]["indexFile"]
    with contextlib.closing(RoundingReader.open(Path(index_file))) as reader:
        search = RelatedSearch(reader, Analyzer(), min_score=0.35)
        likenesses = search.likenesses("0/Copy.md", CancelToken())
    assert len(likenesses) == 24


def test_notes_of_the_same_day_belong_together(related) -> None:
    assert related("a/2026-03-04.md", Relation.SAME_DAY) == [("b/2026-03-04 walk.md", "", 1)]
    assert related("c/2026-03-05.md", Relation.SAME_DAY) == []


def test_many_notes_that_were_copied_on_one_day_do_not(
    new_engine: NewEngine, tmp_path: Path
) -> None:
    engine = new_engine(WordProvider())
    names = {f"{name}.md": f"# {name}\n" for name in "abcdefgh"}
    root = write_notes(tmp_path / "vault", {**names, "x.md": "# x\n", "y.md": "# y\n"})
    for name in (*names, "x.md", "y.md"):
        day = 1_700_000_000 if name in names else 1_800_000_000
        os.utime(root / name, (day, day))
    workspace = add(engine, root)
    engine.refresh(workspace).result(TIMEOUT)

    def of(path: str) -> list[str]:
        notes = engine.relations.of(NoteAddress(workspace.id, path), CancelToken()).result(TIMEOUT)
        return [each.note.path for each in notes if each.relation is Relation.SAME_DAY]

    assert (of("a.md"), of("x.md")) == ([], ["y.md"])


def test_without_a_language_helper_links_and_days_remain(
    new_engine: NewEngine, tmp_path: Path
) -> None:
    engine = new_engine(AbsentProvider())
    workspace = add(engine, write_notes(tmp_path / "vault", NOTES))
    engine.refresh(workspace).result(TIMEOUT)
    found = engine.relations.of(NoteAddress(workspace.id, "House/Boiler.md"), CancelToken()).result(
        TIMEOUT
    )
    assert {each.note.path for each in found if each.relation is Relation.LINKS} == {
        "Plan.md", "Costs.md",
    }  # fmt: skip
    assert not [each for each in found if each.relation is Relation.SIMILAR]


def test_a_note_that_is_gone_has_no_company_and_a_cancelled_question_no_answer(
    new_engine: NewEngine, tmp_path: Path
) -> None:
    engine: Engine = new_engine(WordProvider())
    workspace = add(engine, write_notes(tmp_path / "vault", NOTES))
    engine.refresh(workspace).result(TIMEOUT)
    assert (
        engine.relations.of(NoteAddress(workspace.id, "gone.md"), CancelToken()).result(TIMEOUT)
        == ()
    )
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        engine.relations.of(NoteAddress(workspace.id, "Plan.md"), cancel).result(TIMEOUT)
