"""The time that pictures take, by what is left of them."""

from __future__ import annotations

from pathlib import Path

from scrubjay.documents.document_limits import PAGES_WITHOUT_TEXT
from scrubjay.documents.pdf_page_client import PdfPageClient
from scrubjay.documents.picture_reader import PictureReader
from scrubjay.documents.picture_texts import DEFAULT_SECONDS, PictureTexts
from scrubjay.index.picture_time import PictureTime
from scrubjay.messages import fill_template
from scrubjay.notes.scan import FoundFile
from scrubjay.records.note_records import Source
from scrubjay.records.status_records import SkippedFile


def picture(label: str, size: int = 40_000) -> FoundFile:
    return FoundFile(label, Path(label), Source.NOTES, mtime_ns=0, size=size)


def test_the_pages_of_a_scan_that_were_read_take_no_more_time(tmp_path: Path) -> None:
    texts = PictureTexts(tmp_path, PictureReader(), pages=PdfPageClient())
    reason = fill_template(PAGES_WITHOUT_TEXT, {"n": 40, "all": 40})
    skipped = [
        SkippedFile("scan.pdf", reason, is_problem=False),
        SkippedFile("odd.png", "Damaged.", is_problem=True),
    ]
    left = PictureTime(texts)
    texts.begun = 7
    scan = picture("scan.pdf")
    odd = picture("odd.png")
    # Icons are refused by their size.
    icons = [picture(f"icon{n}.png", 600) for n in range(50)]
    pages = []
    for begun in (7, 17, 99):
        texts.begun = begun
        pages.append(left.left([*icons, scan, odd], skipped) / DEFAULT_SECONDS)
    assert pages == [41, 31, 2]
    assert left.left([odd], skipped) == DEFAULT_SECONDS
    assert left.left(icons, skipped) == 0.0
    assert left.left([], skipped) == 0.0
