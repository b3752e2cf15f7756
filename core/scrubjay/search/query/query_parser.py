"""Terms, filters, names and FTS5 expressions of a typed query. Any text is a valid query."""

from __future__ import annotations

import datetime as dt
import functools
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from scrubjay.records.search_records import QueryReading
from scrubjay.text import spanish
from scrubjay.text.file_kinds import KINDS, text_ending
from scrubjay.text.normal_form import normal_form
from scrubjay.text.printable import encodable_text
from scrubjay.text.tags import NAME, tag_key
from scrubjay.text.tokenizer import (
    MARKS,
    NUMBER,
    SIGNED_NAME,
    SYMBOL,
    UNSPACED_RUN,
    cjk_pairs,
    equal_words,
    fold,
    identifier_parts,
    is_number,
    is_signed_name,
)
from scrubjay.text.word_lists import (
    DAY_NAMES,
    other_forms,
    stop_word_counts,
    stop_words,
    untranslated_words,
)

MAX_TERMS: Final = 48
"""Terms of a query; more words, as of a pasted page, cost time and find nothing better."""

MAX_CHARACTERS: Final = 4_000
"""Characters of a query that are parsed at all."""

# Operators and pieces of a query.

_OPERATOR = re.compile(r"(?<!\S)(path|file|after|before|kind):(\"[^\"]*\"|\S+)", re.IGNORECASE)
_TAG = re.compile(rf'"[^"]*"|(?<!\S)(?:tags?:#?|#)("?)({NAME})\1(?=[\s.,;:!?)]|\Z)', re.IGNORECASE)
"""A tag to filter by; a phrase in quotes is passed over."""
_NO_TAG = re.compile(rf"(?<!\S)tags?:#?(?=[^\W\d]|{SYMBOL})", re.IGNORECASE)
_PIECE = re.compile(
    rf'(-?)"([^"]*)"|(?<!\S)(-)(?=\w)(\S+)|(?<!\S)({NUMBER})(?=[\s.,;:!?)]|\Z)|(\S+)'
)

_QUOTES = str.maketrans(dict.fromkeys("“”„‟«»「」『』〝〞〟＂❝❞⹂", '"'))
_SINGLE_QUOTES = re.compile(r"(?<!\w)[‘‚‹›]([^‘’‚‹›\"]+)[’‘›‹](?!\w)")
"""A phrase in single typographic quotes, none of which is an apostrophe."""
_NUMERAL = re.compile(r"\d(?:[٬٫．，]?\d)*")

_NOT = re.compile(r'(?<=\S)\s+(?:AND\s+)?NOT\s+(?:"([^"]*)"|(\w[^\s"]*))')
"""Word in capitals that excludes the one after it; in a text all in capitals it is a word."""
_OPTION = re.compile(r"\w|[A-Za-z]{2}|[A-Za-z]\d+|[b-df-hj-np-tv-xz]{3,4}|[A-Z]\w*\d\w*|[\w-]+=.*")
"""What looks like an option of a command after one hyphen, as in `ssh -T` and `-Xmx4g`."""
_LONG_OPTION = re.compile(r"(?<!\S)--\w")
_SHORT_WORD = 4
"""Letters of a word that is an option where another one is."""

_MAY_EXCLUDE = re.compile(r"(?<!\S)-|\bNOT\b|\w:\S|[\[/]")
_UNKNOWN = re.compile(
    r"(?<!\S)-?(?:([a-z][a-z-]+:)(?=[^\W\d]|[\"(#])|(\[[\w -]+:[^\[\]]*\])(?!\()"
    r"|(/(?=[^/\s]*[.*+?^$|\\()\[\]])[^/\s]+/)(?!\S))",
    re.IGNORECASE,
)
"""Operator that only other programs know: a name, a property, or a pattern."""

# Words, and what tells more about one.

_OPEN_EXCLUDED = re.compile(r'(?<!\S)-(?:(")[^"]*|\w\S*)(?<=\w{3})\Z')
_WORD = re.compile(
    rf"{NUMBER}|{SIGNED_NAME}|{SYMBOL}"
    rf"|[^\W_](?:[\w{MARKS}]|[.\-/:'’@+](?=\w))*(?:(?<=\w{{3}})\*(?![\w*]))?"
    rf"|[\w{MARKS}]+|[^\w\s]"
)
_SAYS_SOMETHING = re.compile(rf"\w|{SYMBOL}")
_INNER_MARK = re.compile(r"[.\-/:'’@+]")
_IDENTIFIER = re.compile(r"\d|_|[a-z][A-Z]|\w[./:@]\w")
_POSSESSIVE = re.compile(r"['’]s?$|['’](?=s\b)")
_ENDS_IN_TAG = re.compile(rf"(?<!\S)(?:tags?:#?|#){NAME}\Z", re.IGNORECASE)
_SHORTEST_PREFIX = 3
"""Letters of the shortest beginning that is looked for; shorter ones are in every note."""
_JUST_BEGUN = re.compile(r"(?<=\w)\s+[a-záéíóúüñ]{1,2}\Z", re.IGNORECASE)
_ABOUT_NOTES = re.compile(
    r"^\s*(?:my )?not(?:e|as?)s? (?:about|on|de|sobre) (?=\w{3})", re.IGNORECASE
)
"""Beginning that says that the notes are to be searched, and nothing about what for."""
_SHORTEST_PART = 3
"""Letters of a compound's part that is looked for by itself."""

# Names, codes and what looks like one.

_NAME = re.compile(r"[^\W_](?:\w|[.\-/:'’@+](?=\w))*")
_FINAL_POSSESSIVE = re.compile(r"['’]s?$")
_BEFORE_SENTENCES = frozenset('.?!:;¿¡"“«(')
_CODE = re.compile(r"(?=.*\d)(?=.*[^\W\d_]).{5,}")
_DIGEST = re.compile(r"(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,64}")
"""Commit or digest, which is often named by its first digits."""
_MEASURE = re.compile(r"[\d.,:]+[-/]?[^\W\d_]+(?:[-/][^\W\d_]+)*")


class Term(Struct, frozen=True, dict=True):
    """One word or phrase to search for."""

    text: str
    """Word or phrase as typed."""
    alternatives: tuple[str, ...]
    """Equal ways to say it, as FTS5 phrases without quotes; the first is the term itself."""
    equal: tuple[str, ...] = ()
    """Alternatives that are the same word in other letters or with other signs."""
    parts: tuple[str, ...] = ()
    """Words inside a compound, which say less than the whole."""
    translations: tuple[str, ...] = ()
    """Alternatives that are words of another language."""
    continued: tuple[str, ...] = ()
    """Words that it may become, which FTS5 does not find by its beginning."""
    is_stop_word: bool = False
    is_identifier: bool = False
    """Whether it holds digits, inner marks or mixed case: it is meant exactly so."""
    is_phrase: bool = False
    """Whether it was in quotes: it must occur."""
    is_prefix: bool = False
    """Whether it may still be being typed."""
    is_repaired: bool = False
    """Whether it was a typo, for which other words are looked for too."""
    is_respelt: bool = False
    """Whether these are near to the whole word, which is long or beside others: no accident."""

    @functools.cached_property
    def folded(self) -> str:
        """The term itself, which is the first alternative, folded."""
        return fold(self.alternatives[0])

    @functools.cached_property
    def folded_text(self) -> str:
        """The text as typed, folded."""
        return fold(self.text)

    def expression(self) -> str:
        """FTS5 syntax for "any of the alternatives"."""
        quoted = [_quoted(text) for text in (*self.alternatives, *self.parts, *self.continued)]
        if self.is_prefix:
            # Beside the word itself, so that it outranks longer words among the candidates.
            quoted.append(f"{quoted[0]}*")
        if len(quoted) == 1:
            return quoted[0]
        return f"({' OR '.join(quoted)})"


class ParsedQuery(Struct, frozen=True, dict=True):
    """The parts of a typed query."""

    text: str
    """The words without operators, for the model."""
    terms: tuple[Term, ...] = ()
    excluded: tuple[str, ...] = ()
    excluded_beginning: str = ""
    """Beginning of the last excluded word, which is still being typed."""
    path_parts: tuple[str, ...] = ()
    name_parts: tuple[str, ...] = ()
    """Parts that the name of the file must have."""
    kinds: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    """Tags of which each must be one of the note, or above one of it."""
    begun_tag: str = ""
    """Last tag, which is still being typed."""
    after: dt.date | None = None
    before: dt.date | None = None
    gloss: str = ""
    """Spanish query word by word in English, for a model that knows English only."""
    reading: QueryReading = QueryReading()
    """How it was read, for the answer."""

    @functools.cached_property
    def folded(self) -> str:
        """The text, folded."""
        return fold(self.text.strip())

    @property
    def names(self) -> tuple[str, ...]:
        """The words of names, and codes, as typed, without a possessive s.

        A name begins with a capital where no sentence begins, as far as capitals tell anything:
        not in German, nor in a headline. A code is five or more letters and digits together, but
        no number with a unit.
        """
        capitals_tell = _capitals_tell(self.text)
        names: list[str] = []
        for match in _NAME.finditer(self.text):
            word = without_possessive(match[0])
            before = self.text[: match.start()].rstrip()
            is_code = _CODE.fullmatch(word) and not _MEASURE.fullmatch(word)
            # A word all in capitals is an abbreviation, and those have synonyms.
            is_capitalised = (
                word[:1].isupper() and not word.isupper() and fold(word) not in DAY_NAMES
            )
            begins_sentence = not before or before[-1] in _BEFORE_SENTENCES
            if is_code or (capitals_tell and is_capitalised and not begins_sentence):
                names.append(word)
        return tuple(names)

    @property
    def named_paths(self) -> tuple[str, ...]:
        """Words that look like a path or the name of a note, in lower case."""
        words = (word.strip("\"'`()<>,;:?!").casefold() for word in self.text.split())
        return tuple(word for word in words if "/" in word.strip("/") or text_ending(word))

    @property
    def required_expression(self) -> str:
        """FTS5 expression that every hit must match; empty if there is none."""
        return " AND ".join(term.expression() for term in self.terms if term.is_phrase)

    @property
    def quotes(self) -> tuple[str, ...]:
        """The quoted phrases as typed except those of scripts without spaces."""
        phrases = (term.text for term in self.terms if term.is_phrase)
        return tuple(phrase for phrase in phrases if not UNSPACED_RUN.search(phrase))

    @property
    def unquoted(self) -> str:
        """The text without the quoted phrases, which are words and nothing else."""
        text = self.text
        for quote in self.quotes:
            text = text.replace(quote, " ")
        return text

    @property
    def excluded_expression(self) -> str:
        """FTS5 expression that no hit may match; empty if there is none."""
        phrases = [*map(_quoted, self.excluded)]
        if self.excluded_beginning:
            phrases.append(f"{_quoted(self.excluded_beginning)}*")
        return " OR ".join(phrases)

    @property
    def keywords(self) -> tuple[Term, ...]:
        """Terms that carry meaning; all of them when none does."""
        return tuple(term for term in self.terms if not term.is_stop_word) or self.terms

    @property
    def word_expressions(self) -> tuple[str, ...]:
        """An FTS5 expression for each keyword."""
        return tuple(term.expression() for term in self.keywords)

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
        expression = f"({' OR '.join(optional)})"
        if required:
            expression = " AND ".join(required)
        if required and optional:
            # The optional words rank, but must not be needed: FTS5 has no other way to say so.
            expression = f"({expression}) AND ({' OR '.join([*required, *optional])})"
        excluded = self.excluded_expression
        if excluded:
            expression = f"({expression}) NOT ({excluded})"
        return expression


def parse_query(
    text: str,
    *,
    is_open: bool = False,
    synonyms: Mapping[str, tuple[str, ...]] | None = None,
    translates: bool = True,
    has_stop_words: bool = True,
) -> ParsedQuery:
    """The query in a text: words, "phrases", -without, path:, file:, kind:, after:, before:, #tag.

    An operator with a value that makes no sense is a plain word. Synonyms map folded words to
    their counterparts in another language, besides the built-in ones.
    """
    # Operators are taken out first.
    operators = _Operators()
    begun_tag = operators.take_from(_bounded(text), is_open=is_open)
    typed = _typed_words(operators.words, is_open=is_open)
    phrases, excluded, plain = _pieces(typed.text)

    # The language decides which words are translated and which say nothing.
    language = spanish.detect_language(typed.text, [fold(_bare(word)) for word in plain])
    terms = _terms(
        plain,
        synonyms or {},
        language if translates else None,
        has_stop_words=has_stop_words,
        ends_open=typed.ends_open,
    )
    quoted = (Term(phrase, (phrase,), is_phrase=True) for phrase in phrases)
    gloss = ""
    if language == "es" and translates:
        gloss = spanish.gloss_words([word.rstrip("*") for word in plain])
    excluded_beginning = ""
    if typed.ends_excluded and excluded:
        excluded_beginning = excluded[-1]
    return ParsedQuery(
        text=" ".join(typed.text.split()),
        terms=(*quoted, *terms)[:MAX_TERMS],
        excluded=tuple(excluded[:MAX_TERMS]),
        excluded_beginning=excluded_beginning,
        path_parts=tuple(operators.path_parts),
        name_parts=tuple(operators.name_parts),
        kinds=tuple(dict.fromkeys(operators.kinds)),
        tags=tuple(dict.fromkeys(operators.tags)),
        begun_tag=begun_tag,
        after=operators.after,
        before=operators.before,
        gloss=gloss,
        reading=_reading(text),
    )


def _reading(text: str) -> QueryReading:
    """What a text excludes, and what looks like an operator in it and is none."""
    bounded = _bounded(text)
    if not _MAY_EXCLUDE.search(bounded):
        return QueryReading()
    operators = _Operators()
    operators.take_from(bounded, is_open=False)
    _, excluded, _ = _pieces(operators.words)
    plain = ""
    if excluded:
        plain = bounded
        for words in excluded:
            written = rf'(?<!\S)(?:-|(?:AND\s+)?NOT\s+)("?){re.escape(words)}\1'
            plain = re.sub(written, lambda match: words, plain)  # noqa: B023
    unknown = (match[1] or match[2] or match[3] for match in _UNKNOWN.finditer(operators.words))
    return QueryReading(
        excluded=tuple(dict.fromkeys(excluded)),
        plain=" ".join(plain.split()),
        unknown=tuple(dict.fromkeys(unknown)),
    )


def _bounded(text: str) -> str:
    """The part of a text that is parsed, without half a word at its end."""
    beginning = text[:MAX_CHARACTERS]
    is_cut = bool(text[MAX_CHARACTERS : MAX_CHARACTERS + 1].strip())
    if is_cut and re.search(r"\s", beginning):
        beginning = re.sub(r"\S+\Z", "", beginning)
    beginning = encodable_text(beginning.replace("\0", " "))
    if beginning.isascii():
        return beginning
    # Keyboards write quotes, and digits of other scripts, in many ways.
    return _NUMERAL.sub(lambda match: normal_form(match[0]), _typewriter_quotes(beginning))


def _typewriter_quotes(text: str) -> str:
    """The text with straight quotes around phrases, and apostrophes as they are."""
    return _SINGLE_QUOTES.sub(r'"\1"', text.translate(_QUOTES))


class _Operators:
    """The operators of a query, taken out of its text."""

    def __init__(self) -> None:
        self.path_parts: list[str] = []
        self.name_parts: list[str] = []
        self.kinds: list[str] = []
        self.tags: list[str] = []
        self.after: dt.date | None = None
        self.before: dt.date | None = None
        self.tags_replaced = ""
        """The text without operators and tags."""

    @property
    def words(self) -> str:
        """The text without operators and tags; the wanted names where there is nothing else."""
        if self.name_parts and not re.search(r"\w", self.tags_replaced):
            return " ".join(self.name_parts)
        return self.tags_replaced

    def take_from(self, text: str, *, is_open: bool) -> str:
        """The tag that is still being typed at the end of a text; otherwise empty.

        It filters by its beginning, and is not among the other tags.
        """
        left = _OPERATOR.sub(self._take, text)
        self.tags_replaced = _NO_TAG.sub("#", _TAG.sub(self._take_tag, left))
        if is_open and self.tags and _ENDS_IN_TAG.search(left):
            return self.tags.pop()
        return ""

    def _take(self, match: re.Match[str]) -> str:
        key = match[1].lower()
        value = match[2].strip('"')
        if key == "path" and value:
            self.path_parts.append(value)
            return " "
        if key == "file" and value:
            self.name_parts.append(value)
            return " "
        if key == "kind" and value.lower() in KINDS:
            self.kinds.append(value.lower())
            return " "
        day = _date(value)
        if key == "after" and day:
            self.after = day
            return " "
        if key == "before" and day:
            self.before = day
            return " "
        return match[0]

    def _take_tag(self, match: re.Match[str]) -> str:
        if not match[2]:
            return match[0]
        self.tags.append(tag_key(match[2]))
        return " "


class _TypedWords(Struct, frozen=True):
    """The text of a query without operators, as far as it can be understood yet."""

    text: str
    ends_open: bool
    """Whether the last word may still be being typed."""
    ends_excluded: bool
    """Whether the last word is excluded and still being typed."""


def _typed_words(text: str, *, is_open: bool) -> _TypedWords:
    if text.rstrip().endswith("?"):
        # In a whole question quotes mark a title, which the answer need not repeat.
        text = text.replace('"', " ")
    if not is_open:
        return _TypedWords(text, ends_open=False, ends_excluded=False)
    # A phrase to exclude whose quote is still open ends with the text.
    excluded = _OPEN_EXCLUDED.search(text)
    if excluded and excluded[1]:
        text += '"'
    ends_open = not excluded and bool(re.search(r"\w\Z", text))
    begun = _JUST_BEGUN.search(text) if ends_open else None
    if begun:
        # Nothing is known yet of a word that has just begun.
        text = text[: begun.start()]
        ends_open = False
    text = _ABOUT_NOTES.sub("", text)
    return _TypedWords(text, ends_open=ends_open, ends_excluded=excluded is not None)


def without_possessive(word: str) -> str:
    """A word without a possessive s."""
    return _FINAL_POSSESSIVE.sub("", word)


def _capitals_tell(text: str) -> bool:
    """True where words that are not names are written small."""
    words = _NAME.findall(text)
    # German writes all nouns with capitals.
    folded = frozenset(map(fold, words))
    counts = stop_word_counts(folded)
    if counts["de"] > max(counts["en"], counts["es"]):
        return False
    empty = stop_words(folded)
    return "?" in text or any(word.islower() and fold(word) not in empty for word in words)


def _pieces(text: str) -> tuple[list[str], list[str], list[str]]:
    """(quoted phrases, excluded words and phrases, all other words)."""
    phrases: list[str] = []
    excluded: list[str] = []
    words: list[str] = []
    pieces = _PIECE.findall(_with_hyphens(text))
    # A command that was pasted has options, which exclude nothing.
    has_option = bool(_LONG_OPTION.search(text)) or any(
        dash and _OPTION.fullmatch(without) for _, _, dash, without, *_ in pieces
    )
    for minus, phrase, dash, without, number, plain in pieces:
        is_phrase = phrase.strip() and _SAYS_SOMETHING.search(phrase)
        if is_phrase and minus:
            excluded.append(phrase)
        elif is_phrase:
            phrases.append(phrase)
        elif dash and not _is_option(without, has_option=has_option):
            excluded.append(without)
        elif number:
            words.append(number)
        else:
            # A star at the end stands for any ending, around a word it is a mark of Markdown.
            written = plain or without
            if written.startswith("*"):
                written = written.strip("*")
            words += [word for word in _WORD.findall(written) if _SAYS_SOMETHING.search(word)]
    return phrases, excluded, words


def _with_hyphens(text: str) -> str:
    """The text with a hyphen in place of each NOT that excludes a word or phrase."""

    def hyphen(match: re.Match[str]) -> str:
        without = match[1] or match[2] or ""
        before = match.string[: match.start()].split()[-1]
        if any(len(word) > 1 and word.isupper() for word in (before, without)):
            return match[0]
        return f' -"{without}"'

    return _NOT.sub(hyphen, text)


def _is_option(word: str, *, has_option: bool) -> bool:
    """Whether a word behind a hyphen is an option of a command, rather than excluded."""
    is_short = word.isascii() and word.isalpha() and len(word) <= _SHORT_WORD
    return bool(_OPTION.fullmatch(word)) or (has_option and is_short)


def _terms(
    typed: Sequence[str],
    synonyms: Mapping[str, tuple[str, ...]],
    language: str | None,
    *,
    has_stop_words: bool,
    ends_open: bool,
) -> Iterator[Term]:
    words = list(dict.fromkeys(word.rstrip("*") for word in typed))[:MAX_TERMS]
    begun = {word.rstrip("*") for word in typed if word.endswith("*")}
    folded = [fold(_bare(word)) for word in words]
    # What the words say together: which of them are empty, and which begin a fixed expression.
    empty: frozenset[str] = frozenset()
    if has_stop_words:
        empty = stop_words(folded, language or "")
    untranslated = untranslated_words(folded, empty)
    phrases: Mapping[int, tuple[int, str]] = {}
    if language == "es":
        phrases = spanish.english_phrases(folded)
    end = 0
    for number, (word, plain) in enumerate(zip(words, folded, strict=True)):
        if number < end:
            continue  # a word of the expression before it
        if number in phrases:
            size, english = phrases[number]
            end = number + size
            yield _expression(words[number:end], english, empty)
            continue
        if UNSPACED_RUN.search(word):
            yield from _terms_without_spaces(word)
            continue
        is_open = ends_open and number == len(words) - 1
        # Its counterparts in the other language: the user's own, then the dictionary's.
        others = [*synonyms.get(plain, ())]
        if language is not None and plain not in untranslated:
            others += spanish.translate_word(plain, language)
        is_begun = word in begun or (is_open and len(word) >= _SHORTEST_PREFIX)
        is_prefix = is_begun or bool(_DIGEST.fullmatch(plain))
        yield _term(word, others, is_stop_word=plain in empty, is_prefix=is_prefix)


def _term(word: str, others: Sequence[str], *, is_stop_word: bool, is_prefix: bool) -> Term:
    """The term of a word, with its counterparts in another language."""
    # The same word in other letters; the sign of a name is not left out.
    bare = _bare(word)
    equal = equal_words(bare)
    itself = () if is_signed_name(bare) else (bare,)
    return Term(
        text=word,
        alternatives=tuple(dict.fromkeys((*itself, *equal, *other_forms(fold(bare)), *others))),
        equal=equal,
        translations=tuple(others),
        parts=() if is_number(bare) else _parts(bare),
        is_stop_word=is_stop_word,
        is_identifier=bool(_IDENTIFIER.search(bare)) or not itself,
        is_prefix=is_prefix,
    )


def _expression(words: Sequence[str], english: str, empty: Collection[str]) -> Term:
    """The one term of a fixed Spanish expression, whose words alone mean something else."""
    text = " ".join(words)
    return Term(
        text=text,
        alternatives=tuple(dict.fromkeys((text, *spanish.expressions(english), english))),
        translations=(english,),
        parts=tuple(word for word in words if fold(word) not in empty),
    )


def _terms_without_spaces(word: str) -> Iterator[Term]:
    """The terms of a word with a run of CJK characters."""
    # Text without spaces is looked for by its pairs; a lone character as their prefix.
    word = fold(word)
    for run in UNSPACED_RUN.findall(word):
        pairs = cjk_pairs(run)[:-1] or [run]
        yield from (Term(pair, (pair,), is_prefix=len(pair) == 1) for pair in pairs)
    rest = UNSPACED_RUN.sub(" ", word).split()
    yield from (Term(part, (part,)) for part in rest if re.search(r"\w", part))


def _parts(word: str) -> tuple[str, ...]:
    """The words inside a compound, by which it is found too; its whole is rarer and ranks higher.

    None for a word that is not a compound.
    """
    parts: list[str] = []
    marked = _INNER_MARK.split(word)
    if len(marked) > 1:
        parts = [part for part in marked if len(part) >= _SHORTEST_PART]
    split = identifier_parts(word)
    if split:
        parts.insert(0, split)
    return tuple(dict.fromkeys(parts))


def _bare(word: str) -> str:
    return _POSSESSIVE.sub("", word) or word


def _spaced(text: str) -> str:
    """Like `searchable_text`, but without the lone last character: phrases end in a pair."""
    if text.isascii():
        return text

    def pairs(run: re.Match[str]) -> str:
        overlapping = cjk_pairs(run.group())
        return f" {' '.join(overlapping[:-1] or overlapping)} "

    return UNSPACED_RUN.sub(pairs, fold(text)).strip()


def _quoted(phrase: str) -> str:
    return '"' + _spaced(phrase).replace('"', '""') + '"'


def _date(text: str) -> dt.date | None:
    try:
        return dt.date.fromisoformat(text)
    except ValueError:
        return None
