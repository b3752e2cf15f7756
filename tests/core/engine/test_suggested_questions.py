"""Questions to try, as the engine finds them in the notes of a person."""

from __future__ import annotations

from pathlib import Path

from scrubjay.records.audience import PERSON
from scrubjay.records.search_modes import Mode
from support.providers import WordProvider
from support.vault import TIMEOUT, NewEngine, add, ask, indexed, write_notes


def test_no_question_is_suggested_whose_words_another_note_has_too(
    new_engine: NewEngine, tmp_path: Path
) -> None:
    """By words alone the note with the heading is first; meaning may put the other one there."""
    engine = new_engine(WordProvider())
    house = "# House\n\n## Yearly boiler service\n\nThe yearly boiler service is in May.\n"
    costs = "# Costs\n\nThe boiler cost 90, a service of it 40, yearly.\n"
    indexed(engine, write_notes(tmp_path / "notes", {"House.md": house, "Costs.md": costs}))
    words = ask(engine, "Yearly boiler service", Mode.LEXICAL, audience=PERSON)
    assert [hit.path for hit in words.hits] == ["House.md", "Costs.md"]
    assert engine.notes.suggested_questions(5).result(TIMEOUT) == ()


def test_questions_are_suggested_for_the_workspace_that_is_searched(
    new_engine: NewEngine, tmp_path: Path
) -> None:
    engine = new_engine(WordProvider())
    one = add(engine, write_notes(tmp_path / "one", {"a.md": "# A\n\n## Summer concert\n\nX.\n"}))
    two = add(engine, write_notes(tmp_path / "two", {"b.md": "# B\n\n## Boiler service\n\nY.\n"}))
    engine.refresh().result(TIMEOUT)
    suggest = engine.notes.suggested_questions
    assert suggest(5, one.id).result(TIMEOUT) == ("Summer concert",)
    assert suggest(5, two.id).result(TIMEOUT) == ("Boiler service",)
    assert {*suggest(5).result(TIMEOUT)} == {"Summer concert", "Boiler service"}


def test_trying_questions_out_is_no_search_for_which_background_work_waits(
    new_engine: NewEngine, tmp_path: Path
) -> None:
    engine = new_engine(WordProvider())
    notes = write_notes(tmp_path / "notes", {"a.md": "# A\n\n## Summer concert\n\nX.\n"})
    indexed(engine, notes)
    assert engine.notes.suggested_questions(5).result(TIMEOUT) == ("Summer concert",)
    priority = engine._parts.priority  # noqa: SLF001
    assert priority.until_rest(TIMEOUT) == 0
    ask(engine, "Summer concert", Mode.LEXICAL, audience=PERSON)
    assert priority.until_rest(TIMEOUT) > 0
