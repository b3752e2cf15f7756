"""Secrets in text, found by their shape, and text without them."""

from __future__ import annotations

import re

from msgspec import Struct

from scrubjay.messages import msg

REDACTED = "[redacted]"

# Every repetition before a fixed word has a limit, so that no text takes quadratic time.
_PATTERNS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        msg("private key"),
        re.compile(
            r"-----BEGIN [A-Z0-9 ]{0,40}(?:PRIVATE KEY(?: BLOCK)?|PGP MESSAGE)-----.*?"
            r"(?:-----END [A-Z0-9 ]{0,40}(?:PRIVATE KEY(?: BLOCK)?|PGP MESSAGE)-----|\Z)",
            re.DOTALL,
        ),
    ),
    (msg("private key"), re.compile(r"\bAGE-SECRET-KEY-1[0-9A-Z]{20,}")),
    (msg("key for a service"), re.compile(r"\b(?:sk|pk|rk|gsk|pplx|xai)-[A-Za-z0-9_-]{16,}")),
    (
        msg("key for a service"),
        re.compile(r"\b(?:[sr]k_(?:live|test)|gsk|hf|npm|glpat|dop_v1)[_-]\w{16,}"),
    ),
    (
        msg("key for a service"),
        re.compile(
            r"\b(?:pypi-|SG\.|hv[sbr]\.|dckr_[op]at_|shp(?:at|ca|pa|ss)_|whsec_|glsa_|sbp_|figd_|ntn_"
            r"|lin_api_|nfp_|dapi|NRAK-|PMAK-|ATATT3|tskey-|dp\.pt\.|sq0(?:atp|csp)-)[\w.~+/=-]{20,}"
        ),
    ),
    (msg("key for a service"), re.compile(r"\b(?:SK|AC|key-)[0-9a-f]{32}\b")),
    (
        msg("key for a service"),
        re.compile(
            r"\bhttps://(?:hooks\.slack\.com/(?:services|workflows)|(?:\w{1,20}\.)?discord(?:app)?"
            r"\.com/api/webhooks)/(?P<secret>[\w/-]{16,})"
        ),
    ),
    (msg("key for a service"), re.compile(r"\b[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,45}\b")),
    (msg("key for GitHub"), re.compile(r"\b(?:gh[oprsu]_[A-Za-z0-9]{16,}|github_pat_\w{16,})")),
    (msg("key for Slack"), re.compile(r"\b(?:xox[a-z]|xapp)-[A-Za-z0-9-]{10,}")),
    (msg("key for AWS"), re.compile(r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b")),
    (msg("key for Google"), re.compile(r"\b(?:AIza|ya29\.)[\w.-]{20,}")),
    (msg("key for Telegram"), re.compile(r"\b\d{8,10}:[A-Za-z0-9_-]{35}\b")),
    (msg("key of a website"), re.compile(r"\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?")),
    (
        msg("key of a website"),
        re.compile(r"\b(?:set-)?cookie:[ \t]*(?P<secret>[^\s=;]{1,80}=[^\n]{4,})", re.IGNORECASE),
    ),
    (msg("key of a website"), re.compile(r"\bbearer\s+(?P<secret>[\w.~+/=-]{12,})", re.IGNORECASE)),
    (
        msg("password"),
        re.compile(r"\b[a-z][a-z0-9+.-]{0,20}://[^\s/:@]{0,80}:(?P<secret>[^\s/@]+)@"),
    ),
    (
        msg("password"),
        re.compile(
            r"\b(?:password|passwd|passphrase|passcode|contraseña|clave|passwort|kennwort|senha"
            r"|mot\sde\spasse)\s{0,3}(?:\s(?:is|es|ist|est)|=>?|:)\s{1,3}"
            r"(?P<secret>(?=\S*\d)[^\s,;]{4,})",
            re.IGNORECASE,
        ),
    ),
    (
        msg("password"),
        re.compile(
            r"\b(?:seed|recovery|mnemonic|wallet)\s(?:phrase|words?)\b[^\n:=]{0,20}[:=]\s{0,3}"
            r"(?P<secret>(?:[a-z]{3,8}[ ,]{1,2}){11,23}[a-z]{3,8})",
            re.IGNORECASE,
        ),
    ),
    (
        msg("card number"),
        re.compile(
            r"(?<![\d-])(?:4\d{3}|5[1-5]\d\d|2[2-7]\d\d|6\d{3})(?:[ -]?\d{4}){3}(?![\d-])"
            r"|(?<![\d-])3[47]\d\d[ -]?\d{6}[ -]?\d{5}(?![\d-])"
        ),
    ),
    (
        msg("secret"),
        re.compile(
            r"(?<![\w.-])[\w.-]{0,40}?(?:password|passwd|passphrase|pwd|secret|token|credential"
            r"|(?:api|access|account|auth|private)[_-]?key|contraseña|passwort|kennwort)[\"'`]?"
            r"(?:\s{0,3}=\s{0,3}|\s{0,3}:\s{0,3})"
            r"(?P<secret>\"[^\"\n]{4,}\"|'[^'\n]{4,}'|[^\s\"',;`<>()\[\]{}]{4,})",
            re.IGNORECASE,
        ),
    ),
)
_COUNT = re.compile(r"\d{1,6}$")
"""Such as in `max_token: 4000`, which is no secret."""

_PLAIN_WORD = re.compile(r"[^\W\d_]+[.!?]?$")
"""Such as in "the secret: never give up", which is prose."""


_NEAR = 100_000
"""Characters around a part in which its secrets may begin and end."""


class Secret(Struct, frozen=True):
    """The place of a secret in a text."""

    kind: str
    """Its kind, in plain words."""
    start: int
    end: int


def find_secrets(text: str) -> list[Secret]:
    """All secrets in order; overlapping ones are merged."""
    matches = [
        Secret(kind, *match.span("secret" if "secret" in pattern.groupindex else 0))
        for kind, pattern in _PATTERNS
        for match in pattern.finditer(text)
        if (kind != "secret" or _is_secret(text, match))
        and (kind != "card number" or _has_check_digit(match[0]))
    ]
    secrets: list[Secret] = []
    for secret in sorted(matches, key=lambda secret: (secret.start, -secret.end)):
        if secrets and secret.start < secrets[-1].end:
            last = secrets[-1]
            secrets[-1] = Secret(last.kind, last.start, max(last.end, secret.end))
        else:
            secrets.append(secret)
    return secrets


def redact(text: str) -> str:
    """The text with each secret replaced."""
    parts: list[str] = []
    at = 0
    for secret in find_secrets(text):
        parts += [text[at : secret.start], REDACTED]
        at = secret.end
    return "".join([*parts, text[at:]])


def redact_part(part: str, whole: str, start: int = 0) -> str:
    """A part of a text, redacted as the whole is; it stands there from start on.

    A key may begin before the part, without which nothing tells that it is one.
    """
    at = whole.find(part, start)
    if at < 0:
        return redact(part)
    pieces: list[str] = []
    shown = at
    for secret in find_secrets(whole[max(0, at - _NEAR) : at + len(part) + _NEAR]):
        first, last = (max(0, at - _NEAR) + place for place in (secret.start, secret.end))
        if last > at and first < at + len(part):
            pieces += [whole[shown : max(shown, first)], REDACTED]
            shown = last
    return "".join([*pieces, whole[shown : at + len(part)]])


def _has_check_digit(number: str) -> bool:
    """True for a number whose last digit fits the others, as of all cards."""
    digits = [int(letter) for letter in reversed(number) if letter.isdigit()]
    doubled = (sum(divmod(2 * digit, 10)) for digit in digits[1::2])
    return (sum(digits[::2]) + sum(doubled)) % 10 == 0


def _is_secret(text: str, match: re.Match[str]) -> bool:
    """True for the value of a setting, false for counts and for prose after a colon."""
    key, value = text[match.start() : match.start("secret")].lower(), match["secret"]
    if value.startswith(REDACTED) or ("token" in key and _COUNT.match(value)):
        return False
    if "=" in key or not _PLAIN_WORD.match(value):
        return True
    # One word at the end of a line is a value, followed by more words it is a sentence.
    return not text[match.end() : match.end() + 2].strip(" \t")[:1].isalnum()
