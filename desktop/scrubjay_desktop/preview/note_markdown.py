"""Tokens of Markdown as people write it in Obsidian: links in double brackets, marks, comments."""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING

from scrubjay.notes.note_links import WIKI_LINK
from scrubjay.text.tags import INLINE

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock
    from markdown_it.rules_inline import StateInline

_BLOCK_ID = re.compile(r"\^[A-Za-z0-9-]+\s*\Z")
_MATH = re.compile(r"\$\$([^$\n]+)\$\$|\$(?=[^\s$])((?:[^$\\]|\\.)*+)(?<=\S)\$(?!\d)", re.DOTALL)
_PROTOCOLS = ("http", "https", "mailto", "xmpp")
_COMMENTS = (("%%", "%%"), ("<!--", "-->"))
"""Beginning and end of words that no reader sees."""
_SHOWN_HTML = re.compile(r"</?(?:b|i|u|s|em|strong|del|ins|sub|sup|small|big)>|<br ?/?>")
_KEY_HTML = re.compile(r"</?kbd>")
_MARK_HTML = re.compile(r"</?mark>")
_SILENT_HTML = re.compile(
    r"</?(?:details|summary|div|span|p|center|font|figure|figcaption|picture|source|button|label"
    r"|h[1-6]|[uod]l|li|d[td]|table|t(?:head|body|foot|r|h|d)|section|article|header|footer|nav"
    r"|main|aside)(?:\s[^<>\n]{0,500})?/?>|</iframe>"
)
_CELL_END_HTML = re.compile(r"</t[hd]>(?=\s*<t[hd][\s>])")
_BLOCK_END_HTML = re.compile(
    r"</(?:p|div|summary|center|figcaption|h[1-6]|li|d[td]|tr|section|article|header|footer)>"
    r"(?![ \t]*(?:\n|\Z|</))"
)
"""End of a part of HTML that stands on lines of its own, where more follows in the same line."""
_FRAME_HTML = re.compile(r"<iframe\s[^<>]{0,1000}>")
_LINK_HTML = re.compile(r"<a\s[^<>\n]{0,1000}>(?=[^\n]{0,1000}?</a>)|</a>")
_PICTURE_HTML = re.compile(r"<img\s[^<>\n]{0,1000}>")
_ATTRIBUTE = re.compile(r"""\s(src|width|href)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")
_HTML = (
    _SHOWN_HTML, _KEY_HTML, _MARK_HTML, _PICTURE_HTML, _FRAME_HTML, _LINK_HTML, _SILENT_HTML,
)  # fmt: skip
"""Tags that are not shown as text, in the order in which they are tried."""
_LONGEST_KEY = 40
_KEY = re.compile(r"[^\W\d](?:[\w -]*\w)?")
_SILENT_KEYS = frozenset({"id", "collapsed", "template-including-parent"})
"""Fields of Logseq that the program needs and no reader."""
_BRACKETS = {"[": "]", "(": ")"}
"""Brackets around a field between words."""
_MACRO = re.compile(r"\{\{(?:query|renderer)\b[^{}\n]*\}\}")
_EMBED = re.compile(r"\{\{embed\s+(?:\[\[([^\[\]|{}\n]+)\]\]|\(\([\w-]+\)\))\s*\}\}")


@functools.cache
def markdown_parser() -> MarkdownIt:
    """The parser of all notes."""
    # Imported late, on the thread that renders: that makes the start 25 ms shorter.
    from markdown_it import MarkdownIt
    from mdit_py_plugins.deflist import deflist_plugin
    from mdit_py_plugins.dollarmath import dollarmath_plugin
    from mdit_py_plugins.footnote import footnote_plugin
    from mdit_py_plugins.gfm_autolink import gfm_autolink_plugin

    # Raw HTML stays text: a note is data, and Qt would load the files it names.
    made = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    made.validateLink = _any_link  # type: ignore[method-assign]
    made.use(deflist_plugin).use(footnote_plugin).use(gfm_autolink_plugin)
    made.use(dollarmath_plugin, allow_labels=False)
    # The plugin's own rule reads all of the paragraph at each sign.
    made.inline.ruler.at("gfm_autolink_protocol", _address)
    # The plugin's own rule takes the last letter of a paragraph for the one before its first.
    made.inline.ruler.at("math_inline", _math)
    made.block.ruler.before("fence", "comment", _comment_block, options={"alt": ["paragraph"]})
    # All of them look before the rule of links, which would take their brackets.
    for name, rule in (
        ("wiki", _wiki), ("mark", _mark), ("comment", _comment), ("tag", _tag), ("id", _block_id),
        ("field", _field), ("macro", _macro), ("html", _html),
    ):  # fmt: skip
        made.inline.ruler.before("link", name, rule)
    # Else a value in round brackets would be read on after them.
    made.inline.add_terminator_char(")")
    return made


@functools.cache
def plain_text_parser() -> MarkdownIt:
    """The parser of texts that are not Markdown: paragraphs and their lines, no sign means more."""
    from markdown_it import MarkdownIt

    return MarkdownIt("zero").enable("newline")


def _address(state: StateInline, silent: bool) -> bool:
    """An address that stands between words."""
    from mdit_py_plugins.gfm_autolink.index import _protocol_rule

    # The rule is asked only where one of its protocols stands before a colon.
    begin = state.src[max(0, state.pos - 6) : state.pos]
    is_address = state.src[state.pos] == ":" and begin.endswith(_PROTOCOLS)
    return is_address and _protocol_rule(state, silent)


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
        token.content = found[2].rstrip("\\").strip()
        token.info = (found[3] or "").strip()
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
        # What is marked is read by itself, up to the signs at its end.
        last = state.posMax
        state.push("mark_open", "span", 1).attrs = {"class": "mark"}
        state.pos = start
        state.posMax = end
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
    """`%% text %%` or `<!-- text -->` between words, which is nothing to read."""
    for begin, end in _COMMENTS:
        if state.src.startswith(begin, state.pos):
            at = state.src.find(end, state.pos + len(begin), state.posMax)
            if at < 0:
                return False
            state.pos = at + len(end)
            return True
    return False


def _comment_block(state: StateBlock, first: int, last: int, silent: bool) -> bool:
    """A comment that has its lines for itself."""
    start = state.bMarks[first] + state.tShift[first]
    for begin, end in _COMMENTS:
        if not state.src.startswith(begin, start):
            continue
        at = state.src.find(end, start + len(begin), state.eMarks[last - 1])
        if at < 0:
            return False
        # Nothing else may stand on the line where the comment ends.
        line = first + state.src.count("\n", start, at)
        if state.src[at + len(end) : state.eMarks[line]].strip():
            return False
        state.line = line + 1
        return True
    return False


def _tag(state: StateInline, silent: bool) -> bool:
    """`#tag` after a space."""
    found = INLINE.match(state.src, state.pos, state.posMax)
    if found is None:
        return False
    if not silent:
        state.push("tag", "", 0).content = found[1]
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


# A parser reads from left to right; each condition is one that a field has to fulfil.
def _field(state: StateInline, silent: bool) -> bool:  # noqa: C901
    """`key:: value` on a line of its own, `[key:: value]`, and `(key:: value)` without its key."""
    after = state.pos + 2
    if not state.src.startswith("::", state.pos) or state.src[after : after + 1].strip():
        return False
    # The key is what was read since a bracket, or all of it on its own line.
    pending = state.pending[-_LONGEST_KEY - 1 :]
    at = 1 + max(pending.rfind("("), pending.rfind("["))
    key = pending[at:]
    bracket = pending[at - 1] if at else ""
    if not _KEY.fullmatch(key):
        return False
    start = state.pos - len(key)
    is_line = not bracket and (not start or state.src[start - 1] == "\n")
    # A field on its own line ends with it, another one at its closing bracket.
    line_end = state.src.find("\n", after, state.posMax)
    end = state.posMax if line_end < 0 else line_end
    if not is_line and bracket not in _BRACKETS:
        return False
    if not is_line:
        end = state.src.find(_BRACKETS[bracket], after, end)
    if end < 0:
        return False
    if silent:
        state.pos = end
        return True
    # The key was read already; what no reader needs is not shown at all.
    state.pending = state.pending[: len(state.pending) - len(key) - (not is_line)]
    if is_line and key in _SILENT_KEYS:
        if line_end >= 0:
            state.push("silent_line", "", 0)
        state.pos = end + (line_end >= 0)
        return True
    if bracket != "(":
        state.push("key_open", "span", 1).attrs = {"class": "tag"}
        state.push("text", "", 0).content = f"{key}: "
        state.push("key_close", "span", -1)
    # A value between words is read up to its bracket, which is not shown.
    value = state.src[after:end]
    state.pos = after + len(value) - len(value.lstrip())
    if not is_line:
        last = state.posMax
        state.posMax = end
        state.md.inline.tokenize(state)
        state.posMax = last
        state.pos = end + 1
    return True


def _macro(state: StateInline, silent: bool) -> bool:
    """`{{query x}}`, `{{embed [[Note]]}}` and `{{embed ((id))}}` of Logseq."""
    embed = _EMBED.match(state.src, state.pos, state.posMax)
    found = embed or _MACRO.match(state.src, state.pos, state.posMax)
    if found is None:
        return False
    if not silent and embed and embed[1]:
        token = state.push("wiki", "", 0)
        token.content = embed[1].strip()
        token.meta = {"is_embedded": True}
    elif not silent:
        kind = "block_embed" if embed else "macro"
        state.push(kind, "", 0)
    state.pos = found.end()
    return True


def _html(state: StateInline, silent: bool) -> bool:
    """Tags that only change the look of words; those of paragraphs say nothing. Others are text."""
    if not state.src.startswith("<", state.pos):
        return False
    for pattern in _HTML:
        found = pattern.match(state.src, state.pos, state.posMax)
        if found is not None:
            if not silent:
                _push_html(state, pattern, found[0])
            state.pos = found.end()
            return True
    return False


def _push_html(state: StateInline, pattern: re.Pattern[str], tag: str) -> None:
    """Push what a tag of HTML stands for: a look of words, a picture, or nothing."""
    parts = {each[1]: each[2] or each[3] or each[4] or "" for each in _ATTRIBUTE.finditer(tag)}
    if pattern is _FRAME_HTML:
        state.push("frame", "", 0).content = parts.get("src", "")
        return
    if pattern is _LINK_HTML:
        _push_link(state, parts.get("href", ""), is_end=tag == "</a>")
        return
    if pattern is _PICTURE_HTML:
        image = state.push("image", "img", 0)
        image.attrs = {"src": parts.get("src", "")}
        image.content = "|" + parts.get("width", "")
        return
    # Qt knows neither keys nor marks, so they look like code and like our own marks.
    shown = ""
    if _CELL_END_HTML.match(state.src, state.pos):
        shown = " · "
    elif _BLOCK_END_HTML.match(state.src, state.pos):
        shown = "<br>"
    elif pattern is _SHOWN_HTML:
        shown = tag
    elif pattern is _KEY_HTML:
        shown = tag.replace("kbd", "code")
    elif pattern is _MARK_HTML:
        shown = "</span>" if tag.startswith("</") else '<span class="mark">'
    if shown:
        state.push("html_inline", "", 0).content = shown


def _push_link(state: StateInline, href: str, *, is_end: bool) -> None:
    """Push the beginning of a link, or its end where one has begun; nothing for a mere anchor."""
    # HTML may close what it never opened, and links cannot stand in links.
    depth = sum(token.nesting for token in state.tokens if token.type.startswith("link_"))
    if is_end and depth > 0:
        state.push("link_close", "a", -1)
    elif not is_end and href and not depth:
        state.push("link_open", "a", 1).attrs = {"href": href}
