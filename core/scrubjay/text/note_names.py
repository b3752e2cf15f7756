"""Names of notes, in a form that can be compared with typed text, and from front matter."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath

from scrubjay.text.markdown import property_lines
from scrubjay.text.tokenizer import fold

_SEPARATORS = re.compile(r"[\s_‐-―-]+")
"""Signs between the words of a name: spaces, underscores, hyphens and dashes."""
_ENDING = ".,;:!?¡¿… "
"""Signs around a question that names a note."""
_ALIAS_KEY = re.compile(r"alias(?:es)?[ \t]*:(?!:)", re.IGNORECASE)
"""Key of front matter that lists further names, as Obsidian writes it."""
MOST_ALIASES = 50
"""Number of aliases of one note; a longer list is data."""
LONGEST_ALIAS = 200
"""Characters of an alias that is still a name."""


def name_key(name: str) -> str:
    """A name as it is compared: in any case, without diacritics, with a space between its words."""
    return _SEPARATORS.sub(" ", fold(name)).strip(_ENDING)


def name_keys(title: str, path: str, aliases: Iterable[str] = ()) -> tuple[str, ...]:
    """The names that a note answers to, as they are compared: title, file name and aliases."""
    names = (title, PurePosixPath(path).stem, *aliases)
    return tuple(filter(None, dict.fromkeys(map(name_key, names))))


def parse_aliases(front_matter: Sequence[str]) -> tuple[str, ...]:
    """The aliases that the lines of front matter list, in their order; none of a broken list."""
    lines = next(property_lines(front_matter, _ALIAS_KEY), [])
    if not lines:
        return ()
    from scrubjay.text.plain_yaml import parse_plain_yaml

    try:
        [value] = parse_plain_yaml("\n".join(lines)).values()
    except (ValueError, AttributeError):
        return ()
    # Older versions of Obsidian wrote one line with commas.
    if isinstance(value, str):
        value = value.split(",")
    if not isinstance(value, list):
        return ()
    names = (str(name).strip() for name in value if isinstance(name, str | int | float))
    return tuple(name for name in names if 0 < len(name) <= LONGEST_ALIAS)[:MOST_ALIASES]
