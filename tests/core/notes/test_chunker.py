"""Chunks of any text: nothing lost, sizes bounded, structure kept."""

from __future__ import annotations

import hashlib

import pytest
import regex
from hypothesis import example, given
from hypothesis import strategies as st

from scrubjay.notes.chunker import chunk_document, estimate_tokens, split_long_line
from scrubjay.records.chunks import ChunkSizes
from scrubjay.text.drawings import without_drawing_data
from scrubjay.text.markdown import parse_outline, split_lines

WORDS = st.sampled_from(
    ["jay", "acorn", "\u0301", "the", "naïve", "漢字", "👩‍👧", "e\u0301", "x" * 50, "a b"]
)
LINES = st.one_of(
    st.just(""),
    st.lists(WORDS, max_size=12).map(" ".join),
    st.sampled_from(
        ["# One", "## Two", "### Three", "```", "~~~", "| a | b |", "- item", "1. item"]
    ),
    st.text(max_size=40),
)
NOTES = st.lists(LINES, max_size=40).map("\n".join)
SIZES = st.builds(ChunkSizes, st.integers(1, 80), st.integers(0, 40))


def graphemes(text: str) -> list[str]:
    return regex.findall(r"\X", text)


@given(NOTES, SIZES)
@example("a", ChunkSizes(80, 0))
def test_every_line_that_says_something_is_in_a_chunk(text: str, sizes: ChunkSizes) -> None:
    lines = split_lines(text)
    covered = {
        number
        for chunk in chunk_document(text, sizes).chunks
        for number in range(chunk.first_line, chunk.last_line + 1)
    }
    assert covered >= {n for n, line in enumerate(lines, start=1) if line.strip()}
    assert covered <= set(range(1, len(lines) + 1))


@given(NOTES, SIZES)
def test_a_chunk_is_exactly_its_lines_or_a_piece_of_one(text: str, sizes: ChunkSizes) -> None:
    lines = split_lines(text)
    pieces: dict[int, str] = {}
    for chunk in chunk_document(text, sizes).chunks:
        whole = "\n".join(lines[chunk.first_line - 1 : chunk.last_line])
        if chunk.text != whole:
            assert chunk.first_line == chunk.last_line
            pieces[chunk.first_line] = pieces.get(chunk.first_line, "") + chunk.text
    for number, joined in pieces.items():
        # Pieces of blanks are dropped like other blank chunks.
        assert "".join(joined.split()) == "".join(lines[number - 1].split())


@given(NOTES, SIZES)
def test_no_chunk_is_larger_than_allowed(text: str, sizes: ChunkSizes) -> None:
    for chunk in chunk_document(text, sizes).chunks:
        size = sum(estimate_tokens(line) for line in chunk.text.split("\n"))
        assert size <= sizes.tokens or len(graphemes(chunk.text)) == 1


@given(NOTES, SIZES)
def test_chunks_come_in_order_and_none_is_blank(text: str, sizes: ChunkSizes) -> None:
    chunks = chunk_document(text, sizes).chunks
    places = [(chunk.first_line, chunk.last_line) for chunk in chunks]
    assert places == sorted(places)
    assert all(chunk.text.strip() for chunk in chunks)


@given(st.text(max_size=300) | st.lists(WORDS, max_size=60).map(" ".join), st.integers(1, 20))
def test_a_long_line_is_cut_between_graphemes_and_joins_again(line: str, tokens: int) -> None:
    pieces = list(split_long_line(line, tokens))
    assert "".join(pieces) == line
    assert [one for piece in pieces for one in graphemes(piece)] == graphemes(line)
    for piece in pieces:
        assert estimate_tokens(piece) <= tokens or len(graphemes(piece)) == 1


@st.composite
def notes_with_blocks(draw: st.DrawFn) -> tuple[str, list[str]]:
    """A note, and the fences and tables in it."""
    parts: list[str] = []
    blocks: list[str] = []
    for number in range(draw(st.integers(1, 6))):
        parts.append("\n".join(draw(st.lists(st.lists(WORDS).map(" ".join), max_size=6))))
        inner = draw(st.lists(st.sampled_from(["code", "", "- x", "# no heading"]), max_size=20))
        if draw(st.booleans()):
            blocks.append("\n".join([f"```block{number}", *inner, "```"]))
        else:
            blocks.append("\n".join([f"| block{number} |", "|---|", *("| x |" for _ in inner)]))
        parts += ["", blocks[-1], ""]
    return "\n".join(parts), blocks


@given(notes_with_blocks(), st.integers(30, 80), st.integers(0, 40))
def test_a_fence_or_table_that_fits_is_never_cut(
    note: tuple[str, list[str]], tokens: int, overlap: int
) -> None:
    text, blocks = note
    chunks = chunk_document(text, ChunkSizes(tokens, overlap)).chunks
    for block in blocks:
        if sum(estimate_tokens(line) for line in block.split("\n")) <= tokens:
            assert any(block in chunk.text for chunk in chunks)


@given(st.text(), st.text())
def test_the_estimate_never_shrinks_when_text_is_added(one: str, other: str) -> None:
    assert estimate_tokens(one + other) >= estimate_tokens(one) >= 1


@pytest.mark.parametrize(
    ("line", "tokens"),
    [
        ("", 1),
        ("abc", 1),
        ("abcd", 2),
        ("a" * 399, 100),
        ("漢字", 3),
        ("かな", 3),
        ("한글", 3),
        ("ＡＢ", 3),
    ],
)
def test_four_letters_are_a_token_and_each_wide_character_is_one(line: str, tokens: int) -> None:
    assert estimate_tokens(line) == tokens


@pytest.mark.parametrize("emoji", ["😀", "👩\u200d👧", "🇪🇸", "❤️"])
def test_an_emoji_is_at_least_one_token(emoji: str) -> None:
    assert estimate_tokens(emoji * 8) > 8


@pytest.mark.parametrize(
    ("given", "kept"),
    [((400, 80), (400, 80)), ((0, 0), (1, 0)), ((-5, 9), (1, 0)), ((10, 10), (10, 9))],
)
def test_sizes_are_clamped(given: tuple[int, int], kept: tuple[int, int]) -> None:
    sizes = ChunkSizes(*given)
    assert (sizes.tokens, sizes.overlap) == kept


def test_the_identity_names_version_and_sizes() -> None:
    assert ChunkSizes(400, 80).identity == "10:400:80"


def chunk_texts(text: str, tokens: int, overlap: int = 0) -> list[str]:
    return [chunk.text for chunk in chunk_document(text, ChunkSizes(tokens, overlap)).chunks]


def test_headings_begin_chunks() -> None:
    text = "# One\nText of one.\n# Two\nText of two.\n# Three\nText of three."
    assert chunk_texts(text, 10) == [
        "# One\nText of one.",
        "# Two\nText of two.",
        "# Three\nText of three.",
    ]


def test_a_paragraph_is_a_better_place_to_cut_than_a_line() -> None:
    assert chunk_texts("one one one\n\ntwo two two\ntwo two two", 9) == [
        "one one one\n",
        "two two two\ntwo two two",
    ]


def test_a_list_item_is_a_better_place_to_cut_than_its_second_line() -> None:
    assert chunk_texts("- one one one\n- two two two\n  two two", 9) == [
        "- one one one",
        "- two two two\n  two two",
    ]


def test_overlap_carries_whole_lines_over() -> None:
    text = "\n".join(f"line {n}" for n in range(6))
    chunks = chunk_document(text, ChunkSizes(6, 2)).chunks
    assert [(chunk.first_line, chunk.last_line) for chunk in chunks] == [(1, 3), (3, 5), (5, 6)]


def test_nothing_is_carried_over_a_heading() -> None:
    text = "one\ntwo\n# Three\nfour"
    assert chunk_texts(text, 4, 2) == ["one\ntwo", "# Three\nfour"]


def test_a_chunk_knows_the_headings_above_it() -> None:
    crumbs = ["House", "House > Kitchen", "House > Bath", "Garden"]
    lines = [f"{'##' if ' > ' in crumb else '#'} {crumb.split()[-1]}" for crumb in crumbs]
    text = "A long introduction to it all.\n" + "".join(
        f"{line}\n{'Some text. ' * 5}\n" for line in lines
    )
    chunks = chunk_document(text, ChunkSizes(20, 0)).chunks
    assert [chunk.heading for chunk in chunks] == ["", *crumbs]


def test_a_hash_is_of_the_text_alone() -> None:
    [one] = chunk_document("same text", ChunkSizes()).chunks
    [other] = chunk_document("\n\nsame text"[2:] + "\n", ChunkSizes()).chunks
    assert one.sha256 == other.sha256 == hashlib.sha256(b"same text").digest()


@pytest.mark.parametrize("blank", ["", "\n", " \n\t\n", "\n" * 5000])
def test_blank_text_has_no_chunks(blank: str) -> None:
    assert chunk_document(blank, ChunkSizes()).chunks == ()


def test_a_long_line_keeps_its_number_in_each_piece() -> None:
    chunks = chunk_document("short\n" + "word " * 100 + "\nshort", ChunkSizes(20, 5)).chunks
    middle = [chunk for chunk in chunks if "word" in chunk.text]
    assert len(middle) > 5
    assert {(chunk.first_line, chunk.last_line) for chunk in middle} == {(2, 2)}


def drawing(*data: str, heading: str = "## Drawing") -> str:
    """A drawing of Excalidraw as its plugin for Obsidian writes it."""
    above = "---\n\nexcalidraw-plugin: parsed\n\n---\n# Excalidraw Data\n\n## Text Elements\n"
    return above + "\n".join(["otter sketch ^a1", "", "%%", heading, *data, "%%", ""])


@pytest.mark.parametrize(
    "data",
    [
        ("```json", '{"elements": [', '{"seed": 1, "strokeColor": "red"}]}', "```"),
        ("```compressed-json", "N4KAkARALgngDgUwgLgAQQ", "", "strokeColor", "```"),
        ('{"elements": [{"strokeColor": "red", "text": "otter sketch"}]}',),
    ],
)
@pytest.mark.parametrize("heading", ["# Drawing", "## Drawing"])
def test_of_a_drawing_its_texts_are_kept_and_not_its_data(
    data: tuple[str, ...], heading: str
) -> None:
    text = drawing(*data, heading=heading)
    found = "\n".join(chunk.text for chunk in chunk_document(text, ChunkSizes()).chunks)
    assert "otter sketch" in found
    assert not any(word in found for word in ("strokeColor", "N4KAk", "elements", '"'))


def test_a_text_in_the_data_of_a_drawing_alone_is_kept_in_its_place() -> None:
    data = (
        '{"elements": [{"text": "heron\\nby the pond", "strokeColor": "red"}, {"name": "Reeds"}]}'
    )
    chunks = chunk_document(drawing("```json", data, "```"), ChunkSizes()).chunks
    [line] = [line for chunk in chunks for line in chunk.text.split("\n") if "heron" in line]
    assert line == "heron by the pond · Reeds"


_COMPRESSED = (
    "N4IgpgNmC2YHYBcDOIBcBtUCCeAHMaIAZgE4CGsIANCHBQaiAGLmwAEA9kW0QJZFgkbQDwbgSP2QAXypY8DEAjAA",
    "PBNXlKVjMhA5wCNJGDAATNAEYATAGYALAFYpM/IQXLVLjSAi8kCo2zIARhwAbgQSALoSQA==",
)
"""The elements of a drawing, as lz-string compresses them."""


@pytest.mark.parametrize("heading", ["## Drawing", "", "# Zeichnung"])
def test_names_and_texts_in_compressed_data_are_kept_in_its_place(heading: str) -> None:
    text = drawing("```compressed-json", *_COMPRESSED, "```", heading=heading)
    found = "\n".join(chunk.text for chunk in chunk_document(text, ChunkSizes()).chunks)
    assert "Frame of fifes 🎉 · alone · listed above" in found
    assert not any(word in found for word in ("N4Ig", "12345", "seed"))


@pytest.mark.parametrize("data", ["A" * 4_000, "/" * 4_000, "Q" * 400_001, "BYUw", "?" * 99, ""])
def test_damaged_data_costs_no_text(data: str) -> None:
    text = drawing("```compressed-json", data, "```")
    found = "\n".join(chunk.text for chunk in chunk_document(text, ChunkSizes()).chunks)
    assert "otter sketch" in found


def test_what_a_person_writes_below_a_heading_drawing_is_kept() -> None:
    text = drawing('{"strokeColor": "red"}').replace(
        "# Excalidraw Data", "# Drawing\n\nA plan of the pond.\n\n# Excalidraw Data"
    )
    found = "\n".join(chunk.text for chunk in chunk_document(text, ChunkSizes()).chunks)
    assert "A plan of the pond." in found
    assert "strokeColor" not in found


def test_data_in_a_note_that_is_not_a_drawing_is_kept() -> None:
    text = '# Drawing\n\n```json\n{"strokeColor": 1}\n```\n'
    assert "strokeColor" in chunk_document(text, ChunkSizes()).chunks[0].text


@given(st.lists(LINES, max_size=20))
def test_a_drawing_has_as_many_lines_as_its_file(lines: list[str]) -> None:
    outline = parse_outline([*split_lines(drawing()), *lines])
    shown = without_drawing_data([*split_lines(drawing()), *lines], outline.headings)
    assert len(shown) == len(split_lines(drawing())) + len(lines)
