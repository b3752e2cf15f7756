"""Markdown to the HTML that Qt's text widgets understand, with an anchor for each line."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from scrubjay_desktop.results.snippet_text import FRONT_MATTER

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

    from scrubjay_desktop.widgets.theme import Colors

LONGEST = 60_000
"""Characters rendered at a time: Qt lays that much out within one blink."""
_LINE_END = re.compile(r"\r\n|\r|\n")
_TASK = re.compile(r"^\[([ xX])\]\s")
_WIKI = re.compile(r"\[\[([^\]|\n]+)(?:\|([^\]\n]+))?\]\]")


@dataclass(frozen=True, slots=True)
class RenderedNote:
    """A note, ready for a text widget."""

    html: str
    first_line: int
    """1-based first line that is rendered."""
    last_line: int
    anchors: tuple[int, ...]
    """1-based lines with an anchor `L<line>`, ascending."""
    is_excerpt: bool
    """Whether only a part of the note is rendered."""

    def anchor_of(self, line: int) -> str:
        """The anchor at or above a line; empty when there is none."""
        above = [anchor for anchor in self.anchors if anchor <= line]
        return f"L{above[-1]}" if above else ""

    def anchor_below(self, line: int) -> str:
        """The first anchor below a line; empty when there is none."""
        return next((f"L{anchor}" for anchor in self.anchors if anchor > line), "")


def render(text: str, line: int = 1) -> RenderedNote:
    """Render a note; of a very long one the surroundings of a line."""
    # Not splitlines: it splits at characters that editors do not count as line ends.
    lines = _LINE_END.split(_without_front_matter(text))
    first, last = _window(lines, line)
    whole = "\n".join(lines[first - 1 : last])
    excerpt = whole[: 2 * LONGEST]
    anchors: list[int] = []
    tokens = _parser().parse(excerpt)
    _prepare(tokens, first, anchors)
    html = _parser().renderer.render(tokens, _parser().options, {})
    return RenderedNote(
        html=html,
        first_line=first,
        last_line=last,
        anchors=tuple(sorted(set(anchors))),
        is_excerpt=first > 1 or last < len(lines) or len(excerpt) < len(whole),
    )


@functools.cache
def _parser() -> MarkdownIt:
    # Imported late, on the thread that renders: that makes the start 25 ms shorter.
    from markdown_it import MarkdownIt

    # Raw HTML stays text: a note is data, and Qt would load the files it names.
    parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    parser.add_render_rule("image", _image)
    return parser


def _without_front_matter(text: str) -> str:
    """Blank lines in its place, so that line numbers stay true."""
    matter = FRONT_MATTER.match(text)
    if matter is None:
        return text.removeprefix("\ufeff")
    return "\n" * matter[0].count("\n") + text[matter.end() :]


def _window(lines: Sequence[str], line: int) -> tuple[int, int]:
    """1-based inclusive range of at most LONGEST characters around a line."""
    line = min(max(1, line), max(1, len(lines)))
    first, last, room = line, line - 1, LONGEST
    while room > 0 and (first > 1 or last < len(lines)):
        if last < len(lines):
            last += 1
            room -= len(lines[last - 1]) + 1
        if first > 1 and room > 0:
            first -= 1
            room -= len(lines[first - 1]) + 1
    return first, max(last, first)


def _prepare(tokens: list[Token], first: int, anchors: list[int]) -> None:
    """Anchors into blocks, boxes for tasks, plain names for wiki links."""
    begins: list[int] = []
    for token in tokens:
        if token.map is not None and token.type != "inline":
            begins.append(first + token.map[0])
        if token.type in ("fence", "code_block"):
            _anchor_fence(token, begins, anchors)
            begins.clear()
        if token.type != "inline" or token.children is None:
            continue
        if token.map is not None:
            begins.append(first + token.map[0])
        anchors.extend(begins)
        marks = "".join(f'<a name="L{line}"></a>' for line in dict.fromkeys(begins))
        begins.clear()
        _soften(token.children, first + (token.map or [0])[0], anchors)
        token.children.insert(0, _raw(marks))


def _soften(children: list[Token], line: int, anchors: list[int]) -> None:
    for number, child in enumerate(children):
        if child.type == "softbreak":
            line += 1
            anchors.append(line)
            children[number] = _raw(f' <a name="L{line}"></a>')
        elif child.type == "text":
            child.content = _WIKI.sub(lambda link: link[2] or link[1], child.content)
    if children and children[0].type == "text":
        text = children[0].content
        children[0].content = _TASK.sub(lambda task: "☐ " if task[1] == " " else "☑ ", text)


def _anchor_fence(token: Token, begins: list[int], anchors: list[int]) -> None:
    """A fence has no inline part: its anchors and its text are written here."""
    start = begins[-1] if begins else 1
    code_start = start + (token.type == "fence")
    code = token.content.rstrip("\n").split("\n")
    numbered = [
        f'<a name="L{line}"></a>{escape(text)}' for line, text in enumerate(code, start=code_start)
    ]
    anchors.extend([*begins, *range(code_start, code_start + len(code))])
    marks = "".join(f'<a name="L{line}"></a>' for line in dict.fromkeys(begins))
    token.type = "html_block"
    token.content = "<pre>" + marks + "\n".join(numbered) + "</pre>\n"


def _raw(html: str) -> Token:
    from markdown_it.token import Token

    return Token("html_inline", "", 0, content=html)


def _image(_: object, tokens: Sequence[Token], index: int, *__: object) -> str:
    """Images never load: their names stand in their place."""
    return f"<i>[{escape(tokens[index].content or 'image')}]</i>"


def style_sheet(colors: Colors) -> str:
    """The style sheet of a note."""
    border, code = colors.border.name(), colors.hover.name()
    return f"""
    body {{ color: {colors.text.name()}; }}
    h1 {{ font-size: x-large; margin-top: 4px; margin-bottom: 8px; }}
    h2 {{ font-size: large; margin-top: 20px; margin-bottom: 6px; }}
    h3, h4, h5, h6 {{ font-size: medium; margin-top: 16px; margin-bottom: 4px; }}
    p {{ margin-top: 0px; margin-bottom: 10px; }}
    li {{ margin-bottom: 4px; }}
    a {{ color: {colors.accent.name()}; text-decoration: none; }}
    code {{ background-color: {code}; }}
    pre {{ background-color: {code}; margin-top: 4px; margin-bottom: 12px; }}
    blockquote {{ color: {colors.muted.name()}; }}
    table {{ border-collapse: collapse; border-color: {border}; margin: 4px 0px 12px 0px; }}
    th, td {{ border: 1px solid {border}; padding: 4px 8px; }}
    """
