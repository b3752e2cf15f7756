"""Publishers that die, storage that goes away, hangs or refuses."""

from __future__ import annotations

import contextlib
import datetime as dt
import os
import random
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from scrubjay.engine.engine import Engine
from scrubjay.errors import SharedUnavailable
from scrubjay.platform.paths import Paths
from scrubjay.records.shared_records import SharedPlace
from scrubjay.store.index_records import Filters
from scrubjay.store.lancedb import publisher
from scrubjay.store.lancedb.publishing_limits import PublishingLimits
from scrubjay.store.lancedb.shared_store import FilesLost, SharedStore, StoreAccess
from scrubjay.store.reader import Reader
from support.providers import WordProvider
from support.shared_memory import Asker, Sharer
from support.vault import write_notes
from support.waiting import wait_until

KILLED = 100 if os.environ.get("SCRUBJAY_SOAK") else 8
_PROGRAM = Path(__file__).parents[3] / "support" / "killed_publisher.py"


@pytest.mark.parametrize("limits", [PublishingLimits(lease_seconds=0.0)], ids=["at once"])
@pytest.mark.soak
def test_killed_publishers_lose_and_double_nothing(
    sharer: Sharer, asker: Asker, notes: Path
) -> None:
    dice = random.Random(7)
    assert sharer.publish()
    before = {f"n{number}.md": f"Word{number} rivers.\n" for number in range(60)}
    write_notes(notes, before)
    done = 0
    for attempt in range(KILLED):
        # Each changes, adds and takes away some.
        changed = dict.fromkeys(dice.sample([*before], 20), f"Word{attempt} rivers and lakes.\n")
        write_notes(notes, changed)
        for path in dice.sample([*before], 5):
            (notes / path).unlink(missing_ok=True)
        sharer.engine.refresh(sharer.workspace).result()
        folder = sharer.store.place.uri
        program = [sys.executable, str(_PROGRAM), str(sharer.file), folder, f"k{attempt}"]
        process = subprocess.Popen(program, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(dice.random() * 0.6)
        process.kill()
        done += "done" in process.stdout.read()
        process.wait()
        process.stdout.close()
        # Whatever is there can be read: each document whole, and none twice.
        reader = asker.reader()
        chunks = reader.first_chunks(Filters(), 500)
        assert len({chunk.path for chunk in chunks}) == len(chunks) == reader.count(Filters())
        assert reader.text("garden.md") is not None
    assert done < KILLED, "none of them was killed in the middle"
    assert sharer.publish()
    here = Reader.open(sharer.file)
    chunks = here.first_chunks(Filters(), 500)
    there = asker.reader().first_chunks(Filters(), 500)
    assert {(each.path, each.text) for each in there} == {(each.path, each.text) for each in chunks}
    assert asker.reader().chunk_count() == here.chunk_count()
    here.close()


def test_a_folder_that_is_away_is_told_and_never_made(sharer: Sharer, asker: Asker) -> None:
    assert sharer.publish()
    folder = Path(sharer.store.place.uri)
    folder.rename(folder.with_name("away"))
    with pytest.raises(SharedUnavailable, match="cannot be reached"):
        asker.hits("tomatoes")
    other = Asker(sharer.engine, sharer.store.place)
    with pytest.raises(SharedUnavailable, match="The folder does not exist"):
        other.hits("tomatoes")
    with pytest.raises(SharedUnavailable):
        sharer.publish()
    assert not folder.exists()
    folder.with_name("away").rename(folder)
    assert asker.paths("tomatoes") == ["garden.md"]
    assert sharer.publish()
    other.close()


def test_files_that_went_while_they_were_read_are_told(sharer: Sharer, asker: Asker) -> None:
    assert sharer.publish()
    reader = asker.reader()
    for folder in Path(sharer.store.place.uri).glob("*.chunks.lance/data"):
        shutil.rmtree(folder)
    with pytest.raises(SharedUnavailable, match="cannot be reached"):
        reader.text("garden.md")


@pytest.mark.parametrize(
    ("uri", "options"),
    [
        ("s3://bucket/memory", {}),
        ("gs://bucket", {}),
        ("db://team", {}),
        ("s3://bucket", {"aws_endpoint": "https://storage.example.org"}),
        ("s3://bucket", {"proxy_url": "http://127.0.0.1:3128"}),
        ("s3://bucket", {"aws_metadata_endpoint": "http://127.0.0.1"}),
        ("s3://bucket", {"aws_endpoint": "http://localhost", "proxy_url": "http://example.org"}),
        ("gs://bucket", {"x_endpoint": "http://localhost"}),
        ("db://team", {"endpoint": "http://localhost"}),
    ],
)
def test_local_only_forbids_addresses_of_other_computers(uri: str, options: dict[str, str]) -> None:
    store = SharedStore(SharedPlace.of(uri, options), StoreAccess(is_local_only=lambda: True))
    with pytest.raises(SharedUnavailable, match="Services on the internet are not allowed"):
        store.call(store.open)


@pytest.mark.parametrize(
    ("uri", "options"),
    [
        ("s3://anna:geheim@bucket/memory", {}),
        ("s3://bucket/memory", {"proxy_url": "http://anna:geheim@127.0.0.1:3128"}),
    ],
)
def test_passwords_in_addresses_are_refused_and_not_told(uri: str, options: dict[str, str]) -> None:
    store = SharedStore(SharedPlace.of(uri, options), StoreAccess())
    with pytest.raises(
        SharedUnavailable, match="must not contain a user name or a password"
    ) as refused:
        store.open()
    assert "geheim" not in str(refused.value)


def test_other_addresses_are_refused() -> None:
    store = SharedStore(SharedPlace("https://example.org/memory"), StoreAccess())
    with pytest.raises(SharedUnavailable, match="is not a valid address"):
        store.call(store.open)


# -- versions and tables --------------------------------------------------------------------------


def newest_manifest(folder: Path, table: str) -> Path:
    """The file of the last version of a table, whose name counts down."""
    return min(folder.glob(f"{table}.lance/_versions/*.manifest"))


@pytest.mark.parametrize("kept", [0, 20])
def test_a_version_that_was_half_written_is_told_and_published_anew(
    sharer: Sharer, asker: Asker, notes: Path, kept: int
) -> None:
    assert sharer.publish()
    manifest = newest_manifest(Path(sharer.store.place.uri), "notes.*.chunks")
    manifest.write_bytes(manifest.read_bytes()[:kept])
    with pytest.raises(SharedUnavailable, match="Its files are damaged"):
        asker.hits("tomatoes")
    write_notes(notes, {"new.md": "The bucket fell into the well.\n"})
    assert sharer.publish(is_wanted=False)
    assert asker.paths("tomatoes") == ["garden.md"]
    assert asker.paths("bucket") == ["new.md"]
    assert asker.reader().chunk_count() == 4


def test_files_that_were_lost_are_published_anew_by_the_next_program(
    sharer: Sharer, asker: Asker
) -> None:
    assert sharer.publish()
    for folder in Path(sharer.store.place.uri).glob("*.chunks.lance/data"):
        shutil.rmtree(folder)
    again = Sharer(sharer.engine, sharer.paths, sharer.workspace.root, sharer.store.place)
    assert again.publish(is_wanted=False)
    assert asker.paths("tomatoes") == ["garden.md"]


def test_a_damaged_list_of_workspaces_is_told_to_all(sharer: Sharer, asker: Asker) -> None:
    assert sharer.publish()
    newest_manifest(Path(sharer.store.place.uri), "workspaces").write_bytes(b"")
    with pytest.raises(SharedUnavailable, match="Its files are damaged"):
        asker.hits("tomatoes")
    with pytest.raises(SharedUnavailable, match="Its files are damaged"):
        sharer.publish(is_wanted=False)


def test_an_empty_folder_is_taken_for_a_drive_that_is_away(
    sharer: Sharer, asker: Asker, tmp_path: Path
) -> None:
    assert sharer.publish()
    folder = Path(sharer.store.place.uri)
    folder.rename(tmp_path / "away")
    folder.mkdir()
    with pytest.raises(SharedUnavailable, match="Check whether the drive is connected"):
        asker.hits("tomatoes")
    with pytest.raises(SharedUnavailable, match="Check whether the drive is connected"):
        sharer.publish(is_wanted=False)
    assert list(folder.iterdir()) == []
    folder.rmdir()
    (tmp_path / "away").rename(folder)
    assert sharer.publish(is_wanted=False)
    assert asker.paths("tomatoes") == ["garden.md"]


# By its clock all former versions are older than they may get, also those being searched.
@pytest.mark.parametrize(
    "limits",
    [PublishingLimits(kept=dt.timedelta(milliseconds=1), many_fragments=0)],
    ids=["clock ahead"],
)
def test_a_publisher_whose_clock_is_ahead_takes_no_version_for_good(
    sharer: Sharer, asker: Asker, notes: Path
) -> None:
    assert sharer.publish()
    reader = asker.reader()
    write_notes(notes, {"garden.md": "# Garden\n\nThe cucumbers froze.\n"})
    assert sharer.publish()
    with pytest.raises(FilesLost):
        reader.text("house/router.md")
    # The next look has what is there now.
    assert reader.refresh()
    assert reader.text("house/router.md")
    assert asker.paths("cucumbers") == ["garden.md"]


@pytest.mark.parametrize("number", ["401", "403", "429", "503"])
def test_lost_files_are_known_by_any_name(
    number: str, engine: Engine, paths: Paths, notes: Path, tmp_path: Path
) -> None:
    """The random names of the library's files have such numbers now and then."""
    folder = tmp_path / number
    folder.mkdir()
    place = SharedPlace(str(folder))
    assert Sharer(engine, paths, notes, place).publish()
    reader = Asker(engine, place).reader()
    for data in folder.glob("*.chunks.lance/data"):
        shutil.rmtree(data)
    with pytest.raises(FilesLost, match=r"Some of its files are missing\."):
        reader.text("garden.md")


# A lease that ends at once lets both write at a time, as after one of them slept.
@pytest.mark.parametrize(
    "limits", [PublishingLimits(), PublishingLimits(lease_seconds=0.0)], ids=["as ever", "at once"]
)
def test_two_publishers_of_one_folder_keep_it_whole(
    sharer: Sharer, asker: Asker, tmp_path: Path, notes: Path, limits: PublishingLimits
) -> None:
    second = Engine(Paths.under(tmp_path / "second"), provider=WordProvider())
    other = Sharer(second, second.paths, notes, sharer.store.place, "two", limits=limits)
    assert sharer.publish()
    assert other.publish()
    written = asker.reader().version
    assert sharer.publish(is_wanted=False)
    assert asker.reader().version == written, "both have the same notes"
    done = {"one": 0, "two": 0}

    def publish(name: str, own: Sharer) -> None:
        for number in range(6):
            write_notes(notes, {f"{name}{number}.md": f"Word{number} rivers.\n"})
            with contextlib.suppress(SharedUnavailable):
                done[name] += own.publish(is_wanted=False)

    threads = [
        threading.Thread(target=publish, args=each) for each in (("one", sharer), ("two", other))
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(done.values())
    wait_until(lambda: sharer.publish(is_wanted=False))
    reader = asker.reader()
    assert reader.count(Filters()) == reader.chunk_count() == 15
    second.close()


def test_what_another_one_wrote_at_the_same_time_is_put_right(
    monkeypatch: pytest.MonkeyPatch, sharer: Sharer, asker: Asker, notes: Path
) -> None:
    assert sharer.publish()
    write_notes(notes, {"late.md": "The bucket fell into the well.\n"})
    write_rows = publisher.write_rows

    def twice(chunks, rows) -> None:
        """Another computer, which has lost its lease, ends its commit of the same rows now."""
        monkeypatch.setattr(publisher, "write_rows", write_rows)
        other = sharer.store.call(lambda: sharer.store.table(chunks.name))
        write_rows(chunks, rows)
        other.add(rows.table())

    monkeypatch.setattr(publisher, "write_rows", twice)
    assert sharer.publish()
    reader = asker.reader()
    assert reader.count(Filters()) == reader.chunk_count() == 4
    assert asker.paths("bucket") == ["late.md"]


def test_what_is_shared_again_is_not_taken_for_what_was_there(
    sharer: Sharer, asker: Asker, notes: Path
) -> None:
    assert sharer.publish()
    reader = asker.reader()
    assert reader.text("garden.md").startswith("# Garden")
    assert reader.first_chunks(Filters(), 5)
    assert sharer.publisher.withdraw()
    write_notes(notes, {"garden.md": "# Garden\n\nThe cucumbers froze.\n"})
    assert sharer.publish()
    asker.view.forget()
    assert reader.refresh()
    texts = {chunk.path: chunk.text for chunk in reader.first_chunks(Filters(), 5)}
    assert texts["garden.md"].endswith("The cucumbers froze.")
    assert reader.stem_counts(["tomato", "cucumb"]) == {"cucumb": 1}


@pytest.mark.parametrize("limits", [PublishingLimits(few_documents=0)], ids=["all stems anew"])
def test_stems_that_were_all_counted_anew_are_read_anew(
    sharer: Sharer, asker: Asker, notes: Path
) -> None:
    assert sharer.publish()
    reader = asker.reader()
    assert reader.stem_counts(["tomato", "cucumb"]) == {"tomato": 1}
    write_notes(notes, {"garden.md": "# Garden\n\nThe cucumbers froze.\n"})
    assert sharer.publish()
    asker.view.forget()
    assert reader.refresh()
    assert reader.stem_counts(["tomato", "cucumb"]) == {"cucumb": 1}


class OtherProvider(WordProvider):
    """Another model."""

    def identity(self) -> str:
        return f"other {super().identity()}"


def test_vectors_of_another_computer_are_not_replaced_unasked(
    sharer: Sharer, asker: Asker, tmp_path: Path, notes: Path
) -> None:
    second = Engine(Paths.under(tmp_path / "second"), provider=OtherProvider())
    other = Sharer(second, second.paths, notes, sharer.store.place, "two")
    assert sharer.publish()
    with pytest.raises(
        SharedUnavailable, match="one is publishing this folder with another language"
    ):
        other.publish(is_wanted=False)
    assert other.publish()
    assert asker.paths("tomatoes") == ["garden.md"]
    # From now on it is the first one that waits to be asked.
    with pytest.raises(
        SharedUnavailable, match="two is publishing this folder with another language"
    ):
        sharer.publish(is_wanted=False)
    second.close()


def test_another_agent_is_no_copy_of_one_with_files_of_the_same_names(
    sharer: Sharer, asker: Asker, paths: Paths, tmp_path: Path, notes: Path
) -> None:
    assert sharer.publish()
    names = [str(path.relative_to(notes)) for path in notes.rglob("*.md")]
    other = write_notes(tmp_path / "other", dict.fromkeys(names, "Something else.\n"))
    second = Sharer(sharer.engine, paths, other, sharer.store.place, "two")
    with pytest.raises(
        SharedUnavailable, match="Another folder is already shared under the name notes"
    ):
        second.publish(is_wanted=False)
    assert asker.paths("tomatoes") == ["garden.md"]
    # A person who is sure may say so.
    assert second.publish(is_wanted=True)
    assert asker.paths("tomatoes") == []


def test_lost_tables_are_made_anew_by_another_computer_when_it_is_asked_to(
    sharer: Sharer, asker: Asker, tmp_path: Path, notes: Path
) -> None:
    assert sharer.publish()
    second = Engine(Paths.under(tmp_path / "second"), provider=WordProvider())
    other = Sharer(second, second.paths, notes, sharer.store.place, "two")
    for folder in Path(sharer.store.place.uri).glob("*.chunks.lance/data"):
        shutil.rmtree(folder)
    with pytest.raises(FilesLost):
        other.publish(is_wanted=False)
    assert other.publish(is_wanted=True)
    assert asker.paths("tomatoes") == ["garden.md"]
    second.close()


@pytest.mark.parametrize(
    "limits", [PublishingLimits(indexed_vectors=2, many_rows=0)], ids=["few vectors"]
)
def test_vectors_are_indexed_once_most_of_them_are_there(
    sharer: Sharer, asker: Asker, notes: Path
) -> None:

    def has_index() -> bool:
        table, _ = asker.reader().version
        return sharer.store.table(table).index_stats("vector_idx") is not None

    sharer.engine.refresh(sharer.workspace).result()
    write_notes(notes, {f"{number}.md": f"Word{number} rivers.\n" for number in range(300)})
    sharer.engine.refresh(sharer.workspace, words_only=True).result()
    assert sharer.publish_index()
    assert not has_index()
    assert sharer.publish()
    assert has_index()


def test_another_folder_is_not_replaced_unasked(
    sharer: Sharer, asker: Asker, paths: Paths, tmp_path: Path
) -> None:
    assert sharer.publish()
    other = write_notes(tmp_path / "other", {"a.md": "Alpha.\n", "b.md": "Beta.\n"})
    second = Sharer(sharer.engine, paths, other, sharer.store.place, "two")
    with pytest.raises(
        SharedUnavailable, match="Another folder is already shared under the name notes"
    ):
        second.publish(is_wanted=False)
    assert asker.paths("tomatoes") == ["garden.md"]


def test_a_copy_of_the_folder_that_has_grown_much_is_no_other_folder(
    sharer: Sharer, asker: Asker, paths: Paths, tmp_path: Path, notes: Path
) -> None:
    assert sharer.publish()
    copy = Path(shutil.copytree(notes, tmp_path / "copy"))
    write_notes(copy, {f"{number}.md": f"Word{number} rivers.\n" for number in range(20)})
    second = Sharer(sharer.engine, paths, copy, sharer.store.place, "two")
    assert second.publish(is_wanted=False)
    assert asker.reader().count(Filters()) == 23
