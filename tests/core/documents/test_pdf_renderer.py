"""Pages of PDF files as pictures, with the places of words on them."""

from __future__ import annotations

import contextlib
import io
import os
from collections.abc import Iterator

import pytest
from reportlab.pdfgen.canvas import Canvas

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.documents.document_errors import ConversionFailed, DocumentRefused
from scrubjay.documents.pdf_page_client import PdfPageClient
from scrubjay.errors import Cancelled
from scrubjay.records.page_picture import Mark, PagePicture, PageWanted
from support.document_makers import pdf

PAPER = (255, 255, 255)


@pytest.fixture(scope="module")
def page_client() -> Iterator[PdfPageClient]:
    with contextlib.closing(PdfPageClient()) as made:
        yield made


def drawn(page_client: PdfPageClient, data: bytes, *words: str, **wanted) -> PagePicture:
    request = PageWanted(**{"page": 1, "width": 600, "words": words, **wanted})
    return page_client.draw(data, request, CancelToken())


def inked(picture: PagePicture, mark: Mark) -> float:
    """Which part of the dark pixels of a picture lies inside a mark."""
    dark, inside = 0, 0
    for at in range(0, len(picture.pixels), 4):
        if picture.pixels[at] < 128:
            y, x = divmod(at // 4, picture.width)
            x, y = (x + 0.5) / picture.width, (y + 0.5) / picture.height
            dark += 1
            inside += mark.left <= x <= mark.right and mark.top <= y <= mark.bottom
    return inside / dark


def line_of(text: str, **look) -> bytes:
    """A page with nothing but one line on it, turned or cut."""
    stream = io.BytesIO()
    canvas = Canvas(stream, pagesize=(300, 500))
    if "turn" in look:
        canvas.setPageRotation(look["turn"])
    if "cut" in look:
        canvas.setCropBox(look["cut"])
    canvas.drawString(100, 300, text)
    canvas.save()
    return stream.getvalue()


@pytest.mark.parametrize(
    ("look", "size"),
    [({}, (600, 1000)), ({"turn": 90}, (600, 1000)), ({"cut": (50, 200, 250, 400)}, (600, 600))],
)
def test_a_mark_lies_around_its_word(page_client: PdfPageClient, look: dict, size: tuple) -> None:
    picture = drawn(page_client, line_of("Apricot", **look), "apricot")
    assert (picture.width, picture.height) == size
    [mark] = picture.words
    assert inked(picture, mark) > 0.9
    assert (mark.right - mark.left) * (mark.bottom - mark.top) < 0.1


def test_only_whole_words_are_marked_and_all_of_them(page_client: PdfPageClient) -> None:
    data = pdf(["Plum plums PLUM", "the sugar\nplum"])
    assert len(drawn(page_client, data, "plum").words) == 2
    assert drawn(page_client, data, "lum", "(", "").words == ()
    # Over the end of a line there are two.
    assert len(drawn(page_client, data, "sugar plum", page=2).words) == 2


def test_accents_and_ligatures_make_no_difference(page_client: PdfPageClient) -> None:
    data = pdf(["El jardín está en la azotea"])
    assert len(drawn(page_client, data, "jardin", "ESTÁ").words) == 2


LINES = [
    "The roof garden of the library",
    "opens at nine; nobody may",
    "pick the apricots before June.",
    "All other fruit is free for",
    "those who water the plants.",
]


@pytest.mark.parametrize(
    ("passage", "lines"),
    [
        ("opens at nine; nobody may pick the apricots before June.", {1, 2}),
        ("nobody  may\n> pick the APRICOTS — before", {1, 2}),
        ("# Page 2 The roof garden of the library opens", {0, 1}),
        ("those who water the plants. And what comes on the next page", {4}),
        ("All other fruit is not always free", {3, 4}),
        ("free", {3}),
        ("of all the words none", set()),
        ("", set()),
    ],
)
def test_the_lines_of_a_passage_are_marked(
    page_client: PdfPageClient, passage: str, lines: set[int]
) -> None:
    data = pdf(["First page", "\n".join(LINES)])
    picture = drawn(page_client, data, page=2, passage=passage)
    # Lines of the page begin at 800 points of 842, and are 14.4 high.
    middles = [(mark.top + mark.bottom) / 2 * 841.89 for mark in picture.passage]
    assert {round((middle - 42 + 4) / 14.4) for middle in middles} == lines
    assert drawn(page_client, data, passage=passage).passage == ()


def test_a_page_behind_the_last_one_is_the_last_one(page_client: PdfPageClient) -> None:
    picture = drawn(page_client, pdf(["One", "Two"]), page=7)
    assert (picture.page, picture.pages, picture.text.strip()) == (2, 2, "Two")


def test_a_picture_has_its_limits(page_client: PdfPageClient) -> None:
    picture = drawn(page_client, pdf(["One"]), width=1_000_000)
    assert 2_000 < picture.width < 4_000
    assert len(picture.pixels) == 4 * picture.width * picture.height < 50_000_000
    assert drawn(page_client, pdf(["One"]), width=0).width == 1


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"no PDF", "The file is damaged or is not a valid .pdf file."),
        (pdf(["One"])[:300], "The file is damaged or is not a valid .pdf file."),
        (pdf(["One"], password="x"), "The document is protected with a password."),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_a_sentence(page_client, data, sentence) -> None:
    with pytest.raises(DocumentRefused) as refused:
        drawn(page_client, data)
    assert str(refused.value) == sentence
    assert drawn(page_client, pdf(["One"])).pages == 1


def test_a_process_that_ended_is_started_again(page_client: PdfPageClient) -> None:
    drawn(page_client, pdf(["One"]))
    page_client.child.process.kill()
    page_client.child.process.wait()
    assert drawn(page_client, pdf(["One"])).pages == 1


def test_a_page_that_takes_too_long_is_given_up() -> None:
    with contextlib.closing(PdfPageClient(most_seconds=0.001)) as hasty:
        with pytest.raises(ConversionFailed) as failed:
            drawn(hasty, pdf(["One"]))
        assert str(failed.value) == "Reading the document took more than 0 seconds."


def test_a_page_that_nobody_waits_for_is_not_drawn(page_client: PdfPageClient) -> None:
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        page_client.draw(pdf(["One"]), PageWanted(1, 100), cancel)


@pytest.mark.skipif(os.name == "nt", reason="asks the system for open files as Unix does")
def test_the_process_ends_with_its_client() -> None:
    made = PdfPageClient()
    drawn(made, pdf(["One"]))
    process = made.child.process
    made.close()
    assert process.poll() is not None
    assert made.child.process is None
