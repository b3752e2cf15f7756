"""A shared workspace follows the folder that is published in it."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.errors import SharedUnavailable
from scrubjay.platform.paths import Paths
from scrubjay.records.audience import AGENT, PERSON, Audience
from scrubjay.records.search_modes import Mode
from scrubjay.records.shared_records import SharedPlace
from scrubjay.search.query.dates import month_expressions
from scrubjay.store.index_records import Filters
from scrubjay.store.lancedb import lease, tables
from scrubjay.store.lancedb.publisher import Publisher
from scrubjay.store.lancedb.publishing_limits import PublishingLimits
from scrubjay.store.reader import Reader
from support.providers import WordProvider
from support.shared_memory import Asker, Sharer
from support.vault import NewEngine, write_notes

AT_ONCE = PublishingLimits(lease_seconds=0.0)
"""Nobody who holds a lease is waited for."""

QUESTIONS = (
    "password of the router",
    "tomatoes",
    '"every second day"',
    "gardn",
    "router -fridge",
    "path:house router",
    "viol",
    "rout",
    "kind:note sea",
    "#food",
    "after:2020-01-01 water",
    "before:2020-01-01 water",
    "file:router water",
    "file:house water",
    "file:memory/2026-05-08 water",
    'file:"Router (2).[md]" water',
    "file:ROUTER_%.md water",
    "notes about the sea?",
    "housewater",
)
EXPRESSIONS = (
    '"router"',
    '"the" OR "tomatoes"',
    '("router" OR "water") NOT ("fridge")',
    '"second day"',
    '"day second"',
    '"wat"*',
    '"second d"*',
    'path : "house router"',
    'path : "garden" OR "violins"',
    '("emma" AND "sea") OR "tomatoes"',
    '"nothing of it"',
    '"- ! -"',
    '("router") AND ("router" OR "password" OR "emma")',
)


@pytest.fixture
def tagged(notes: Path) -> Path:
    """The notes, with more of what questions can ask for."""
    write_notes(
        notes,
        {
            "Router (2).[md].md": "# Water\n\nA second router for the water pump.\n",
            "memory/2026-05-08.md": "# Diary\n\nWe bought houseWater pumps. #food/fruit #garden\n",
            "long.md": "\n\n".join(f"## Part {n}\n\nThe {n}th line of rivers." for n in range(400)),
        },
    )
    return notes


@pytest.mark.parametrize("audience", [AGENT, PERSON])
@pytest.mark.parametrize("mode", [Mode.LEXICAL, Mode.HYBRID])
def test_a_shared_workspace_answers_as_the_index_does(
    tagged: Path, sharer: Sharer, asker: Asker, mode: Mode, audience: Audience
) -> None:
    assert sharer.publish()
    for question in QUESTIONS:
        here = asker.local_hits(sharer.file, question, mode, audience=audience)
        there = asker.hits(question, mode, audience=audience)
        assert [hit.citation for hit in there] == [hit.citation for hit in here], question
        assert [hit.snippet for hit in there] == [hit.snippet for hit in here], question
        scores = [hit.score for hit in here]
        assert [hit.score for hit in there] == pytest.approx(scores, abs=0.05), question
        assert [hit.tags for hit in there] == [hit.tags for hit in here], question


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_an_expression_matches_what_it_matches_in_the_index(
    tagged: Path, sharer: Sharer, asker: Asker, expression: str
) -> None:
    assert sharer.publish()
    there, here = asker.reader(), Reader.open(sharer.file)
    places = []
    for reader in (here, there):
        found = reader.lexical(expression, 500, Filters(), CancelToken())
        chunks = reader.chunks(chunk for chunk, _ in found).values()
        places.append({(chunk.path, chunk.first_line) for chunk in chunks})
        assert reader.holds(expression) == bool(found)
        assert reader.matching(expression, [chunk for chunk, _ in found]) == {
            chunk for chunk, _ in found
        }
    here.close()
    assert places[0] == places[1]


def test_edits_renames_and_removals_are_followed(sharer: Sharer, asker: Asker, notes: Path) -> None:
    assert sharer.publish()
    write_notes(notes, {"garden.md": "# Garden\n\nThe cucumbers froze.\n"})
    (notes / "people" / "emma.md").rename(notes / "people" / "eva.md")
    (notes / "house" / "router.md").unlink()
    assert sharer.publish()
    assert asker.paths("cucumbers") == ["garden.md"]
    assert asker.paths("tomatoes") == []
    assert asker.paths("violins") == ["people/eva.md"]
    assert asker.paths("router") == []
    reader = asker.reader()
    assert reader.stem_counts(["cucumb", "tomato", "router", "violin"]) == {
        "cucumb": 1,
        "violin": 1,
    }
    assert reader.count(Filters()) == 2


def test_a_note_that_became_shorter_leaves_nothing_of_its_end(
    tagged: Path, sharer: Sharer, asker: Asker
) -> None:
    assert sharer.publish()
    before = asker.reader().chunk_count()
    write_notes(tagged, {"long.md": "# Short\n\nOnly a pond.\n"})
    assert sharer.publish()
    assert asker.paths("rivers") == []
    assert asker.reader().chunk_count() == 6 < before


def test_nothing_is_written_of_what_is_there(sharer: Sharer, asker: Asker) -> None:
    assert sharer.publish()
    before = asker.reader().version
    assert sharer.publish()
    assert asker.reader().version == before
    # Another program of this computer, which has to read what is there first.
    again = Sharer(sharer.engine, sharer.paths, sharer.workspace.root, sharer.store.place)
    assert again.publish()
    assert asker.reader().version == before


def test_words_of_a_note_come_before_its_vectors(
    new_engine: NewEngine, paths: Paths, notes: Path, place: SharedPlace
) -> None:
    engine = new_engine()
    sharer, asker = Sharer(engine, paths, notes, place), Asker(engine, place)
    assert sharer.publish()
    write_notes(notes, {"new.md": "# Well\n\nThe bucket fell into the well.\n"})
    engine.refresh(sharer.workspace, words_only=True).result()
    assert sharer.publish_index()
    assert asker.paths("bucket") == ["new.md"]
    query = WordProvider().embed_queries(["bucket well"])[0]
    chunks = [key for key, _ in asker.reader().nearest(query, 9, Filters(), CancelToken())]
    assert len(chunks) == 3
    assert sharer.publish()
    chunks = [key for key, _ in asker.reader().nearest(query, 9, Filters(), CancelToken())]
    assert len(chunks) == 4
    asker.close()


def test_the_whole_text_of_a_note_can_be_read(tagged: Path, sharer: Sharer, asker: Asker) -> None:
    assert sharer.publish()
    reader = asker.reader()
    for path in ("garden.md", "long.md"):
        assert reader.text(path) == (tagged / path).read_text().rstrip("\n")
    assert reader.text("nowhere.md") is None


class OtherProvider(WordProvider):
    """Another model."""

    model = "other"

    def identity(self) -> str:
        return f"other {super().identity()}"


def test_another_model_makes_new_tables_and_the_old_ones_go(
    new_engine: NewEngine, paths: Paths, notes: Path, place: SharedPlace
) -> None:
    first = Sharer(new_engine(), paths, notes, place)
    assert first.publish()
    asker = Asker(first.engine, place)
    identity = asker.reader().generation()
    assert identity is not None
    first.engine.close()
    second = Sharer(new_engine(OtherProvider()), paths, notes, place)
    assert second.publish()
    other = asker.reader().generation()
    assert other is not None
    assert other.identity != identity.identity
    assert asker.paths("tomatoes") == ["garden.md"]
    assert len(second.store.call(second.store.table_names)) == 5
    assert second.publish()
    assert len(second.store.call(second.store.table_names)) == 3
    asker.close()


def test_a_second_publisher_waits_for_the_first_and_then_takes_over(
    sharer: Sharer, asker: Asker, notes: Path
) -> None:
    assert sharer.publish()
    stopped = lease.Lease(sharer.store, "notes", "Notes", lease.ComputerId("two", "two"))
    assert stopped.take()
    write_notes(notes, {"new.md": "The bucket fell into the well.\n"})
    assert not sharer.publish()
    assert sharer.publisher.holder == "two"
    assert asker.paths("bucket") == []
    sharer.publisher = Publisher(
        sharer.store, "notes", "Notes", lease.ComputerId("one", "one"), limits=AT_ONCE
    )
    assert sharer.publish()
    assert asker.paths("bucket") == ["new.md"]
    with pytest.raises(lease.LeaseLost):
        stopped.update(title="Mine")


def test_a_lease_is_given_to_one_of_two_who_ask_at_once(sharer: Sharer) -> None:
    assert sharer.publish()
    first, second = (
        lease.Lease(sharer.store, "notes", "Notes", lease.ComputerId(name, name))
        for name in ("one", "two")
    )
    assert first.take()
    assert not second.take()
    first.release()
    assert second.take()
    assert not first.take()


def test_another_folder_of_the_same_name_is_refused(
    sharer: Sharer, asker: Asker, new_engine: NewEngine, tmp_path: Path, paths: Paths
) -> None:
    assert sharer.publish()
    other = write_notes(tmp_path / "other", {"a.md": "Alpha.\n", "b.md": "Beta.\n"})
    second = Sharer(sharer.engine, paths, other, sharer.store.place, "two")
    with pytest.raises(
        SharedUnavailable, match="Another folder is already shared under the name notes"
    ):
        second.publish(is_wanted=True)
    assert asker.paths("tomatoes") == ["garden.md"]
    assert sharer.publish()


def test_tables_of_a_newer_program_are_refused_by_readers_and_publishers(
    monkeypatch: pytest.MonkeyPatch, sharer: Sharer, asker: Asker
) -> None:
    assert sharer.publish()
    table = sharer.store.call(sharer.store.workspaces_table)
    table.update(values={"schema": tables.SCHEMA + 1})
    with pytest.raises(
        SharedUnavailable, match=r"[Aa] newer version of Scrubjay.* Update Scrubjay"
    ):
        asker.hits("tomatoes")
    with pytest.raises(SharedUnavailable, match=r"[Aa] newer version of Scrubjay"):
        sharer.publish()


def test_a_withdrawn_workspace_leaves_no_table(sharer: Sharer, asker: Asker) -> None:
    assert sharer.publish()
    assert sharer.publisher.withdraw()
    assert asker.hits("tomatoes") == ()
    assert sharer.store.call(sharer.store.table_names) == ["workspaces"]
    assert sharer.publish()
    assert asker.paths("tomatoes") == ["garden.md"]


def test_what_is_asked_of_days_is_understood(sharer: Sharer, asker: Asker, notes: Path) -> None:
    diary = "# November\n\nOn November the 3rd, 2026, the boiler was mended.\n"
    write_notes(notes, {"diary.md": diary, "other.md": "2026 brought rain.\n"})
    assert sharer.publish()
    here = Reader.open(sharer.file)
    expressions = [*month_expressions(dt.date(2026, 11, 1), dt.date(2026, 11, 30)), '"2026"']
    found = set()
    for expression in expressions:
        asked = (expression, 50, Filters(), CancelToken())
        expected = {key for key, _ in here.lexical(*asked)}
        there = {key for key, _ in asker.reader().lexical(*asked)}
        assert len(there) == len(expected), expression
        found |= there
    assert found
    here.close()
