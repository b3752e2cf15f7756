"""Moments at which pictures are read."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from scrubjay.concurrency.cancel import CancelToken, SearchPriority
from scrubjay.documents.pdf_page_client import PdfPageClient
from scrubjay.documents.picture_reader import PictureReader
from scrubjay.documents.picture_texts import PictureTexts
from scrubjay.errors import Cancelled, PicturesRest
from scrubjay.index.picture_pauses import ON_BATTERY, SEARCHING, PicturePauses
from scrubjay.platform.paths import Paths
from scrubjay.workspaces.registry import Registry
from support.battery import discharge
from support.vault import write_notes


@pytest.fixture
def priority() -> SearchPriority:
    return SearchPriority()


@pytest.fixture
def pauses(tmp_path: Path, priority: SearchPriority) -> PicturePauses:
    workspace = Registry(Paths.under(tmp_path / "home")).add(
        write_notes(tmp_path / "n", {"a.md": "Tea."})
    )
    texts = PictureTexts(None, PictureReader(), pages=PdfPageClient())
    return PicturePauses(workspace, texts, priority, supplies=tmp_path / "supplies")


@pytest.mark.needs("Linux")
def test_pictures_wait_on_a_battery_unless_a_person_chose_otherwise(
    pauses: PicturePauses, tmp_path: Path
) -> None:
    pauses.before_each(CancelToken())
    discharge(tmp_path / "supplies")
    with pytest.raises(PicturesRest, match="plugged in"):
        pauses.before_each(CancelToken())
    assert pauses.reason == ON_BATTERY
    workspace = pauses._workspace  # noqa: SLF001
    sync = replace(workspace.settings.sync, pictures_on_battery=True)
    settings = replace(workspace.settings, sync=sync)
    workspace.follow(workspace.record, settings, workspace.index_file)
    pauses.before_each(CancelToken())
    assert pauses.reason is None


def test_pictures_wait_while_somebody_searches(
    pauses: PicturePauses, priority: SearchPriority
) -> None:
    class Impatient(CancelToken):
        """Given up as soon as it has to wait."""

        def wait(self, seconds: float) -> None:
            assert seconds > 0
            raise Cancelled

    with priority.answering(), pytest.raises(Cancelled):
        pauses.before_each(Impatient())
    assert pauses.reason == SEARCHING
    with pytest.raises(Cancelled):
        pauses.before_each(Impatient())  # the search has only just ended
