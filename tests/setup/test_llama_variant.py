"""The second build of llama.cpp: from sources that are here, and no set-up fails for want of it."""

from __future__ import annotations

import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest

import llama_variant
import setup


def test_the_unpacked_sources_of_the_same_version_are_found(tmp_path: Path) -> None:
    places = [
        tmp_path / f"sdists-v9/pypi/llama-cpp-python/{version}/xyz/src/vendor/llama.cpp"
        for version in ("1.2.2", "1.2.3")
    ]
    for place in places:
        (place / "ggml").mkdir(parents=True)
        (place / "ggml" / "CMakeLists.txt").touch()
    assert llama_variant.sources(tmp_path, "1.2.3") == places[1]
    assert llama_variant.sources(tmp_path, "1.2.4") is None


@pytest.fixture
def llama(tmp_path: Path) -> setup.FasterLlama:
    """The library of a set-up whose log and stamps are its own."""
    return setup.FasterLlama(tmp_path / ".stamps", tmp_path / "faster-llama.log")


@pytest.fixture
def target(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the library would go."""
    folder = tmp_path / "lib"
    folder.mkdir()
    monkeypatch.setattr(setup, "llama_library_folder", lambda: folder)
    monkeypatch.setattr(setup, "uv", lambda: "echo")  # a cache that is empty
    monkeypatch.setattr(llama_variant, "is_of_use", lambda *, here: True)
    return folder / llama_variant.FILE_NAME


@pytest.mark.skipif(sys.platform != "linux", reason="built on Linux only")
def test_a_set_up_without_it_says_so_once_and_goes_on(
    llama: setup.FasterLlama, target: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target.write_bytes(b"of another version")
    llama.build("run")
    assert "The portable llama.cpp is used, which is slower." in capsys.readouterr().out
    assert not target.exists()
    llama.build("run")
    assert capsys.readouterr().out == ""


@pytest.mark.skipif(sys.platform != "linux", reason="built on Linux only")
def test_a_set_up_waits_for_another_that_builds_it(
    llama: setup.FasterLlama, target: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with llama.one_at_a_time():
        second = threading.Thread(target=llama.build, args=("test",))
        second.start()
        llama.stamp.write()
        target.write_bytes(b"built")
    second.join()
    assert target.read_bytes() == b"built"
    assert "The portable llama.cpp is used" not in capsys.readouterr().out


@pytest.mark.skipif(sys.platform != "linux", reason="built on Linux only")
def test_the_first_start_does_not_wait_for_it(
    llama: setup.FasterLlama, target: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program = tmp_path / "set_up.py"
    program.write_text(
        "import pathlib, sys; pathlib.Path(__file__).with_name('done').write_text(sys.argv[1])",
        encoding="utf-8",
    )
    process = replace(llama, program=program).build_later()
    assert process is not None
    assert process.wait() == 0
    assert (tmp_path / "done").read_text(encoding="utf-8") == "background"
    assert "in the background" in capsys.readouterr().out
    assert not target.exists()
    llama.stamp.write()
    assert llama.build_later() is None


def test_a_build_that_fails_leaves_nothing(tmp_path: Path) -> None:
    def fail(_command: list[str]) -> None:
        (tmp_path / "work").mkdir()
        raise subprocess.CalledProcessError(1, "cmake")

    with pytest.raises(subprocess.CalledProcessError):
        llama_variant.build(tmp_path, ["cmake"], tmp_path / "work", tmp_path / "lib.so", fail)
    assert list(tmp_path.iterdir()) == []


def test_what_was_built_appears_whole(tmp_path: Path) -> None:
    commands: list[list[str]] = []

    def run(command: list[str]) -> None:
        commands.append(command)
        (tmp_path / "work" / "bin").mkdir(parents=True, exist_ok=True)
        (tmp_path / "work" / "bin" / "libggml-cpu.so").write_bytes(b"library")

    llama_variant.build(tmp_path, ["cmake"], tmp_path / "work", tmp_path / "lib.so", run)
    assert [path.name for path in tmp_path.iterdir()] == ["lib.so"]
    assert (tmp_path / "lib.so").read_bytes() == b"library"
    # What the processor is asked for is what the core looks for before it tries.
    assert {"-DGGML_NATIVE=OFF", "-DGGML_AVX512_VNNI=ON"} <= set(commands[0])


def test_the_name_is_the_one_that_the_core_looks_for() -> None:
    from scrubjay.embedding.local import cpu_variant

    assert llama_variant.FILE_NAME == cpu_variant.FILE_NAME
    assert set(cpu_variant.FLAGS) == llama_variant.FLAGS
