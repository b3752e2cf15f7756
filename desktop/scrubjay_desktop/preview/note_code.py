"""Program code in notes, its words told apart by colours."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from itertools import groupby
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scrubjay_desktop.widgets.theme import Colors

LONGEST = 6_000
"""Characters of a note's code that get colours: Pygments takes 2 ms for a thousand."""
_LANGUAGES = (
    " bash sh shell zsh fish console c h cpp c++ csharp c# cs css scss dart diff docker dockerfile "
    "elixir erlang go golang haskell hs html ini java javascript js jsx json json5 julia kotlin "
    "latex tex lua make makefile nix objc objective-c perl php powershell ps1 python py python3 r "
    "rb ruby rust rs scala sql sqlite3 swift toml typescript ts tsx vim xml yaml yml zig "
)
"""Names of languages after a fence. No others: a rule of an odd language may take for ever over a
few signs, and nothing can stop it."""
_KINDS = (
    ("Comment", "cm"),
    ("Generic.Heading", "cm"),
    ("Literal.String", "st"),
    ("Generic.Inserted", "st"),
    ("Literal.Number", "nu"),
    ("Name.Attribute", "nu"),
    ("Name.Decorator", "nu"),
    ("Keyword", "kw"),
    ("Name.Tag", "kw"),
    ("Generic.Deleted", "no"),
)
"""Beginning of a kind of Pygments -> class of the style sheet; the others look like text."""


def has_highlighting(language: str) -> bool:
    """Whether code of this language has colours."""
    return bool(language) and f" {language.lower()} " in _LANGUAGES


def highlight_code(code: str, language: str) -> list[str]:
    """The HTML of each line of code."""
    return "".join(_spans(code, language)).split("\n")


def _spans(code: str, language: str) -> Iterator[str]:
    # Imported late, on the thread that renders; a language takes up to 30 ms at its first use.
    from pygments.lexers import get_lexer_by_name

    # Neighbours of the same colour share one span, which no line end may be in.
    lexer = get_lexer_by_name(language.lower(), stripnl=False, ensurenl=False)
    kinds = ((_kind(str(token)), text) for token, text in lexer.get_tokens(code))
    for kind, group in groupby(kinds, key=lambda each: each[0]):
        for number, text in enumerate("".join(text for _, text in group).split("\n")):
            line_end = "\n" if number else ""
            shown = escape(text)
            if kind and text.strip():
                shown = f'<span class="{kind}">{shown}</span>'
            yield line_end + shown


def _kind(token: str) -> str:
    name = token.removeprefix("Token.")
    return next((kind for begin, kind in _KINDS if name.startswith(begin)), "")


def code_style(colors: Colors) -> str:
    """The part of a note's style sheet that colours code."""
    inks = {
        "cm": colors.muted, "st": colors.good, "nu": colors.warning, "kw": colors.accent,
        "no": colors.danger,
    }  # fmt: skip
    return "".join(f".{kind} {{ color: {ink.name()}; }}\n" for kind, ink in inks.items())
