"""Log files."""

from __future__ import annotations

import logging
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from scrubjay.platform.logs import configure_logging


@pytest.fixture(autouse=True)
def quiet_afterwards() -> Iterator[None]:
    logger = logging.getLogger("scrubjay")
    before = list(logger.handlers)
    yield
    for handler in set(logger.handlers) - set(before):
        logger.removeHandler(handler)
        handler.close()
    logger.propagate = True


def test_our_own_news_are_written_and_not_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    configure_logging(tmp_path / "logs", "test")
    logging.getLogger("scrubjay.index.indexer").info("read %s", "caf\udce9.md")
    [file] = (tmp_path / "logs").iterdir()
    assert "INFO MainThread scrubjay.index.indexer: read caf\\udce9.md" in file.read_text()
    assert capsys.readouterr() == ("", "")


def test_only_the_first_line_of_an_entry_looks_like_one(tmp_path: Path) -> None:
    configure_logging(tmp_path, "test")
    logging.getLogger("scrubjay").warning("read %s", "a\nb\u2028c")
    [file] = tmp_path.iterdir()
    assert file.read_text().splitlines()[1:] == ["  b", "  c"]


def test_logs_stay_small(tmp_path: Path) -> None:
    configure_logging(tmp_path, "test")
    for _ in range(300):
        logging.getLogger("scrubjay").warning("x" * 10_000)
    files = list(tmp_path.iterdir())
    assert len(files) == 2
    assert sum(file.stat().st_size for file in files) < 2_500_000


def test_who_cannot_log_still_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").touch()
    configure_logging(tmp_path / "file/logs", "test")
    logging.getLogger("scrubjay").warning("nobody reads this")
    assert capsys.readouterr() == ("", "")


def test_complaints_of_the_watching_library_are_not_printed(tmp_path: Path) -> None:
    # In a process of its own: here pytest has taken over what nobody handles.
    program = (
        "import logging, pathlib, sys; from scrubjay.platform.logs import configure_logging;"
        "configure_logging(pathlib.Path(sys.argv[1]), 'test');"
        "logging.getLogger('watchdog.observers.inotify').error('the thread is inactive')"
    )
    command = [sys.executable, "-c", program, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stderr == ""
