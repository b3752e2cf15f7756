"""Another build of llama.cpp is used only where it was proven, and never twice after a fault."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.embedding.embedding_input import EmbeddingInput
from scrubjay.embedding.local.cpu_variant import (
    FILE_NAME,
    CpuVariant,
    CpuVariantChoice,
    TrialImpossible,
    TrialOutcome,
    processor_info,
    run_trial,
)
from scrubjay.embedding.local.llama_child import content_id
from scrubjay.embedding.local.llama_process import LlamaProcess, LoadRequest
from scrubjay.embedding.local.local_provider import LoadOptions, LocalProvider
from scrubjay.errors import Cancelled, ProviderUnavailable
from support.workers import ODD_WORKER

_INSTRUCTIONS = "avx2 avx512f avx512cd avx512bw avx512dq avx512vl avx512vbmi avx512_vnni"
ABLE = ("Test", frozenset(_INSTRUCTIONS.split()))
FASTER = TrialOutcome("1.25 times as fast as portable", is_faster=True)

OnStart = Callable[[LlamaProcess], None]


def launch(library: Path | None, on_start: OnStart) -> LlamaProcess:
    """A child whose build behaves as its file is called."""
    return LlamaProcess(
        LoadRequest("model.gguf", gpu_layers=0, idle_seconds=60, library=str(library or "")),
        on_start=on_start,
        worker=ODD_WORKER,
    )


@pytest.mark.parametrize(
    ("library", "outcome"),
    [
        ("faster", TrialOutcome("2.00 times as fast as portable", is_faster=True)),
        ("alike", TrialOutcome("AVX-512 is not clearly faster: 1.05")),
        ("differs", TrialOutcome("AVX-512 gave other vectors: cosine 0.6000")),
        ("nothing", TrialOutcome("AVX-512 gave other vectors: cosine 0.0000")),
        pytest.param(
            *("dies", TrialOutcome("AVX-512 died of SIGILL")),
            marks=pytest.mark.needs("POSIX signals"),
        ),
    ],
)
def test_a_build_is_taken_only_when_it_is_clearly_faster_and_right(
    library: str, outcome: TrialOutcome
) -> None:
    assert run_trial(Path(library), launch, CancelToken()) == outcome


def test_a_build_that_hangs_is_given_up() -> None:
    outcome = run_trial(Path("hangs"), launch, CancelToken(), seconds=1)
    assert outcome == TrialOutcome("AVX-512 was not compared within 1 s")


def test_a_trial_that_is_called_off_says_nothing_of_the_build() -> None:
    cancel = CancelToken()
    children: list[LlamaProcess] = []

    def launched(library: Path | None, on_start: OnStart) -> LlamaProcess:
        children.append(launch(library, on_start))
        if library:
            threading.Timer(0.05, cancel.cancel).start()
        return children[-1]

    with pytest.raises(Cancelled):
        run_trial(Path("hangs"), launched, cancel)
    assert [child.is_alive for child in children] == [False, False]


@pytest.mark.needs("POSIX signals")
def test_a_process_that_was_killed_says_nothing_of_its_build() -> None:
    with pytest.raises(TrialImpossible):
        run_trial(Path("killed"), launch, CancelToken())


def test_a_portable_build_that_fails_too_says_nothing_of_the_other() -> None:
    with pytest.raises(TrialImpossible):
        run_trial(Path("faster"), lambda _, on_start: launch(Path("dies"), on_start), CancelToken())


@pytest.mark.model
def test_a_file_that_is_no_library_is_not_used(model_file: Path, tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_bytes(b"no library")
    choice = CpuVariantChoice(
        tmp_path / "state", CpuVariant.of_this_computer(tmp_path, ABLE), worth_trying=1
    )
    provider = LocalProvider(model_file, LoadOptions(threads=1), cpu_variants=choice)
    assert provider.embed_documents([EmbeddingInput("", "jay")])[0].any()
    provider.close()
    assert "portable (AVX-512 does not start" in choice.description(content_id(model_file))


@pytest.fixture
def built() -> CpuVariant:
    """The second build of this checkout, where this processor can run it."""
    variant = CpuVariant.of_this_computer()
    if variant.file is None:
        pytest.skip(f"only portable here: {variant.missing}")
    return variant


@pytest.fixture
def provider(model_file: Path, built: CpuVariant, tmp_path: Path) -> Iterator[LocalProvider]:
    """Uses the second build, because a trial is remembered that went well."""
    choice = CpuVariantChoice(tmp_path, built)
    choice.remember(content_id(model_file), FASTER)
    made = LocalProvider(model_file, LoadOptions(threads=1), cpu_variants=choice)
    yield made
    made.close()


def loaded(provider: LocalProvider) -> set[str]:
    """Which libraries that compute the child has in memory."""
    maps = Path(f"/proc/{provider.child_pid}/maps").read_text()
    return {Path(line.split()[-1]).name for line in maps.splitlines() if "libggml-cpu" in line}


@pytest.mark.model
def test_the_real_second_build_gives_the_same_vectors(
    provider: LocalProvider, model_file: Path
) -> None:
    texts = ["jay", "naïve café", "long text about many things " * 60, "```\nx = 1\n```"]
    passages = [EmbeddingInput("", text) for text in texts]
    portable = LocalProvider(model_file, LoadOptions(threads=1))
    for one, other in zip(
        provider.embed_documents(passages), portable.embed_documents(passages), strict=True
    ):
        assert one @ other > 0.999
    assert loaded(provider) == {FILE_NAME}
    assert FILE_NAME not in loaded(portable)
    assert provider.identity() == portable.identity()
    portable.close()


@pytest.mark.model
def test_the_first_large_batch_decides_and_a_query_is_still_answered(
    built: CpuVariant, model_file: Path, tmp_path: Path
) -> None:
    choice = CpuVariantChoice(tmp_path, built, worth_trying=100)
    provider = LocalProvider(model_file, LoadOptions(threads=1), cpu_variants=choice)
    before = provider.embed_queries(["jay"])[0]
    provider.embed_documents([EmbeddingInput("", "short")])
    assert "tried once" in choice.description(content_id(model_file))
    provider.embed_documents([EmbeddingInput("", "long text " * 20)])
    # Which it is depends on the processor; that it is known, kept and followed does not.
    said = choice.description(content_id(model_file))
    assert said == CpuVariantChoice(tmp_path, built).description(content_id(model_file))
    assert "tried once" not in said
    assert provider.embed_queries(["jay"])[0] @ before > 0.999
    assert (loaded(provider) == {FILE_NAME}) is said.startswith("AVX-512")
    provider.close()


@pytest.mark.needs("POSIX signals")
def test_a_build_that_dies_while_it_is_used_gets_no_second_chance(tmp_path: Path) -> None:
    model = tmp_path / "model.gguf"
    model.write_bytes(b"GGUF")
    (tmp_path / "dies").touch()
    choice = CpuVariantChoice(tmp_path, CpuVariant(tmp_path / "dies", "Test"))
    choice.remember(content_id(model), FASTER)
    options = LoadOptions(threads=1, worker=ODD_WORKER)
    provider = LocalProvider(model, options, cpu_variants=choice)
    assert provider.embed_queries(["jay"])[0].tolist() == [1, 0]
    provider.close()
    assert (
        choice.description(content_id(model))
        == "portable (AVX-512 died of SIGILL while it was used)"
    )


def test_a_model_that_cannot_be_loaded_says_nothing_of_the_build(tmp_path: Path) -> None:
    model = tmp_path / "model.gguf"
    model.write_bytes(b"GGUF")
    (tmp_path / FILE_NAME).write_bytes(b"no library")
    choice = CpuVariantChoice(tmp_path, CpuVariant(tmp_path / FILE_NAME, "Test"))
    choice.remember(content_id(model), FASTER)
    provider = LocalProvider(model, LoadOptions(threads=1), cpu_variants=choice)
    with pytest.raises(ProviderUnavailable):
        provider.embed_queries(["jay"])[0]
    provider.close()
    assert choice.chosen(content_id(model)) == tmp_path / FILE_NAME


@pytest.mark.parametrize(
    ("flags", "missing"),
    [
        (ABLE[1], ""),
        (ABLE[1] - {"avx512_vnni"}, "this processor has no avx512_vnni"),
        (frozenset({"avx2"}), "this processor has no avx512f"),
        (frozenset(), "this processor has no avx512f"),
    ],
)
@pytest.mark.skipif(sys.platform != "linux", reason="built on Linux only")
def test_a_processor_that_lacks_an_instruction_never_tries(
    tmp_path: Path, flags: frozenset[str], missing: str
) -> None:
    (tmp_path / FILE_NAME).touch()
    variant = CpuVariant.of_this_computer(tmp_path, ("Test", flags))
    assert variant.missing == missing
    assert (variant.file is None) is bool(missing)


def test_without_a_second_build_the_portable_one_is_used(tmp_path: Path) -> None:
    variant = CpuVariant.of_this_computer(tmp_path, ABLE)
    choice = CpuVariantChoice(tmp_path, variant, worth_trying=0)
    choice.remember("model", FASTER)
    assert choice.chosen("model") is None
    assert choice.candidate("model", 10**9) is None
    assert choice.description("model") == "portable (no other one was built)"


def test_an_outcome_holds_for_one_library_model_and_processor(tmp_path: Path) -> None:
    def choice(content: bytes = b"one", processor: str = "Test") -> CpuVariantChoice:
        (tmp_path / FILE_NAME).write_bytes(content)
        able = (processor, ABLE[1])
        return CpuVariantChoice(tmp_path, CpuVariant.of_this_computer(tmp_path, able))

    choice().remember("model", FASTER)
    assert choice().chosen("model") == tmp_path / FILE_NAME
    assert choice().chosen("other") is None
    assert choice(content=b"two").chosen("model") is None
    assert choice(processor="Another").chosen("model") is None


@pytest.mark.parametrize("held", ["", "[]", "{", '{"trials": 1}', '{"trials": {"k": null}}'])
def test_a_damaged_memory_of_trials_means_portable(tmp_path: Path, held: str) -> None:
    (tmp_path / "local-model.json").write_text(held)
    file = tmp_path / FILE_NAME
    file.touch()
    assert CpuVariantChoice(tmp_path, CpuVariant(file, "Test")).chosen("model") is None


def test_the_first_processor_of_linux_is_read(tmp_path: Path) -> None:
    said = "processor\t: 0\nmodel name\t: Any CPU: 2\nflags\t\t: fpu avx2\n\nprocessor\t: 1\n"
    (tmp_path / "cpuinfo").write_text(said)
    found = processor_info(tmp_path / "cpuinfo")
    assert found == ("Any CPU: 2", frozenset({"fpu", "avx2"}))
    assert processor_info(tmp_path / "absent") == ("", frozenset())
