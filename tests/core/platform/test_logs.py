"""Log files."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from scrubjay.platform.logs import log_to


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
    log_to(tmp_path / "logs", "test")
    logging.getLogger("scrubjay.index.indexer").info("read %s", "caf\udce9.md")
    [file] = (tmp_path / "logs").iterdir()
    assert "INFO MainThread scrubjay.index.indexer: read caf\\udce9.md" in file.read_text()
    assert capsys.readouterr() == ("", "")


def test_logs_stay_small(tmp_path: Path) -> None:
    log_to(tmp_path, "test")
    for _ in range(300):
        logging.getLogger("scrubjay").warning("x" * 10_000)
    files = list(tmp_path.iterdir())
    assert len(files) == 2
    assert sum(file.stat().st_size for file in files) < 2_500_000


def test_who_cannot_log_still_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").touch()
    log_to(tmp_path / "file/logs", "test")
    logging.getLogger("scrubjay").warning("nobody reads this")
    assert capsys.readouterr() == ("", "")
