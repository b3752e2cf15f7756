"""The tags that notes have."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.text.markdown import parse_front_matter, split_lines
from scrubjay.text.tags import note_tags, org_tags, tag_key


def tags_of(text: str) -> tuple[str, ...]:
    lines = split_lines(text)
    return note_tags(lines, parse_front_matter(lines)[1])


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("Plant #garlic today.", ["garlic"]),
        ("#garden/pond and #garden.", ["garden/pond", "garden"]),
        ("#Garden and #garden", ["Garden"]),
        ("#año #年 #a-b_c", ["año", "年", "a-b_c"]),
        ("# Heading\n\n## Other", []),
        ("#1 and #2026", []),
        ("#y2026", ["y2026"]),
        ("cake #🎉 and #☀️, #party🎉", ["🎉", "☀️", "party🎉"]),
        ("---\ntags: [🎉, हिन्दी]\n---\n", ["🎉", "हिन्दी"]),
        ("a#b, [x](#c), http://d.org/#e", []),
        ("`#code` but #tag, ``#a ` #b``", ["tag"]),
        ("```sh\n#no\n```\n#yes", ["yes"]),
        ("~~~\n#no\n```\n#no\n~~~\n#yes", ["yes"]),
        ("Text\n\n    #code\n\n#yes", ["yes"]),
        ("- item\n\n    #yes", ["yes"]),
        ("---\ntags: garden, pond\n---\n", ["garden", "pond"]),
        ('---\ntags: [garden, "#pond"]\n---\n', ["garden", "pond"]),
        ("---\ntags:\n  - garden\n  - work/clients\ntitle: x\n---\n", ["garden", "work/clients"]),
        ("---\ntags:\n- garden\naliases:\n- pond\n---\n", ["garden"]),
        ("---\nTag: garden\n---\n#pond", ["garden", "pond"]),
        ("tags:: garden, pond", ["garden", "pond"]),
        ("color #fff;", ["fff"]),
    ],
)
def test_tags_are_read(text: str, tags: list[str]) -> None:
    assert list(tags_of(text)) == tags


@given(st.text(alphabet="#ab1/-_`~ \n\t:tags[],'\"é.", max_size=200))
def test_any_text_gives_tags_that_are_compared_by_distinct_keys(text: str) -> None:
    tags = tags_of(text)
    keys = [tag_key(tag) for tag in tags]
    assert len({*keys}) == len(keys)
    assert all(keys)
    assert not any(set(tag) & set("# \t\n`") for tag in tags)


@given(st.from_regex(r"[a-zé][a-z0-9_-]{0,9}(/[a-z]{1,5}){0,2}", fullmatch=True))
def test_a_tag_is_read_wherever_it_is_written(name: str) -> None:
    for text in (
        f"Do it #{name}.",
        f"---\ntags: [x1, {name}]\n---\n",
        f"---\ntags:\n- {name}\n---",
    ):
        assert name in tags_of(text)
    for text in (f"`#{name}`", f"```\n#{name}\n```", f"## {name}", f"x#{name}"):
        assert tags_of(text) == ()


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("#+filetags: :boats:harbour:\n* Oar\n", ["boats", "harbour"]),
        ("#+FILETAGS: boats harbour\n", ["boats", "harbour"]),
        ("#+filetags: :boats:\n#+filetags: :Boats:sail:\n", ["boats", "sail"]),
        ("#+roam_tags: boats sail\n", ["boats", "sail"]),
        ("* TODO [#A] Mend the oar :boats:@home:\n** Sail   :sail:\n", ["boats", "home", "sail"]),
        ("#+begin_src org\n* Oar :boats:\n#+end_src\n* Sail :sail:\n", ["sail"]),
        ("* A ratio of 3:4:\n :not:a:heading:\n:PROPERTIES:\n:ID: 12\n:END:\n", []),
        ("#+filetags:\n# :comment:\n#no\n", []),
        ("* Years :2026:\n", []),
    ],
)
def test_tags_of_org_are_those_of_the_file_and_of_its_headings(text: str, tags: list[str]) -> None:
    assert list(org_tags(split_lines(text))) == tags


@given(st.text(alphabet="*#+: @aé1-_tagsfile\n", max_size=80))
def test_any_text_has_tags_of_org_that_a_question_can_name(text: str) -> None:
    tags = org_tags(split_lines(text))
    assert [note_tags([f"#{tag}"], 0) for tag in tags] == [(tag.strip("/"),) for tag in tags]
