"""The shapes of secrets: newer kinds, the rules of gitleaks, and what only looks like a secret."""

from __future__ import annotations

import base64
import random
import re
import time
import uuid
from pathlib import Path

import pytest

from scrubjay.text.redaction import REDACTED, find_secrets, redact
from scrubjay.text.secret_rules import SecretRule, all_rules, published_rules
from support.attacks import tries
from support.regex_samples import sample

RULES = [pytest.param(rule, id=rule.id) for rule in all_rules() if rule.id]


def mixed(length: int, seed: int = 1) -> str:
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    return "7" + "".join(random.Random(seed).choices(letters, k=length - 1))


def small(length: int) -> str:
    return mixed(length).lower()


def hexadecimal(length: int) -> str:
    return "7" + "".join(random.Random(2).choices("0123456789abcdef", k=length - 1))


UUID = "7c9e6679-7425-40de-944b-e07fc1f90ae7"
NEWER = {
    "Amazon Bedrock": f"ABSK{mixed(124)}",
    "Amazon Bedrock, short": f"bedrock-api-key-YmVkcm9jay5hbWF6b25hd3MuY29t{mixed(60)}",
    "Airtable": f"pat{mixed(14)}.{hexadecimal(64)}",
    "1Password, service": f"ops_eyJ{mixed(300)}",
    "1Password, secret key": "A3-ASWWYB-798JRY-LJVD4-23DC2-86TVM-H43EB",
    "Heroku": f"HRKU-AA{mixed(58)}",
    "GitLab runner": f"glrt-{mixed(20)}",
    "GitLab deployment": f"gldt-{mixed(20)}",
    "GitLab trigger": f"glptt-{hexadecimal(40)}",
    "GitLab feed": f"glft-{mixed(20)}",
    "GitLab mail": f"glimt-{mixed(25)}",
    "GitLab agent": f"glagent-{mixed(50)}",
    "GitLab application": f"gloas-{hexadecimal(64)}",
    "GitLab job": f"glcbt-64_{mixed(20)}",
    "Azure AD": f"{mixed(3)}8Q~{mixed(34)}",
    "Fly": f"FlyV1 fm2_{mixed(120)}",
    "Grafana Cloud": f"glc_{mixed(60)}",
    "Supabase": f"sb_secret_{mixed(31)}",
    "Slack trigger": f"https://hooks.slack.com/triggers/T0ABC/123456/{mixed(32)}",
    "Sentry, organisation": f"sntrys_{mixed(120)}",
    "Sentry, user": f"sntryu_{hexadecimal(64)}",
    "Terraform": f"{mixed(14)}.atlasv1.{mixed(67)}",
    "JFrog": f"AKCp{mixed(69)}",
    "Sonar": f"squ_{hexadecimal(40)}",
    "Pulumi": f"pul-{hexadecimal(40)}",
    "Mailchimp": f"{hexadecimal(32)}-us12",
    "Alibaba": f"LTAI{mixed(20)}",
    "LangSmith": f"lsv2_pt_{hexadecimal(32)}_{hexadecimal(10)}",
    "Resend": f"re_{mixed(8)}_{mixed(24, seed=3)}",
    "Tavily": f"tvly-{mixed(32)}",
    "PlanetScale": f"pscale_tkn_{mixed(43)}",
    "Anthropic": f"sk-ant-api03-{mixed(93)}AA",
    "OpenAI, project": f"sk-proj-{mixed(74)}T3BlbkFJ{mixed(74)}",
    "OpenRouter": f"sk-or-v1-{hexadecimal(64)}",
    "xAI": f"xai-{mixed(80)}",
    "Replicate": f"r8_{mixed(37)}",
    "Pinecone": f"pcsk_{mixed(60)}",
    "NVIDIA": f"nvapi-{mixed(64)}",
    "ElevenLabs": f"sk_{hexadecimal(48)}",
    "Firecrawl": f"fc-{hexadecimal(32)}",
    "Vercel": f"vcp_{mixed(56)}",
    "Neon": f"napi_{small(64)}",
    "MongoDB Atlas": f"mdb_sa_sk_{mixed(40)}",
    "CircleCI": f"CCIPAT_{mixed(22)}_{hexadecimal(40)}",
    "Buildkite": f"bkua_{hexadecimal(40)}",
    "Doppler": f"dp.st.dev.{mixed(43)}",
    "Google, client": f"GOCSPX-{mixed(28)}",
    "Google, refresh": f"1//0{mixed(60)}",
    "Brevo": f"xkeysib-{hexadecimal(64)}-{mixed(16)}",
    "HubSpot": f"pat-eu1-{UUID}",
    "Bitbucket": f"ATBB{mixed(32)}",
    "RubyGems": f"rubygems_{hexadecimal(48)}",
    "crates.io": f"cio{mixed(32)}",
    "NuGet": f"oy2{small(43)}",
    "Dynatrace": f"dt0c01.{mixed(24).upper()}.{mixed(64).upper()}",
    "Facebook": f"EAA{mixed(120)}",
    "MaxMind": f"{mixed(6)}_{mixed(29)}_mmk",
    "OpenShift": f"sha256~{mixed(43)}",
    "Notion": f"ntn_{'12345678901'}{mixed(35)}",
    "PuTTY": f"Private-Lines: 2\n{mixed(64)}\n{mixed(40)}=\n",
    "wallet": f"xprv{'9s21ZrQH143K' * 9}",
}
"""A made-up key of each kind, as its service writes them."""


@pytest.mark.parametrize("kind", NEWER)
def test_no_newer_kind_of_key_stays(kind: str) -> None:
    key = NEWER[kind]
    redacted = redact(f"Moved house. The key is {key}\nCall Emma.")
    assert redacted.startswith("Moved house. The key is ")
    assert redacted.endswith("Call Emma.")
    assert REDACTED in redacted
    assert key[len(key) // 2 :].strip() not in redacted
    assert not re.search(r"[A-Za-z0-9]{14}", redacted)


@pytest.mark.parametrize(
    ("text", "redacted"),
    [
        ("curl -u ann:tiger7 https://host", "curl -u ann:[redacted] https://host"),
        ("curl -sS \\\n  --user 'ann:tiger7' host", "curl -sS \\\n  --user 'ann:[redacted]' host"),
        ('{"auth": "YW5uOnRpZ2VyNw=="}', '{"auth": "[redacted]"}'),
        ("Authorization: Basic YW5uOnRpZ2VyNw==", "Authorization: Basic [redacted]"),
        ("machine host login ann password tiger7", "machine host login ann password [redacted]"),
        ("https://a.blob/x?sv=2&sig=" + "k7" * 22, "https://a.blob/x?sv=2&sig=[redacted]"),
    ],
)
def test_passwords_of_commands_and_files_are_blanked_out(text: str, redacted: str) -> None:
    assert redact(text) == redacted


@pytest.mark.parametrize("rule", RULES)
def test_a_text_of_each_published_shape_is_blanked_out(rule: SecretRule) -> None:
    for seed in range(60):
        key = sample(rule.pattern, random.Random(seed))
        text = f"Of {rule.keywords[0]}: {key}\nCall Emma."
        if re.search(rule.pattern, text) and REDACTED in redact(text):
            return
    pytest.fail(f"no text of the shape {rule.pattern} is found")


ORDINARY = [
    "commit 4ab379c744b2c0d5256692307770846 and 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b",
    "See a828e60, 2bc8ddd0 and sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f0",
    f"The device {UUID} and {{{uuid.UUID(int=7)}}} are paired.",
    "ISBN 978-3-16-148410-0, ISBN-10 0-306-40615-2, EAN 4006381333931.",
    "IBAN ES91 2100 0418 4502 0005 1332, call +34 917 23 45 67 on 2026-11-03.",
    f"![](data:image/png;base64,{base64.b64encode(random.Random(5).randbytes(6000)).decode()})",
    "\n".join(re.findall(".{1,76}", base64.b64encode(random.Random(6).randbytes(9000)).decode())),
    "Dropbox, congratulations to all. Linear: unchangeably. Asana > Inbox, Discord: everyone.",
    "Twitter: @internationalisation. LinkedIn: annalouisemeyers. Confluent, extraordinarily",
    "The key: a house by the sea. Access: through the garden, building-seven-north.",
    "Access is by the API of the town hall; keys and tokens, coins and secrets, all in the drawer.",
    "La clave del éxito: paciencia. El secreto, dijo: nunca lo contaré a nadie.",
    "Contraseñas y claves: se guardan en el cajón. Autenticación: pendiente desde 2024-03-15.",
    "El número de expediente 2024/001234-5678 y la matrícula 1234-BCD.",
    "def next_page(self): token = self._get_param('NextToken'); return params.get(token)",
    "from api import client\nfor key in sorted(settings): print(key, settings[key])",
    "git push origin pk-spawn-test-profiling sk-learn-tutorial-for-beginners",
    "const api = require('express-rate-limit'); import { key } from '../keys/primary-key.js'",
    "https://example.org/2024/03/15/an-article?utm_source=newsletter&id=1234567890#part-2",
    "docker pull nginx@sha256:4c0fdaa8b6341bfdeca5f18f7837462c80cff90527ee35ef185571e1c327beac",
    "Sort with `sort -u a:b` or use curl -O https://example.org/file and ask Ann.",
    "re_authentication_required_for_all_users_of_2024, secret_santa_list_of_the_family",
    "10.1038/s41586-021-03819-2 and arXiv:2106.09685v2, RFC 7519, CVE-2024-12345",
    "The primary key: 20240315_meeting_notes_of_the_board.md. Author: J2EE-programmer",
]


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_text_stays(text: str) -> None:
    assert redact(text) == text


def test_the_notes_of_the_quality_tests_stay() -> None:
    folder = Path(__file__).parents[2] / "quality"
    texts = {note: note.read_text("utf-8") for note in sorted(folder.rglob("*.md"))}
    assert len(texts) > 50
    assert [note.name for note, text in texts.items() if redact(text) != text] == []


def test_a_word_far_from_the_name_of_its_service_is_not_its_key() -> None:
    commit = hexadecimal(40)
    assert REDACTED in redact(f"Sourcegraph gave {commit}")
    far = f"Sourcegraph is a search engine. {'We met. ' * 40}{commit}"
    assert redact(far) == far


def test_what_the_rules_allow_stays() -> None:
    assert redact("gcp AIzaSyabcdefghijklmnopqrstuvwxyz1234567").endswith(REDACTED)
    assert find_secrets("twitter: ${TWITTER_TOKEN_NUMBER_25}") == []


def test_a_letter_that_grows_in_lower_case_moves_nothing() -> None:
    assert redact(f"İİİ {NEWER['Tavily']}") == f"İİİ {REDACTED}"


def test_no_letter_but_one_grows_in_lower_case() -> None:
    assert [chr(code) for code in range(0x110000) if len(chr(code).lower()) != 1] == ["\u0130"]


def test_each_rule_has_keywords_but_the_three_of_plain_numbers_and_words() -> None:
    assert len([rule for rule in all_rules() if not rule.keywords]) == 3
    assert all(word == word.lower() for rule in all_rules() for word in rule.keywords)


def test_the_rules_tell_where_they_come_from() -> None:
    published = published_rules()
    assert published.source["licence"] == "MIT"
    assert re.fullmatch(r"\d+\.\d+\.\d+", published.source["version"])
    assert len(published.rules) > 200
    assert set(published.refused) == {"curl-auth-header", "curl-auth-user", "pkcs12-file"}


def hostile_texts(rule: SecretRule, size: int) -> list[str]:
    """Texts that begin like a secret again and again, or that never end."""
    key = sample(rule.pattern, random.Random(4))
    word = rule.keywords[0] if rule.keywords else key[:4]
    starts = [word, f"{word}=", f"{word} : ", f"{word}\n", key[: len(key) // 2], key[:-1] + "\x01"]
    longs = [key[:-1] + key[-2:-1] * size, word + " " * size, word + "=" * size, word + "a" * size]
    return [start * (size // len(start)) for start in starts] + longs


@pytest.mark.soak
def test_no_hostile_line_of_a_rule_takes_long() -> None:
    # Of this process alone, whatever else the computer does; quadratic time would be minutes.
    for rule in all_rules():
        for text in hostile_texts(rule, tries(2_000, 100_000)):
            began = time.process_time()
            redact(text)
            assert time.process_time() - began < 10, rule
