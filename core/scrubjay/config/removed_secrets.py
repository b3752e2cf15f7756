"""Earlier texts of the settings, without the keys that were removed since."""

from __future__ import annotations

import re

_VALUE = r"""(?P<quote>["'])(?P<value>(?:\\.|(?!(?P=quote)).)+)(?P=quote)"""
_KINDS = "key|token|secret|passw|passphrase|auth|credential|cookie"
_SECRET = re.compile(
    rf"""(?i)(?<![\w-])(?P<name>[\w-]{{0,64}}(?:{_KINDS})[\w-]{{0,64}}["']?\s*[:=]\s*){_VALUE}"""
)
"""A text under a name of secrets, in JSON, JSON5 or TOML, also within a comment. A name too many
does no harm: what still is in the settings stays."""
_HEADERS = re.compile(r"""(?i)headers["']?\s*[:=]\s*\{[^{}]*\}""")
_HEADER = re.compile(rf"(?P<name>[:=]\s*){_VALUE}")


def without_removed_secrets(former: str, current: str) -> str:
    """A former text, with an empty text for each secret that the current one does not hold."""

    def replaced(match: re.Match[str]) -> str:
        if match["value"] in current:
            return match[0]
        return f"{match['name']}{match['quote'] * 2}"

    plain = _SECRET.sub(replaced, former)
    return _HEADERS.sub(lambda headers: _HEADER.sub(replaced, headers[0]), plain)
