"""Markdown to the HTML that Qt's text widgets understand, with an anchor for each line."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Mapping, Sequence
from html import escape
from itertools import islice, takewhile
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from msgspec import Struct, field
from msgspec.structs import replace

from scrubjay.errors import ScrubjayError
from scrubjay.notes.bases import BaseTable, BaseTooComplex
from scrubjay.notes.note_edits import EDITED
from scrubjay.notes.note_links import LinkTargets, anchor_section
from scrubjay.text.file_kinds import MAIL, document_kind, is_markdown
from scrubjay.text.plain_snippet import FRONT_MATTER, QUERIES
from scrubjay.text.tags import NAME
from scrubjay_desktop.preview import note_code
from scrubjay_desktop.preview.canvas_picture import is_canvas
from scrubjay_desktop.preview.mail_headers import join_mail_headers
from scrubjay_desktop.preview.note_markdown import markdown_parser, plain_text_parser
from scrubjay_desktop.preview.note_pictures import AttachmentFinder, NotePicture, is_picture
from scrubjay_desktop.text.formatting import (
    format_number,
    part_names,
    plain_tip,
    short_day,
    translate,
)

if TYPE_CHECKING:
    from markdown_it.token import Token

    from scrubjay_desktop.widgets.theme import Colors

# Schemes of links that only the app writes.

NOTE = "note"
"""Scheme of a link to a note by its path."""
FILE = "attachment"
"""Scheme of a link to another file of the folder by its path."""
DEAD = "dead"
"""Scheme of a link to a note that is not there."""
TASK = "task"
"""Scheme of the box of a task by its line."""
TAG = "tag"
"""Scheme of a tag without its sign."""
FOREIGN = "foreign"
"""The scheme of a link whose note wrote one of these schemes itself: only the app may act so."""
_OWN = frozenset({NOTE, FILE, DEAD, TASK, TAG, FOREIGN})

# How much of a note is rendered, and how much its lines cost; measured, or chosen by hand.

LONGEST = 40_000
"""Characters rendered at a time: Qt lays that much out within one blink."""
WHOLE = 600_000
"""Characters rendered where all of a note is wanted, to find a text in it or to print it."""
_MAX_ITEMS = 4_000
"""Items of lists in a whole note: Qt's time for a list grows with their square."""
_ITEM = re.compile(r"^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]", re.MULTILINE)
_ANCHOR = re.compile(r'<a name="L(\d+)"></a>')
_LONGEST_MATTER = 10_000
_MAX_PROPERTIES = 20
_LONGEST_PROPERTY = 200
_GAP = "&ensp;"
"""Gap between chips; lines may end there."""
_LINE_COST = 16
"""Characters that a line takes as much time as, beside its own."""
_SIGN_COSTS = (("[", 20), ("![", 100), ("<", 8), ("::", 60))
"""Characters that some signs take as much time as: many rules look at them, or Qt has to lay them
out by itself."""
_OPEN_COST = 40
"""Characters for a bracket without its end, which is looked for in all of the paragraph."""
_CELL_COST = 60
"""Characters for a cell of a table."""
_MAX_RUNS = 10_000
"""Marked pieces of a paragraph; Qt needs seconds for more."""
# Links, and what people write for tasks, callouts and blocks.

_LINK_IN_PROPERTY = re.compile(
    r"\[\[([^\[\]|\n]+)(?:\|([^\[\]\n]*))?\]\]|(?i:https?://)[^\s,<>\"]+"
)
"""Link to a note with its text, or an address on the web."""
_SCHEME = re.compile(r"(?i)(?:([a-z][a-z0-9+.-]+):|//)")
_ENDING = re.compile(r"\.\w{1,12}$")
_INTERNET = re.compile(r"(?i)(?:https?:)?//")
_VIDEO = re.compile(
    r"(?i)(?:m\.)?(?:youtube(?:-nocookie)?\.com|youtu\.be|(?:player\.)?vimeo\.com)/"
)
"""Beginning of an address of a film, without its scheme."""
_LONGEST_ADDRESS = 60
_WRAPPED = 60
"""Letters of a line that are enough for one that a program wrapped."""
_TASK = re.compile(r"\[([^\]\n])\](?:\s|\Z)")
_CALLOUT = re.compile(r"\[!([\w-]+)\][-+]?[ \t]*")
_BLOCK_LINK = re.compile(r"\(\([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\)\)")
"""Link to a block of Logseq."""
_LOOKS = {
    **dict.fromkeys(("tip", "hint", "important", "success", "check", "done"), "good"),
    **dict.fromkeys(("warning", "caution", "attention", "question", "help", "faq"), "warning"),
    **dict.fromkeys(("danger", "error", "bug", "failure", "fail", "missing"), "danger"),
    **dict.fromkeys(("quote", "cite"), "quote"),
}
"""Kind of callout -> class of the style sheet; all others look like a note."""
_BASE = ".base"
"""End of the name of a file with a table of Obsidian."""
_LONGEST_BASE = 100_000
"""Bytes of such a file up to which it is read."""
_MAX_BASES = 5
_MAX_BASE_ROWS = 50
_TAGS = re.compile(r"<[^>]*>")
_LONGEST_WORD = 14
"""Letters of a word that a narrow column does not break."""
_LONGEST_CELL = 200
"""Characters of a cell of such a table."""
_MAX_EMBEDS = 20
_LONGEST_EMBED = 6_000
"""Characters of one note in another."""
_LONGEST_EMBEDS = 12_000
"""Characters of all notes in another."""
_MAX_BARS = 3
"""Quotations in each other with a bar; Qt needs twice the time for each table in a table."""
_BAR = '<table class="bar" width="100%" cellspacing="0" cellpadding="0"><tr><td class="{look}">\n'
_BAR_END = "</td></tr></table>\n"


class NoteSurroundings(Struct, frozen=True):
    """Where a note is, and what its links may lead to."""

    path: str = ""
    notes: LinkTargets | None = None
    """Notes that links may lead to; None where they are not known: their names are plain text
    then."""
    attachments: AttachmentFinder | None = None
    joins_lines: bool = False
    """Whether the lines of a paragraph are shown as one."""
    read: Callable[[str], str] | None = None
    """Function that reads another note by its path; may raise ScrubjayError. None where none is
    shown."""
    base: Callable[[str, str], BaseTable] | None = None
    """Function that gives a view of a base, by its text and the view's name; may raise
    BaseTooComplex, ScrubjayError or TimeoutError. None where no base is shown."""


NOWHERE = NoteSurroundings()
"""Surroundings of a text that is not a note of a folder."""


class RenderedNote(Struct, frozen=True):
    """A note, ready for a text widget."""

    html: str
    first_line: int
    """1-based first line that is rendered."""
    last_line: int
    anchors: tuple[int, ...]
    """1-based lines with an anchor `L<line>`, ascending."""
    is_excerpt: bool
    """Whether only a part of the note is rendered."""
    pictures: Mapping[str, NotePicture] = field(default_factory=dict)
    """Pictures by the names that the HTML uses."""
    files: Mapping[str, Path] = field(default_factory=dict)
    """Files that links lead to, by the paths that the HTML uses."""

    def anchor_above(self, line: int) -> str:
        """The anchor at or above a line; empty when there is none."""
        above = [anchor for anchor in self.anchors if anchor <= line]
        if not above:
            return ""
        return f"L{above[-1]}"

    def anchor_below(self, line: int) -> str:
        """The first anchor below a line; empty when there is none."""
        return next((f"L{anchor}" for anchor in self.anchors if anchor > line), "")


def render_note_html(
    text: str, line: int = 1, around: NoteSurroundings = NOWHERE, *, is_whole: bool = False
) -> RenderedNote:
    """Render a note; of a very long one the surroundings of a line, or as much as is possible.

    Lines that only a whole note shows have no anchors: Qt's time for them grows with their square.
    """
    text = _with_plain_line_ends(text)
    # Only Markdown has properties, and signs that mean more than themselves.
    if is_markdown(around.path):
        reader = markdown_parser()
        matter, body = _front_matter(text, around.path)
    else:
        reader = plain_text_parser()
        around = replace(around, joins_lines=False)
        matter = ""
        body = text.removeprefix("\ufeff")
    body, headers = join_mail_headers(body, around.path)
    # Not splitlines: it splits at characters that editors do not count as line ends.
    lines = part_names(body, around.path).split("\n")
    near = _window(lines, line, LONGEST)
    first, last = near
    room = LONGEST
    if is_whole and _has_few_items(body):
        room = WHOLE
        first, last = _window(lines, line, room)
    whole = "\n".join(lines[first - 1 : last])
    excerpt = _cut(whole, room)
    tokens = reader.parse(excerpt)
    _make_quiet(tokens, headers, first)
    writer = _Writer(first, around)
    writer.prepare(tokens)
    html = reader.renderer.render(tokens, reader.options, {})
    if first == 1 and matter:
        html = writer.properties(matter) + html
    if room > LONGEST:
        # A paragraph as long as a book has no anchor near the line.
        if not any(_is_in(anchor, near) for anchor in writer.anchors):
            return render_note_html(text, line, around)
        html = writer.without_far_anchors(html, near)
    html += _words_for_nothing(body)
    return RenderedNote(
        html=html,
        first_line=first,
        last_line=last,
        anchors=tuple(sorted(set(writer.anchors))),
        is_excerpt=first > 1 or last < len(lines) or len(excerpt) < len(whole),
        pictures=writer.pictures,
        files=writer.files,
    )


def _words_for_nothing(body: str) -> str:
    """The sentence in place of a text without words; empty for others."""
    if body.strip():
        return ""
    sentence = translate("NoteView", "This note is empty.")
    return f'<p class="absent">{sentence}</p>\n'


def _make_quiet(tokens: Sequence[Token], lines: frozenset[int], first: int) -> None:
    """Give paragraphs on lines of the note, from 0, small letters; the tokens begin at first."""
    for token in tokens:
        if token.type == "paragraph_open" and token.map and token.map[0] + first - 1 in lines:
            token.attrSet("class", "about")


def _with_plain_line_ends(text: str) -> str:
    if "\r" not in text:
        return text
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _has_few_items(body: str) -> bool:
    """Whether Qt lays out all lists of a note soon enough."""
    items = islice(_ITEM.finditer(body), _MAX_ITEMS)
    return sum(1 for _ in items) < _MAX_ITEMS


def _front_matter(text: str, path: str) -> tuple[str, str]:
    """Its properties in YAML; and the text with blank lines in its place, so that line numbers stay
    true.
    """
    matter = FRONT_MATTER.match(text, 0, _LONGEST_MATTER)
    if matter is None:
        return "", text.removeprefix("\ufeff")
    # The day and the subject of a mail stand in its headers and above the note.
    properties = ""
    if document_kind(path) != MAIL:
        # The lines between both rules are YAML.
        properties = "\n".join(matter[0].split("\n")[1:-2])
    return properties, "\n" * matter[0].count("\n") + text[matter.end() :]


def _properties(matter: str, linked: Callable[[str], str]) -> str:
    """Tags, days and aliases of a note as chips, and other words, without the signs of YAML.

    Linked gives the HTML of a value that may have links.
    """
    from scrubjay.text.plain_yaml import parse_plain_yaml

    try:
        pairs = parse_plain_yaml(matter)
    # A day that is not in the calendar; brackets in brackets; a number too long to be shown.
    except ValueError:
        return ""
    if not isinstance(pairs, dict):
        return ""
    # Tags, days and aliases become chips, which come before the other properties.
    tags: list[str] = []
    chips: list[str] = []
    others: list[str] = []
    for key, value in islice(pairs.items(), _MAX_PROPERTIES):
        name = str(key).lower()
        label = escape(str(key))
        several = value if isinstance(value, list) else [value]
        several = several[:_MAX_PROPERTIES]
        words = list(filter(None, map(_property, several)))
        if name in ("tag", "tags"):
            names = (tag.strip("#") for word in words for tag in re.split(r"[,\s]+", word))
            tags += [_tag(tag, "chip") for tag in names if tag]
        elif words and (name in ("alias", "aliases") or isinstance(several[0], dt.date)):
            boxes = (f'<span class="fact">&nbsp;{escape(word)}&nbsp;</span>' for word in words)
            chips.append(f"{label}:&nbsp;{_GAP.join(boxes)}")
        elif words and name != "title":
            others.append(f"{label}: {', '.join(map(linked, words))}")
    groups = (_GAP.join(tags), *chips)
    lines = ("&emsp;".join(filter(None, groups)), " · ".join(others))
    return "<br>".join(filter(None, lines))


def _tag(name: str, look: str) -> str:
    """A tag that shows the notes with it; what cannot be looked for is not a link."""
    room = "&nbsp;" if look == "chip" else ""
    text = f"{room}#{escape(name)}{room}"
    if not re.fullmatch(NAME, name):
        return f'<span class="{look}">{text}</span>'
    title = translate("NoteView", "Show only notes with #{tag}").format(tag=escape(name))
    return f'<a class="{look}" href="{TAG}:{quote(name)}" title="{title}">{text}</a>'


def _property(value: object) -> str:
    """The words of a property, or of an item of one; a link without quotes is a list for YAML."""
    match value:
        case [str(target)] | [[str(target)]]:
            return f"[[{target}]]"[:_LONGEST_PROPERTY]
    if isinstance(value, dt.date):
        return short_day(value)
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    return str(value)[:_LONGEST_PROPERTY]


def _is_in(line: int, lines: tuple[int, int]) -> bool:
    return lines[0] <= line <= lines[1]


def _window(lines: Sequence[str], line: int, room: int) -> tuple[int, int]:
    """1-based inclusive range of lines around one that have room."""
    line = min(max(1, line), max(1, len(lines)))
    first = line
    last = line - 1
    # The window grows by a line below and one above in turn.
    while room > 0 and (first > 1 or last < len(lines)):
        if last < len(lines):
            last += 1
            room -= _cost(lines[last - 1])
        if first > 1 and room > 0:
            first -= 1
            room -= _cost(lines[first - 1])
    return first, max(last, first)


def _cost(line: str) -> int:
    """Time to show a line, in that of a letter; of a very long one only the beginning counts."""
    line = line[: 2 * LONGEST]
    cells = 0
    if line.lstrip().startswith("|"):
        cells = line.count("|")
    signs = sum(price * line.count(sign) for sign, price in _SIGN_COSTS)
    signs += _OPEN_COST * max(0, line.count("[") - line.count("]"))
    return _LINE_COST + len(line) + signs + cells * _CELL_COST


def _cut(text: str, room: int) -> str:
    """As much of a text as may be shown: a single line may be as long as a book."""
    text = text[: 2 * room]
    cost = max(map(_cost, text.split("\n")))
    if cost <= LONGEST:
        return text
    return text[: len(text) * LONGEST // cost]


class _Writer:
    """Turns tokens into what Qt can show, with an anchor for each line."""

    def __init__(self, first: int, around: NoteSurroundings, whole: _Writer | None = None) -> None:
        """`whole` writes the note that this one is shown in."""
        self._first = first
        self._around = around
        self._whole = whole
        self.embeds = 0
        """Number of notes in this one."""
        self.bases = 0
        """Number of tables of Bases in this one."""
        self._embedded = 0
        """Characters of the notes in this one."""
        self._name = f"{whole.embeds}-" if whole else ""
        """Name that footnotes begin with: each note counts its own."""
        self._begun: list[int] = []
        """Lines of blocks that begin with the next text."""
        self._colored = 0
        """Characters of code with colours."""
        self.anchors: list[int] = []
        self.pictures: dict[str, NotePicture] = {}
        self.files: dict[str, Path] = {}
        if whole:
            self.pictures = whole.pictures
            self.files = whole.files

    # One case for each kind of block that Qt does not show.
    def prepare(self, tokens: list[Token]) -> None:  # noqa: C901, PLR0912
        """Write into tokens the HTML of all that Markdown alone would not show so."""
        _join_far_pictures(tokens)
        quotes = 0
        note_mark = ""
        for number, token in enumerate(tokens):
            if token.map is not None:
                self._begun.append(self._first + token.map[0])
            match token.type:
                case "fence" | "code_block" | "math_block":
                    self._code(token)
                case "blockquote_open":
                    quotes += 1
                    if quotes <= _MAX_BARS:
                        look = _callout(tokens[number + 2 : number + 3])
                        _become_html(token, _BAR.format(look=look or "quote"))
                case "blockquote_close":
                    if quotes <= _MAX_BARS:
                        _become_html(token, _BAR_END)
                    quotes -= 1
                case "table_open":
                    token.attrs = {"border": "1", "cellspacing": "0"}
                case "footnote_block_open":
                    _become_html(token, '<hr><div class="footnotes">\n')
                case "footnote_block_close":
                    _become_html(token, "</div>\n")
                case "footnote_open":
                    shown = token.meta["id"] + 1
                    note_mark = f'<a name="fn{self._name}{shown}"></a><sup>{shown}</sup> '
                    _become_html(token, "")
                case "footnote_anchor":
                    _become_html(
                        token, f' <a href="#fnref{self._name}{token.meta["id"] + 1}">↩</a>'
                    )
                case "footnote_close":
                    _become_html(token, "")
                case "inline" if token.children is not None:
                    if len(token.children) > _MAX_RUNS:
                        token.children = [_raw(escape(token.content))]
                    around = [tokens[number + step] for step in (-2, -1, 1)]
                    self._text(token.children, *around)
                    token.children.insert(0, _raw(self._marks() + note_mark))
                    note_mark = ""

    def properties(self, matter: str) -> str:
        """The properties above a note, with the anchor of its first line; empty without any."""
        lines = _properties(matter, self._linked)
        if not lines:
            return ""
        self.anchors.append(1)
        return f'<p class="about"><a name="L1"></a>{lines}</p>\n'

    def _linked(self, words: str) -> str:
        """The words of a property, in which links to notes and addresses lead there."""
        # Links and addresses, with the words between them as they are.
        html: list[str] = []
        end = 0
        for link in _LINK_IN_PROPERTY.finditer(words):
            html.append(escape(words[end : link.start()]))
            target = (link[1] or "").strip()
            if target:
                name, _, anchor = target.partition("#")
                html.append(self._named(name, anchor, text=escape((link[2] or target).strip())))
            else:
                attrs = {"href": link[0], "title": plain_tip(link[0])}
                html.append(_link(attrs, escape(link[0])))
            end = link.end()
        html.append(escape(words[end:]))
        return "".join(html)

    def without_far_anchors(self, html: str, near: tuple[int, int]) -> str:
        """The HTML with only those anchors that are in some lines."""

        def kept(anchor: re.Match[str]) -> str:
            return anchor[0] if _is_in(int(anchor[1]), near) else ""

        self.anchors = [anchor for anchor in self.anchors if _is_in(anchor, near)]
        return _ANCHOR.sub(kept, html)

    def _marks(self) -> str:
        """Anchors of the blocks that begin here."""
        begun = tuple(dict.fromkeys(self._begun))
        self._begun.clear()
        return "".join(map(self._anchor, begun))

    def _anchor(self, line: int) -> str:
        """The anchor of a line; another note's lines have none."""
        if self._whole:
            return ""
        self.anchors.append(line)
        return f'<a name="L{line}"></a>'

    # One case for each kind of text that Qt does not show.
    def _text(  # noqa: C901, PLR0912
        self, children: list[Token], outer: Token, block: Token, end: Token
    ) -> None:
        """Write into the parts of a text what Markdown alone would not show so."""
        self._write_task(outer, children)
        if block.type == "paragraph_open":
            self._write_paragraph(children, block, end)
        # Each line of the source has its anchor; each child that Qt does not know becomes HTML.
        line = self._begun[-1] if self._begun else self._first
        for at, child in enumerate(children):
            match child.type:
                case "softbreak" | "hardbreak":
                    line += 1
                    is_joined = child.type == "softbreak" and (
                        self._around.joins_lines or _is_wrapped(children, at)
                    )
                    gap = " " if is_joined else "<br>"
                    children[at] = _raw(gap + self._anchor(line))
                case "silent_line":
                    line += 1
                    children[at] = _raw(self._anchor(line))
                case "macro":
                    children[at] = _raw(_said(_list_sentence()))
                case "block_embed":
                    children[at] = _raw(_block_link())
                case "text" if "((" in child.content:
                    text = _BLOCK_LINK.sub(_block_link, escape(child.content))
                    children[at] = _raw(text)
                case "tag":
                    children[at] = _raw(_tag(child.content, "tag"))
                case "wiki":
                    children[at] = _raw(self._wiki(child))
                case "image":
                    children[at] = _raw(self._image(child))
                case "frame":
                    children[at] = _raw(_frame(child.content))
                case "link_open":
                    child.attrs.update(self._link(str(child.attrs["href"])))
                case "math_inline":
                    children[at] = _raw(f"<code>{escape(child.content)}</code>")
                case "footnote_ref":
                    shown = child.meta["id"] + 1
                    name = f"{self._name}{shown}"
                    children[at] = _raw(
                        f'<sup><a name="fnref{name}" href="#fn{name}">{shown}</a></sup>'
                    )

    def _image(self, child: Token) -> str:
        """A picture of Markdown, or the line that stands for several on the internet."""
        # The first of several counts them all.
        count = child.meta.get("count", 1)
        if count > 1:
            return _far_pictures(count)
        return self._picture(str(child.attrs["src"]), child.content)

    def _write_task(self, item: Token, children: list[Token]) -> None:
        """Write the box of a task in place of its bullet; only a note's own tasks can be ticked."""
        if item.type != "list_item_open" or not children or children[0].type != "text":
            return
        is_changed = not self._whole and self._around.path.lower().endswith(EDITED)
        line = self._begun[-1] if self._begun and is_changed else 0
        box = _box_task(item, children[0], line)
        if box:
            children.insert(0, _raw(box))

    def _write_paragraph(self, children: list[Token], block: Token, end: Token) -> None:
        """Write another note in its place; hide a paragraph with nothing to read."""
        if not any(map(_is_visible, children)):
            block.hidden = True
            end.hidden = True
        embedded = ""
        if len(children) == 1:
            embedded = self._embed(children[0])
        if embedded:
            children[0] = _raw(embedded)
            block.hidden = True
            end.hidden = True

    def _wiki(self, token: Token) -> str:
        target, _, anchor = token.content.partition("#")
        if token.meta["is_embedded"] and is_picture(target):
            return self._picture(target, token.info)
        # The text is what the link says, otherwise the names of note and heading.
        parts = [part for part in token.content.split("#") if part and not part.startswith("^")]
        if token.meta["is_embedded"] and _is_base(target):
            return self._base(target)
        is_size = token.meta["is_embedded"] and re.fullmatch(r"\d+(?:x\d+)?", token.info)
        text = ""
        if not is_size:
            text = escape(token.info)
        text = text or escape(" › ".join(dict.fromkeys(parts))) or escape(token.content)
        return self._named(target, anchor, text=text)

    def _base(self, target: str) -> str:
        """A line about a table of Obsidian Bases, which leads to its file."""
        attrs = self._file_attrs(target)
        name = target.rpartition("/")[2][: -len(_BASE)]
        sentence = translate("NoteView", "[Obsidian Bases table: {name}]")
        if not attrs:
            return _said(sentence, name)
        return _link(attrs, escape(sentence.format(name=name)))

    def _base_table(self, text: str, view: str, head: str) -> str:
        """A view of a base as a table, below a line about it; empty where it cannot be shown."""
        if not text or self._around.base is None or self.bases == _MAX_BASES:
            return ""
        self.bases += 1
        # What is not understood, or does not answer in time, stays a line.
        try:
            table = self._around.base(text, view)
        except (BaseTooComplex, ScrubjayError, TimeoutError):
            return ""
        cells = ["".join(_cell("th", escape(_column(column))) for column in table.columns)]
        cells += map(self._base_cells, table.rows[:_MAX_BASE_ROWS])
        shown = "".join(f"<tr>{row}</tr>\n" for row in cells)
        # What is missing is said below.
        notes: list[str] = []
        if not table.rows:
            notes.append(
                translate("NoteView", "None of the notes that Scrubjay has read match the filters.")
            )
        more = len(table.rows) - _MAX_BASE_ROWS
        if more > 0:
            sentence = translate("NoteView", "{n} more {n:row is|rows are} not shown.")
            notes.append(sentence.format(n=format_number(more)))
        if table.excluded:
            sentence = translate(
                "NoteView",
                "{n} {n:note|notes} with long properties {n:was|were} not compared with the "
                "filters.",
            )
            notes.append(sentence.format(n=format_number(table.excluded)))
        if table.formulas:
            sentence = translate("NoteView", "Formulas not computed: {names}")
            notes.append(sentence.format(names=", ".join(table.formulas)))
        if table.other_views:
            sentence = translate("NoteView", "Views not shown: {names}")
            notes.append(sentence.format(names=", ".join(table.other_views)))
        below = "".join(f"<p>{_said(note)}</p>\n" for note in notes)
        table_html = f'<table class="base" border="1" cellspacing="0">\n{shown}</table>\n'
        return f'<p class="about">{head}</p>\n{table_html}{below}'

    def _base_cells(self, row: Sequence[str]) -> str:
        return "".join(_cell("td", self._linked(cell[:_LONGEST_CELL])) for cell in row)

    def _named(self, target: str, anchor: str, *, text: str) -> str:
        """HTML that leads to a note by the name that a link in brackets has; or its text alone."""
        if self._around.notes is None:
            return text
        return _link(self._attrs(self._label(target), target, anchor), text)

    def _label(self, target: str) -> str:
        """The path of the note that a link in brackets means; empty for none."""
        if not self._around.notes:
            return ""
        if not target:
            return self._around.path
        return self._around.notes.find(target, self._around.path)

    def _embed(self, token: Token) -> str:
        """Another note, or a part of it, in this one; empty where it is only a link."""
        target, _, anchor = token.content.partition("#")
        if token.type == "wiki" and token.meta["is_embedded"] and _is_base(target):
            finder = self._around.attachments
            base = finder.text(target, _LONGEST_BASE) if finder else ""
            return self._base_table(base, anchor, head=self._base(target))
        is_note = token.type == "wiki" and token.meta["is_embedded"] and not is_picture(target)
        label = self._label(target) if is_note else ""
        room = min(_LONGEST_EMBED, _LONGEST_EMBEDS - self._embedded)
        if not label or self._around.read is None or self.embeds == _MAX_EMBEDS or room <= 0:
            return ""
        try:
            whole = anchor_section(self._around.read(label), anchor)
        except (ScrubjayError, TimeoutError):
            return ""
        # The other note is written by its own writer, which shares pictures and files with
        # this one.
        text = whole[:room]
        self.embeds += 1
        self._embedded += len(text)
        files = None
        if self._around.attachments:
            files = self._around.attachments.beside(label)
        around = replace(self._around, path=label, attachments=files, read=None)
        tokens = markdown_parser().parse(text)
        _Writer(1, around, self).prepare(tokens)
        html = markdown_parser().renderer.render(tokens, markdown_parser().options, {})
        if not whole.strip():
            return ""
        # A line above says which note it is, and three dots that it continues.
        more = ""
        if len(text) < len(whole):
            more = '<p class="absent">…</p>\n'
        head = f'<p class="about">{self._wiki(token)}</p>\n'
        return f"{_BAR.format(look='embed')}{head}{html}{more}{_BAR_END}"

    def _link(self, href: str) -> dict[str, str]:
        """Attributes of `[text](href)`: of another note, or as they are for another program."""
        target, _, anchor = href.partition("#")
        scheme = _SCHEME.match(href)
        # A link that looks like the app's own, and one to the internet, is not looked for among
        # notes.
        if scheme and scheme[1] and scheme[1].lower() in _OWN:
            return {"href": f"{FOREIGN}:{quote(href)}", "title": plain_tip(href)}
        if scheme or self._around.notes is None:
            return {"title": plain_tip(href)}
        target = unquote(target)
        label = self._around.path
        if target:
            label = self._around.notes.find(target, self._around.path, is_relative=True)
        return self._attrs(label, target, unquote(anchor))

    def _attrs(self, label: str, target: str, anchor: str) -> dict[str, str]:
        """Attributes of a link to a note, or otherwise to another file or to nothing."""
        return (not label and self._file_attrs(target)) or _link_attrs(label, target, anchor)

    def _file_attrs(self, target: str) -> dict[str, str]:
        finder = self._around.attachments
        if finder is None or not _ENDING.search(target):
            return {}
        file = finder.file(target)
        if file is None:
            return {}
        label = finder.label(file)
        self.files[label] = file
        return {"href": f"{FILE}:{quote(label)}", "title": plain_tip(label)}

    def _picture(self, target: str, text: str) -> str:
        """A local picture, or a line with its name; nothing comes from the network."""
        if _is_video(target):
            return _frame(target)
        last = ""
        if not target.startswith("data:"):
            last = unquote(target).rpartition("/")[2]
        name = last or text or target[:5]
        # Pictures are drawn by the view, which finds them by a key.
        picture = None
        if self._around.attachments and not _SCHEME.match(target):
            picture = self._around.attachments.picture(target, text.rpartition("|")[2])
        if picture and not picture.size.isEmpty():
            key = f"picture:{len(self.pictures)}"
            self.pictures[key] = picture
            title = escape(plain_tip(name))
            image = f'<img src="{key}" title="{title}">'
            if is_canvas(target):
                # A click opens it where it can be changed.
                image = f"<a{_written(self._file_attrs(unquote(target)))}>{image}</a>"
            return image
        # What is not shown as a picture may be a file to open.
        attrs: dict[str, str] = {}
        if (is_canvas(target) or not is_picture(target)) and not _SCHEME.match(target):
            attrs = self._file_attrs(unquote(target))
        if attrs:
            return _link(attrs, escape(name))
        sentence = translate("NoteView", "Picture not found: {name}")
        if _INTERNET.match(target):
            sentence = translate("NoteView", "Picture from the internet not loaded: {name}")
        elif picture or _SCHEME.match(target):
            sentence = translate("NoteView", "Picture cannot be shown: {name}")
        return _said(f"[{sentence}]", name)

    def _code(self, token: Token) -> None:
        """A fence has no inline part: its anchors and its text are written here."""
        if token.info.strip() in QUERIES:
            table = ""
            if token.info.strip() == _BASE[1:] and not self._whole:
                table = self._described_base(token, self._marks())
            _become_html(token, table or f"<p>{self._marks()}{_said(_list_sentence())}</p>\n")
            return
        # The code of a fence begins on the line below it.
        is_below = token.type == "fence" or token.content.startswith("\n")
        code = token.content.rstrip("\n")
        if token.type == "math_block":
            code = code.removeprefix("\n")
        start = 1
        if self._begun:
            start = self._begun[-1] + is_below
        marks = self._marks()
        lines: list[str] = []
        language = ""
        if token.type == "fence":
            language = token.info.partition(" ")[0]
        # Colours take time, so only so much code of a note has them.
        is_colored = note_code.has_highlighting(language)
        if is_colored and (self._colored + len(code)) <= note_code.LONGEST:
            self._colored += len(code)
            shown = note_code.highlight_code(code, language)
        else:
            shown = escape(code).split("\n")
        for number, text in enumerate(shown, start):
            lines.append(self._anchor(number) + text)
        # A file of Bases is the table that it describes, above the text in which words were found.
        table = ""
        if token.type == "fence" and _is_base(self._around.path):
            table = self._described_base(token) or f"<p>{_said(_list_sentence())}</p>\n"
        _become_html(token, f"{table}<pre>{marks}" + "\n".join(lines) + "</pre>\n")

    def _described_base(self, token: Token, marks: str = "") -> str:
        """The table that a fence describes, after the marks; empty where it cannot be shown."""
        head = marks + _said(translate("NoteView", "[Obsidian Bases table]"))
        return self._base_table(token.content, "", head=head)


def _list_sentence() -> str:
    return translate("NoteView", "[This list can be shown only in another program]")


def _block_link(_: object = None) -> str:
    return _said(translate("NoteView", "[Text from another note]"))


def _said(sentence: str, name: str = "") -> str:
    """Words of the app in a note: by their tooltip the view knows that no question means them."""
    before, _, after = sentence.partition("{name}")
    said = '<span class="absent" title="{}">{}</span>'
    tip = escape(plain_tip(name))
    spans = [said.format(tip or escape(part), escape(part)) for part in (before, after)]
    if not name:
        return spans[0]
    return f'<span class="absent">{escape(name)}</span>'.join(spans)


def _link(attrs: Mapping[str, str], text: str) -> str:
    return f"<a{_written(attrs)}>{text}</a>"


def _written(attrs: Mapping[str, str]) -> str:
    return "".join(f' {key}="{escape(value)}"' for key, value in attrs.items())


def _cell(tag: str, html: str) -> str:
    """A cell of a table of a base; a word that is not too long stays whole."""
    words = _TAGS.sub("", html)
    kind = ""
    if len(words) <= _LONGEST_WORD and not re.search(r"\s", words):
        kind = ' class="word"'
    return f"<{tag}{kind}>{html}</{tag}>"


def _column(title: str) -> str:
    """The title of a column of a base."""
    match title:
        case "file.name" | "file.basename" | "file.file" | "file":
            return translate("NoteView", "Name")
        case "file.mtime":
            return translate("NoteView", "Changed")
        case "file.folder":
            return translate("NoteView", "Folder")
        case "file.tags":
            return translate("NoteView", "Tags")
    return title.removeprefix("file.")


def _is_base(target: str) -> bool:
    return target.lower().endswith(_BASE)


def _join_far_pictures(tokens: Sequence[Token]) -> None:
    """Leave one of several pictures on the internet, such as badges, which counts them all.

    Those of a paragraph are one, and so are those of paragraphs in a row with nothing else.
    """
    # The picture that counts those of the paragraphs so far.
    run: Token | None = None
    for token in tokens:
        if token.type in ("paragraph_open", "paragraph_close"):
            continue
        children = token.children or []
        pictures = [child for child in children if _is_far_picture(child)]
        if not pictures:
            run = None
            continue
        is_alone = not any(map(_says_more, children))
        if is_alone and run is not None:
            run.meta["count"] += len(pictures)
            token.children = []
            continue
        pictures[0].meta["count"] = len(pictures)
        if len(pictures) > 1:
            token.children = _without_pictures(children, pictures[1:])
        run = pictures[0] if is_alone else None


def _is_far_picture(child: Token) -> bool:
    source = str(child.attrs.get("src", "")) if child.type == "image" else ""
    return bool(_INTERNET.match(source)) and not _is_video(source)


def _says_more(child: Token) -> bool:
    """Whether a part of a paragraph is more than a picture on the internet and its link."""
    is_around = child.type in ("link_open", "link_close", "hardbreak")
    return not (is_around or _is_far_picture(child)) and _is_visible(child)


def _without_pictures(children: Sequence[Token], pictures: Sequence[Token]) -> list[Token]:
    """The parts of a paragraph without some pictures, and without the links that hold only one."""
    # A link around a picture that is dropped would be an empty one.
    dropped = {id(picture) for picture in pictures}
    for before, child, after in zip(children, children[1:], children[2:], strict=False):
        is_link = (before.type, after.type) == ("link_open", "link_close")
        if is_link and _is_far_picture(child):
            dropped |= {id(before), id(after)}
    # Line ends between pictures that are dropped would leave blank lines.
    shown = [child for child in children if id(child) not in dropped]
    while shown and not _is_visible(shown[-1]):
        shown.pop()
    return shown


def _far_pictures(count: int) -> str:
    sentence = translate("NoteView", "{n} pictures from the internet not loaded")
    return _said(f"[{sentence.format(n=format_number(count))}]")


def _is_video(address: str) -> bool:
    """Whether an address leads to a film on one of the large sites."""
    return bool(_INTERNET.match(address)) and bool(_VIDEO.match(_short_address(address)))


def _frame(address: str) -> str:
    """A link to the page that a note shows in a frame; nothing of it is loaded."""
    if not _INTERNET.match(address):
        return _said(translate("NoteView", "[Web page that is not shown]"))
    sentence = translate("NoteView", "Web page: {address}")
    if _is_video(address):
        sentence = translate("NoteView", "Video: {address}")
    href = address
    if address.startswith("//"):
        href = f"https:{address}"
    text = sentence.format(address=_short_address(address)[:_LONGEST_ADDRESS])
    return _link({"href": href, "title": plain_tip(href)}, escape(text))


def _short_address(address: str) -> str:
    """An address as people say it, without its scheme."""
    return _INTERNET.sub("", address).removeprefix("www.").rstrip("/")


def _link_attrs(label: str, target: str, anchor: str) -> dict[str, str]:
    """Attributes of a link to a note, or to none of them."""
    if not label:
        title = plain_tip(no_note_sentence(target))
        return {"href": f"{DEAD}:{quote(target)}", "class": "absent", "title": title}
    address = f"{NOTE}:{quote(label)}"
    title = label
    if anchor:
        address = f"{address}#{quote(anchor)}"
        title = f"{label} › {anchor}"
    return {"href": address, "title": plain_tip(title)}


def no_note_sentence(name: str) -> str:
    """The sentence about a link that leads to no note."""
    return translate("NoteView", "Scrubjay found no note named “{name}”.").format(name=name)


def _is_visible(child: Token) -> bool:
    return child.type not in ("text", "softbreak") or bool(child.content.strip())


def _is_wrapped(children: Sequence[Token], at: int) -> bool:
    """Whether a program put the line end there: a long line stops before a small letter."""
    line = takewhile(lambda each: each.type != "softbreak", reversed(children[:at]))
    begun = next((each.content for each in children[at + 1 :] if each.content), "")
    return begun[:1].islower() and sum(len(each.content) for each in line) >= _WRAPPED


def _box_task(item: Token, text: Token, line: int) -> str:
    """The box in place of the bullet of a task, to be ticked in its line; empty without a task."""
    task = _TASK.match(text.content)
    if task is None:
        return ""
    text.content = f" {text.content[task.end() :]}"
    item.attrSet("class", "task")
    # A sign of a theme, such as [!] for important.
    if task[1] not in " xX":
        return f"<code>&nbsp;{escape(task[1])}&nbsp;</code>"
    is_open = task[1] == " "
    box = "☐" if is_open else "☑"
    title = translate("NoteView", "Mark this task as done")
    if not is_open:
        title = translate("NoteView", "Mark this task as not done")
    if not line:
        return box
    return f'<a class="box" href="{TASK}:{line}" title="{title}">{box}</a>'


def _callout(following: Sequence[Token]) -> str:
    """The look of the callout that begins with a text, its title written out; otherwise empty."""
    children = following[0].children if following else None
    if not children:
        return ""
    callout = _CALLOUT.match(children[0].content)
    if not callout:
        return ""
    kind = callout[1].lower()
    children[0].content = children[0].content[callout.end() :]
    # Its first line is the title; without words it is the name of the kind.
    breaks = (number for number, each in enumerate(children) if each.type == "softbreak")
    end = next(breaks, len(children))
    if end < len(children):
        children[end].type = "hardbreak"
    if not any(map(_is_visible, children[:end])):
        name = escape(_callout_name(kind))
        children[0] = _raw(f'<span title="{name}">{name}</span>')
    children.insert(end, _raw("</b>"))
    children.insert(0, _raw("<b>"))
    return _LOOKS.get(kind, "note")


def _callout_name(kind: str) -> str:
    names = {
        "note": translate("Callout", "Note"),
        "abstract": translate("Callout", "Abstract"),
        "summary": translate("Callout", "Summary"),
        "info": translate("Callout", "Info"),
        "todo": translate("Callout", "To do"),
        "tip": translate("Callout", "Tip"),
        "hint": translate("Callout", "Hint"),
        "important": translate("Callout", "Important"),
        "success": translate("Callout", "Success"),
        "question": translate("Callout", "Question"),
        "warning": translate("Callout", "Warning"),
        "caution": translate("Callout", "Caution"),
        "danger": translate("Callout", "Danger"),
        "error": translate("Callout", "Error"),
        "bug": translate("Callout", "Bug"),
        "example": translate("Callout", "Example"),
        "quote": translate("Callout", "Quotation"),
    }
    return names.get(kind, kind.replace("-", " ").capitalize())


def _become_html(token: Token, html: str) -> None:
    token.type = "html_block"
    token.content = html


def _raw(html: str) -> Token:
    from markdown_it.token import Token

    return Token("html_inline", "", 0, content=html)


def style_sheet(colors: Colors) -> str:
    """The style sheet of a note."""
    border = colors.border.name()
    code = colors.hover.name()
    muted = colors.muted.name()
    # A callout is a cell with a bar at its left and paper of its kind.
    looks = "".join(
        f"table.bar td.{look} {{ padding: 8px 12px 6px 12px; "
        f"border-left: 3px solid {bar.name()}; background-color: {paper.name()}; }}\n"
        for look, bar, paper in (
            ("embed", colors.border, colors.surface),
            ("note", colors.accent, colors.accent_soft),
            ("good", colors.good, colors.good_soft),
            ("warning", colors.warning, colors.warning_soft),
            ("danger", colors.danger, colors.danger_soft),
        )
    )
    # Qt knows few rules of CSS, and reads sizes and margins in pixels.
    return f"""
    body {{ color: {colors.text.name()}; }}
    h1 {{ font-size: x-large; margin-top: 4px; margin-bottom: 8px; }}
    h2 {{ font-size: large; margin-top: 20px; margin-bottom: 6px; }}
    h3, h4, h5, h6 {{ font-size: medium; margin-top: 16px; margin-bottom: 4px; }}
    h5, h6 {{ color: {muted}; }}
    h6, dt {{ font-weight: bold; }}
    p {{ margin-top: 0px; margin-bottom: 10px; }}
    ul {{ list-style-type: disc; }}
    ol {{ list-style-type: decimal; }}
    li {{ margin-bottom: 4px; text-indent: 0px; }}
    li.task {{ list-style-type: none; text-indent: -20px; }}
    a {{ color: {colors.accent.name()}; text-decoration: none; }}
    a.box {{ color: {colors.text.name()}; }}
    code {{ background-color: {code}; }}
    pre {{ background-color: {code}; margin-top: 4px; margin-bottom: 12px; white-space: pre-wrap; }}
    hr {{ background-color: {border}; }}
    table {{ border-collapse: collapse; border-color: {border}; border-style: solid; }}
    table {{ margin: 8px 0px 8px 0px; }}
    th, td {{ padding: 4px 8px; }}
    table.base th, table.base td {{ padding: 3px 5px; font-size: small; }}
    th.word, td.word {{ white-space: nowrap; }}
    table.bar {{ border-collapse: separate; }}
    table.bar td {{ border: 0px; }}
    table.bar td.quote {{ border-left: 3px solid {border}; padding: 0px 12px; color: {muted}; }}
    {looks}
    .mark {{ background-color: {colors.good_soft.name()}; text-decoration: underline; }}
    .about {{ font-size: small; line-height: 140%; }}
    a.chip {{ background-color: {colors.accent_soft.name()}; }}
    span.chip, .fact {{ background-color: {code}; color: {colors.text.name()}; }}
    .about, .tag, a.tag, .footnotes, .absent, a.absent {{ color: {muted}; }}
    {note_code.code_style(colors)}"""
