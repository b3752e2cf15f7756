"""Batch interfaces over HTTP, as OpenAI, Voyage and Gemini document theirs."""

from __future__ import annotations

import json
import threading

import numpy as np
import pytest

from scrubjay.embedding.embedding_input import EmbeddingInput
from scrubjay.embedding.remote.batch_jobs import BatchFailed, BatchJobs
from scrubjay.errors import DimensionsChanged, ProviderUnavailable
from support.batch_desk import HUNG, LOST
from support.embedding_server import EmbeddingServer
from support.providers import WordProvider
from support.waiting import wait_until

from .conftest import MakeProvider

WITH_BATCHES = ("openai", "voyage", "gemini")
NOTES = [EmbeddingInput("Stores", f"Acorn number {n}.") for n in range(6)]


def batch_jobs_of(make: MakeProvider, name: str, **fields: object) -> BatchJobs:
    jobs = make(name, batches=True, **fields).batch_jobs
    assert jobs is not None
    return jobs


@pytest.fixture(params=WITH_BATCHES)
def jobs(request: pytest.FixtureRequest, make: MakeProvider) -> BatchJobs:
    return batch_jobs_of(make, request.param)


def test_a_batch_brings_the_vector_of_each_text(jobs: BatchJobs) -> None:
    batch = jobs.submit("a label", NOTES)
    assert jobs.progress(batch).is_over
    vectors = dict(jobs.vectors(batch))
    expected = WordProvider(dimensions=32)
    for place, note in enumerate(NOTES):
        np.testing.assert_allclose(
            vectors[place], expected.embed_queries([note.text])[0], atol=1e-6
        )


@pytest.mark.parametrize(
    ("line", "missing"),
    [
        ("", set()),
        ('{"key": "2", "response": {"embedding": {"values": [1.0, 0.0]}}}', set()),
        ('{"error": {"code": 3, "message": "bad text"}}', {2}),
        ("<html>", {2}),
        ("[]", {2}),
        ('{"embedding": {"values": []}}', {2}),
        ('{"key": "two", "embedding": {"values": [1.0]}}', {2}),
    ],
)
def test_the_answers_of_gemini_may_be_in_a_file(
    make: MakeProvider, server: EmbeddingServer, line: str, missing: set[int]
) -> None:
    server.batches.gives_file = True
    server.batches.garbled[NOTES[2].text] = line.replace("[1.0, 0.0]", str([1.0] + [0.0] * 31))
    jobs = batch_jobs_of(make, "gemini")
    batch = jobs.submit("a label", NOTES)
    assert jobs.progress(batch).is_over
    vectors = dict(jobs.vectors(batch))
    assert set(vectors) == set(range(len(NOTES))) - missing
    # One that failed does not move those after it.
    expected = WordProvider(dimensions=32).embed_queries([NOTES[3].text])[0]
    np.testing.assert_allclose(vectors[3], expected, atol=1e-6)
    jobs.delete(batch)
    assert server.batches.files == {}


@pytest.mark.parametrize("name", ["mistral", "ollama"])
def test_who_has_no_batch_interface_offers_none(make: MakeProvider, name: str) -> None:
    assert make(name, batches=True).batch_jobs is None


@pytest.mark.parametrize("name", WITH_BATCHES)
def test_batches_are_off_unless_they_are_wanted(make: MakeProvider, name: str) -> None:
    assert make(name).batch_jobs is None


def test_the_model_gets_its_prompts_in_a_batch_too(
    make: MakeProvider, server: EmbeddingServer
) -> None:
    jobs = batch_jobs_of(make, "gemini", model="gemini-embedding-2-preview")
    jobs.submit("a label", [EmbeddingInput("Stores", "Acorns.")])
    assert server.batches.paid == ["title: Stores | text: Acorns."]


def test_a_batch_that_runs_is_not_over(jobs: BatchJobs, server: EmbeddingServer) -> None:
    server.batches.is_held = True
    batch = jobs.submit("a label", NOTES)
    assert not jobs.progress(batch).is_over
    server.batches.is_held = False
    assert jobs.progress(batch).is_over


def test_a_batch_is_found_by_its_label_among_many(jobs: BatchJobs) -> None:
    batches = {label: jobs.submit(label, NOTES[:1]) for label in ("one", "two", "three", "four")}
    assert jobs.find("one") == batches["one"]
    assert jobs.find("five") == ""


def test_single_texts_may_fail(jobs: BatchJobs, server: EmbeddingServer) -> None:
    server.batches.failing.add(NOTES[2].text)
    batch = jobs.submit("a label", NOTES)
    progress = jobs.progress(batch)
    assert (progress.is_over, progress.trouble) == (True, "")
    assert sorted(dict(jobs.vectors(batch))) == [0, 1, 3, 4, 5]


@pytest.mark.parametrize(
    "line",
    [
        "<html>",
        "[]",
        "7",
        '{"custom_id": "2"}',
        '{"custom_id": "2", "response": null}',
        '{"custom_id": "2", "response": {"body": {"data": []}}}',
        '{"custom_id": "two", "response": {"body": {"data": [{"embedding": [1]}]}}}',
        '{"custom_id": "2", "response": {"body": {"data": [{"embedding": "no"}]}}}',
        '{"custom_id": "2", "response": {"body": {"data": [{"embedding": []}]}}}',
    ],
)
def test_a_line_that_makes_no_sense_is_left_out(
    make: MakeProvider, server: EmbeddingServer, line: str
) -> None:
    server.batches.garbled[NOTES[2].text] = line
    jobs = batch_jobs_of(make, "openai")
    batch = jobs.submit("a label", NOTES)
    assert jobs.progress(batch).is_over
    assert sorted(dict(jobs.vectors(batch))) == [0, 1, 3, 4, 5]


def test_vectors_of_another_length_are_another_model(
    make: MakeProvider, server: EmbeddingServer
) -> None:
    long = {"embedding": [0.5] * 48}
    row = {"custom_id": "2", "response": {"body": {"data": [long]}}}
    server.batches.garbled[NOTES[2].text] = json.dumps(row)
    jobs = batch_jobs_of(make, "openai")
    batch = jobs.submit("a label", NOTES)
    jobs.progress(batch)
    with pytest.raises(DimensionsChanged, match="48 numbers instead of 32"):
        dict(jobs.vectors(batch))


@pytest.mark.parametrize("name", WITH_BATCHES)
def test_no_batch_begins_where_vectors_are_not_as_long_as_published(
    make: MakeProvider, server: EmbeddingServer, name: str
) -> None:
    jobs = batch_jobs_of(make, name, dimensions=None)
    with pytest.raises(DimensionsChanged, match="32 numbers instead of"):
        jobs.submit("a label", NOTES)
    assert not server.batches.steps
    batch = jobs.submit("a label", NOTES)
    assert jobs.progress(batch).is_over
    assert len(dict(jobs.vectors(batch))) == len(NOTES)


@pytest.mark.parametrize("status", [400, 404, 422])
def test_an_interface_that_is_not_there_has_failed_for_good(
    jobs: BatchJobs, server: EmbeddingServer, status: int
) -> None:
    for step in ("upload", "create"):
        server.batches.refusals[step].append((status, "no such interface"))
    with pytest.raises(BatchFailed, match="no such interface") as caught:
        jobs.submit("a label", NOTES)
    assert not caught.value.may_have_begun


def test_closing_lets_go_of_an_upload_that_hangs(
    make: MakeProvider, server: EmbeddingServer
) -> None:
    server.batches.refusals["upload"].append((HUNG, ""))
    provider = make("openai", batches=True)
    assert provider.batch_jobs is not None

    def close_when_asked() -> None:
        wait_until(lambda: server.batches.steps)
        provider.close()

    closing = threading.Thread(target=close_when_asked)
    closing.start()
    with pytest.raises(ProviderUnavailable, match="turned off"):
        provider.batch_jobs.submit("a label", NOTES)
    server.batches.released.set()
    closing.join()


@pytest.mark.parametrize("end", ["expired", "cancelled"])
def test_what_was_done_before_the_end_is_kept(
    jobs: BatchJobs, server: EmbeddingServer, end: str
) -> None:
    server.batches.ends_as = end
    batch = jobs.submit("a label", NOTES)
    progress = jobs.progress(batch)
    assert progress.is_over
    assert end in progress.trouble
    assert sorted(dict(jobs.vectors(batch))) == [0, 1, 2]


def test_a_failed_batch_says_why(jobs: BatchJobs, server: EmbeddingServer) -> None:
    server.batches.ends_as = "failed"
    batch = jobs.submit("a label", NOTES)
    assert jobs.progress(batch).trouble == "Line 1 is not JSON."
    assert dict(jobs.vectors(batch)) == {}


def test_a_lost_answer_is_no_second_batch(jobs: BatchJobs, server: EmbeddingServer) -> None:
    server.batches.refusals["create"].append((LOST, ""))
    batch = jobs.submit("a label", NOTES)
    assert list(server.batches.batches) == [batch]
    assert jobs.progress(batch).is_over


@pytest.mark.parametrize("status", [429, 500, 503])
def test_what_passes_is_asked_again(jobs: BatchJobs, server: EmbeddingServer, status: int) -> None:
    for step in ("create", "look"):
        server.batches.refusals[step].append((status, "busy"))
    batch = jobs.submit("a label", NOTES)
    assert jobs.progress(batch).is_over
    assert len(server.batches.batches) == 1


def test_a_download_that_breaks_begins_anew(make: MakeProvider, server: EmbeddingServer) -> None:
    jobs = batch_jobs_of(make, "openai")
    batch = jobs.submit("a label", NOTES)
    jobs.progress(batch)
    server.batches.refusals["content"].append((LOST, ""))
    assert len(dict(jobs.vectors(batch))) == 6


def test_a_refused_batch_leaves_no_file_behind(make: MakeProvider, server: EmbeddingServer) -> None:
    server.batches.refusals["create"].append((400, "No batches for this model."))
    with pytest.raises(BatchFailed, match="No batches for this model") as caught:
        batch_jobs_of(make, "voyage").submit("a label", NOTES)
    assert not caught.value.may_have_begun
    assert server.batches.files == {}


def test_a_refused_key_is_not_a_matter_of_batches(make: MakeProvider) -> None:
    with pytest.raises(ProviderUnavailable, match="refused the key"):
        batch_jobs_of(make, "openai", key="sk-wrong").submit("a label", NOTES)


def test_a_batch_that_is_unknown_there_has_failed(jobs: BatchJobs, server: EmbeddingServer) -> None:
    batch = jobs.submit("a label", NOTES)
    server.batches.batches.clear()
    with pytest.raises(BatchFailed):
        jobs.progress(batch)


def test_a_server_that_is_away_keeps_the_batch(jobs: BatchJobs, server: EmbeddingServer) -> None:
    batch = jobs.submit("a label", NOTES)
    server.batches.refusals["look"].extend([(503, "away")] * 4)
    with pytest.raises(ProviderUnavailable, match="away"):
        jobs.progress(batch)
    assert jobs.progress(batch).is_over


def test_nothing_stays_at_the_provider(jobs: BatchJobs, server: EmbeddingServer) -> None:
    batch = jobs.submit("a label", NOTES)
    jobs.progress(batch)
    jobs.delete(batch)
    kept = [one for one in server.batches.batches.values() if one.provider == "gemini"]
    assert (server.batches.files, kept) == ({}, [])


def test_the_second_failure_switches_batches_off(jobs: BatchJobs) -> None:
    jobs.count_failure("first")
    assert jobs.disabled_reason == ""
    jobs.count_failure("second")
    assert jobs.disabled_reason == "second"


def test_groups_keep_the_limits(make: MakeProvider) -> None:
    jobs = batch_jobs_of(make, "gemini")
    many = ((f"{n}".encode(), EmbeddingInput("", f"text {n}")) for n in range(2_500))
    assert [len(group) for group in jobs.groups(many)] == [1_000, 1_000, 500]
    large = ((f"{n}".encode(), EmbeddingInput("", "ñ" * 1_000)) for n in range(2_500))
    sizes = [len(group) for group in jobs.groups(large)]
    assert sum(sizes) == 2_500
    assert max(sizes) <= 1_000


def test_a_text_beyond_the_limit_of_the_model_goes_the_usual_way(make: MakeProvider) -> None:
    jobs = batch_jobs_of(make, "gemini")
    long = (b"long", EmbeddingInput("", "word " * 4_000))
    [group] = jobs.groups(iter([(b"short", EmbeddingInput("", "word")), long]))
    assert list(group) == [b"short"]
