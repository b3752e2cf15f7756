"""Structure of plain texts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.text.file_kinds import text_ending
from scrubjay.text.text_outline import note_outline

ORG = """#+title: Garden
* TODO Pond :water:
#+begin_src
* no heading
#+end_src
** Weed
"""
RST = """======
Garden
======

Words
of a paragraph

Pond
----
- fish

Weed
~~~~

===  ===
a    b
===  ===
"""
ADOC = "= Garden\n:date: 2026-11-02\n\n== Pond\n----\n== no heading\n----\n=== Weed\n"
TEX = (
    "\\title{Garden}\n\\section{Garden}\n% a comment\n\\subsection*{Pond}\n\\subsubsection{Weed}\n"
)


@pytest.mark.parametrize(
    ("name", "text", "title", "headings"),
    [
        ("a.org", ORG, "Garden", [(2, "Pond"), (6, "Weed")]),
        ("a.rst", RST, "Garden", [(2, "Garden"), (8, "Pond"), (12, "Weed")]),
        ("a.adoc", ADOC, "Garden", [(1, "Garden"), (4, "Pond"), (8, "Weed")]),
        ("a.tex", TEX, "Garden", [(2, "Garden"), (4, "Pond"), (5, "Weed")]),
        ("a.txt", "# Garden\n\n#2 of it\n", "", []),
        ("a.MARKDOWN", "# Garden\n\n## Pond\n", "Garden", [(1, "Garden"), (3, "Pond")]),
    ],
)
def test_headings_are_those_of_the_format(
    name: str, text: str, title: str, headings: list[tuple[int, str]]
) -> None:
    found = note_outline(text.splitlines(), name)
    assert found.title == title
    assert [(each.line, each.text) for each in found.headings] == headings
    assert sorted({each.level for each in found.headings}) == [
        each.level for each in found.headings
    ]


@given(st.text(), st.sampled_from([".txt", ".org", ".rst", ".adoc", ".tex", ".md"]))
def test_every_line_has_a_break(text: str, ending: str) -> None:
    lines = text.split("\n")
    assert len(note_outline(lines, f"a{ending}").breaks) == len(lines)
    assert text_ending(f"x{ending.upper()}") == ending
