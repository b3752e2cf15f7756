"""Grammar of the query language: operators, exclusions, OR and brackets. docs/search.md lists it.

Wrong syntax is read in the obvious way, so that any text is a query.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, dropwhile
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from scrubjay.concurrency.lazy_pattern import lazy_pattern
from scrubjay.search.query.dates import days_named
from scrubjay.store.index_records import Filters
from scrubjay.text.file_kinds import KINDS
from scrubjay.text.note_names import name_key
from scrubjay.text.tags import NAME, tag_key
from scrubjay.text.tokenizer import fold
from scrubjay.text.word_lists import stop_words

MOST_ALTERNATIVES: Final = 64
"""Most searches for one question with OR. If there are more alternatives, words share searches.
Phrases and operators cannot, so some are not searched, and the answer says so."""
_DEEPEST: Final = 20
"""Brackets in brackets that are read."""

_NAMES: Final = {
    "path": "path", "folder": "folder", "dir": "folder", "file": "file", "filename": "file",
    "title": "title", "tag": "tag", "tags": "tag", "kind": "kind", "type": "kind", "ext": "ext",
    "before": "before", "after": "after", "on": "on", "date": "on", "in": "in",
}  # fmt: skip
"""Operator, or what Obsidian, Omnisearch and Recoll call it -> its name."""
_OF_TIMES: Final = ("before", "after", "on", "in")
"""Operators whose values are times; after `in` anything else is a folder."""
_FIELDS: Final = {
    "path": "path_parts", "folder": "folders", "in": "folders", "file": "name_parts",
    "title": "titles", "tag": "tags", "kind": "kinds", "ext": "endings",
}  # fmt: skip
"""Other operator -> the field of `Filters` that lists its values."""
_OF_ANY: Final = ("kind", "ext")
"""Operators of which a note needs to match only one value where several stand together."""
_FOREIGN: Final = lazy_pattern(
    r"""(?<![^\s()":-])"[^"]*"|(?<=:)'[^']*'(?!\S)|(?<![^\s()"])(-?)"""
    r"((?:(?:section|block|line|content|task(?:-todo|-done)?|match-case|ignore-case):)+)(?=\S)",
    re.IGNORECASE,
)
"""Operators of Obsidian without a counterpart, whose value is searched as words; or a quotation,
in which there are none."""
_NAME_OF_FOREIGN: Final = lazy_pattern(r"[^:]+:")
_UNKNOWN: Final = lazy_pattern(
    rf"-?(?:((?:{'|'.join(_NAMES)}):\S+)|"
    r"([a-z][a-z-]+:)(?=[^\W\d]|[\"(#])|(\[[\w -]+:[^\[\]]*\])(?!\()"
    r"|(/(?=[^/\s]*[.*+?^$|\\()\[\]])[^/\s]+/)(?!\S))",
    re.IGNORECASE,
)
"""Beginning of a word that looks like an operator: a name, a property, or a pattern."""
_MAY_HAVE_OPERATORS: Final = lazy_pattern(
    r'(?<!\S)-[\w"#(]|(?<![^\s(])-?#|\w:(?:\S|\s*\Z)|\b(?:OR|AND|NOT)\b|\[|(?<!\S)/'
)
_HAS_GROUPS: Final = lazy_pattern(
    r"(?<![^\s()])OR(?![^\s()])|(?<![^\s(])-\(|\bNOT\s*\("
    rf"|(?<![^\s(])-?(?i:{'|'.join(_NAMES)}):\("
)
"""What makes brackets more than marks of prose."""

# Tokens, each from the beginning of a word on.

_CONNECTIVES: Final = ("OR", "AND", "NOT")
_TAG: Final = lazy_pattern(rf'(-?)(?:tags?:#?|#)("?)({NAME})\2(?=[\s.,;:!?)]|\Z)', re.IGNORECASE)
_OPERATOR: Final = lazy_pattern(
    rf"(-?)({'|'.join(_NAMES)}):(?:\"([^\"]*)(?:\"|\Z)|'([^']*)'(?!\S)|(?=\()|(\S+))", re.IGNORECASE
)
_PHRASE: Final = lazy_pattern(r'(-?)"([^"]*)"')
_EXCLUDED: Final = lazy_pattern(r"-(?=\w)(\S+)")
_WORD: Final = lazy_pattern(r"\S+")
_BRACKETED_WORD: Final = lazy_pattern(r"(?:[^\s()]|(?<=\w)\([^\s()]*\))+")
"""Word where brackets group; in code such as `f(x)` they do not."""
_EMPTY: Final = lazy_pattern(rf"-?(?:{'|'.join(_NAMES)}):", re.IGNORECASE)
_QUOTATION: Final = rf'-?(?:(?:{"|".join(_NAMES)}):#?|#)?"[^"]*"'
_QUOTED: Final = lazy_pattern(rf'(?<![^\s()"]){_QUOTATION}|"+', re.IGNORECASE)
"""A quotation from the beginning of a word on, or quotes inside one."""
_OPEN_OPERATOR: Final = rf"-?(?:{'|'.join(_NAMES)}):(?:\"[^\"]*\Z|'[^']*'(?!\S))"
_PLAIN_WORD: Final = lazy_pattern(r"[^\W_](?:[\w.'’]*\w)?")
_BRACKET: Final = lazy_pattern(r"-?\(|\)")
_SAYS_SOMETHING: Final = lazy_pattern(r"\w|[^\x00-\x7f]")

_OPTION: Final = lazy_pattern(
    r"\w|[A-Za-z]{2}|[A-Za-z]\d+|[b-df-hj-np-tv-xz]{3,4}|[A-Z]\w*\d\w*|[\w-]+=.*"
    r"|\d{1,3}(?:[.,]\d*)?(?:%|°?[A-Za-z]{0,3}|°)"
)
"""What no one excludes: an option of a command after one hyphen, as in `ssh -T` and `-Xmx4g`, or a
number below zero."""
_WORD_OPTIONS: Final = {
    "find": "name iname type exec execdir maxdepth mindepth mtime mmin size path print print0"
    " delete not perm user newer empty regex prune follow mount xdev depth group links printf"
    " wholename samefile atime ctime amin cmin readable writable executable",
    "java": "jar cp classpath version server",
    "openssl": "in out inform outform newkey keyout days nodes noout text key cert connect subj",
    "ffmpeg": "codec vcodec acodec preset crf map filter_complex framerate loglevel",
    "convert": "resize quality rotate crop density geometry strip",
    "qemu-system-x86_64": "enable-kvm hda cdrom boot drive net nographic smp",
}
"""Command -> its options that are whole words after one hyphen."""
_BETWEEN_COMMANDS: Final = lazy_pattern(r"[|;`\n]|&&|\$\(")
_BEFORE_COMMAND: Final = lazy_pattern(
    r"\s*((?:\S+@\S+)?[$#%]\s+)?(?:(?:sudo|time|nohup|nice|env|exec|xargs)\s+)*"
)
"""The prompt of a terminal and commands that start another one, where there are any."""
_FILE: Final = lazy_pattern(r"(?:~|\.\.?)(?:/\S*)?|/\S+|[\w*?-]+\.[A-Za-z]\w{1,4}")
"""Argument that is a path or the name of a file."""
_LONG_OPTION: Final = lazy_pattern(r"(?<!\S)--\w")
_SHORT_WORD: Final = 4
"""Letters of a word that is an option where another one is."""
_LONG_WORD: Final = 5
"""Letters of a word that, written in capitals, is part of a headline and no abbreviation."""

WORD: Final = ""
PHRASE: Final = '"'


class Literal(Struct, frozen=True):
    """A word, a phrase, or an operator with its value."""

    kind: str
    """WORD, PHRASE, or the name of an operator."""
    text: str
    is_excluded: bool = False

    @property
    def is_filter(self) -> bool:
        """Whether it is an operator."""
        return self.kind not in (WORD, PHRASE)

    @property
    def named(self) -> str:
        """What it excludes, as an answer names it."""
        if not self.is_filter:
            return self.text
        value = f'"{self.text}"' if " " in self.text else self.text
        return f"{self.kind}:{value}"

    @property
    def printed(self) -> str:
        """The literal as it may be typed."""
        minus = "-" if self.is_excluded else ""
        if self.is_filter:
            return f'{minus}{self.kind}:"{self.text}"'
        if self.kind == PHRASE or self.is_excluded:
            return f'{minus}"{self.text}"'
        return self.text


class AnyOf(Struct, frozen=True):
    """Alternatives of which one must fit."""

    parts: tuple[Node, ...]


class AllOf(Struct, frozen=True):
    """Parts that belong together."""

    parts: tuple[Node, ...]


Node: TypeAlias = Literal | AnyOf | AllOf
Clause: TypeAlias = tuple[Literal, ...]
"""Literals that belong together, in the order in which they were typed."""


class Syntax(Struct, frozen=True):
    """A question, as its operators divide it."""

    alternatives: tuple[Clause, ...]
    """Questions without OR, of which each is searched; one where there is no OR."""
    excluded: tuple[str, ...] = ()
    """Excluded words and phrases, and operators with their values."""
    plain: str = ""
    """The question without exclusions; empty if it has none, or consists of them."""
    unknown: tuple[str, ...] = ()
    """What looks like an operator and is none."""
    is_plain: bool = False
    """Whether it has words and phrases alone, and means what it says."""
    is_cut: bool = False
    """Whether it stands for more questions than are searched."""

    @property
    def printed(self) -> str:
        """The question in a form that is read alike."""
        clauses = [print_clause(clause) for clause in self.alternatives]
        if len(clauses) == 1:
            return clauses[0]
        return " OR ".join(f"({clause})" for clause in clauses)


def print_clause(clause: Clause) -> str:
    """A question without OR."""
    return " ".join(literal.printed for literal in clause)


def may_have_operators(text: str) -> bool:
    """False for a text that consists of words and phrases, as most do."""
    return bool(_MAY_HAVE_OPERATORS.search(text))


def read_syntax(text: str, today: dt.date) -> Syntax:
    """The parts of a text with typewriter quotes. Today is the day from which times count."""
    # A tree of the tokens, then the questions without OR that it stands for.
    lexer = _Lexer(text, today)
    tokens = lexer.tokens()
    parser = _Parser(tokens, lexer.text, today)
    normal_form = _NormalForm()
    clauses = normal_form.clauses(parser.sequence(0))
    if len(clauses) > 1:
        clauses = [*map(_without_question_mark, clauses)]
    clauses = [*dict.fromkeys(map(_normal, clauses))]
    clauses = [clause for clause in clauses if clause]
    # Words and phrases alone, none of them left out, are what was typed.
    literals = [*chain.from_iterable(clauses)]
    has_effect = len(clauses) > 1 or parser.has_or or lexer.has_foreign
    is_cut = len(literals) < sum(token.literal is not None for token in tokens)
    is_plain = not (has_effect or is_cut) and not any(
        literal.is_filter or literal.is_excluded for literal in literals
    )
    excluded = dict.fromkeys(_named_exclusions(clauses, parser.groups))
    # Without its signs, a part of nested exclusions may become a condition that is not there now.
    alternatives = tuple(clauses) or ((),)
    plain = ""
    if excluded:
        plain = parser.without_exclusions()
        wider = read_syntax(plain, today).alternatives
        if not all(_conditions(each) <= _conditions(own) for each in wider for own in alternatives):
            plain = ""
    return Syntax(
        alternatives=alternatives,
        excluded=tuple(excluded),
        plain=plain,
        unknown=tuple(dict.fromkeys((*lexer.unknown, *parser.unknown))),
        is_plain=is_plain,
        is_cut=normal_form.is_cut,
    )


def _conditions(clause: Clause) -> set[tuple[str, str]]:
    """What the notes of a question without OR have to fulfil beside its words."""
    return {(each.kind, each.text) for each in clause if each.is_filter and not each.is_excluded}


def _named_exclusions(clauses: Sequence[Clause], groups: Mapping[str, str]) -> Iterator[str]:
    """What questions exclude, as an answer names it.

    Groups give, for what is excluded only together with other parts, all of these.
    """
    excluded = [[each.named for each in clause if each.is_excluded] for clause in clauses]
    for name in dict.fromkeys(chain.from_iterable(excluded)):
        # What every alternative excludes is excluded by itself.
        if all(name in names for names in excluded):
            yield name
        else:
            yield groups.get(name, name)


class PlacedOperator(Struct, frozen=True):
    """An operator, and its place in the text."""

    literal: Literal
    start: int
    end: int


def operators_in(text: str, today: dt.date) -> list[PlacedOperator]:
    """The operators of a text, in their order; none where OR, NOT or brackets connect them."""
    tokens = _Lexer(text, today).tokens()
    if any(token.sign for token in tokens):
        return []
    return [
        PlacedOperator(token.literal, token.start, token.end)
        for token in tokens
        if token.literal and token.literal.is_filter
    ]


def clause_filters(clause: Clause, today: dt.date) -> Filters:
    """The conditions of a question without OR."""
    filters = Filters()
    excluded: list[Filters] = []
    for literal in clause:
        if literal.is_filter and literal.is_excluded:
            excluded.append(_narrowed(Filters(), literal, today))
        elif literal.is_filter:
            filters = _narrowed(filters, literal, today)
    return replace(filters, excluded=tuple(dict.fromkeys(excluded)))


def _narrowed(filters: Filters, literal: Literal, today: dt.date) -> Filters:
    """Filters with the condition of one operator."""
    kind = literal.kind
    days = days_named(literal.text, today) if kind in _OF_TIMES else None
    if days is None:
        values = [*_endings(literal.text)] if kind == "ext" else [literal.text]
        field = _FIELDS[kind]
        listed = dict.fromkeys((*getattr(filters, field), *values))
        return replace(filters, **{field: tuple(listed)})
    # A day counts itself, before and after it; a longer time is not before or after itself.
    after, before = days
    is_long = after != before
    if kind == "after":
        after = _shifted(before, is_long)
    elif kind == "before":
        before = _shifted(after, -is_long)
    if kind != "before":
        filters = replace(filters, after=max(filter(None, (filters.after, after))))
    if kind != "after":
        filters = replace(filters, before=min(filter(None, (filters.before, before))))
    return filters


def _shifted(day: dt.date, days: int) -> dt.date:
    number = min(max(day.toordinal() + days, 1), dt.date.max.toordinal())
    return dt.date.fromordinal(number)


def _endings(value: str) -> Iterator[str]:
    """The ends of names that `ext:` lists, such as `.md`."""
    for each in re.split(r"[\s,;]+", value.lower()):
        if each.strip("*."):
            yield f".{each.lstrip('*.')}"


class _Token(Struct, frozen=True):
    """A piece of a question: a literal, a connective or a bracket."""

    start: int
    end: int
    literal: Literal | None = None
    sign: str = ""
    """OR, AND, NOT, a bracket, or the operator before a bracket."""


class _Lexer:
    """The tokens of a text."""

    def __init__(self, text: str, today: dt.date) -> None:
        self.unknown: list[str] = []
        """Names of operators that do not exist."""
        self.has_foreign = False
        """Whether some of them are those of another program, which say nothing here."""
        self._today = today
        self._set_text(text)
        if ":" in text:
            self._set_text(_FOREIGN.sub(self._without_foreign, text))
        self._word_options = _pasted_options(text)
        bare = (match[1] for match in re.finditer(r"(?<!\S)-(?=\w)(\S+)", text))
        self._has_option = bool(_LONG_OPTION.search(text)) or any(map(_OPTION.fullmatch, bare))

    def _set_text(self, text: str) -> None:
        self._has_groups = bool(_HAS_GROUPS.search(_QUOTED.sub(_without_quoted, text)))
        self._word = _BRACKETED_WORD if self._has_groups else _WORD
        # A quote without a closing one is a blank, and so is one inside a word.
        if '"' in text:
            pieces = f"{_QUOTATION}|{_OPEN_OPERATOR}|({self._word.pattern})"
            text = re.sub(pieces, _without_lone_quotes, text, flags=re.IGNORECASE)
        self.text = text

    def _without_foreign(self, found: re.Match[str]) -> str:
        """What was found, without operators of another program; all else stays in its place."""
        before = found.string[found.start() - 1 : found.start()]
        # A bracket begins a word only where brackets group.
        if not found[2] or (before in ("(", ")") and not self._has_groups):
            return found[0]
        self.has_foreign = True
        self.unknown += _NAME_OF_FOREIGN.findall(found[2])
        return f"{found[1]:>{len(found[0])}}"

    def tokens(self) -> list[_Token]:
        """All tokens, in their order."""
        tokens = [*self._tokens()]
        literals = [token.literal for token in tokens if token.literal]
        said = [each for each in literals if not (each.is_filter or each.is_excluded)]
        # The connectives of a headline are words; it has no brackets.
        has_groups = any(token.sign.endswith(("(", ")")) for token in tokens)
        if not has_groups and _is_headline([each.text for each in said if each.kind == WORD]):
            tokens = [_as_word(token) for token in tokens]
        return tokens

    def _tokens(self) -> Iterator[_Token]:
        at = 0
        while at < len(self.text):
            if self.text[at].isspace():
                at += 1
                continue
            token = self._token(at)
            yield token
            at = token.end

    def _token(self, at: int) -> _Token:
        text = self.text
        bracket = _BRACKET.match(text, at) if self._has_groups else None
        if bracket:
            return _Token(at, bracket.end(), sign=bracket[0])
        # An operator that has a value.
        token = self._operator(at)
        if token:
            return token
        phrase = _PHRASE.match(text, at)
        if phrase:
            return self._phrase(phrase)
        word = self._word.match(text, at) or _WORD.match(text, at)
        assert word is not None
        # An operator with a quoted value that says nothing.
        if '"' in word[0]:
            return _Token(at, word.end())
        # A connective, or what else may look like an operator.
        if word[0] in _CONNECTIVES:
            return _Token(at, word.end(), sign=word[0])
        unknown = _UNKNOWN.match(text, at)
        if unknown:
            self.unknown.append(unknown[1] or unknown[2] or unknown[3] or unknown[4])
        said = word[0]
        hyphen = _EXCLUDED.fullmatch(said)
        is_excluded = hyphen is not None and not self._is_option(hyphen[1])
        if hyphen:
            said = hyphen[1]
        if said in _CONNECTIVES:
            return _Token(at, word.end())
        return _Token(at, word.end(), Literal(WORD, said, is_excluded))

    def _operator(self, at: int) -> _Token | None:
        """The tag or operator at a place whose value makes sense."""
        tag = _TAG.match(self.text, at)
        if tag:
            return _Token(at, tag.end(), Literal("tag", tag_key(tag[3]), bool(tag[1])))
        match = _OPERATOR.match(self.text, at)
        if match is None:
            return None
        # Before a bracket it stands alone, and otherwise with its value.
        minus = match[1]
        name = _NAMES[match[2].lower()]
        if match.end() < len(self.text) and match[3] is match[4] is match[5] is None:
            return _Token(at, match.end(), sign=f"{minus}{name}:")
        end = match.end()
        value = match[3] or match[4] or ""
        if match[5] is not None:
            word = self._word.match(self.text, match.start(5))
            if word is None:
                return None
            value = word[0]
            end = word.end()
        literal = operator_literal(name, value, self._today, is_excluded=bool(minus))
        is_quoted = match[5] is None
        if literal is None and is_quoted and _SAYS_SOMETHING.search(value):
            # What was quoted stays together.
            self.unknown.append(f"{match[2]}:{value}")
            literal = Literal(PHRASE, " ".join(value.split()), is_excluded=bool(minus))
        return _Token(at, end, literal) if literal else None

    def _phrase(self, match: re.Match[str]) -> _Token:
        text = " ".join(match[2].split())
        if not _SAYS_SOMETHING.search(text):
            return _Token(match.start(), match.end())
        return _Token(match.start(), match.end(), Literal(PHRASE, text, bool(match[1])))

    def _is_option(self, word: str) -> bool:
        """Whether a word behind a hyphen is an option of a command, rather than excluded."""
        is_short = word.isascii() and word.isalpha() and len(word) <= _SHORT_WORD
        # Without its command, such a word may well be excluded on purpose.
        if word in self._word_options:
            return True
        return bool(_OPTION.fullmatch(word)) or (self._has_option and is_short)


def _pasted_options(text: str) -> set[str]:
    """Whole words that are options of the commands in a text, and exclude nothing."""
    options: set[str] = set()
    for command in _BETWEEN_COMMANDS.split(text):
        before = _BEFORE_COMMAND.match(command)
        assert before is not None
        name, *words = command[before.end() :].split() or [""]
        known = _WORD_OPTIONS.get(name.rpartition("/")[2], "").split()
        # A question may begin with the name of a command, though not with a prompt or a path.
        if before[1] or "/" in name or _are_arguments(words, known):
            options.update(known)
    return options


def _are_arguments(words: Sequence[str], options: Collection[str]) -> bool:
    """Whether words after the name of a command with such options are no part of a question."""
    if any(map(_FILE.fullmatch, words)) or words[:1] == ["/"]:
        return True
    # A question has no option as its first word, and hardly two.
    are_options = [
        word.startswith("-") and (word[1:] in options or bool(_OPTION.fullmatch(word[1:])))
        for word in words
    ]
    return any(are_options[:1]) or sum(are_options) > 1


def _without_quoted(piece: re.Match[str]) -> str:
    """A sign in place of a quotation; a blank in place of one that says nothing, or of quotes."""
    _, _, quoted = piece[0].partition('"')
    return ' "" ' if _SAYS_SOMETHING.search(quoted) else " "


def _without_lone_quotes(piece: re.Match[str]) -> str:
    """A quotation as it is; a word with blanks in place of quotes."""
    return piece[0].replace('"', " ") if piece[1] else piece[0]


def operator_literal(
    name: str, value: str, today: dt.date, *, is_excluded: bool = False
) -> Literal | None:
    """The operator with a value; None where it makes no sense."""
    value = " ".join(value.replace('"', "").split())
    is_valid = bool(value)
    match name:
        case "tag":
            value = tag_key(value)
            is_valid = bool(re.fullmatch(NAME, value))
        case "kind":
            value = value.lower()
            is_valid = value in KINDS
        case "title":
            is_valid = bool(name_key(value))
        case "ext":
            is_valid = any(_endings(value))
        case "folder" | "in":
            is_valid = bool(value.strip("/"))
        case "before" | "after" | "on":
            is_valid = days_named(value, today) is not None
    return Literal(name, value, is_excluded) if is_valid else None


def _is_headline(words: Sequence[str]) -> bool:
    """Whether words are all in capitals, as on a sign, and not abbreviations or codes."""
    if any(word != word.upper() for word in words):
        return False
    capitals = [word for word in words if word.isalpha()]
    is_long = any(len(word) >= _LONG_WORD for word in capitals)
    folded = {*map(fold, capitals)}
    return is_long or bool(folded and folded <= stop_words(folded))


class _Parser:
    """The tree of tokens. OR binds its neighbours, before what stands beside them."""

    def __init__(self, tokens: Sequence[_Token], text: str, today: dt.date) -> None:
        self.has_or = False
        """Whether a word was read as OR."""
        self.groups: dict[str, str] = {}
        """Name of what is excluded together with other parts -> the brackets with all of them."""
        self.unknown: list[str] = []
        """Values in the brackets of operators that make no sense."""
        self._tokens = tokens
        self._text = text
        self._today = today
        self._at = 0
        self._negations = 0
        """Number of signs around the next token that exclude it."""
        self._cuts: list[tuple[int, int]] = []
        """Ranges of the text that exclude something."""
        # Connectives with nothing before them, and words alone after them, are words.
        rest = [*dropwhile(lambda token: token.sign in _CONNECTIVES, tokens)]
        is_text = not any(
            token.sign or (token.literal and (token.literal.is_filter or token.literal.is_excluded))
            for token in rest
        )
        if is_text:
            self._tokens = [_as_word(token) for token in tokens]

    def without_exclusions(self) -> str:
        """The text in which nothing is excluded; empty if nothing else is left."""
        # Ranges may be nested.
        pieces: list[str] = []
        at = 0
        for start, end in sorted(self._cuts):
            pieces.append(self._text[at : max(at, start)])
            at = max(at, end)
        words = "".join((*pieces, self._text[at:])).split()
        says_something = (
            _SAYS_SOMETHING.search(each) for each in words if each not in _CONNECTIVES
        )
        return " ".join(words) if any(says_something) else ""

    def _negative(self, start: int, sign_end: int, read: Callable[[], Node | None]) -> Node | None:
        """What is read after a sign that excludes it."""
        first = self._at
        self._negations += 1
        node = read()
        self._negations -= 1
        end = sign_end
        if node:
            node = _negated(node)
            # What several signs exclude in the end is known at the outermost of them.
            if not self._negations and any(each.is_excluded for each in _literals(node)):
                end = self._cut_excluded(node, first, sign_end)
        self._cuts.append((start, end))
        return node

    def _cut_excluded(self, node: Node, first: int, sign_end: int) -> int:
        """Cut the operators of a part that excludes something; the end of the sign before it, or of
        all of it. First is the number of its first token.
        """
        # An operator that is wanted only where another one is excluded would limit as well.
        end = self._tokens[self._at - 1].end
        if _has_alternatives(node):
            group = " ".join(self._text[sign_end:end].split())
            names = (each.named for each in _literals(node) if each.is_excluded)
            self.groups |= dict.fromkeys(names, group)
        # Of operators alone nothing is left, of words all but the sign.
        if all(each.is_filter for each in _literals(node)):
            return end
        self._cuts += self._operators(first)
        return sign_end

    def _operators(self, first: int) -> Iterator[tuple[int, int]]:
        """The ranges of the operators from a token on, each with its value or its brackets."""
        for at in range(first, self._at):
            token = self._tokens[at]
            if token.literal and token.literal.is_filter:
                yield token.start, token.end
            elif token.sign.endswith(":"):
                yield token.start, self._end_of_brackets(at + 1)

    def _end_of_brackets(self, at: int) -> int:
        """The end of the brackets that begin with a token."""
        depth = 0
        for token in self._tokens[at : self._at]:
            depth += token.sign.endswith("(")
            depth -= token.sign == ")"
            if not depth:
                return token.end
        return self._tokens[self._at - 1].end

    def sequence(self, depth: int, operator: str = "") -> Node:
        """The parts up to the closing bracket; operator is what their words are values of."""
        parts: list[Node] = []
        joins = False
        while self._at < len(self._tokens):
            token = self._tokens[self._at]
            if token.sign == ")":
                self._at += 1
                if depth:
                    break
                continue
            if token.sign == "OR":
                self._at += 1
                self.has_or = True
                joins = bool(parts)
                continue
            node = self._operand(depth, operator)
            if node is None:
                continue
            if joins:
                node = AnyOf((*_alternatives(parts.pop()), *_alternatives(node)))
            joins = False
            parts.append(node)
        if len(parts) == 1:
            return parts[0]
        return AllOf(tuple(parts))

    def _operand(self, depth: int, operator: str) -> Node | None:
        """The literal, or the bracket, that comes next; None where there is none."""
        token = self._tokens[self._at]
        self._at += 1
        sign = token.sign
        if sign == "NOT":
            return self._excluded(token, depth, operator)
        if sign.endswith("("):
            return self._group(token, depth, operator)
        if sign.endswith(":"):
            # The operator before a bracket, which is the next token.
            if self._tokens[self._at : self._at + 1] and self._tokens[self._at].sign == "(":
                self._at += 1
                return self._group(token, depth, sign.strip("-:"))
            return None
        literal = token.literal
        if literal and operator and not literal.is_filter:
            literal = self._value(literal, operator)
        is_negated = bool(self._negations % 2)
        if literal and literal.is_filter and literal.is_excluded is not is_negated:
            self._cuts.append((token.start, token.end))
        elif literal and literal.is_excluded:
            self._cuts.append((token.start, token.start + 1))
        return literal

    def _value(self, literal: Literal, operator: str) -> Literal | None:
        """An operator with a value from its brackets; a value that makes no sense stays a word."""
        text = literal.text
        valid = operator_literal(operator, text, self._today, is_excluded=literal.is_excluded)
        # Marks between two values say nothing.
        if valid or not _SAYS_SOMETHING.search(text):
            return valid
        self.unknown.append(f"{operator}:{text}")
        return literal

    def _excluded(self, token: _Token, depth: int, operator: str) -> Node | None:
        """The part after NOT, excluded; each further NOT turns that around."""
        is_excluded = True
        while self._at < len(self._tokens) and self._tokens[self._at].sign == "NOT":
            repeated = self._tokens[self._at]
            self._cuts.append((token.start, repeated.start))
            token = repeated
            self._at += 1
            is_excluded = not is_excluded
        following = self._tokens[self._at : self._at + 1]
        if not following or following[0].sign in (")", "OR", "AND"):
            return None
        start = token.start
        end = following[0].start
        if not is_excluded:
            self._cuts.append((start, end))
            return self._operand(depth, operator)
        return self._negative(start, end, lambda: self._operand(depth, operator))

    def _group(self, token: _Token, depth: int, operator: str) -> Node | None:
        if not token.sign.startswith("-"):
            return self._nested(depth, operator)
        start = token.start
        return self._negative(start, start + 1, lambda: self._nested(depth, operator))

    def _nested(self, depth: int, operator: str) -> Node | None:
        # Brackets beyond the deepest are marks.
        if depth >= _DEEPEST:
            return None
        node = self.sequence(depth + 1, operator)
        if isinstance(node, AllOf) and not node.parts:
            return None
        return node


def _as_word(token: _Token) -> _Token:
    """The token; a word in place of a connective."""
    if token.sign not in _CONNECTIVES:
        return token
    return replace(token, literal=Literal(WORD, token.sign), sign="")


def _without_quotes(literal: Literal) -> Iterator[Literal]:
    """The literal; in place of a phrase that is wanted its words, none of which is an operator."""
    if literal.kind != PHRASE or literal.is_excluded:
        yield literal
        return
    for word in _PLAIN_WORD.findall(literal.text):
        if word not in _CONNECTIVES:
            yield Literal(WORD, word)


def _normal(clause: Clause) -> Clause:
    """A clause whose excluded words are phrases, since each is looked for as it is."""
    literals: list[Literal] = []
    for literal in clause:
        if literal.is_filter or not literal.is_excluded:
            literals.append(literal)
        elif _SAYS_SOMETHING.search(literal.text):
            literals.append(replace(literal, kind=PHRASE))
    # An operator at the end that has no value yet says nothing.
    while len(literals) > 1 and _EMPTY.fullmatch(literals[-1].text):
        literals.pop()
    # In a whole question quotes mark a title, which the answer need not repeat.
    said = [each for each in literals if not (each.is_filter or each.is_excluded)]
    if said and said[-1].kind == WORD and said[-1].text.endswith("?"):
        literals = [*chain.from_iterable(map(_without_quotes, literals))]
    return tuple(literals)


def _without_question_mark(clause: Clause) -> Clause:
    """A clause that is no whole question."""
    literals = (
        replace(literal, text=literal.text.rstrip("?")) if literal.kind == WORD else literal
        for literal in clause
    )
    return tuple(literal for literal in literals if literal.text not in ("", *_CONNECTIVES))


def _alternatives(node: Node) -> tuple[Node, ...]:
    return node.parts if isinstance(node, AnyOf) else (node,)


def _negated(node: Node | None) -> Node:
    """The opposite, in which each literal is excluded or wanted by itself (De Morgan)."""
    match node:
        case Literal():
            return replace(node, is_excluded=not node.is_excluded)
        case AnyOf():
            return AllOf(tuple(map(_negated, node.parts)))
        case AllOf():
            return AnyOf(tuple(map(_negated, _joined(node.parts))))
    return AllOf(())


def _joined(parts: Sequence[Node]) -> list[Node]:
    """Parts that belong together; values of which a note needs only one are one part."""
    others: list[Node] = []
    values: dict[str, list[Node]] = {}
    for part in parts:
        if isinstance(part, Literal) and part.kind in _OF_ANY and not part.is_excluded:
            values.setdefault(part.kind, []).append(part)
        else:
            others.append(part)
    return [*others, *(AnyOf(tuple(each)) for each in values.values())]


def _has_alternatives(node: Node) -> bool:
    """Whether not all parts of a tree are wanted, or excluded, by themselves."""
    if isinstance(node, Literal):
        return False
    is_any = isinstance(node, AnyOf) and len(node.parts) > 1
    return is_any or any(map(_has_alternatives, node.parts))


def _literals(node: Node) -> Iterator[Literal]:
    """All literals of a tree."""
    if isinstance(node, Literal):
        yield node
        return
    for part in node.parts:
        yield from _literals(part)


class _NormalForm:
    """The questions without OR that a tree stands for, its disjunctive normal form."""

    def __init__(self) -> None:
        self.is_cut = False
        """Whether some were left out."""

    def clauses(self, node: Node) -> list[Clause]:
        """The questions, in their order."""
        match node:
            case Literal():
                return [(node,)]
            case AnyOf():
                return self._bounded(chain.from_iterable(map(self.clauses, node.parts)), 1)
        # Each alternative of one part with each of the others.
        products: list[list[Literal]] = [[]]
        for part in node.parts:
            options = self._bounded(self.clauses(part), len(products))
            if len(options) > 1:
                products = [[*product, *each] for product in products for each in options]
                continue
            for product in products:
                product.extend(chain.from_iterable(options))
        return [*map(tuple, products)]

    def _bounded(self, options: Iterable[Clause], factor: int) -> list[Clause]:
        """Alternatives; words share searches where they would be too many."""
        listed = [*dict.fromkeys(options)]
        most = max(1, MOST_ALTERNATIVES // factor)
        if len(listed) <= most:
            return listed
        # In a shared search, an operator or a phrase would also limit the other alternatives.
        if any(each.kind != WORD or each.is_excluded for each in chain.from_iterable(listed)):
            self.is_cut = True
            return listed[:most]
        size = -(-len(listed) // most)
        starts = range(0, len(listed), size)
        groups = (chain.from_iterable(listed[at : at + size]) for at in starts)
        return [tuple(dict.fromkeys(group)) for group in groups]
