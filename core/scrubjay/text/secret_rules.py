"""Rules that recognise secrets: our own, and those of gitleaks in resources/secret-rules.json."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from typing import Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from scrubjay.messages import msg
from scrubjay.platform.paths import resources


class Allowance(Struct, frozen=True):
    """Signs that a match is not a secret. One of them is enough."""

    patterns: tuple[str, ...] = ()
    stop_words: tuple[str, ...] = ()
    """Words in lower case, looked for in the secret."""
    target: Literal["secret", "match", "line"] = "secret"
    """Where the patterns are looked for."""


class SecretRule(Struct, frozen=True):
    """The form of one kind of secret."""

    pattern: str
    """For `re`. The first group that takes part is the secret; without groups it is the match."""
    keywords: tuple[str, ...] = ()
    """Words in lower case, one of which each such secret has in it or near it. A rule without
    keywords is tried on every text."""
    kind: str = ""
    """The kind in plain words."""
    entropy: float = 0.0
    """Bits of each letter; a secret has more."""
    is_named: bool = False
    """Whether the name of a service before it is what tells a secret, not its own shape."""
    allowances: tuple[Allowance, ...] = ()
    id: str = ""


class PublishedRules(Struct, frozen=True):
    """The rules of gitleaks as `scripts/secret_rules.py` converts them."""

    source: dict[str, str]
    """Name, version, licence and the like."""
    refused: dict[str, str]
    """Rules that could not be converted, and why."""
    allowed: Allowance
    """An allowance for all rules."""
    rules: tuple[SecretRule, ...]


CARD_NUMBER = msg("card number")
SETTING = msg("secret")
SERVICE = msg("key for a service")
_PRIVATE = msg("private key")
_WEBSITE = msg("key for a website")
_PASSWORD = msg("password")


def _rule(kind: str, keywords: str, pattern: str) -> SecretRule:
    return SecretRule(pattern, tuple(keywords.split()), kind)


def _prefixed(prefixes: str, letters: str, least: int) -> SecretRule:
    """A rule for keys that begin with one of these words and have a digit in what follows."""
    starts = "|".join(re.escape(prefix) for prefix in prefixes.split())
    pattern = rf"\b(?:{starts})(?=[{letters}]{{0,60}}\d)[{letters}]{{{least},}}"
    return _rule(SERVICE, prefixes.lower(), pattern)


# Every repetition before a fixed word has a limit, so that no text takes quadratic time.
OWN_RULES = (
    _rule(
        _PRIVATE,
        "-----begin",
        r"(?s)-----BEGIN [A-Z0-9 ]{0,40}(?:PRIVATE KEY(?: BLOCK)?|PGP MESSAGE)-----.*?"
        r"(?:-----END [A-Z0-9 ]{0,40}(?:PRIVATE KEY(?: BLOCK)?|PGP MESSAGE)-----|\Z)",
    ),
    _rule(_PRIVATE, "age-secret-key-1", r"\bAGE-SECRET-KEY-1[0-9A-Z]{20,}"),
    # A file of PuTTY.
    _rule(
        _PRIVATE,
        "private-lines:",
        r"\bPrivate-Lines: \d{1,3}\r?\n((?:[A-Za-z0-9+/=]{1,80}(?:\r?\n|\Z)){1,200})",
    ),
    # Wallets and Nostr.
    _rule(
        _PRIVATE,
        "xprv yprv zprv nsec1",
        r"\b(?:[xyz]prv[1-9A-HJ-NP-Za-km-z]{100,112}|nsec1[02-9ac-hj-np-z]{58})\b",
    ),
    _rule(
        SERVICE,
        "sk- pk- rk- pplx- xai-",
        r"\b(?:sk|pk|rk|gsk|pplx|xai)-(?=[a-z_-]{0,40}[A-Z\d])[A-Za-z0-9_-]{16,}",
    ),
    _rule(
        SERVICE,
        "k_live k_test gsk_ gsk- hf_ hf- npm_ npm- glpat dop_v1",
        r"\b(?:[sr]k_(?:live|test)|gsk|hf|npm|glpat|dop_v1)[_-]\w{16,}",
    ),
    _rule(
        SERVICE,
        "pypi- sg. hvs. hvb. hvr. dckr_ shpat_ shpca_ shppa_ shpss_ whsec_ glsa_ sbp_ figd_ ntn_"
        " lin_api_ nfp_ dapi nrak- pmak- atatt3 tskey- dp.pt. sq0",
        r"\b(?:pypi-|SG\.|hv[sbr]\.|dckr_[op]at_|shp(?:at|ca|pa|ss)_|whsec_|glsa_|sbp_|figd_|ntn_"
        r"|lin_api_|nfp_|dapi|NRAK-|PMAK-|ATATT3|tskey-|dp\.pt\.|sq0(?:atp|csp)-)[\w.~+/=-]{20,}",
    ),
    _prefixed(
        "ABSK bedrock-api-key- ops_ey HRKU- glrt- gldt- glptt- glft- glimt- glagent- gloas-"
        " glsoat- glffct- glcbt- fo1_ fm1r_ fm1a_ fm2_ glc_ sb_secret_ sntrys_ sntryu_ AKCp squ_"
        " sqp_ sqa_ pul- lsv2_pt_ lsv2_sk_ tvly- pscale_tkn_ pscale_pw_ pscale_oauth_ pcsk_ nvapi-"
        " csk- tgp_v1_ vercel_blob_rw_ mdb_sa_sk_ CCIPAT_ CCIPRJ_ bkua_ hcaik_ GOCSPX- xkeysib-"
        " xsmtpsib- lin_oauth_ dp.st. dp.ct. dp.sa. dp.scim. dp.audit. ATCTT3 ATBB rubygems_ rdme_"
        " dt0c01. dt0s01. NRII- NRJS- CFPAT- figu_ doo_v1_ dor_v1_ IGQV IGAA amzn.mws.",
        letters=r"\w.+/=-",
        least=20,
    ),
    # What follows is a word of letters and digits, since the beginning alone says little.
    _prefixed(
        "LTAI r8_ fw_ rnd_ napi_ vcp_ phx_ sk_ secret_ oy2 cio SCW AKID BSA EAA fc-",
        letters="A-Za-z0-9",
        least=17,
    ),
    _rule(SERVICE, "re_", r"\bre_(?=\w{0,30}\d)[A-Za-z0-9]{6,12}_[A-Za-z0-9]{16,40}\b"),
    _rule(SERVICE, "pat", r"\bpat[A-Za-z0-9]{14}\.[0-9a-f]{64}\b"),
    _rule(SERVICE, "pat-", r"\bpat-(?:na|eu|ap)\d-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b"),
    _rule(SERVICE, "-us", r"\b[0-9a-f]{32}-us\d{1,2}\b"),
    _rule(SERVICE, ".atlasv1.", r"\b\w{14}\.atlasv1\.[\w=-]{40,}"),
    _rule(SERVICE, "sig= signature=", r"[?&](?:sig|X-Amz-Signature)=([\w%+/-]{30,})"),
    _rule(SERVICE, "sk ac key-", r"\b(?:SK|AC|key-)[0-9a-f]{32}\b"),
    _rule(
        SERVICE,
        "hooks.slack.com /api/webhooks/",
        r"\bhttps://(?:hooks\.slack\.com/(?:services|workflows|triggers)|(?:\w{1,20}\.)?discord"
        r"(?:app)?\.com/api/webhooks)/([\w/-]{16,})",
    ),
    _rule(SERVICE, "", r"\b[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,45}\b"),
    _rule(
        msg("key for GitHub"),
        "gho_ ghp_ ghr_ ghs_ ghu_ github_pat_",
        r"\b(?:gh[oprsu]_[A-Za-z0-9]{16,}|github_pat_\w{16,})",
    ),
    _rule(msg("key for Slack"), "xox xapp-", r"\b(?:xox[a-z]|xapp)-[A-Za-z0-9-]{10,}"),
    _rule(msg("key for AWS"), "akia asia", r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b"),
    _rule(msg("key for Google"), "aiza ya29.", r"\b(?:AIza|ya29\.)[\w.-]{20,}"),
    _rule(msg("key for Google"), "1//0", r"(?<![\w/])1//0[\w-]{30,}"),
    _rule(msg("key for Telegram"), "", r"\b\d{8,10}:[A-Za-z0-9_-]{35}\b"),
    _rule(_WEBSITE, "eyj", r"\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?"),
    _rule(_WEBSITE, "cookie:", r"(?i)\b(?:set-)?cookie:[ \t]*([^\s=;]{1,80}=[^\n]{4,})"),
    _rule(_WEBSITE, "bearer", r"(?i)\bbearer\s+([\w.~+/=-]{12,})"),
    _rule(
        _WEBSITE,
        "authorization",
        r"(?i)\bauthorization[\"']?\s{0,3}[:=]\s{0,3}[\"']?(?:basic|token|apikey|bot)\s{1,3}"
        r"([\w.~+/=-]{8,})",
    ),
    _rule(_PASSWORD, "://", r"\b[a-z][a-z0-9+.-]{0,20}://[^\s/:@]{0,80}:([^\s/@]+)@"),
    _rule(
        _PASSWORD,
        "curl",
        r"\bcurl(?=\s)(?:[^\n\\]|\\[^\r]|\\\r\n){0,400}?\s(?:-u|--user|--proxy-user)[ =]{0,3}[\"']?"
        r"[^\s\"':]{1,80}:(?!\$)([^\s\"']{3,})",
    ),
    _rule(_PASSWORD, '"auth"', r'"auth"\s{0,3}:\s{0,3}"([A-Za-z0-9+/]{8,}={0,2})"'),
    # A line of .netrc.
    _rule(
        _PASSWORD,
        "machine",
        r"\bmachine\s{1,3}\S{1,80}\s{1,9}login\s{1,3}\S{1,80}\s{1,9}password\s{1,3}(\S{4,})",
    ),
    _rule(
        _PASSWORD,
        "password passwd passphrase passcode contraseña clave passwort kennwort senha passe",
        r"(?i)\b(?:password|passwd|passphrase|passcode|contraseña|clave|passwort|kennwort|senha"
        r"|mot\sde\spasse)\s{0,3}(?:\s(?:is|es|ist|est)|=>?|:)\s{1,3}((?=\S*\d)[^\s,;]{4,})",
    ),
    _rule(
        _PASSWORD,
        "seed recovery mnemonic wallet",
        r"(?i)\b(?:seed|recovery|mnemonic|wallet)\s(?:phrase|words?)\b[^\n:=]{0,20}[:=]\s{0,3}"
        r"((?:[a-z]{3,8}[ ,]{1,2}){11,23}[a-z]{3,8})",
    ),
    # Not within the letters of a commit.
    _rule(
        CARD_NUMBER,
        "",
        r"(?<![\da-f-])(?:4\d{3}|5[1-5]\d\d|2[2-7]\d\d|6\d{3})(?:[ -]?\d{4}){3}(?![\da-f-])"
        r"|(?<![\da-f-])3[47]\d\d[ -]?\d{6}[ -]?\d{5}(?![\da-f-])",
    ),
    _rule(
        SETTING,
        "password passwd passphrase pwd secret token credential key contraseña passwort kennwort",
        r"(?i)(?:password|passwd|passphrase|pwd|secret|token|credential"
        r"|(?:api|access|account|auth|private)[_-]?key|contraseña|passwort|kennwort)[\"'`]?"
        r"(?:\s{0,3}=\s{0,3}|\s{0,3}:\s{0,3})"
        r"(\"[^\"\n]{4,}\"|'[^'\n]{4,}'|[^\s\"',;`<>()\[\]{}]{4,})",
    ),
)


@functools.cache
def all_rules() -> tuple[SecretRule, ...]:
    """Our own rules, then those of gitleaks."""
    return (*OWN_RULES, *_published())


def published_rules() -> PublishedRules:
    """The data file of the rules of gitleaks."""
    content = (resources() / "secret-rules.json").read_bytes()
    return msgspec.json.decode(content, type=PublishedRules)


def _published() -> Iterator[SecretRule]:
    published = published_rules()
    for rule in published.rules:
        yield replace(
            rule,
            # Go means letters of ASCII by `\w` and `(?i)`.
            pattern=f"(?a){rule.pattern}",
            kind=SETTING if rule.is_named else SERVICE,
            allowances=(published.allowed, *rule.allowances),
        )
