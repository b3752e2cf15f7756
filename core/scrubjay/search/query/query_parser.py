"""Terms, filters, names and FTS5 expressions of a typed query. Any text is a valid query."""

from __future__ import annotations

import datetime as dt
import functools
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from scrubjay.concurrency.lazy_pattern import lazy_pattern
from scrubjay.records.search_records import QueryReading, SearchRequest
from scrubjay.search.query.query_syntax import (
    Syntax,
    clause_filters,
    may_have_operators,
    print_clause,
    read_syntax,
)
from scrubjay.store.index_records import ALL_DOCUMENTS, Filters
from scrubjay.text import spanish
from scrubjay.text.file_kinds import text_ending
from scrubjay.text.normal_form import normal_form
from scrubjay.text.printable import encodable_text
from scrubjay.text.tags import NAME
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

# Pieces of a query.

_PIECE = lazy_pattern(rf'-?"([^"]*)"|(?<!\S)-(?=\w)(\S+)|(?<!\S)({NUMBER})(?=[\s.,;:!?)]|\Z)|(\S+)')

_QUOTES = str.maketrans(dict.fromkeys("“”„‟«»「」『』〝〞〟＂❝❞⹂", '"'))
_SINGLE_QUOTES = lazy_pattern(r"(?<!\w)[‘‚‹›]([^‘’‚‹›\"]+)[’‘›‹](?!\w)")
"""A phrase in single typographic quotes, none of which is an apostrophe."""
_NUMERAL = lazy_pattern(r"\d(?:[٬٫．，]?\d)*")

# Words, and what tells more about one.

_OPEN_EXCLUDED = lazy_pattern(r'(?<!\S)-(?:(")[^"]*|\w\S*)(?<=\w{3})\Z')
_WORD = lazy_pattern(
    rf"{NUMBER}|{SIGNED_NAME}|{SYMBOL}"
    rf"|[^\W_](?:[\w{MARKS}]|[.\-/:'’@+](?=\w))*(?:(?<=\w{{3}})\*(?![\w*]))?"
    rf"|[\w{MARKS}]+|[^\w\s]"
)
_SAYS_SOMETHING = lazy_pattern(rf"\w|{SYMBOL}")
_INNER_MARK = lazy_pattern(r"[.\-/:'’@+]")
_IDENTIFIER = lazy_pattern(r"\d|_|[a-z][A-Z]|\w[./:@]\w")
_POSSESSIVE = lazy_pattern(r"['’]s?$|['’](?=s\b)")
_ENDS_IN_TAG = lazy_pattern(rf"(?<!\S)(?:tags?:#?|#){NAME}\Z", re.IGNORECASE)
_SHORTEST_PREFIX = 3
"""Letters of the shortest beginning that is looked for; shorter ones are in every note."""
_JUST_BEGUN = lazy_pattern(r"(?<=\w)\s+[a-záéíóúüñ]{1,2}\Z", re.IGNORECASE)
_ABOUT_NOTES = lazy_pattern(
    r"^\s*(?:my )?not(?:e|as?)s? (?:about|on|de|sobre) (?=\w{3})", re.IGNORECASE
)
"""Beginning that says that the notes are to be searched, and nothing about what for."""
_SHORTEST_PART = 3
"""Letters of a compound's part that is looked for by itself."""

# Names, codes and what looks like one.

_NAME = lazy_pattern(r"[^\W_](?:\w|[.\-/:'’@+](?=\w))*")
_FINAL_POSSESSIVE = lazy_pattern(r"['’]s?$")
_BEFORE_SENTENCES = frozenset('.?!:;¿¡"“«(')
_CODE = lazy_pattern(r"(?=.*\d)(?=.*[^\W\d_]).{5,}")
_DIGEST = lazy_pattern(r"(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,64}")
"""Commit or digest, which is often named by its first digits."""
_MEASURE = lazy_pattern(r"[\d.,:]+[-/]?[^\W\d_]+(?:[-/][^\W\d_]+)*")


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
    filters: Filters = ALL_DOCUMENTS
    """Conditions that its operators set."""
    alternatives: tuple[str, ...] = ()
    """Questions without OR that it stands for; empty where it has no OR."""
    is_plain: bool = True
    """Whether it has no operators, and excludes nothing."""
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
        phrases = [
            f"{_quoted(each.rstrip('*'))}*" if each.endswith("*") else _quoted(each)
            for each in self.excluded
        ]
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
    today: dt.date | None = None,
) -> ParsedQuery:
    """The query in a text, of which docs/search.md lists the syntax.

    An operator with a value that makes no sense is a plain word. Synonyms map folded words to
    their counterparts in another language, besides the built-in ones. Today is the day from which
    operators count times.
    """
    read = _read_operators(text, today or dt.date.today(), is_open=is_open)
    return _query(
        read,
        is_open=is_open,
        synonyms=synonyms or {},
        translates=translates,
        has_stop_words=has_stop_words,
    )


def parse_prose(
    text: str,
    *,
    synonyms: Mapping[str, tuple[str, ...]] | None = None,
    translates: bool = True,
    has_stop_words: bool = True,
) -> ParsedQuery:
    """The query in a message, in which hyphens, quotes and operators are plain text."""
    return _query(
        _Operators(_bounded(text).replace('"', " ")),
        is_open=False,
        synonyms=synonyms or {},
        translates=translates,
        has_stop_words=has_stop_words,
    )


@functools.lru_cache(16)
def named_folders(request: SearchRequest) -> frozenset[str]:
    """Names of the folders that a request asks for, folded; the text of a message names none.

    Read once, since a search asks for them before and after it runs.
    """
    text = _bounded(request.text)
    own = frozenset(map(fold, request.named))
    if request.is_prose or not may_have_operators(text):
        return own
    # Excluded folders, and operators in phrases and addresses, are not asked for.
    today = dt.date.today()
    clauses = read_syntax(text, today).alternatives
    names = (name for each in clauses for name in clause_filters(each, today).folders)
    paths = (fold(name.strip("/")) for name in names)
    # The path of a folder inside names the folder with which it begins.
    return own.union(name for path in paths for name in (path, path.partition("/")[0]))


def _query(
    read: _Operators,
    *,
    is_open: bool,
    synonyms: Mapping[str, tuple[str, ...]],
    translates: bool,
    has_stop_words: bool,
) -> ParsedQuery:
    typed = _typed_words(read.words, is_open=is_open)
    phrases, plain = _pieces(typed.text)

    # The language decides which words are translated and which say nothing.
    language = spanish.detect_language(typed.text, [fold(_bare(word)) for word in plain])
    terms = _terms(
        plain,
        synonyms,
        language if translates else None,
        has_stop_words=has_stop_words,
        ends_open=typed.ends_open,
    )
    quoted = (Term(phrase, (phrase,), is_phrase=True) for phrase in phrases)
    gloss = ""
    if language == "es" and translates:
        gloss = spanish.gloss_words([word.rstrip("*") for word in plain])
    return ParsedQuery(
        text=" ".join(typed.text.split()),
        terms=(*quoted, *terms)[:MAX_TERMS],
        excluded=read.excluded[:MAX_TERMS],
        excluded_beginning=read.excluded_beginning,
        filters=read.filters,
        alternatives=read.alternatives,
        is_plain=read.is_plain,
        gloss=gloss,
        reading=read.reading,
    )


class _Operators(Struct, frozen=True):
    """A question apart from its words."""

    words: str
    """The text without operators; the wanted names where there is nothing else."""
    excluded: tuple[str, ...] = ()
    excluded_beginning: str = ""
    filters: Filters = ALL_DOCUMENTS
    alternatives: tuple[str, ...] = ()
    is_plain: bool = True
    reading: QueryReading = QueryReading()


def _read_operators(whole: str, today: dt.date, *, is_open: bool) -> _Operators:
    """The operators of a text, and its words."""
    text = _bounded(whole)
    if not may_have_operators(text):
        return _Operators(text)
    # A phrase to exclude whose quote is still open ends with the text.
    begun = _OPEN_EXCLUDED.search(text) if is_open else None
    if begun and begun[1]:
        text = f'{text}"'
    syntax = read_syntax(text, today)
    reading = QueryReading(syntax.excluded, syntax.plain, syntax.unknown)
    if syntax.is_plain:
        return _Operators(text, reading=reading)
    if len(syntax.alternatives) > 1:
        if syntax.is_cut or len(whole) > MAX_CHARACTERS:
            reading = replace(reading, searched_alternatives=len(syntax.alternatives))
        return _read_alternatives(text, syntax, reading)
    # What is typed last may go on: an excluded word, a tag, or a word.
    [clause] = syntax.alternatives
    excluded = [each.text for each in clause if each.is_excluded and not each.is_filter]
    excluded_beginning = excluded[-1] if begun and excluded and clause[-1].is_excluded else ""
    last = clause[-1] if clause else None
    begun_tag = ""
    is_tag = last is not None and last.kind == "tag" and not last.is_excluded
    if is_open and last and is_tag and _ENDS_IN_TAG.search(text):
        begun_tag = last.text
        clause = clause[:-1]
    # The words, with a blank after them where the last one is complete.
    words = " ".join(each.printed for each in clause if not (each.is_filter or each.is_excluded))
    filters = replace(clause_filters(clause, today), begun_tag=begun_tag)
    if not re.search(r"\w", words):
        words = " ".join((*filters.name_parts, *filters.titles))
    elif text[-1].isspace() or last is None or last.is_filter or last.is_excluded:
        words = f"{words} "
    return _Operators(
        words,
        excluded=tuple(excluded),
        excluded_beginning=excluded_beginning,
        filters=filters,
        is_plain=False,
        reading=reading,
    )


def _read_alternatives(text: str, syntax: Syntax, reading: QueryReading) -> _Operators:
    """A question with OR. Its words are those of all alternatives."""
    last = syntax.alternatives[-1][-1:]
    texts = [print_clause(clause) for clause in syntax.alternatives]
    # Only what was typed last may still be being typed.
    ends_open = not text[-1].isspace() and text[-1] != ")"
    alternatives = (
        each if ends_open and clause[-1:] == last else f"{each} "
        for each, clause in zip(texts, syntax.alternatives, strict=True)
    )
    literals = [each for clause in syntax.alternatives for each in clause]
    said = (each.printed for each in literals if not (each.is_filter or each.is_excluded))
    return _Operators(
        " ".join(dict.fromkeys(said)),
        alternatives=tuple(alternatives),
        is_plain=False,
        reading=reading,
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


class _TypedWords(Struct, frozen=True):
    """The text of a query without operators, as far as it can be understood yet."""

    text: str
    ends_open: bool
    """Whether the last word may still be being typed."""


def _typed_words(text: str, *, is_open: bool) -> _TypedWords:
    if text.rstrip().endswith("?"):
        # In a whole question quotes mark a title, which the answer need not repeat.
        text = text.replace('"', " ")
    if not is_open:
        return _TypedWords(text, ends_open=False)
    # An option of a command is typed as it is.
    ends_open = not _OPEN_EXCLUDED.search(text) and bool(re.search(r"\w\Z", text))
    begun = _JUST_BEGUN.search(text) if ends_open else None
    if begun:
        # Nothing is known yet of a word that has just begun.
        text = text[: begun.start()]
        ends_open = False
    text = _ABOUT_NOTES.sub("", text)
    return _TypedWords(text, ends_open=ends_open)


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


def _pieces(text: str) -> tuple[list[str], list[str]]:
    """(quoted phrases, all other words)."""
    phrases: list[str] = []
    words: list[str] = []
    for phrase, option, number, plain in _PIECE.findall(text):
        if phrase.strip() and _SAYS_SOMETHING.search(phrase):
            phrases.append(phrase)
        elif number:
            words.append(number)
        else:
            # A star at the end stands for any ending, around a word it is a mark of Markdown.
            written = plain or option
            if written.startswith("*"):
                written = written.strip("*")
            words += [word for word in _WORD.findall(written) if _SAYS_SOMETHING.search(word)]
    return phrases, words


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
