"""Commands as functions, whose parameters are read from the words of a command line."""

from __future__ import annotations

import contextlib
import inspect
import itertools
import math
import os
import sys
import textwrap
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, TypeAlias, TypeVar, get_args, get_origin

from msgspec import Struct, field
from msgspec.structs import replace

from scrubjay.cli.harmless_output import print_text
from scrubjay.records.page_start import PageStart

EXIT_WRONG_USAGE = 2
_MAX_WIDTH = 80
_HELP = ("--help", "Show this message and exit.")
_TYPES = {int: "INTEGER", float: "NUMBER", Path: "PATH", PageStart: "LINE"}
_WANTED = {
    int: "a whole number",
    float: "a number",
    PageStart: "a line such as 12, or a line and a character such as 12:3001",
}


class Argument(Struct, frozen=True):
    """A value that is identified by its position, without a name."""

    help: str = ""


class Option(Struct, frozen=True):
    """A value that is set by its name, such as each parameter with a default.

    An annotation as Argument makes an exception.
    """

    name: str = ""
    """Name such as `--json`, or that of the parameter; a switch then has a `--no-` as well."""
    help: str = ""
    low: float | None = None
    high: float | None = None


class UsageError(Exception):
    """Arguments that are not a valid command line, with the reason in one sentence."""

    usage = ""
    """Usage that would be right, as in `scrubjay get [OPTIONS] PATH`."""
    path = ""
    """Command that was meant, as in `scrubjay get`."""


SomeFunction = TypeVar("SomeFunction", bound=Callable[..., None])


class CommandGroup:
    """A group of commands below one name."""

    def __init__(
        self,
        help: str,  # noqa: A002
        commands: Mapping[str, Command] | None = None,
        lines: Mapping[str, str] | None = None,
        options: Sequence[tuple[str, str]] = (),
        on_failure: Callable[[Exception], None] | None = None,
    ) -> None:
        """`lines` are the beginnings of the help of commands that are imported when they run,
        `options` those that the caller reads; `on_failure` takes what the commands raise.
        """
        # Commands of other modules are known by a line of help alone, until one of them runs.
        self.help = help
        self.commands: Mapping[str, Command] = {} if commands is None else commands
        self._lines = lines
        self._options = options
        self._on_failure = on_failure
        self._former_names: dict[str, str] = {}

    def command(self, name: str, former: str = "") -> Callable[[SomeFunction], SomeFunction]:
        """Add the function that follows; its former name runs it too and is in no help."""

        def add(function: SomeFunction) -> SomeFunction:
            self.commands = {**self.commands, name: function}
            if former:
                self._former_names[former] = name
            return function

        return add

    @property
    def lines(self) -> Mapping[str, str]:
        """A line about each command."""
        if self._lines is not None:
            return self._lines
        return {name: help_summary(command) for name, command in self.commands.items()}

    def run(self, path: str, words: Sequence[str]) -> None:
        """Run the command that the first word names."""
        if not words or words[0] == "--help":
            print_text(self.full_help(path), to_errors=not words)
            if not words:
                sys.exit(EXIT_WRONG_USAGE)
            return
        name, *others = words
        name = self._former_names.get(name, name)
        # What a command raises goes to the owner of the group, where it has one.
        try:
            if name not in self.commands:
                with _told(f"{path} COMMAND [OPTIONS]", path):
                    raise UsageError(_unknown(name, self.commands))
            invoke_command(self.commands[name], f"{path} {name}", others)
        except Exception as error:
            if self._on_failure is None:
                raise
            self._on_failure(error)

    def full_help(self, path: str) -> str:
        """All that `--help` prints."""
        usage = f"Usage: {path} COMMAND [OPTIONS]"
        options = _section("Options", [*self._options, _HELP])
        commands = _section("Commands", [*self.lines.items()])
        return "\n\n".join((usage, _paragraph(self.help), options, commands))


Command: TypeAlias = Callable[..., None] | CommandGroup


def invoke_command(command: Command, path: str, words: Sequence[str]) -> None:
    """Run a command with the words after its path, such as `scrubjay keys set`."""
    if isinstance(command, CommandGroup):
        command.run(path, words)
        return
    parameters = _parameters(command)
    # After `--` a word is never an option.
    before_positionals = itertools.takewhile(lambda word: word != "--", words)
    if "--help" in before_positionals:
        print_text(full_help(command, path))
        return
    with _told(_usage(path, parameters), path):
        command(**_values(parameters, words))


def help_summary(command: Command) -> str:
    """The first sentences of the help of a command."""
    if isinstance(command, CommandGroup):
        text = command.help
    else:
        text = inspect.getdoc(command) or ""
    return " ".join(text.partition("\n\n")[0].split())


def full_help(command: Callable[..., None], path: str) -> str:
    """All that `--help` prints about one command."""
    parameters = _parameters(command)
    arguments = [(each.placeholder, each.about) for each in parameters if not each.flags]
    options = [(each.placeholder, each.about) for each in parameters if each.flags]
    paragraphs = (inspect.getdoc(command) or "").split("\n\n")
    parts = [f"Usage: {_usage(path, parameters)}", *map(_paragraph, paragraphs)]
    if any(about for _, about in arguments):
        parts.append(_section("Arguments", arguments))
    return "\n\n".join([*parts, _section("Options", [*options, _HELP])])


class _Parameter(Struct, frozen=True):
    """A parameter of a command, and how people write it."""

    name: str
    kind: Any
    """The type of its value, or of the entries of its list."""
    is_list: bool
    default: Any
    """`inspect.Parameter.empty` where there has to be a value."""
    flags: Mapping[str, bool | None] = field(default_factory=dict)
    """Spellings of an option with the values of a switch, or None where a value follows."""
    help: str = ""
    low: float | None = None
    high: float | None = None

    @property
    def is_needed(self) -> bool:
        """Whether a command line without it is wrong."""
        return self.default is inspect.Parameter.empty

    @property
    def placeholder(self) -> str:
        """The name in the help."""
        # Arguments are shown in capitals, options as they are typed.
        if not self.flags:
            return self.name.upper()
        written = " / ".join(self.flags)
        if self.kind is bool:
            return written
        if issubclass(self.kind, Enum):
            return f"{written} {'|'.join(self.kind)}"
        return f"{written} {_TYPES.get(self.kind, 'TEXT')}"

    @property
    def about(self) -> str:
        """Its help, with its limits and its default."""
        # A default of nothing, and that of a switch, say nothing.
        notes = []
        if self.default and not self.is_needed and not isinstance(self.default, bool):
            notes.append(f"default: {self.default}")
        if self.limits:
            notes.append(self.limits)
        if not notes:
            return self.help
        return f"{self.help} [{', '.join(notes)}]".strip()

    @property
    def limits(self) -> str:
        """The smallest and the largest number that it may be."""
        limits = (("at least", self.low), ("at most", self.high))
        return ", ".join(f"{words} {limit}" for words, limit in limits if limit is not None)

    def value(self, written: str, word: str) -> Any:
        """The value of a word; `written` is the name that a complaint gives."""
        # Types say by an error that a word is not one of theirs.
        try:
            # Types are called with the word, as `int`, `Path` and enumerations allow.
            value = self.kind(word)
        except ValueError as error:
            wanted = (
                _WANTED.get(self.kind) or f"one of {', '.join(each.value for each in self.kind)}"
            )
            raise UsageError(f"{written} must be {wanted}, not {word!r}.") from error
        if self.kind in (int, float) and not self._is_within_limits(value):
            raise UsageError(f"{written} must be {self.limits}.")
        return value

    def _is_within_limits(self, number: float) -> bool:
        """Whether a number may be given; "not a number" never is."""
        low = -math.inf
        if self.low is not None:
            low = self.low
        high = math.inf
        if self.high is not None:
            high = self.high
        return low <= number <= high


def _parameters(function: Callable[..., None]) -> list[_Parameter]:
    # Annotations are texts until they are asked for like this.
    hints = typing.get_type_hints(function, include_extras=True)
    parameters = inspect.signature(function).parameters
    return [_parameter(each, hints[name]) for name, each in parameters.items()]


def _parameter(declared: inspect.Parameter, hint: Any) -> _Parameter:
    """A parameter as its function declares it."""
    about = None
    if get_origin(hint) is Annotated:
        hint, about = get_args(hint)
    # Of `X | None` the X counts, and of `list[X]` too.
    kinds = [kind for kind in get_args(hint) if kind is not type(None)]
    if kinds and get_origin(hint) is not list:
        [hint] = kinds
    is_list = get_origin(hint) is list
    kind = hint
    if is_list:
        kind = get_args(hint)[0]
    # A default makes an option, unless the annotation says otherwise.
    if about is None and declared.default is declared.empty:
        about = Argument()
    elif about is None:
        about = Option()
    parameter = _Parameter(declared.name, kind, is_list=is_list, default=declared.default)
    if isinstance(about, Argument):
        return replace(parameter, help=about.help)
    flags = _flags(about, declared.name, is_switch=kind is bool)
    return replace(parameter, flags=flags, help=about.help, low=about.low, high=about.high)


def _flags(option: Option, parameter: str, *, is_switch: bool) -> dict[str, bool | None]:
    """Spellings of an option, and what a switch is by each."""
    # A switch with a name of its own has no opposite.
    words = parameter.replace("_", "-")
    flag = option.name or f"--{words}"
    if not is_switch:
        return {flag: None}
    if option.name:
        return {flag: True}
    return {flag: True, f"--no-{words}": False}


def _values(parameters: Sequence[_Parameter], words: Sequence[str]) -> dict[str, Any]:
    """Arguments of the function. Options may stand anywhere before `--`."""
    # Words are taken from left to right, so that an option can take the next one.
    options = {flag: each for each in parameters for flag in each.flags}
    values: dict[str, Any] = {}
    positionals: list[str] = []
    rest = iter(words)
    # A dash alone stands for standard input; it is not an option.
    for word in rest:
        if word == "--":
            positionals += rest
        elif not word.startswith("-") or word == "-":
            positionals.append(word)
        else:
            name, value = _option_value(options, word, rest)
            values[name] = value
    return values | _positional_values(parameters, positionals)


def _option_value(
    options: Mapping[str, _Parameter], word: str, rest: Iterator[str]
) -> tuple[str, Any]:
    """Name and value of the option that a word sets; its value may be the next of the rest."""
    flag, has_value, text = word.partition("=")
    option = options.get(flag)
    if option is None:
        raise UsageError(_unknown(flag, options))
    if option.kind is bool:
        if has_value:
            raise UsageError(f"{flag} does not take a value.")
        return option.name, option.flags[flag]
    # `--limit=3` and `--limit 3` are the same.
    written: str | None = text
    if not has_value:
        written = next(rest, None)
    if written is None:
        raise UsageError(f"{flag} needs a value.")
    return option.name, option.value(flag, written)


def _positional_values(parameters: Sequence[_Parameter], positionals: list[str]) -> dict[str, Any]:
    """Arguments that are told by their positions. Takes them from the list."""
    values: dict[str, Any] = {}
    for each in parameters:
        if each.flags:
            continue
        if not positionals and each.is_needed:
            raise UsageError(f"{each.placeholder} is missing.")
        # A list takes all that is left.
        taken = 1
        if each.is_list:
            taken = len(positionals)
        given = [each.value(each.placeholder, word) for word in positionals[:taken]]
        del positionals[:taken]
        if given and each.is_list:
            values[each.name] = given
        elif given:
            values[each.name] = given[0]
    if positionals:
        raise UsageError(f"Unexpected argument: {positionals[0]!r}.")
    return values


def _usage(path: str, parameters: Sequence[_Parameter]) -> str:
    """The right way to write a command, on one line."""
    # Brackets and dots as command lines everywhere have them.
    parts = [path, "[OPTIONS]"]
    # Brackets mark what may be omitted, dots what may be repeated.
    for each in parameters:
        if each.flags:
            continue
        shown = each.placeholder
        if each.is_list:
            shown += "..."
        if not each.is_needed:
            shown = f"[{shown}]"
        parts.append(shown)
    return " ".join(parts)


def _unknown(name: str, known: Iterable[str]) -> str:
    import difflib  # late: only mistakes need it

    similar = difflib.get_close_matches(name, known, 1)
    kind = "option" if name.startswith("-") else "command"
    sentence = f"There is no {kind} {name}."
    if similar:
        sentence += f" Did you mean {similar[0]}?"
    return sentence


@contextlib.contextmanager
def _told(usage: str, path: str) -> Iterator[None]:
    """Add what would be right to the errors of wrong usage."""
    try:
        yield
    except UsageError as error:
        error.usage = usage
        error.path = path
        raise


def _width() -> int:
    try:
        return min(_MAX_WIDTH, os.get_terminal_size().columns or _MAX_WIDTH)
    except (OSError, ValueError):  # no terminal
        return _MAX_WIDTH


def _paragraph(text: str) -> str:
    indent = "  "
    words = " ".join(text.split())
    return textwrap.fill(words, _width(), initial_indent=indent, subsequent_indent=indent)


def _section(title: str, rows: Sequence[tuple[str, str]]) -> str:
    """Names and texts in two columns."""
    # The first column is as wide as its longest name.
    column = 4 + max(len(name) for name, _ in rows)
    lines = [f"{title}:"]
    for name, text in rows:
        # Also in a narrow terminal some words of a text fit on a line.
        wrapped = textwrap.wrap(text, max(20, _width() - column), break_on_hyphens=False) or [""]
        lines.append(f"  {name:<{column - 2}}{wrapped[0]}".rstrip())
        lines += [" " * column + line for line in wrapped[1:]]
    return "\n".join(lines)
