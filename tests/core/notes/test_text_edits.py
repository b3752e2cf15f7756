"""Changes to the text of a note: what is asked for changes, and every other letter stays."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.errors import NoteRefused, QueryError
from scrubjay.notes.text_edits import EditKind, TextEdit
from scrubjay.text.markdown import parse_front_matter, split_lines
from scrubjay.text.plain_yaml import parse_plain_yaml

NOTE = "---\ntags: [a]\n---\n# Garden\n\n## Pond\n\n- fish\n- frogs\n\n## Beds\n\nRoses.\n"


def append(text: str, heading: str = "") -> TextEdit:
    return TextEdit(EditKind.APPEND, text, heading=heading)


def replaced(passage: str, text: str) -> TextEdit:
    return TextEdit(EditKind.REPLACE, text, passage=passage)


def with_property(name: str, value: str) -> TextEdit:
    return TextEdit(EditKind.SET, value, property_name=name)


@pytest.mark.parametrize(
    ("before", "edit", "after"),
    [
        ("# A\n", append("One."), "# A\n\nOne.\n"),
        ("# A", append("One."), "# A\n\nOne.\n"),
        ("- a\n", append("b"), "- a\n- b\n"),
        ("1. a\r\n", append("b"), "1. a\r\n2. b\r\n"),
        ("", append("b"), "b\n"),
        ("## X\n\n- a\n\n## Y\n\nz\n", append("b", "X"), "## X\n\n- a\n- b\n\n## Y\n\nz\n"),
        ("## X\na\n### Z\nq\n# Y\n", append("b", "## X"), "## X\na\n### Z\nq\n\nb\n# Y\n"),
        ("# X\r\n\r\n# Y\r\n", append("b", "x"), "# X\r\n\r\nb\r\n\r\n# Y\r\n"),
        ("# Ärger\n", append("b", "arger"), "# Ärger\n\nb\n"),
        ("X\n---\na\n\nY\n---\n", append("b", "X"), "X\n---\na\n\nb\n\nY\n---\n"),
        ("X\n===\r\na\r\n\r\n# Y", append("b", "# x"), "X\n===\r\na\r\n\r\nb\r\n\r\n# Y"),
        ("## X\na\nb\n---\nc\n", append("d", "X"), "## X\na\nb\n---\nc\n\nd\n"),
        ("a\n\n```\n# X\n```\n# X\n", append("b", "X"), "a\n\n```\n# X\n```\n# X\n\nb\n"),
        ("one two three\n", replaced("two", "2"), "one 2 three\n"),
        ("one\r\ntwo\r\nthree\r\n", replaced("one\ntwo", "1\n2"), "1\r\n2\r\nthree\r\n"),
        ("a.b axb\n", replaced("a.b", r"\1"), "\\1 axb\n"),
        ("one two three\n", replaced("two ", "TWO "), "one TWO three\n"),
        ("one  \ntwo\n", replaced("one  \ntwo", "1  \n2"), "1  \n2\n"),
        ("one two three\n", replaced(" two", ""), "one three\n"),
        ("T\n", with_property("up", "[[Project X]]"), '---\nup: "[[Project X]]"\n---\n\nT\n'),
        ("T\n", with_property("a", "true"), "---\na: true\n---\n\nT\n"),
        ("T\n", with_property("a", "00"), '---\na: "00"\n---\n\nT\n'),
        ("T\n", with_property("a", "2026-11-27"), "---\na: 2026-11-27\n---\n\nT\n"),
        ("T\n", with_property("a", "[b] see [c]"), '---\na: "[b] see [c]"\n---\n\nT\n'),
        ("\ufeffone\n", replaced("one", "1"), "\ufeff1\n"),
        ("Text.\n", with_property("status", "done"), "---\nstatus: done\n---\n\nText.\n"),
        ('---\n"a": 1\n---\n', with_property("a", "3"), "---\na: 3\n---\n"),
        ("one \u200btw\xado\n", replaced("one two", "1"), "1\n"),
        ("a\u2028b\r\nc\xad\r\nd\n", replaced("ab\nc\nd", "1"), "1\n"),
        ("- a\n- b\n\n# X\n", append("- c\n- d"), "- a\n- b\n\n# X\n\n- c\n- d\n"),
        ("- a\n- b\n", append("- c\n- d"), "- a\n- b\n- c\n- d\n"),
        ("# X\r\n- [ ] a\r\n", append("- [ ] b", "X"), "# X\r\n- [ ] a\r\n- [ ] b\r\n"),
        ("1. a\n", append("2. b"), "1. a\n2. b\n"),
        ("- a\n", append("* b"), "- a\n\n* b\n"),
        ("- a\n", append("> b"), "- a\n\n> b\n"),
        ("---\na: 1\nB: 2\n---\n", with_property("b", "3"), "---\na: 1\nb: 3\n---\n"),
        (
            "---\ntags:\n  - x\n  - y\nb: 2\n---\nT\n",
            with_property("tags", "[z]"),
            "---\ntags: [z]\nb: 2\n---\nT\n",
        ),
        ("---\r\na: 1\r\n---\r\n", with_property("b", "2"), "---\r\na: 1\r\nb: 2\r\n---\r\n"),
        ("\ufeff---\na: 1\n---\n", with_property("a", "2"), "\ufeff---\na: 2\n---\n"),
    ],
)
def test_a_change_is_made_and_all_else_stays(before: str, edit: TextEdit, after: str) -> None:
    assert edit.applied(before, "a.md") == after


@pytest.mark.parametrize(
    ("before", "edit", "reason"),
    [
        ("a\n", append("b", "Plan"), "does not have the heading"),
        ("# X\n\n## X\n", append("b", "X"), "2 times"),
        ("one one\n", replaced("one", "1"), "occurs 2 times"),
        ("one\n", replaced("two", "2"), "does not contain"),
        ("one\n", replaced(" ", "2"), "does not contain"),
        ("one\n", with_property("a: b", "2"), "not a valid property name"),
        ("one\n", with_property("a", "1\n2"), "one line"),
        ("one\n", TextEdit(EditKind.CREATE, "b"), "already exists"),
        ("one\n", with_property("? y", "2"), "not a valid property name"),
        ("one\n", with_property("*y", "2"), "not a valid property name"),
        ("one\n", with_property("a\rb", "2"), "not a valid property name"),
        (None, append("b"), "does not exist"),
        ("---\n\nOne.\n\n---\nTwo.\n", with_property("a", "2"), "is a horizontal rule"),
        ("---\n# One\nTwo.\n---\nThree.\n", with_property("a", "2"), "is a horizontal rule"),
        ("---\n- one: two\n---\nThree.\n", with_property("a", "2"), "is a horizontal rule"),
    ],
)
def test_what_does_not_fit_is_refused(before: str | None, edit: TextEdit, reason: str) -> None:
    with pytest.raises(NoteRefused, match=reason):
        edit.applied(before, "a.md")


def test_headings_of_one_name_are_told_with_their_lines() -> None:
    with pytest.raises(NoteRefused) as error:
        append("b", "X").applied("X\n===\n\nX\n---\n", "a.md")
    assert "They are on lines 1, 4." in str(error.value.hint)


@pytest.mark.parametrize("text", ["", "  \n", "a\0b", "\ud800"])
def test_a_text_that_cannot_be_written_is_refused(text: str) -> None:
    with pytest.raises(QueryError):
        append(text).applied("a\n", "a.md")


def test_headings_that_are_there_are_named() -> None:
    with pytest.raises(NoteRefused) as refusal:
        append("b", "Plan").applied(NOTE, "a.md")
    # Apart from the sentences, as anybody may have written them.
    assert refusal.value.choices == ("Garden", "Pond", "Beds")
    assert "Pond" not in str(refusal.value)


WRITTEN = st.text(
    st.characters(exclude_categories=("Cs", "Cc"), exclude_characters="\ufeff\x85\u2028\u2029"),
    min_size=1,
    max_size=40,
).filter(str.strip)
LINES = st.lists(
    st.sampled_from(["# A", "## B", "### C", "- x", "", "text", "```", "1. y", "> q", "---"])
)


@given(LINES, WRITTEN, st.sampled_from(["\n", "\r\n"]))
def test_an_addition_only_adds(lines: list[str], text: str, end: str) -> None:
    before = end.join(lines)
    after = append(text).applied(before, "a.md")
    # The note without the addition is the note as it was, but for blank lines at its end.
    assert after.startswith(before.rstrip())
    assert text.strip() in after.removeprefix(before.rstrip())


@given(LINES, WRITTEN)
def test_an_addition_below_a_heading_only_adds(lines: list[str], text: str) -> None:
    before = "\n".join(["# Only", *lines])
    after = append(text, "Only").applied(before, "a.md")
    kept = iter(split_lines(after))
    assert all(line in kept for line in split_lines(before) if line)


@given(st.text(max_size=30), WRITTEN, st.text(max_size=30))
def test_a_passage_is_replaced_where_it_stands(above: str, text: str, below: str) -> None:
    before = f"{above}\n@@passage@@\n{below}"
    after = replaced("@@passage@@", text).applied(before, "a.md")
    assert after == f"{above}\n{text}\n{below}"


@given(WRITTEN)
def test_a_property_is_read_as_it_was_set(value: str) -> None:
    after = with_property("status", value).applied("Text.\n", "a.md")
    pairs, body_start = parse_front_matter(split_lines(after))
    assert body_start
    assert list(pairs) == ["status"]
    read = parse_plain_yaml("\n".join(split_lines(after)[1 : body_start - 1]))
    # A list and a truth stand as they are; everything else is the text that was set.
    if value.strip() in ("true", "false"):
        assert read["status"] is (value.strip() == "true")
    elif not value.strip().startswith("["):
        assert str(read["status"]) == value.strip()


@pytest.mark.parametrize("line", ["# comment", "a:b: 1", "-x: 1", "? a\n: b", "x:", "'a b': 1", ""])
def test_properties_of_any_form_get_one_more(line: str) -> None:
    after = with_property("status", "done").applied(f"---\n{line}\n---\nText.\n", "a.md")
    assert after == f"---\n{line}\nstatus: done\n---\nText.\n"


@pytest.mark.parametrize(
    ("text", "passage"),
    [
        ("a" + "\u200d" * 3_000 + "c", "a" + "\u200d" * 50 + "b"),
        ("\ufe0f".join("a" * 20_000), "a" * 5_000 + "b"),
        ("a\n" * 100_000, "a\n" * 50_000 + "b"),
    ],
)
def test_no_passage_makes_a_note_take_for_ever(text: str, passage: str) -> None:
    with pytest.raises(NoteRefused, match="does not contain"):
        replaced(passage, "1").applied(text, "a.md")


def test_a_passage_of_hidden_signs_alone_is_not_found() -> None:
    with pytest.raises(NoteRefused, match="does not contain"):
        replaced("\u200b\u200d", "1").applied("one two\n", "a.md")


def test_an_emoji_of_several_is_replaced_as_it_is_shown() -> None:
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
    after = replaced(f"the {family}", "us").applied(f"of th\xade {family}\ufe0f!\n", "a.md")
    assert after == "of us\ufe0f!\n"
