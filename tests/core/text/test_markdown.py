"""The structure that search takes from Markdown."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.text.markdown import Break, find_date, parse_outline, split_lines


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", []),
        ("a", ["a"]),
        ("a\n", ["a"]),
        ("a\n\n", ["a", ""]),
        ("a\r\nb\rc\nd", ["a", "b", "c", "d"]),
        ("a\x0bb\x0cc\u2028d\x85e", ["a\x0bb\x0cc\u2028d\x85e"]),
    ],
)
def test_lines_are_counted_as_editors_do(text: str, lines: list[str]) -> None:
    assert split_lines(text) == lines


@given(st.text())
def test_every_line_gets_a_break(text: str) -> None:
    lines = split_lines(text)
    assert len(parse_outline(lines).breaks) == len(lines)


@pytest.mark.parametrize(
    ("line", "heading"),
    [
        ("# One", (1, "One")),
        ("###### Six ##", (6, "Six")),
        ("   ## Indented", (2, "Indented")),
        ("#", (1, "")),
        ("#\tTab", (1, "Tab")),
        ("# C#", (1, "C#")),
    ],
)
def test_headings_are_seen(line: str, heading: tuple[int, str]) -> None:
    [found] = parse_outline([line]).headings
    assert (found.level, found.text) == heading


@pytest.mark.parametrize("line", ["#tag", "####### seven", "    # code", "\\# no", "- # no"])
def test_what_only_looks_like_a_heading(line: str) -> None:
    assert parse_outline([line]).headings == ()


def test_nothing_inside_a_fence_is_a_heading() -> None:
    lines = ["````", "# no", "```", "# no", "````", "# Yes"]
    found = parse_outline(lines)
    assert [heading.line for heading in found.headings] == [6]
    assert list(found.breaks[1:5]) == [Break.NEVER] * 4


def test_a_fence_that_is_never_closed_goes_to_the_end() -> None:
    assert parse_outline(["text", "~~~", "# no", "# no"]).headings == ()


def test_inline_code_opens_no_fence() -> None:
    assert len(parse_outline(["```inline``` code", "# Yes"]).headings) == 1


def test_the_kinds_of_breaks() -> None:
    lines = ["text", "text", "", "para", "- item", "1. item", "| a |", "| b |", "# H", "after"]
    assert list(parse_outline(lines).breaks) == [
        Break.HEADING,
        Break.LINE,
        Break.LINE,
        Break.BLANK,
        Break.LIST_ITEM,
        Break.LIST_ITEM,
        Break.LINE,
        Break.NEVER,
        Break.HEADING,
        Break.BLANK,
    ]


@pytest.mark.parametrize("key", ["date", "created", "fecha", "date created", "creation date"])
def test_usual_keys_of_front_matter_give_the_date(key: str) -> None:
    found = parse_outline(["---", f"{key}: 2026/05/01", "---", "# Head"])
    assert found.date == dt.date(2026, 5, 1)


def test_front_matter_gives_title_and_date() -> None:
    found = parse_outline(
        ["---", 'Title: "Trip"', "date: 2026-05-01", "tags: [a]", "---", "# Head"]
    )
    assert (found.title, found.date) == ("Trip", dt.date(2026, 5, 1))
    assert found.front_matter["tags"] == "[a]"


def test_front_matter_that_never_ends_is_text() -> None:
    found = parse_outline(["---", "title: No", "# Yes"])
    assert (found.front_matter, found.title) == ({}, "")


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("# Boiler\n\nCall Ramón", "Boiler"),
        ("\n\n#\n# Boiler #\n## Parts", "Boiler"),
        ("Boiler\n======\n\nCall Ramón", "Boiler"),
        ("---\ntags: [home]\n---\n# Boiler", "Boiler"),
        ('---\ntitle: "Heating"\n---\n# Boiler', "Heating"),
        # What is not text may stand above it: badges, comments, tags, a rule.
        ("[![ci](https://x.org/a.svg)](https://x.org)\n# Boiler", "Boiler"),
        ("![[cover.png]]\n<!-- made by hand -->\n<p align=center>\n***\n# Boiler", "Boiler"),
        # A heading of a part, or one below text, does not name the whole.
        ("## Notes\nwalrus", ""),
        ("## Notes\n# Boiler", ""),
        ("Written in May.\n\n# Boiler", ""),
        ("#water #house\n# Boiler", ""),
        ("```\n# Boiler\n```", ""),
        ("no heading", ""),
        ("", ""),
    ],
)
def test_a_text_is_called_by_its_property_or_by_the_heading_at_its_top(
    text: str, title: str
) -> None:
    assert parse_outline(text.split("\n")).title == title


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("2026-02-01", dt.date(2026, 2, 1)),
        ("2026-02-01-topic.md", dt.date(2026, 2, 1)),
        ("2026-02-01-1530.md", dt.date(2026, 2, 1)),
        ("2024-02-29", dt.date(2024, 2, 29)),
        ("Staff meeting 2026-11-03", dt.date(2026, 11, 3)),
        ("3 November 2026", dt.date(2026, 11, 3)),
        ("20261103 governors", dt.date(2026, 11, 3)),
        ("2026.11.03 governors", dt.date(2026, 11, 3)),
        ("2026_11_03", dt.date(2026, 11, 3)),
        ("Reunión 5-11-2026", dt.date(2026, 11, 5)),
        ("5/11/2026", dt.date(2026, 11, 5)),
        ("2026/11/03", dt.date(2026, 11, 3)),
        ("IMG_20261103_101500", dt.date(2026, 11, 3)),
        ("Nov 3 2026", dt.date(2026, 11, 3)),
        ("3 sept. 2026", dt.date(2026, 9, 3)),
        ("call 0117202611031", None),
        ("20261399", None),
        ("Thursday 8 October 2026", dt.date(2026, 10, 8)),
        ("the 1st of May 2025", dt.date(2025, 5, 1)),
        ("November 3rd, 2026", dt.date(2026, 11, 3)),
        ("3 de noviembre de 2026", dt.date(2026, 11, 3)),
        ("31 November 2026", None),
        ("2026-02-30", None),
        ("2026-13-01 then 2026-01-13", dt.date(2026, 1, 13)),
        ("0000-01-01", None),
        ("2026-02-011", None),
        ("no date", None),
        ("", None),
    ],
)
def test_impossible_dates_are_no_dates(text: str, date: dt.date | None) -> None:
    assert find_date(text) == date


@pytest.mark.parametrize(
    "text",
    [
        "---\ndate: 2026-11-03\n---\n# Plan\n",
        "---\ncreated: 2026-11-03T10:00\n---\n# Plan\n",
        "# 3 November 2026\n\nRain.\n",
        "# Martes 3 de noviembre de 2026\n",
    ],
)
def test_front_matter_and_the_heading_at_the_top_give_the_day(text: str) -> None:
    assert parse_outline(split_lines(text)).date == dt.date(2026, 11, 3)


def test_a_heading_further_down_gives_no_day() -> None:
    assert parse_outline(["# Diary", "## 3 November 2026"]).date is None
