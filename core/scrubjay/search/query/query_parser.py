"""Turns what people type into terms, filters and FTS5 expressions. Any text is a valid query."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from scrubjay.text import spanish
from scrubjay.text.tokenizer import CJK_RUN, cjk_pairs, compound_parts, fold
from scrubjay.text.word_lists import other_forms, stop_words

MAX_TERMS: Final = 48
"""A pasted page is cut here: more words cost time and find nothing better."""

MAX_CHARACTERS: Final = 4_000
"""What is looked at of such a page before it is taken apart."""

_OPERATOR = re.compile(r"(?<!\S)(path|after|before):(\"[^\"]*\"|\S+)", re.IGNORECASE)
_PIECE = re.compile(r'(-?)"([^"]*)"|(?<!\S)(-)(?=\w)(\S+)|(\S+)')
_WORD = re.compile(r"[^\W_](?:\w|[.\-/:'’@+](?=\w))*|\w+|[^\w\s]", re.UNICODE)
_INNER_MARK = re.compile(r"[.\-/:'’@+]")
_IDENTIFIER = re.compile(r"\d|_|[a-z][A-Z]|\w[./:@]\w")
_POSSESSIVE = re.compile(r"['’]s?$|['’](?=s\b)")
_SHORTEST_PREFIX = 3
"""Shorter beginnings of words are in every note."""
_SHORTEST_PART = 3
"""Of a compound, by itself."""


@dataclass(frozen=True, slots=True)
class Term:
    """One thing to look for."""

    text: str
    """As typed."""
    alternatives: tuple[str, ...]
    """Equal ways to say it, as FTS5 phrases without quotes; the first is the term itself."""
    parts: tuple[str, ...] = ()
    """Words inside a compound, which say less than the whole."""
    is_stop_word: bool = False
    is_identifier: bool = False
    """Holds digits, inner marks or mixed case: people mean exactly this."""
    is_phrase: bool = False
    """Was in quotes: must occur."""
    is_prefix: bool = False
    """May still be being typed."""
    is_repaired: bool = False
    """Was a typing mistake, for which other words are looked for too."""

    def expression(self) -> str:
        """FTS5 syntax for "any of the alternatives"."""
        star = "*" if self.is_prefix else ""
        quoted = [_quoted(one) for one in (*self.alternatives, *self.parts)]
        quoted[0] += star
        return quoted[0] if len(quoted) == 1 else f"({' OR '.join(quoted)})"


@dataclass(frozen=True, slots=True)
class ParsedQuery:
    """What a typed query means."""

    text: str
    """The words without operators, for the model."""
    terms: tuple[Term, ...] = ()
    excluded: tuple[str, ...] = ()
    path_parts: tuple[str, ...] = ()
    after: dt.date | None = None
    before: dt.date | None = None
    gloss: str = ""
    """A Spanish query word by word in English, for a model that knows English only."""

    @property
    def named_paths(self) -> tuple[str, ...]:
        """What looks like a path or the name of a note, in lower case."""
        words = (word.strip("\"'`()<>,;:?!").casefold() for word in self.text.split())
        return tuple(word for word in words if "/" in word.strip("/") or word.endswith(".md"))

    @property
    def required_expression(self) -> str:
        """FTS5 expression for what every hit must hold; empty when that is nothing."""
        return " AND ".join(term.expression() for term in self.terms if term.is_phrase)

    @property
    def excluded_expression(self) -> str:
        """FTS5 expression for what no hit may hold; empty when that is nothing."""
        return " OR ".join(map(_quoted, self.excluded))

    @property
    def keywords(self) -> tuple[Term, ...]:
        """Terms that carry meaning; all of them when none does."""
        kept = tuple(term for term in self.terms if not term.is_stop_word)
        return kept or self.terms

    def expression(self, numbers: Collection[int] | None = None) -> str:
        """FTS5 expression for chunks with any keyword, and with every quoted phrase.

        Numbers are those of the keywords to look for; all by default. Phrases always are.
        """
        keywords = [
            term
            for number, term in enumerate(self.keywords)
            if numbers is None or number in numbers or term.is_phrase
        ]
        if not keywords:
            return ""
        required = [term.expression() for term in keywords if term.is_phrase]
        optional = [term.expression() for term in keywords if not term.is_phrase]
        found = " AND ".join(required) if required else f"({' OR '.join(optional)})"
        if required and optional:
            # The optional words rank, but must not be needed: FTS5 has no other way to say so.
            found = f"({found}) AND ({' OR '.join([*required, *optional])})"
        for phrase in self.excluded:
            found = f"({found}) NOT {_quoted(phrase)}"
        return found


def parse(
    text: str, *, is_typing: bool = False, synonyms: Mapping[str, tuple[str, ...]] | None = None
) -> ParsedQuery:
    """Understand a query: words, "phrases", -without, path:, after:, before:.

    An operator with a value that makes no sense is a plain word. Synonyms map folded words to
    their counterparts in another language, besides the built-in ones.
    """
    text = _cut(text).replace("\0", " ")
    fields: dict[str, str] = {}
    paths: list[str] = []

    def take(match: re.Match[str]) -> str:
        key, value = match[1].lower(), match[2].strip('"')
        if key == "path" and value:
            paths.append(value)
        elif key != "path" and _date(value):
            fields[key] = value
        else:
            return match[0]
        return " "

    words = _OPERATOR.sub(take, text)
    if words.rstrip().endswith("?"):
        # In a whole question quotes mark a title, which the answer need not repeat.
        words = words.replace('"', " ")
    phrases, excluded, plain = _pieces(words)
    tongue = spanish.language(words, map(_folded, plain))
    ends_open = is_typing and bool(words) and not words[-1].isspace() and not words.endswith('"')
    return ParsedQuery(
        text=" ".join(words.split()),
        terms=(
            *(Term(phrase, (_spaced(phrase),), is_phrase=True) for phrase in phrases),
            *_terms(plain, synonyms or {}, tongue, ends_open=ends_open),
        )[:MAX_TERMS],
        excluded=tuple(_spaced(one) for one in excluded[:MAX_TERMS]),
        path_parts=tuple(paths),
        after=_date(fields.get("after", "")),
        before=_date(fields.get("before", "")),
        gloss=spanish.gloss(plain) if tongue == "es" else "",
    )


def _cut(text: str) -> str:
    """What is looked at of a pasted page; a word that would be cut in two is left out."""
    kept = text[:MAX_CHARACTERS]
    if len(text) == len(kept) or text[MAX_CHARACTERS].isspace() or not re.search(r"\s", kept):
        return kept
    return re.sub(r"\S+\Z", "", kept)


def _pieces(text: str) -> tuple[list[str], list[str], list[str]]:
    """(phrases in quotes, what is excluded, all other words)."""
    phrases: list[str] = []
    excluded: list[str] = []
    words: list[str] = []
    for minus, phrase, dash, without, plain in _PIECE.findall(text):
        if phrase.strip() and re.search(r"\w", phrase):
            (excluded if minus else phrases).append(phrase)
        elif dash and re.search(r"\w", without):
            excluded.append(without)
        else:
            words += [word for word in _WORD.findall(plain) if re.search(r"\w", word)]
    return phrases, excluded, words


def _terms(
    typed: Sequence[str], synonyms: Mapping[str, tuple[str, ...]], tongue: str, *, ends_open: bool
) -> Iterator[Term]:
    words = list(dict.fromkeys(typed))[:MAX_TERMS]
    folded = [_folded(word) for word in words]
    empty = stop_words(folded, tongue)
    expressions = spanish.phrases_in_english(folded) if tongue == "es" else {}
    for number, (word, plain) in enumerate(zip(words, folded, strict=True)):
        if CJK_RUN.search(word):
            yield from _cjk_terms(word)
            continue
        is_last = ends_open and number == len(words) - 1
        whole = (expressions[number][1],) if number in expressions else ()
        others = (*whole, *synonyms.get(plain, ()), *spanish.counterparts(plain, tongue))
        is_empty = plain in empty
        yield _term(word, others, is_stop_word=is_empty, is_open=is_last)


def _cjk_terms(word: str) -> Iterable[Term]:
    """Text without spaces is looked for by its pairs; a lone character as a prefix of pairs."""
    for run in CJK_RUN.findall(word):
        pairs = cjk_pairs(run)[:-1] or [run]
        yield from (Term(pair, (pair,), is_prefix=len(pair) == 1) for pair in pairs)
    rest = CJK_RUN.sub(" ", word).split()
    yield from (Term(part, (part,)) for part in rest if re.search(r"\w", part))


def _term(word: str, others: Iterable[str], *, is_stop_word: bool, is_open: bool) -> Term:
    bare = _POSSESSIVE.sub("", word) or word
    alternatives = (bare, *other_forms(fold(bare)), *others)
    return Term(
        text=word,
        alternatives=tuple(dict.fromkeys(alternatives)),
        parts=tuple(dict.fromkeys(_parts(bare))),
        is_stop_word=is_stop_word,
        is_identifier=bool(_IDENTIFIER.search(bare)),
        is_prefix=is_open and len(word) >= _SHORTEST_PREFIX,
    )


def _folded(word: str) -> str:
    return fold(_POSSESSIVE.sub("", word) or word)


def _parts(word: str) -> Iterable[str]:
    """A compound is found by its parts too, yet its whole is rarer and ranks higher."""
    if split := compound_parts(word):
        yield split
    parts = _INNER_MARK.split(word)
    if len(parts) > 1:
        yield from (part for part in parts if len(part) >= _SHORTEST_PART)


def _spaced(text: str) -> str:
    """Like analysis.searchable, but without the lone last character: phrases end in a pair."""

    def pairs(run: re.Match[str]) -> str:
        found = cjk_pairs(run.group())
        return f" {' '.join(found[:-1] or found)} "

    return CJK_RUN.sub(pairs, text).strip()


def _quoted(phrase: str) -> str:
    return '"' + phrase.replace('"', '""') + '"'


def _date(text: str) -> dt.date | None:
    try:
        return dt.date.fromisoformat(text)
    except ValueError:
        return None
