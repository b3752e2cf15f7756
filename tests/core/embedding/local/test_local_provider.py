"""The local model in its own process, and how it dies."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from scrubjay.embedding.local import llama_process
from scrubjay.embedding.local.local_provider import LoadOptions, LocalProvider
from scrubjay.engine.engine import Engine
from scrubjay.errors import ModelMissing, ProviderUnavailable
from scrubjay.events import ModelChanged
from scrubjay.platform.paths import Paths
from scrubjay.records.search_modes import Mode
from support.odd_worker import LIES
from support.providers import embedding_inputs
from support.vault import TIMEOUT, Announcements, add, ask, first, found, write_notes
from support.workers import ODD_WORKER, SILENT_WORKER

pytestmark = pytest.mark.model


@pytest.fixture
def provider(model_file: Path) -> Iterator[LocalProvider]:
    made = LocalProvider(model_file, LoadOptions(threads=1))
    yield made
    made.close()


def wait_until_gone(pid: int) -> None:
    """Until a process has ended; a zombie has."""
    until = time.monotonic() + TIMEOUT
    with contextlib.suppress(psutil.NoSuchProcess):
        process = psutil.Process(pid)
        while process.status() != psutil.STATUS_ZOMBIE:
            assert time.monotonic() < until
            time.sleep(0.01)


def test_a_model_that_somebody_waits_for_brings_nothing_it_does_not_need() -> None:
    code = (
        "import json, sys, scrubjay.embedding.local.llama_model; print(json.dumps([*sys.modules]))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    loaded = set(json.loads(ran.stdout))
    assert "llama_cpp.llama_cpp" in loaded
    assert loaded & {"diskcache", "jinja2", "llama_cpp.llama", "numpy", "psutil"} == set()


def test_a_killed_child_is_started_again(provider: LocalProvider) -> None:
    before = provider.embed_queries(["jay"])[0]
    pid = provider.child_pid
    assert pid is not None
    psutil.Process(pid).kill()
    wait_until_gone(pid)
    assert provider.embed_queries(["jay"])[0] @ before > 0.999
    assert provider.child_pid not in (None, pid)


def test_a_child_outlives_the_thread_that_first_asked(model_file: Path) -> None:
    provider = LocalProvider(model_file)
    with contextlib.closing(provider):
        asking = threading.Thread(target=provider.embed_queries, args=(["cat"],))
        asking.start()
        asking.join(TIMEOUT)
        child = psutil.Process(provider.child_pid)
        # A signal that the system sends at the end of a thread comes within milliseconds.
        with pytest.raises(psutil.TimeoutExpired):
            child.wait(0.5)


def test_a_child_that_is_killed_in_a_batch_loses_nothing(provider: LocalProvider) -> None:
    provider.embed_queries(["load it"])[0]
    pid = provider.child_pid
    assert pid is not None
    threading.Timer(0.1, psutil.Process(pid).kill).start()
    texts = [f"Number {n}: " + "long text about many things " * 40 for n in range(12)]
    vectors = provider.embed_documents(embedding_inputs(*texts))
    assert len(vectors) == 12
    assert provider.child_pid != pid


def test_a_child_that_keeps_dying_is_given_up_with_a_reason(
    model_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    provider = LocalProvider(model_file, LoadOptions(threads=1), on_status=told.append)
    provider.embed_queries(["load it"])[0]
    ask_child = llama_process.LlamaProcess.ask

    def ask_and_die(child: llama_process.LlamaProcess, request: dict) -> object:
        if request["op"] == "query":
            psutil.Process(child.pid).kill()
            wait_until_gone(child.pid)
        return ask_child(child, request)

    monkeypatch.setattr(llama_process.LlamaProcess, "ask", ask_and_die)
    with pytest.raises(ProviderUnavailable, match="You can still search by words"):
        provider.embed_queries(["jay"])[0]
    assert told[-1].endswith("You can still search by words.")
    monkeypatch.undo()
    assert provider.embed_queries(["jay"])[0].any()
    provider.close()


def test_an_idle_child_gives_its_memory_back_and_comes_again(model_file: Path) -> None:
    provider = LocalProvider(model_file, LoadOptions(threads=1, idle_seconds=0.1))
    provider.embed_queries(["jay"])[0]
    pid = provider.child_pid
    if pid is not None:
        wait_until_gone(pid)
    assert provider.embed_queries(["jay"])[0].any()
    provider.close()


@pytest.mark.skipif(sys.platform != "linux", reason="only there threads have a niceness")
def test_documents_are_embedded_at_low_priority_and_queries_are_not(
    provider: LocalProvider,
) -> None:
    provider.embed_documents(embedding_inputs("jay"))
    provider.embed_queries(["jay"])[0]
    pid = provider.child_pid
    assert pid is not None
    threads = {int(one.name) for one in Path(f"/proc/{pid}/task").iterdir()}
    niceness = {one: os.getpriority(os.PRIO_PROCESS, one) for one in threads}
    own = os.getpriority(os.PRIO_PROCESS, 0)
    assert niceness[pid] == own  # the thread that answers queries
    assert set(niceness.values()) == {own, min(own + 10, 19)}


def test_one_core_stays_with_the_window(model_file: Path) -> None:
    provider = LocalProvider(model_file)
    provider.embed_queries(["jay"])[0]
    environment = psutil.Process(provider.child_pid).environ()
    cores = psutil.cpu_count(logical=False) or os.cpu_count() or 2
    assert environment["OMP_NUM_THREADS"] == str(cores - 1 or 1)
    # Spinning threads made everybody else ten times slower.
    assert environment["OMP_WAIT_POLICY"] == "passive"
    provider.close()


def test_layers_for_a_graphics_card_are_no_fault_where_there_is_none(model_file: Path) -> None:
    for layers in (0, 99, None):
        provider = LocalProvider(model_file, LoadOptions(threads=1, gpu_layers=layers))
        assert provider.embed_queries(["jay"])[0].any()
        provider.close()


def test_closing_ends_the_child_for_good(provider: LocalProvider) -> None:
    provider.embed_queries(["jay"])[0]
    pid = provider.child_pid
    assert pid is not None
    provider.close()
    wait_until_gone(pid)
    assert provider.child_pid is None
    with pytest.raises(ProviderUnavailable):
        provider.embed_queries(["jay"])[0]


def test_a_child_that_hangs_while_it_loads_does_not_delay_the_end(model_file: Path) -> None:
    provider = LocalProvider(model_file, LoadOptions(worker=SILENT_WORKER))
    failures: list[BaseException] = []

    def embed() -> None:
        try:
            provider.embed_queries(["jay"])[0]
        except ProviderUnavailable as error:
            failures.append(error)

    waiting = threading.Thread(target=embed, daemon=True)
    waiting.start()
    waiting.join(0.5)
    assert waiting.is_alive()
    provider.close()
    waiting.join(TIMEOUT)
    assert len(failures) == 1


@pytest.mark.parametrize(
    ("op", "worker", "library"),
    [
        ("load", SILENT_WORKER, ""),
        ("query", ODD_WORKER, "hangs"),
        ("documents", ODD_WORKER, "hangs"),
    ],
)
def test_a_child_that_hangs_is_ended_after_a_while(
    model_file: Path, op: str, worker: tuple[str, ...], library: str
) -> None:
    started: list[llama_process.LlamaProcess] = []

    def work() -> None:
        child = llama_process.LlamaProcess(
            llama_process.LoadRequest(str(model_file), library=library),
            on_start=started.append,
            worker=worker,
            timeouts_s={**llama_process.TIMEOUTS_S, op: 0.5},
        )
        child.embed(op, ["jay"])

    with pytest.raises(llama_process.ProcessEnded):
        work()
    assert not started[0].is_alive
    wait_until_gone(started[0].pid)


@pytest.mark.parametrize("lie", LIES)
def test_a_child_that_answers_nonsense_is_ended_at_once(model_file: Path, lie: str) -> None:
    child = llama_process.LlamaProcess(
        llama_process.LoadRequest(str(model_file), library=lie),
        worker=ODD_WORKER,
        stop_seconds=TIMEOUT,
    )
    with pytest.raises(llama_process.ProcessEnded):
        child.embed("query", ["jay"])
    wait_until_gone(child.pid)
    assert not child.is_alive
    assert not child.is_killed


@pytest.mark.parametrize(
    ("code", "fault"),
    [
        (0, ""),
        (1, ""),
        (0xC0000135, ""),
        (3, "SIGABRT"),
        (0xC0000409, "SIGABRT"),
        (0xC0000005, "SIGSEGV"),
        (0xC000008E, "SIGFPE"),
        (-signal.SIGABRT, "SIGABRT"),
        (-signal.SIGTERM, ""),
    ],
)
def test_a_crash_is_told_from_any_other_end_by_the_exit_code(code: int, fault: str) -> None:
    assert llama_process.fault_of(code) == fault


def test_a_child_that_does_not_even_read_is_ended_after_a_while(model_file: Path) -> None:
    child = llama_process.LlamaProcess(
        llama_process.LoadRequest(str(model_file), library="deaf"),
        worker=ODD_WORKER,
        timeouts_s={**llama_process.TIMEOUTS_S, "documents": 0.5},
    )
    with pytest.raises(llama_process.ProcessEnded):
        child.embed("documents", ["more than a pipe holds " * 100_000])
    wait_until_gone(child.pid)


def test_a_child_that_takes_its_time_to_end_is_not_waited_for(model_file: Path) -> None:
    started: list[llama_process.LlamaProcess] = []
    with pytest.raises(llama_process.ProcessEnded):
        llama_process.LlamaProcess(
            llama_process.LoadRequest(str(model_file)),
            on_start=started.append,
            worker=SILENT_WORKER,
            timeouts_s={"load": 0.1},
            stop_seconds=0.0,
        )
    wait_until_gone(started[0].pid)


@pytest.mark.parametrize(
    "content",
    [b"", b"GGUF", b"GGUF\x03\0\0\0" + b"\xff" * 4096, b"not a model " * 1000],
    ids=["empty", "magic", "header", "text"],
)
def test_a_damaged_file_is_told_by_name(tmp_path: Path, content: bytes) -> None:
    told: list[str] = []
    file = tmp_path / "broken.gguf"
    file.write_bytes(content)
    provider = LocalProvider(file, LoadOptions(threads=1), on_status=told.append)
    with pytest.raises(ProviderUnavailable, match=r"broken\.gguf cannot be loaded"):
        provider.identity()
    assert told[-1].startswith("broken.gguf cannot be loaded")
    provider.close()


def test_a_truncated_model_is_told(model_file: Path, tmp_path: Path) -> None:
    file = tmp_path / "half.gguf"
    file.write_bytes(model_file.read_bytes()[: model_file.stat().st_size // 2])
    provider = LocalProvider(file, LoadOptions(threads=1))
    with pytest.raises(ProviderUnavailable, match="may be damaged"):
        provider.embed_queries(["jay"])[0]
    provider.close()


BEGIN = "import ctypes, os, signal, sys;"
SERVE = "from scrubjay.embedding.local.llama_worker import main; main()"


@pytest.mark.parametrize(
    ("program", "reason"),
    [
        (f"{BEGIN} sys.modules['llama_cpp'] = None; {SERVE}", "llama_cpp"),
        (f"{BEGIN} sys.modules['scrubjay.embedding.local.llama_model'] = None; {SERVE}", "import"),
        (f"{BEGIN} sys.exit('libstdc++.so.6: cannot open shared object file')", "libstdc"),
        (f"{BEGIN} sys.exit(127)", "0x7f"),
        pytest.param(
            f"{BEGIN} os.kill(os.getpid(), signal.SIGILL)",
            "processor of this computer",
            marks=pytest.mark.skipif(sys.platform == "win32", reason="it has no signals"),
        ),
    ],
)
def test_a_program_that_does_not_load_is_no_damaged_model(
    model_file: Path, program: str, reason: str
) -> None:
    told: list[str] = []
    options = LoadOptions(threads=1, worker=("-c", program))
    provider = LocalProvider(model_file, options, on_status=told.append)
    with pytest.raises(ProviderUnavailable) as failed:
        provider.embed_queries(["jay"])
    assert reason in failed.value.message
    assert "damaged" not in str(failed.value)
    assert told[-1] == failed.value.message
    provider.close()


def test_a_library_that_does_not_load_is_named(model_file: Path, tmp_path: Path) -> None:
    library = tmp_path / "libllama.so"
    library.write_bytes(b"no library")
    load = llama_process.LoadRequest(str(model_file), library=str(library))
    with pytest.raises(llama_process.LibraryUnusable, match=r"libllama\.so"):
        llama_process.LlamaProcess(load)


def test_what_a_child_prints_never_holds_it_up(model_file: Path) -> None:
    program = f"{BEGIN} sys.stderr.write('x' * 10**7); {SERVE}"
    provider = LocalProvider(model_file, LoadOptions(threads=1, worker=("-c", program)))
    assert len(provider.embed_queries(["jay"])) == 1
    provider.close()


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    provider = LocalProvider(tmp_path / "gone.gguf")
    with pytest.raises(ModelMissing, match=r"gone\.gguf does not exist"):
        provider.identity()


@pytest.fixture
def local_engine(paths: Paths) -> Iterator[Engine]:
    """An engine with the built-in model."""
    engine = Engine(paths)
    yield engine
    engine.close()


def test_a_paraphrase_finds_the_note(local_engine: Engine, notes: Path) -> None:
    heard = Announcements(local_engine)
    local_engine.refresh(add(local_engine, notes)).result(TIMEOUT)
    hit = first(local_engine, "wifi secret", Mode.HYBRID, min_score=0.0)
    assert hit.path == "house/router.md"
    assert local_engine.status().model.is_ready
    assert [event.model.is_ready for event in heard.of(ModelChanged)] == [True]


def test_a_damaged_model_leaves_the_words(local_engine: Engine, notes: Path) -> None:
    write_notes(notes.parent, {"broken.gguf": b"rubbish" * 99})
    write_notes(
        local_engine.paths.config,
        {
            "config.json5": "{memorySearch: {local: {modelPath: "
            f'"{notes.parent / "broken.gguf"}"}}}}}}'
        },
    )
    engine = Engine(local_engine.paths)
    try:
        [report] = engine.refresh(add(engine, notes)).result(TIMEOUT)
        assert "broken.gguf cannot be loaded" in report.meaning_missing
        assert found(engine, "router") == ["house/router.md"]
        answer = ask(engine, "router")
        assert answer.hits[0].path == "house/router.md"
        assert "broken.gguf" in answer.fallback_reason
    finally:
        engine.close()


def test_a_killed_child_costs_a_pass_nothing(local_engine: Engine, tmp_path: Path) -> None:
    texts = {f"{n}.md": f"Number {n}. " + "Long text about many things. " * 50 for n in range(5)}
    workspace = add(local_engine, write_notes(tmp_path / "many", texts))
    killed: list[int] = []

    def kill(_event: object) -> None:
        children = psutil.Process().children()
        if children and not killed:
            killed.append(children[0].pid)
            children[0].kill()

    local_engine.events.subscribe(kill)
    [report] = local_engine.refresh(workspace).result(2 * TIMEOUT)
    assert killed
    assert (report.meaning_missing, report.embedded) == ("", report.chunks)


def test_closing_the_engine_leaves_no_process_behind(paths: Paths, notes: Path) -> None:
    before = psutil.Process().children(recursive=True)
    engine = Engine(paths)
    engine.refresh(add(engine, notes)).result(TIMEOUT)
    children = [each for each in psutil.Process().children(recursive=True) if each not in before]
    assert children
    engine.close()
    for child in children:
        wait_until_gone(child.pid)
