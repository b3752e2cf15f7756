"""A comparison: readable in light and dark, and said in words."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication

from scrubjay.records.journal_records import ChangeKind, DiffLine, LineKind, NoteDifference
from scrubjay_desktop.timeline.diff_view import DiffView, counts_sentence, difference_sentence
from scrubjay_desktop.widgets.theme import DARK, LIGHT, Colors, make_palette

CHANGED = NoteDifference(
    (DiffLine(LineKind.REMOVED, "hall", 1), DiffLine(LineKind.ADDED, "kitchen", 1)),
    added=1,
    removed=1,
    is_cut=False,
    workspace="home",
    path="router.md",
    kind=ChangeKind.CHANGED,
    is_known=True,
)


def brightness(color: QColor) -> float:
    """Relative luminance as WCAG 2 defines it."""
    parts = (color.redF(), color.greenF(), color.blueF())
    linear = [one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: QColor, other: QColor) -> float:
    low, high = sorted((brightness(one), brightness(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("colors", [LIGHT, DARK])
def test_everything_can_be_read(colors: Colors) -> None:
    for behind in (colors.good_soft, colors.danger_soft, colors.surface):
        assert contrast(colors.text, behind) >= 4.5
    for behind in (colors.surface, colors.accent_soft, colors.hover):
        signs = (colors.good, colors.accent, colors.danger)
        assert all(contrast(sign, behind) >= 4.5 for sign in signs)
    assert contrast(colors.muted, colors.accent_soft) >= 4.5


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({}, ""),
        ({"kind": ChangeKind.ADDED}, "This note is new."),
        ({"kind": ChangeKind.REMOVED}, "This note was removed. Its last version is shown here."),
        ({"lines": ()}, "Only line breaks or spaces changed."),
        ({"lines": (), "kind": ChangeKind.REMOVED}, "This note was removed. It was empty."),
        ({"lines": (), "kind": ChangeKind.ADDED}, "This note is new and empty."),
        ({"is_cut": True}, "Only the beginning of this long change is shown."),
        ({"is_known": False}, "This note changed, but its earlier text is no longer available."),
        (
            {"is_known": False, "kind": ChangeKind.REMOVED},
            "This note was removed. Its text is no longer available.",
        ),
    ],
)
def test_what_the_lines_cannot_say_is_said(fields: dict[str, object], sentence: str) -> None:
    assert difference_sentence(replace(CHANGED, **fields)) == sentence  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("added", "removed", "sentence"),
    [
        (1, 1, "1 line added, 1 line removed"),
        (2, 0, "2 lines added"),
        (0, 3000, "3,000 lines removed"),
        (0, 0, ""),
    ],
)
def test_lines_are_counted(added: int, removed: int, sentence: str) -> None:
    assert counts_sentence(replace(CHANGED, added=added, removed=removed)) == sentence


def test_a_comparison_follows_a_change_of_the_palette(qtbot, qapp: QApplication) -> None:
    view = DiffView()
    qtbot.addWidget(view)
    view.setPalette(make_palette(LIGHT))
    view.show_difference(CHANGED)
    view.setPalette(make_palette(DARK))
    first = view.text.document().firstBlock()
    assert first.text() == "− hall"
    assert first.blockFormat().background().color() == QColor(DARK.danger_soft)
