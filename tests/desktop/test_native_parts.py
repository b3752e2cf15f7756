"""Parts that Qt draws have the look of the app's own, light and dark."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDateEdit,
    QFileDialog,
    QHeaderView,
    QKeySequenceEdit,
    QLabel,
    QLineEdit,
    QMenu,
    QMessageBox,
    QPlainTextEdit,
    QPushButton,
    QRadioButton,
    QSpinBox,
    QStyle,
    QStyleOptionComboBox,
    QTimeEdit,
    QToolButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from scrubjay.onboarding.foreign_setups import Setup
from scrubjay.onboarding.setup_import import ImportKind, Plan, PlanItem
from scrubjay.platform.paths import resources
from scrubjay_desktop.app.application import Desktop
from scrubjay_desktop.timeline.diff_view import DiffText
from scrubjay_desktop.widgets.buttons import SearchBox, SmallButton
from scrubjay_desktop.widgets.icons import app_icon
from scrubjay_desktop.widgets.message_boxes import question_box
from scrubjay_desktop.widgets.theme import DARK, LIGHT, Colors
from scrubjay_desktop.widgets.wheel_safe_inputs import ChoiceBox
from scrubjay_desktop.workspaces.setup_import_dialog import SetupImportDialog
from support.painted_words import contrast, painted_words

LEAST_CONTRAST = 4.5
LEAST_CONTRAST_OF_SHAPES = 3.0
SHEET = "".join(
    (resources() / f"{name}.qss").read_text("utf-8") for name in ("style", "scroll_bar")
)
CONTROLS = [
    QPushButton, QComboBox, QLineEdit, QSpinBox, QDateEdit, QTimeEdit, QKeySequenceEdit,
]  # fmt: skip
THEMES = pytest.mark.parametrize("colors", [LIGHT, DARK], ids=["light", "dark"])


@pytest.fixture
def shown(qtbot, desktop: Desktop):
    """Shows a widget in the theme of these colours, on a page of its own."""

    pages = []

    def show(widget: QWidget, colors: Colors) -> QWidget:
        desktop.theme.choose("dark" if colors.is_dark else "light")
        page = QWidget()
        pages.append(page)
        qtbot.addWidget(page)
        QVBoxLayout(page).addWidget(widget)
        page.show()
        qtbot.waitUntil(widget.isVisible)
        return widget

    return show


def colors_in(widget: QWidget) -> dict[str, int]:
    """How many pixels a widget paints in each colour."""
    image = widget.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    counts: dict[str, int] = {}
    for value in memoryview(image.constBits()).cast("B").cast("I"):
        name = QColor.fromRgb(value).name()
        counts[name] = counts.get(name, 0) + 1
    return counts


@pytest.mark.parametrize("name", re.findall(r"url\(icons:(.+?)\)", SHEET))
def test_every_picture_of_the_style_is_there(name: str) -> None:
    files = [resources() / folder / name for folder in ("icons", "controls")]
    if "$shade" in name:
        files = [file.with_name(name.replace("$shade", "dark")) for file in files]
    assert any(file.exists() for file in files)


@pytest.mark.parametrize("kind", CONTROLS)
def test_controls_are_as_high_as_buttons(shown, kind: type[QWidget]) -> None:
    assert shown(kind(), LIGHT).height() == shown(SmallButton("Button"), LIGHT).height()


@THEMES
@pytest.mark.parametrize("kind", [QCheckBox, QRadioButton])
def test_a_ticked_box_differs_clearly(shown, kind: type[QCheckBox], colors: Colors) -> None:
    box = shown(kind(), colors)
    assert colors.accent.name() not in colors_in(box)
    outline = max(contrast(QColor(name), colors.surface) for name in colors_in(box))
    assert outline >= LEAST_CONTRAST_OF_SHAPES
    box.setChecked(True)
    ticked = colors_in(box)
    assert ticked[colors.accent.name()] > 40
    assert contrast(colors.accent, colors.surface) >= LEAST_CONTRAST_OF_SHAPES
    assert contrast(colors.accent, colors.accent_text) >= LEAST_CONTRAST


@THEMES
@pytest.mark.parametrize("picture", sorted((resources() / "controls").glob("*.svg")))
def test_the_shapes_in_controls_can_be_seen(picture, colors: Colors) -> None:
    [ink] = set(re.findall(r'stroke="(#.+?)"', picture.read_text("utf-8")))
    if picture.stem.endswith(("-light", "-dark")):
        if picture.stem.endswith("-dark") == colors.is_dark:
            assert QColor(ink) == colors.accent_text
        return
    for paper in (colors.surface, colors.window, colors.field):
        assert contrast(QColor(ink), paper) >= LEAST_CONTRAST_OF_SHAPES


@THEMES
@pytest.mark.parametrize("kind", [*CONTROLS, QCheckBox, QRadioButton, QToolButton, QPlainTextEdit])
def test_the_control_with_the_keys_has_a_ring(qtbot, shown, kind, colors: Colors) -> None:
    widget = shown(kind(), colors)
    before = colors_in(widget).get(colors.accent.name(), 0)
    widget.window().activateWindow()
    widget.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    widget.setFocus()
    qtbot.waitUntil(lambda: colors_in(widget).get(colors.accent.name(), 0) > before + 20)


@pytest.mark.parametrize("kind", [QLineEdit, QSpinBox, QPlainTextEdit])
def test_a_field_to_type_in_can_be_seen_in_the_dark(shown, kind: type[QWidget]) -> None:
    field = shown(kind(), DARK)
    paper = field.grab().toImage().pixelColor(8, field.height() // 2)
    assert contrast(paper, DARK.surface) >= 1.4
    for ink in (DARK.text, DARK.muted):
        assert contrast(ink, paper) >= LEAST_CONTRAST


@THEMES
def test_all_fields_have_one_look(shown, colors: Colors) -> None:
    fields = [QLineEdit(), QSpinBox(), QComboBox(), QDateEdit(), SearchBox("", "", "")]
    fields += [ChoiceBox(editable=True), QPlainTextEdit()]
    looks = set()
    for field in fields:
        image = shown(field, colors).grab().toImage()
        edge, paper = (image.pixelColor(x, field.height() // 2) for x in (1, 5))
        looks.add((edge.name(), paper.name()))
    assert looks == {(colors.border.name(), colors.field.name())}


@THEMES
def test_a_difference_lies_on_the_colour_of_the_page(shown, colors: Colors) -> None:
    text = shown(DiffText(), colors)
    assert text.grab().toImage().pixelColor(8, text.height() // 2) == colors.surface


@THEMES
def test_a_question_shows_the_bird_and_buttons_without_pictures(
    qtbot, desktop: Desktop, colors: Colors
) -> None:
    desktop.theme.choose("dark" if colors.is_dark else "light")
    box = question_box(desktop.window, "Title", "Sure?")
    box.addButton(QMessageBox.StandardButton.Close)
    box.show()
    qtbot.waitUntil(box.isVisible)
    picture = box.findChild(QLabel, "qt_msgboxex_icon_label")
    bird = app_icon().pixmap(QSize(48, 48)).toImage()
    assert picture.pixmap().toImage().pixelColor(24, 24) == bird.pixelColor(24, 24)
    assert QColor("#000000").name() not in colors_in(box.button(QMessageBox.StandardButton.Close))
    box.close()


@THEMES
def test_no_picture_of_a_file_dialog_is_black(qtbot, desktop: Desktop, colors: Colors) -> None:
    desktop.theme.choose("dark" if colors.is_dark else "light")
    dialog = QFileDialog()
    dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
    qtbot.addWidget(dialog)
    dialog.show()
    for button in dialog.findChildren(QToolButton):
        image = button.icon().pixmap(16).toImage()
        middle = [image.pixelColor(x, y) for x in range(16) for y in range(16)]
        assert all(color.lightness() > 40 for color in middle if color.alpha() > 200)


def test_the_list_of_a_choice_drops_below_it(shown) -> None:
    box = shown(QComboBox(), LIGHT)
    option = QStyleOptionComboBox()
    box.initStyleOption(option)
    assert not box.style().styleHint(QStyle.StyleHint.SH_ComboBox_Popup, option, box)


@THEMES
def test_a_menu_has_the_colours_of_the_theme(qtbot, desktop: Desktop, colors: Colors) -> None:
    desktop.theme.choose("dark" if colors.is_dark else "light")
    menu = QMenu()
    qtbot.addWidget(menu)
    menu.addAction("One thing to do")
    menu.ensurePolished()
    menu.resize(menu.sizeHint())
    counts = colors_in(menu)
    assert max(counts, key=counts.__getitem__) == colors.surface.name()


def test_rows_of_trees_are_as_high_as_those_of_lists(qtbot, desktop: Desktop) -> None:
    file = Path("openclaw.json")
    plan = Plan(Setup("OpenClaw", file, ()), (PlanItem(ImportKind.WORKSPACE, "~/Notes"),))
    dialog = SetupImportDialog((plan,), ())
    qtbot.addWidget(dialog)
    dialog.show()
    tree = dialog.tree
    assert tree.visualItemRect(tree.topLevelItem(0)).height() >= 24


def test_words_behind_a_tick_are_whole(shown) -> None:
    tree = QTreeWidget()
    tree.setColumnCount(2)
    tree.header().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
    item = QTreeWidgetItem(tree, ["Archived", "14 notes"])
    item.setCheckState(0, Qt.CheckState.Checked)
    words = {one.words for one in painted_words(shown(tree, LIGHT))}
    assert {"Archived", "14 notes"} <= words
