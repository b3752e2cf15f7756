from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.notes.note_links import (
    WIKI_LINK,
    Link,
    LinkTargets,
    anchor_line,
    anchor_section,
    find_links,
    joins_lines,
)

LABELS = [
    "Boiler.md",
    "House/Heating/Boiler.md",
    "House/Roof.md",
    "Garden/Pond.md",
    "Garden/Deep/Old/Pond.md",
    "School/Pond.md",
    "Ideas v1.2.md",
    "attachments/leaf.png",
]


@pytest.mark.parametrize(
    ("target", "source", "label"),
    [
        ("Boiler", "House/Roof.md", "Boiler.md"),
        ("boiler.MD", "", "Boiler.md"),
        ("Heating/Boiler", "", "House/Heating/Boiler.md"),
        ("House/Heating/Boiler", "", "House/Heating/Boiler.md"),
        ("Roof", "Garden/Pond.md", "House/Roof.md"),
        ("Pond", "", "Garden/Pond.md"),
        ("Pond", "Garden/Plan.md", "Garden/Pond.md"),
        ("Pond", "Garden/Deep/Plan.md", "Garden/Deep/Old/Pond.md"),
        ("./Pond", "School/Plan.md", "School/Pond.md"),
        ("../House/Roof", "School/Plan.md", "House/Roof.md"),
        ("/Boiler", "House/Heating/x.md", "Boiler.md"),
        ("Ideas v1.2", "", "Ideas v1.2.md"),
        ("leaf.png", "House/Roof.md", "attachments/leaf.png"),
        ("Ponds", "", ""),
        ("../../Boiler", "House/Roof.md", ""),
        ("oof", "", ""),
        ("", "", ""),
    ],
)
def test_a_link_finds_the_note_that_obsidian_would_open(
    target: str, source: str, label: str
) -> None:
    assert LinkTargets(LABELS).find(target, source) == label


def test_a_relative_link_is_looked_for_beside_its_note_first() -> None:
    targets = LinkTargets(LABELS)
    assert targets.find("Boiler.md", "House/Heating/x.md", is_relative=True) == (
        "House/Heating/Boiler.md"
    )
    assert targets.find("House/Roof.md", "School/Plan.md", is_relative=True) == "House/Roof.md"


@given(st.text(max_size=40), st.sampled_from(LABELS))
def test_any_target_has_an_answer(target: str, source: str) -> None:
    assert LinkTargets(LABELS).find(target, source) in ["", *LABELS]


@pytest.mark.parametrize(
    ("link", "label"),
    [
        (Link(1, "Ideas%20v1.2.md", is_wiki=False), "Ideas v1.2.md"),
        (Link(1, "Ideas%20v1.2", is_wiki=True), ""),
        (Link(1, "../Roof.md", is_wiki=False), "House/Roof.md"),
        (Link(1, "../../../etc/passwd", is_wiki=False), ""),
    ],
)
def test_a_link_is_followed_as_it_was_written(link: Link, label: str) -> None:
    assert LinkTargets(LABELS).follow(link, "House/Heating/x.md") == label


NAMES = st.text(st.characters(exclude_characters="[]|#\n\r\\`/"), min_size=1, max_size=20).filter(
    lambda name: name == name.strip() and name.splitlines() == [name]
)


@given(NAMES, NAMES, NAMES, st.text(st.sampled_from("ab \n"), max_size=5))
def test_a_link_is_read_wherever_it_stands(name: str, place: str, shown: str, other: str) -> None:
    written = f"{other}[[{name}]] ![[{name}#{place}|{shown}]] [x](<{name.replace('>', '')}.md>)"
    links = [link.target for link in find_links(written.split("\n")) if link.is_wiki]
    assert links == [name, name]


@given(st.text(st.sampled_from("[]|#!()<>\\`ab \n~"), max_size=60))
def test_any_text_is_read_for_links(text: str) -> None:
    lines = text.split("\n")
    for link in find_links(lines):
        assert link.target in lines[link.line - 1]
        assert LinkTargets(LABELS).follow(link, "House/Roof.md") in ["", *LABELS]
    for match in WIKI_LINK.finditer(text):
        assert match[0].endswith("]]")


NOTE = "---\ntitle: x\n---\n# Top\n\n## The *Heating*\n\ntext ^abc1\n\n### Costs: 2026\n"


@pytest.mark.parametrize(
    ("place", "line"),
    [("Top", 4), ("Costs 2026", 10), ("costs-2026", 10), ("Top#Costs: 2026", 10), ("^abc1", 8),
     ("None", 1), ("^none", 1)],
)  # fmt: skip
def test_a_place_of_a_note_has_a_line(place: str, line: int) -> None:
    assert anchor_line(NOTE, place) == line


TWICE = "# 2025\n\n## Costs\n\n# 2026\n\n## Oil\n\n## Costs\n\n| a |\n|---|\n| b |\n\n^tab\n"


@pytest.mark.parametrize(
    ("place", "line"),
    [("Costs", 3), ("2026#Costs", 9), ("2027#Costs", 3), ("#", 1), ("^tab", 11), ("^ta", 1)],
)
def test_a_place_is_looked_for_below_the_headings_before_it(place: str, line: int) -> None:
    assert anchor_line(TWICE, place) == line


@pytest.mark.parametrize(
    ("settings", "joins"),
    [('{"strictLineBreaks": true}', True), ('{"strictLineBreaks": false}', False), ("{}", False),
     ("[]", False), ("{", False), ("[" * 100_000, False)],
)  # fmt: skip
def test_lines_are_joined_only_where_obsidian_is_told_so(
    tmp_path: Path, settings: str, joins: bool
) -> None:
    assert not joins_lines(tmp_path)
    (tmp_path / ".obsidian").mkdir()
    assert not joins_lines(tmp_path)
    (tmp_path / ".obsidian" / "app.json").write_text(settings)
    assert joins_lines(tmp_path) is joins


PARTS = """---
tags: [x]
---
# A
one
two ^para

- item
- named ^item
  - below

  more
- last

| a |
|-|
| b |

^table

## B
three

### C
four

# D
five"""


@pytest.mark.parametrize(
    ("place", "part"),
    [
        ("", PARTS.partition("---\n# ")[2].join(["# ", ""])),
        ("^para", "one\ntwo ^para"),
        ("^item", "- named ^item\n  - below"),
        ("^table", "| a |\n|-|\n| b |"),
        ("^none", ""),
        ("B", "## B\nthree\n\n### C\nfour\n"),
        ("A#B#C", "### C\nfour\n"),
        ("D", "# D\nfive"),
        ("None", ""),
    ],
)
def test_the_part_of_a_note_that_an_embed_shows(place: str, part: str) -> None:
    assert anchor_section(PARTS, place) == part


UNDERLINED = (
    "---\ntitle: x\n---\nPond\n====\n\nDeep.\n\nReeds\n-----\nGreen.\n\n## Newts\nTwo.\n\n"
    "Prose that ends\nwith a rule\n---\n\n- item\n---\n\n```\nCode\n----\n```\n\n"
    "Pond\n---\nShallow.\n"
)


@pytest.mark.parametrize(
    ("place", "part"),
    [
        ("Pond", "Pond\n====\n\nDeep.\n\nReeds\n-----\nGreen.\n\n## Newts"),
        ("Pond#Reeds", "Reeds\n-----\nGreen.\n"),
        ("Newts", "## Newts\nTwo.\n\nProse that ends\nwith a rule\n---"),
        *((name, "") for name in ("title: x", "with a rule", "item", "Code", "Deep.")),
    ],
)
def test_a_heading_may_be_underlined(place: str, part: str) -> None:
    section = anchor_section(UNDERLINED, place)
    assert section.startswith(part)
    assert bool(section) == bool(part)
    assert "Shallow." in anchor_section(UNDERLINED, "Pond#Pond")


@given(st.text(alphabet="a#^- \n|", max_size=80), st.sampled_from(["", "a", "^a", "^", "#", "a#a"]))
def test_a_part_of_any_text_is_lines_of_it(text: str, place: str) -> None:
    lines = {line.strip() for line in text.split("\n")}
    assert {line.strip() for line in anchor_section(text, place).split("\n")} <= {*lines, ""}
