"""Tokens of Markdown as people write it in Obsidian: links in double brackets, marks, comments."""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING

from scrubjay.notes.note_links import WIKI_LINK

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock
    from markdown_it.rules_inline import StateInline

_BLOCK_ID = re.compile(r"\^[A-Za-z0-9-]+\s*\Z")
_MATH = re.compile(r"\$\$([^$\n]+)\$\$|\$(?=[^\s$])((?:[^$\\]|\\.)*+)(?<=\S)\$(?!\d)", re.DOTALL)
_TAG = re.compile(r"#(?=[\w/-]*[^\W\d])[\w/-]+")


@functools.cache
def parser() -> MarkdownIt:
    """The parser of all notes."""
    # Imported late, on the thread that renders: that makes the start 25 ms shorter.
    from markdown_it import MarkdownIt
    from mdit_py_plugins.dollarmath import dollarmath_plugin
    from mdit_py_plugins.footnote import footnote_plugin
    from mdit_py_plugins.gfm_autolink import gfm_autolink_plugin

    # Raw HTML stays text: a note is data, and Qt would load the files it names.
    made = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    made.validateLink = _any_link  # type: ignore[method-assign]
    made.use(footnote_plugin).use(gfm_autolink_plugin)
    made.use(dollarmath_plugin, allow_labels=False)
    # The plugin's own rule takes the last letter of a paragraph for the one before its first.
    made.inline.ruler.at("math_inline", _math)
    made.block.ruler.before("fence", "comment", _comment_block, {"alt": ["paragraph"]})
    for name, rule in (
        ("wiki", _wiki), ("mark", _mark), ("comment", _comment), ("tag", _tag), ("id", _block_id)
    ):  # fmt: skip
        made.inline.ruler.before("link", name, rule)
    return made


def _any_link(url: str) -> bool:
    """True: of a link that is not followed a click says so, and its source says nothing."""
    return True


def _wiki(state: StateInline, silent: bool) -> bool:
    """`[[Note#Heading|text]]`, and `![[leaf.png|200]]`, one token with target and text."""
    found = WIKI_LINK.match(state.src, state.pos, state.posMax)
    if found is None:
        return False
    if not silent:
        token = state.push("wiki", "", 0)
        # A table escapes the bar.
        token.content, token.info = found[2].rstrip("\\").strip(), (found[3] or "").strip()
        token.meta = {"is_embedded": bool(found[1])}
    state.pos = found.end()
    return True


def _mark(state: StateInline, silent: bool) -> bool:
    """`==text==`."""
    start = state.pos + 2
    if not state.src.startswith("==", state.pos):
        return False
    end = state.src.find("==", start, state.posMax)
    if end <= start or state.src[start].isspace() or state.src[end - 1].isspace():
        return False
    if not silent:
        last = state.posMax
        state.push("mark_open", "span", 1).attrs = {"class": "mark"}
        state.pos, state.posMax = start, end
        state.md.inline.tokenize(state)
        state.push("mark_close", "span", -1)
        state.posMax = last
    state.pos = end + 2
    return True


def _math(state: StateInline, silent: bool) -> bool:
    """`$x^2$` and `$$x^2$$`, but not the money in `$5 and $6`."""
    found = _MATH.match(state.src, state.pos, state.posMax)
    if found is None:
        return False
    if not silent:
        state.push("math_inline", "", 0).content = (found[1] or found[2]).strip()
    state.pos = found.end()
    return True


def _comment(state: StateInline, silent: bool) -> bool:
    """`%% text %%` between words, which is nothing to read."""
    if not state.src.startswith("%%", state.pos):
        return False
    end = state.src.find("%%", state.pos + 2, state.posMax)
    if end < 0:
        return False
    state.pos = end + 2
    return True


def _comment_block(state: StateBlock, first: int, last: int, silent: bool) -> bool:
    """A comment that has its lines for itself."""
    if not state.src.startswith("%%", state.bMarks[first] + state.tShift[first]):
        return False
    begin = state.bMarks[first] + state.tShift[first] + 2
    end = state.src.find("%%", begin, state.eMarks[last - 1])
    if end < 0:
        return False
    line = first + state.src.count("\n", begin, end)
    if state.src[end + 2 : state.eMarks[line]].strip():
        return False
    state.line = line + 1
    return True


def _tag(state: StateInline, silent: bool) -> bool:
    """`#tag` after a space."""
    found = _TAG.match(state.src, state.pos, state.posMax)
    if found is None or (state.pos and not state.src[state.pos - 1].isspace()):
        return False
    if not silent:
        state.push("tag_open", "span", 1).attrs = {"class": "tag"}
        state.push("text", "", 0).content = found[0]
        state.push("tag_close", "span", -1)
    state.pos = found.end()
    return True


def _block_id(state: StateInline, silent: bool) -> bool:
    """`^id` at the end of a block, which only links need."""
    found = _BLOCK_ID.match(state.src, state.pos, state.posMax)
    if found is None or (state.pos and not state.src[state.pos - 1].isspace()):
        return False
    state.pending = state.pending.rstrip()
    state.pos = found.end()
    return True
