"""The second build of llama.cpp: from sources that are here, and no set-up fails for want of it."""

from __future__ import annotations

import subprocess
import sys
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
def target(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the library would go in a set-up whose log and stamps are its own."""
    folder = tmp_path / "lib"
    folder.mkdir()
    monkeypatch.setattr(setup, "LOG", tmp_path / "setup.log")
    monkeypatch.setattr(setup, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(setup, "llama_library_folder", lambda: folder)
    monkeypatch.setattr(setup, "uv", lambda: "echo")  # a cache that is empty
    monkeypatch.setattr(llama_variant, "is_of_use", lambda *, here: True)
    return folder / llama_variant.FILE_NAME


@pytest.mark.skipif(sys.platform != "linux", reason="built on Linux only")
def test_a_set_up_without_it_says_so_once_and_goes_on(
    target: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target.write_bytes(b"of another version")
    setup.build_variant("run")
    assert "The portable llama.cpp is used, which is slower." in capsys.readouterr().out
    assert not target.exists()
    setup.build_variant("run")
    assert capsys.readouterr().out == ""


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
