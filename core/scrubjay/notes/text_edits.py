"""Changes to the text of one note: new text at an end, another passage, another property."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterable
from enum import StrEnum
from typing import Any

from msgspec import Struct

from scrubjay.errors import NoteRefused
from scrubjay.messages import msg
from scrubjay.notes.daily_note import as_lines, checked_text, clean_entry, note_entry
from scrubjay.notes.note_edits import LINE_END
from scrubjay.text.markdown import all_headings, parse_outline, property_lines, split_lines
from scrubjay.text.note_names import name_key
from scrubjay.text.printable import NEVER_SEEN, find_passage

_PROPERTY_NAME = re.compile(r"[^\W_][\w .-]{0,79}")
"""Names of properties that YAML reads as they are."""

_ANY_PROPERTY = re.compile(r"(?![\s#]|- )(?:\? |.+:(?:\s|$))")
"""Line of front matter with a property, as YAML allows it."""

_RETURN = re.compile(r"\r(?=\n)")
"""Sign that Windows has before the end of a line."""


class EditKind(StrEnum):
    """What a change does with a text."""

    APPEND = "append"
    CREATE = "create"
    REPLACE = "replace"
    SET = "set"


class TextEdit(Struct, frozen=True):
    """A change to the text of a note."""

    kind: EditKind
    text: str
    """New text, without blank lines around it."""
    heading: str = ""
    """For `append`: the heading whose section gets the text at its end; empty for the note's."""
    passage: str = ""
    """For `replace`: the passage in whose place the text comes. It has to occur once."""
    property_name: str = ""
    """For `set`: the property of the front matter that gets the text as its value."""

    def applied(self, before: str | None, name: str) -> str:
        """The text of a note after the change; before is None for a note that does not exist.

        Raises NoteRefused with the note's name where the change does not fit the text, and
        QueryError for a text that cannot be written.
        """
        # What cannot be written is refused before the note is looked at. In a passage each blank
        # counts, and without any text it is deleted.
        if self.kind is EditKind.REPLACE:
            text = checked_text(self.text)
        else:
            text = clean_entry(self.text)
        if self.kind is EditKind.CREATE:
            if before is not None:
                raise _misfit(
                    name,
                    msg("The note already exists."),
                    hint="Use action append or replace, or pass another path.",
                )
            return f"{text}\n"
        if before is None:
            raise _misfit(
                name,
                msg("The note does not exist."),
                hint="Use action create, or pass the path of an existing note.",
            )
        # What is not changed stays to the letter, also line ends of another system.
        mark = before[: len(before) - len(before.removeprefix("\ufeff"))]
        text = as_lines(text, before)
        body = before.removeprefix(mark)
        match self.kind:
            case EditKind.REPLACE:
                body = _with_passage(body, self.passage, text, name=name)
            case EditKind.SET:
                body = _with_property(body, self.property_name, text, name=name)
            case _:
                body = _with_addition(body, self.heading, text, name=name)
        return mark + body


def _with_passage(text: str, passage: str, replacement: str, name: str) -> str:
    """The text with a passage replaced."""
    # Agents see the ends of lines of all systems as one.
    wanted = "\n".join(split_lines(passage.strip("\r\n")))
    found = find_passage(text, wanted, _RETURN)
    # Nor do they see what is hidden, such as the soft hyphens of a clipped page.
    found = found or find_passage(text, wanted, NEVER_SEEN)
    if not found:
        raise _misfit(
            name,
            msg("The note does not contain the text to be replaced."),
            hint="In the passage argument, pass the text exactly as memory_get shows it.",
        )
    if len(found) > 1:
        raise _misfit(
            name,
            msg("The text to be replaced occurs {n} times in the note.", n=len(found)),
            hint="Pass more of the text around it, so that it occurs only once.",
        )
    [place] = found
    return text[: place.start] + replacement + text[place.stop :]


def _with_addition(text: str, heading: str, addition: str, name: str) -> str:
    """The text with an addition at its end, or at the end of the section of a heading."""
    end = len(text)
    if heading:
        end = _section_end(text, heading, name=name)
    # The addition follows the last line with text; blank lines stay below it.
    above = text[:end].rstrip()
    below = text[len(above) :]
    break_ = as_lines("\n", text)
    if above:
        above += break_
    # An addition after an item of a list is one more item.
    gap, entry = note_entry(addition, above)
    return above + as_lines(gap, text) + entry + (below or break_)


def _section_end(text: str, wanted: str, name: str) -> int:
    """The place where the only section with a heading ends."""
    # With the signs of a heading, only one of that level is meant.
    marks = len(wanted) - len(wanted.lstrip("#"))
    key = name_key(wanted.lstrip("#").strip())
    headings = all_headings(split_lines(text))
    found = [each for each in headings if name_key(each.text) == key and marks in (0, each.level)]
    if not found:
        hint = ""
        if headings:
            hint = msg("Pass one of the choices as the heading argument.")
        raise _misfit(
            name,
            msg("The note does not have the heading {heading}.", heading=repr(wanted)),
            hint,
            choices=[each.text for each in headings],
        )
    if len(found) > 1:
        raise _misfit(
            name,
            msg(
                "The note has the heading {heading} {n} times.", heading=repr(wanted), n=len(found)
            ),
            hint=msg(
                "They are on lines {lines}. Use action replace with a passage that occurs only "
                "once.",
                lines=", ".join(str(each.line) for each in found),
            ),
        )
    # It ends where a heading of its own level or of a higher one follows.
    [heading] = found
    following = (
        each.line for each in headings if each.line > heading.line and each.level <= heading.level
    )
    line = next(following, None)
    if line is None:
        return len(text)
    ends = [match.end() for match in LINE_END.finditer(text)]
    return ends[line - 2]


def _with_property(text: str, key: str, value: str, name: str) -> str:
    """The text with another value of a property, in front matter that is made if necessary."""
    # A name or a value that would be read as something else is not written.
    key = key.strip()
    if not _PROPERTY_NAME.fullmatch(key):
        raise _misfit(
            name,
            msg("{key} is not a valid property name.", key=repr(key)),
            hint="In the property argument, pass a name such as status.",
        )
    if "\n" in value:
        raise _misfit(name, msg("The value of a property must be on one line."))
    line = f"{key}: {_yaml_value(value.strip())}"
    lines = text.split("\n")
    end = as_lines("\n", text)
    body_start = parse_outline(lines).body_start
    # A note without front matter gets some, above everything else.
    if not body_start:
        return f"---{end}{line}{end}---{end}{end}{text}"
    # The property with the lines of its former value, or a new one at the end.
    line += end.removesuffix("\n")
    block = lines[1 : body_start - 1]
    pattern = re.compile(rf"([\"']?){re.escape(key)}\1\s*:", re.IGNORECASE)
    texts = [each for each in block if each.strip() and not each.startswith("#")]
    if texts and not any(map(_ANY_PROPERTY.match, texts)):
        raise _misfit(
            name,
            msg("The --- at the beginning of the note is a horizontal rule, without properties."),
            hint="Use action replace or append.",
        )
    former = next(property_lines(block, pattern), None)
    if former is None:
        block.append(line)
    else:
        at = next(number for number, each in enumerate(block) if pattern.match(each))
        block[at : at + len(former)] = [line]
    return "\n".join([lines[0], *block, *lines[body_start - 1 :]])


def _yaml_value(value: str) -> str:
    """A value as YAML reads it again."""
    from scrubjay.text.plain_yaml import parse_plain_yaml  # late: few changes set a property

    read: Any = None
    with contextlib.suppress(ValueError):
        read = parse_plain_yaml(value)
    # Days, numbers, truths and lists of such values stay what they are. A string of JSON is one of
    # YAML as well.
    is_list = isinstance(read, list) and value.startswith("[")
    is_flat = is_list and not any(isinstance(each, list | dict) for each in read)
    is_same = not isinstance(read, list | dict) and str(read) == value
    if is_flat or is_same or value in ("true", "false"):
        return value
    return json.dumps(value, ensure_ascii=False)


def _misfit(name: str, reason: str, hint: str = "", *, choices: Iterable[str] = ()) -> NoteRefused:
    title = msg("{name} cannot be changed", name=name)
    return NoteRefused(title, reason, hint=hint, choices=choices)
