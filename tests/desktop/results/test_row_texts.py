"""Rows as texts for other programs."""

from __future__ import annotations

from pathlib import Path

import pytest

from scrubjay_desktop.results.result_rows import Row, row_of_line
from scrubjay_desktop.results.row_texts import (
    addresses_text,
    paths_text,
    quotations_text,
    wikilinks_text,
)

VAULT = Path("/home/ana/Mis notas & más")


def row(path: str) -> Row:
    return row_of_line("home", path, VAULT / path, 1, {"home": ""})


def vault_of(file: Path) -> Path | None:
    return VAULT


@pytest.mark.parametrize(
    ("path", "link", "file"),
    [
        ("To do.md", "[[To do]]", "To%20do"),
        ("a/b #1.md", "[[a/b #1|b #1]]", "a%2Fb%20%231"),
        ("año.md", "[[año]]", "a%C3%B1o"),
    ],
)
def test_links_of_a_vault(path: str, link: str, file: str) -> None:
    assert wikilinks_text([row(path)], vault_of) == link
    address = f"obsidian://open?vault=Mis%20notas%20%26%20m%C3%A1s&file={file}"
    assert addresses_text([row(path)], vault_of) == address


def test_files_outside_of_vaults_have_their_own_address() -> None:
    rows = [row("a b.md"), row("a b.md"), row("#.md")]
    assert wikilinks_text(rows, lambda _: None) == ""
    assert addresses_text(rows, lambda _: None).split("\n") == [
        "file:///home/ana/Mis%20notas%20&%20m%C3%A1s/a%20b.md",
        "file:///home/ana/Mis%20notas%20&%20m%C3%A1s/%23.md",
    ]
    assert paths_text(rows).split("\n") == [str(VAULT / "a b.md"), str(VAULT / "#.md")]


def test_a_note_that_was_not_searched_for_is_quoted_by_its_title() -> None:
    assert quotations_text([row("a.md"), row("b.md")]) == "> a\n>\n> — a.md\n\n> b\n>\n> — b.md"
