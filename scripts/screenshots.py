"""Takes pictures of the screens of the app, light and dark, in English and Spanish.

.venv/bin/python scripts/screenshots.py [--only NAME,NAME] [--language en] [--scale 2]
.venv/bin/python scripts/screenshots.py --documentation

All pictures go to build/screenshots. With --documentation, only the pictures of the documentation
are taken. They go to docs/screenshots with a reduced number of colours, which needs ImageMagick.
Language and scale are fixed for a whole process, so each pair of them runs in its own process.
"""

from __future__ import annotations

import argparse
import datetime as dt
import itertools
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from msgspec.structs import replace

os.environ["QT_QPA_PLATFORM"] = "offscreen"

from PySide6.QtCore import QEventLoop, QLocale, QSize, QTimer
from PySide6.QtGui import QColor, QFont, QImage, QPainter, QPdfWriter, QPixmap, QTextDocument
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLabel, QMessageBox, QWidget

from scrubjay.engine.engine import Engine
from scrubjay.events import AccessAsked
from scrubjay.platform.paths import Paths
from scrubjay.records.access_records import AccessRequest, Action, AuditedHit, AuditEntry
from scrubjay.records.model_records import DownloadProgress, ModelState
from scrubjay.records.status_records import IndexState
from scrubjay_desktop.agents.agents_page import AgentsPage
from scrubjay_desktop.app.application import Desktop
from scrubjay_desktop.app.start_options import Start
from scrubjay_desktop.app.start_request import StartRequest
from scrubjay_desktop.health.health_page import HealthPage
from scrubjay_desktop.preview.preview import Preview
from scrubjay_desktop.results.result_rows import row_of_line
from scrubjay_desktop.text.language import Language, set_language
from scrubjay_desktop.timeline.timeline_page import TimelinePage
from scrubjay_desktop.widgets.theme import GRID, ThemeChoice
from scrubjay_desktop.windows.app_state import AppState, tray_icon
from scrubjay_desktop.workspaces.sample_notes import copy_sample_notes, sample_notes_name

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTATION = {
    "main-light", "main-dark", "main-why-light", "main-actions-light", "popup-light", "popup-dark",
    "popup-preview-light", "first-run-light",
    "indexing-light", "timeline-light", "folders-light", "agents-connect-light",
    "dialog-agent-asks-light", "health-light", "models-light", "settings-light", "tray-light",
    "reader-light", "pdf-light", "picture-light",
}  # fmt: skip
"""Pictures that the pages of docs show, all in English at 1x; plus the window in Spanish."""

_LOCALES: dict[Language, str] = {"en": "en_US", "es": "es_ES"}
_THEMES: tuple[ThemeChoice, ...] = ("light", "dark")
_WINDOW = QSize(145 * GRID, 90 * GRID)
_SCREEN = {
    "name": "camera", "x": 0, "y": 0, "width": 1600, "height": 1000,
    "logicalDpi": 96, "logicalBaseDpi": 96, "dpr": 1,
}  # fmt: skip
"""As a laptop has: that of Qt is 800 pixels wide."""
_SETTLING_S = 0.25
_TIMEOUT_S = 60.0
_WORDS_ONLY = '{ memorySearch: { provider: "none" } }'
_UNREACHABLE = '{ memorySearch: { provider: "ollama" } }'
_QUESTION = "daughter's teeth appointment"
_NONSENSE = "photon detector"
"""Words of no sample note."""
_COLUMNS = ("## Definitions", "## Picture with a width")
"""Where the second and the third part of the note with all constructs begin."""
_COLUMN_HEIGHT = 128 * GRID


class Camera:
    """The app in a temporary home, and the folder of its pictures."""

    def __init__(
        self, app: QApplication, homes: Path, target: Path, names: Callable[[str], bool]
    ) -> None:
        """Names tells whether a picture, by its name with the theme, is wanted."""
        self._app = app
        self._homes = homes
        self._target = target
        self._is_wanted = names
        target.mkdir(parents=True, exist_ok=True)

    def wants(self, *names: str) -> bool:
        """Whether any picture of these names, in light or dark, is wanted."""
        return any(self._is_wanted(f"{name}-{theme}") for name in names for theme in _THEMES)

    def keep(
        self,
        desktop: Desktop,
        widget: QWidget,
        name: str,
        settling: float = 1,
        before: Callable[[], object] | None = None,
    ) -> None:
        """Save a widget in light and dark; before starts a state that is soon over, each time."""
        for theme in _THEMES:
            if not self._is_wanted(f"{name}-{theme}"):
                continue
            desktop.theme.choose(theme)
            pause(settling * _SETTLING_S)
            if before:
                before()
                pause(0)
            self._save(widget.grab(), f"{name}-{theme}")
        desktop.theme.choose(_THEMES[0])

    def _save(self, picture: QPixmap, name: str) -> None:
        scale = picture.devicePixelRatio()
        suffix = "" if scale == 1 else f"@{scale:.0f}x"
        if not picture.save(str(self._target / f"{name}{suffix}.png"), "PNG", 0):
            raise OSError(f"{name} cannot be written to {self._target}")

    @contextmanager
    def running(
        self, home: str, *, settings: str = "", person: Path | None = None
    ) -> Iterator[Desktop]:
        """The app over a home of this name, which later scenes may use again."""
        paths = Paths.under(self._homes / home)
        if settings:
            paths.config.mkdir(parents=True, exist_ok=True)
            paths.config_file.write_text(settings, encoding="utf-8")
        empty = self._homes / "empty-home"
        empty.mkdir(exist_ok=True)
        os.environ["HOME"] = str(person or empty)
        engine = Engine(paths)
        desktop = Desktop(self._app, engine, paths, Start(theme=_THEMES[0]))
        desktop.preferences.has_read_all = True  # else each picture offers a better model
        desktop.window.resize(_WINDOW)
        desktop.begin(StartRequest.WINDOW)
        pause(_SETTLING_S)
        try:
            yield desktop
        finally:
            desktop.dispose()
            engine.close()

    @contextmanager
    def with_notes(self) -> Iterator[Desktop]:
        """The app with the sample notes, found by words and by meaning."""
        with self.running("indexed") as desktop:
            if not desktop.engine.workspaces():
                add_sample(desktop)
            until(lambda: is_indexed(desktop, by_meaning=True))
            yield desktop

    def person(self) -> Path:
        """A home in which an agent and Obsidian have left notes, and OpenClaw its settings."""
        home = self._homes / "person"
        for folder, count in ((".openclaw/workspace", 214), ("Garden", 1380)):
            place = home / folder / "memory"
            place.mkdir(parents=True, exist_ok=True)
            for number in range(count):
                (place / f"2026-{number:04}.md").touch()
        (home / ".openclaw/workspace/MEMORY.md").touch()
        (home / ".config/obsidian").mkdir(parents=True, exist_ok=True)
        vaults = {"vaults": {"1": {"path": str(home / "Garden")}}}
        (home / ".config/obsidian/obsidian.json").write_text(json.dumps(vaults))
        search = {"provider": "local", "query": {"maxResults": 8}, "extraPaths": ["~/Garden"]}
        agents = {"defaults": {"memorySearch": search}, "list": [{"id": "main", "name": "Main"}]}
        (home / ".openclaw/openclaw.json").write_text(json.dumps({"agents": agents}))
        return home


# -- scenes -----------------------------------------------------------------------------------


def first_run(camera: Camera) -> None:
    """The window before there are notes, with and without any on the computer."""
    if not camera.wants("first-run", "first-run-nothing-found"):
        return
    with camera.running("new") as desktop:
        until(lambda: desktop.window.first_run.looked.text() != "")
        camera.keep(desktop, desktop.window, "first-run-nothing-found")
        for key in ("timeline", "folders", "agents", "health"):
            desktop.window.pages.show_page(key)
            pause(0.5)
            camera.keep(desktop, desktop.window, f"{key}-empty")
    with camera.running("found", person=camera.person()) as desktop:
        until(lambda: bool(desktop.window.first_run.rows))
        camera.keep(desktop, desktop.window, "first-run")


def indexing(camera: Camera) -> None:
    """Search while the model still reads the notes."""
    if not camera.wants("indexing", "indexing-folders"):
        return
    with camera.running("busy") as desktop:
        add_sample(desktop)
        until(lambda: any(w.progress.phase for w in desktop.feed.status.workspaces))
        desktop.window.search.set_text("garden")
        until(lambda: bool(desktop.window.search.line.text()))
        camera.keep(desktop, desktop.window, "indexing", settling=0)
        desktop.window.pages.show_page("folders")
        camera.keep(desktop, desktop.window, "indexing-folders", settling=0)


def search(camera: Camera) -> None:
    """The home page, the popup and the tray."""
    if not camera.wants(
        "main",
        "main-recent",
        "main-why",
        "main-nearest",
        "main-nothing",
        "main-actions",
        "popup",
        "popup-preview",
        "popup-actions",
        "tray",
        "menu",
    ):
        return
    with camera.with_notes() as desktop:
        window = desktop.window
        until(lambda: window.search.list.row() is not None)
        camera.keep(desktop, window, "main-recent")
        window.search.set_text(_QUESTION)
        until(lambda: bool(window.search.line.text()))
        camera.keep(desktop, window, "main", settling=2)
        window.preview.why.toggle()
        camera.keep(desktop, window, "main-why", settling=2)
        window.preview.why.toggle()
        window.show_actions()
        camera.keep(desktop, window, "main-actions")
        window.show_actions()
        window.search.set_text(_NONSENSE)
        until(lambda: any(row.is_uncertain for row in window.search.search.model.rows))
        camera.keep(desktop, window, "main-nearest")
        window.search.set_text(f'"{_NONSENSE}"')
        until(lambda: bool(window.search.nothing_text))
        camera.keep(desktop, window, "main-nothing")
        for name, text in (("popup-recent", ""), ("popup", "Emma clarinet")):
            desktop.late.popup.box.setText(text)
            desktop.late.popup.present()
            pause(1)
            camera.keep(desktop, desktop.late.popup, name)
            desktop.late.popup.dismiss()
        desktop.preferences.shows_quick_preview = True
        desktop.late.popup.present()
        pause(1)
        camera.keep(desktop, desktop.late.popup, "popup-preview")
        desktop.late.popup.action_list.toggle()
        camera.keep(desktop, desktop.late.popup, "popup-actions")
        desktop.late.popup.dismiss()
        desktop.late.tray.show()
        until(lambda: bool(desktop.late.tray.recents))
        app_menu = window.window_actions.app_menu()
        for name, menu in (("tray", desktop.late.tray.menu), ("menu", app_menu)):
            menu.ensurePolished()
            menu.resize(menu.sizeHint())
            camera.keep(desktop, menu, name)
        camera.keep(desktop, tray_icons(desktop), "tray-icons")


def documents(camera: Camera) -> None:
    """A page of a PDF with what was found on it, and its text."""
    if not camera.wants("pdf", "pdf-text"):
        return
    with camera.running("papers", settings=_WORDS_ONLY) as desktop:
        folder = desktop.paths.config.parent / "House"
        folder.mkdir()
        (folder / "plan.md").write_text("# Plan\n\nAsk for a second offer for the roof.\n")
        write_contract(folder / "Contract for the roof.pdf")
        desktop.engine.add_workspace(folder).result()
        until(lambda: is_indexed(desktop))
        preview = desktop.window.preview
        desktop.window.search.set_text("guarantee leaks gutter")
        until(lambda: preview.pages.canvas.picture is not None)
        camera.keep(desktop, desktop.window, "pdf", settling=2)
        preview.turn_mode()
        until(preview.view.isVisible)
        camera.keep(desktop, desktop.window, "pdf-text", settling=2)


def whiteboard(camera: Camera) -> None:
    """A photograph with what was found on it, alone and in a note; and the tick for pictures."""
    if not camera.wants("picture", "picture-note", "picture-text", "picture-find", "dialog-read"):
        return
    with camera.running("board", settings=_WORDS_ONLY) as desktop:
        folder = desktop.paths.config.parent / "School"
        folder.mkdir()
        (folder / "parents.md").write_text(
            "# Parents' evening\n\nWhat we wrote on the board:\n\n![[whiteboard.png]]\n"
        )
        lines = ("Parents' evening", "Trip to the observatory on 12 June", "Bring a warm jacket")
        draw_board(folder / "whiteboard.png", lines)
        lines = ("Dear parents", "The swimming lessons begin", "on Monday at nine o'clock")
        draw_board(folder / "letter.png", lines)
        workspace = desktop.engine.add_workspace(folder).result()
        until(lambda: is_indexed(desktop))
        [status] = desktop.feed.status.workspaces
        desktop.late.folders.act("choose", status)
        keep_dialog(camera, desktop, "dialog-read")
        # Pictures are read while nobody searches.
        desktop.engine.folders.change(replace(workspace, pictures=True)).result()
        until(lambda: desktop.feed.status.workspaces[0].freshness.documents == 3)
        preview = desktop.window.preview
        desktop.window.search.set_text("observatory jacket")
        until(lambda: preview.row is not None and preview.is_note)
        pause(4)
        camera.keep(desktop, desktop.window, "picture-note", settling=2)
        desktop.window.search.set_text("swimming lessons monday")
        until(lambda: preview.media.canvas.has_text)
        camera.keep(desktop, desktop.window, "picture", settling=2)
        preview.find_in_note()
        preview.find_bar.box.setText("on")
        camera.keep(desktop, desktop.window, "picture-find", settling=2)
        preview.find_bar.close_bar()
        preview.turn_mode()
        until(preview.view.isVisible)
        camera.keep(desktop, desktop.window, "picture-text", settling=2)


def draw_board(file: Path, lines: Sequence[str]) -> None:
    """A photograph of a whiteboard that is not held quite straight."""
    image = QImage(1600, 1100, QImage.Format.Format_RGB32)
    image.fill(QColor("#c9c4ba"))
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.rotate(1.5)
    painter.fillRect(110, 60, 1400, 940, QColor("#f7f6f1"))
    painter.setPen(QColor("#23408f"))
    font = QFont()
    font.setPixelSize(70)
    painter.setFont(font)
    for number, line in enumerate(lines):
        painter.drawText(190, 230 + 170 * number, line)
    painter.end()
    image.save(str(file))


def pages(camera: Camera) -> None:
    """Settings, folders and models."""
    if not camera.wants("settings", "folders", "models", "models-downloading"):
        return
    with camera.with_notes() as desktop:
        window = desktop.window
        desktop.show_settings()
        pause(1.0)
        camera.keep(desktop, window, "settings")
        window.pages.show_page("folders")
        camera.keep(desktop, window, "folders", settling=2)
        models = desktop.show_models()
        until(lambda: bool(models.cards))
        camera.keep(desktop, models, "models")
        absent = next(
            card for card in models.cards.values() if card.info.state is ModelState.ABSENT
        )
        half = DownloadProgress(171_000_000, 329_000_000, 12_400_000.0, 12.7)
        absent.show_info(replace(absent.info, state=ModelState.DOWNLOADING, progress=half))
        absent.show_progress(half)
        camera.keep(desktop, models, "models-downloading")
        models.reject()


def health(camera: Camera) -> None:
    """A check-up with findings."""
    if not camera.wants("health", "health-looking"):
        return
    with camera.running("neglected") as desktop:
        folder = add_sample(desktop)
        with (folder / "MEMORY.md").open("a", encoding="utf-8") as memory:
            memory.write("\nThe old [roof plan](work/roof-2019.md) is out of date.\n")
        (folder / "memory" / "deploy.md").write_text(
            "# Deploy\n\nPush with `ghp_" + "9aB3dE5fG7hJ1kL2mN4pQ6rS8tU0vW`.\n", encoding="utf-8"
        )
        page = desktop.window.pages.show_page("health")
        assert isinstance(page, HealthPage)
        until(lambda: page.model.rowCount() > 0)
        camera.keep(desktop, desktop.window, "health", settling=2)
        camera.keep(desktop, desktop.window, "health-looking", before=page.check)


def timeline(camera: Camera) -> None:
    """A year of notes with what changed in one, and the box for a new line."""
    if not camera.wants("timeline", "remember"):
        return
    with camera.running("year", settings=_WORDS_ONLY) as desktop:
        add_diary(desktop)
        page = desktop.window.pages.show_page("timeline")
        assert isinstance(page, TimelinePage)
        panes = page.panes
        until(lambda: bool(page.summary.text()) and panes.list.rowCount() == 2)
        number = next(n for n, row in enumerate(panes.list.rows) if row.path == "MEMORY.md")
        panes.view.setCurrentIndex(panes.list.index(number))
        until(lambda: bool(panes.diff.summary))
        camera.keep(desktop, desktop.window, "timeline")
        desktop.late.quick_note.present()
        box = desktop.late.quick_note.box
        assert box is not None
        box.text.setPlainText("Emma's clarinet needs new reeds, size 2½")
        camera.keep(desktop, box, "remember")
        box.close()


def agents(camera: Camera) -> None:
    """The panes of the agents page, and the question that an agent's request leads to."""
    if not camera.wants("agents-connect", "agents-guests", "agents-rules", "dialog-agent-asks"):
        return
    with camera.running("agents", settings=_WORDS_ONLY, person=camera.person()) as desktop:
        add_sample(desktop)
        until(lambda: is_indexed(desktop))
        engine = desktop.engine
        [workspace] = engine.workspaces()
        hits = (AuditedHit(workspace.id, "memory/work/library-roof.md", 1, 9),)
        for title, question in (
            ("Claude Code", "which contract is the library roof"),
            ("Cursor", "who is the structural engineer"),
        ):
            agent = title.lower().replace(" ", "-")
            entry = AuditEntry(agent, "memory_search", question, hits, title=title)
            engine.agents.record(entry).result()
        page = desktop.window.pages.show_page("agents")
        assert isinstance(page, AgentsPage)
        page.look.click()
        until(lambda: page.audit_log.model.rowCount() > 1)
        panes = {"connect": page.connect_pane, "rules": page.rules, "questions": page.audit_log}
        for name, pane in panes.items():
            page.tabs.setCurrentWidget(pane)
            camera.keep(desktop, desktop.window, f"agents-{name}")
        now = dt.datetime.now().astimezone()
        request = AccessRequest(
            1, "Claude Code", workspace.id, Action.READ, "memory_search", _QUESTION, now
        )
        desktop.late.access_prompts.on_event(AccessAsked(request))
        keep_dialog(camera, desktop, "dialog-agent-asks")


def reader(camera: Camera) -> None:
    """Three parts of a note with all constructs of Obsidian and Logseq."""
    if not camera.wants("reader"):
        return
    with camera.running("constructs", settings=_WORDS_ONLY) as desktop:
        folder = desktop.paths.config / "Constructs"
        shutil.copytree(ROOT / "tests" / "desktop" / "preview" / "constructs", folder)
        desktop.late.actions.add_folder(folder, folder.name)
        until(lambda: is_indexed(desktop))
        [workspace] = desktop.engine.workspaces()
        lines = (folder / "Constructs.md").read_text(encoding="utf-8").splitlines()
        row = row_of_line(workspace.id, "Constructs.md", folder / "Constructs.md", 1, {})
        columns = QWidget()
        layout = QHBoxLayout(columns)
        layout.setContentsMargins(0, 0, 0, 0)
        previews = [Preview(desktop.engine, desktop.tasks, desktop.opener) for _ in range(3)]
        for preview in previews:
            layout.addWidget(preview)
            preview.show_row(row)
        columns.resize(_WINDOW.width(), _COLUMN_HEIGHT)
        columns.show()
        until(lambda: all(preview.related.isVisible() for preview in previews))
        for preview, heading in zip(previews[1:], _COLUMNS, strict=True):
            preview.view.scrollToAnchor(f"L{lines.index(heading) + 1}")
        camera.keep(desktop, columns, "reader", settling=2)
        columns.close()


def trouble(camera: Camera) -> None:
    """A folder that is gone, and a provider that cannot be reached."""
    if not camera.wants("away", "away-folders", "offline", "dialog-problems"):
        return
    with camera.running("away", settings=_WORDS_ONLY) as desktop:
        folder = add_sample(desktop)
        (folder / "memory" / "scan.md").write_bytes(b"# Scan\n\0\1\2")
        until(lambda: any(w.skipped for w in desktop.feed.status.workspaces))
        desktop.window.show_problems()
        keep_dialog(camera, desktop, "dialog-problems")
        shutil.rmtree(folder)
        desktop.late.actions.refresh()
        pause(2)
        desktop.window.search.set_text(_QUESTION)
        until(lambda: bool(desktop.window.search.line.text()))
        camera.keep(desktop, desktop.window, "away", settling=2)
        desktop.window.pages.show_page("folders")
        camera.keep(desktop, desktop.window, "away-folders")
    with camera.running("offline", settings=_UNREACHABLE) as desktop:
        add_sample(desktop)
        until(lambda: is_indexed(desktop))
        desktop.window.search.set_text(_QUESTION)
        until(lambda: bool(desktop.window.search.line.text()))
        camera.keep(desktop, desktop.window, "offline", settling=2)


SCENES = (
    *(first_run, indexing, search, documents, whiteboard, pages, health, timeline, agents, reader),
    trouble,
)


# -- what the scenes are made of --------------------------------------------------------------


def add_sample(desktop: Desktop, more: Callable[[Path], object] = lambda _: None) -> Path:
    """The sample notes as a folder of the app, with different ages; more writes others first."""
    folder = copy_sample_notes(desktop.paths)
    more(folder)
    now = time.time()
    for number, note in enumerate(sorted(folder.rglob("*.md"))):
        age = dt.timedelta(hours=5 + 31 * number).total_seconds()
        os.utime(note, (now - age, now - age))
    desktop.late.actions.add_folder(folder, sample_notes_name())
    return folder


def write_contract(file: Path) -> None:
    """A PDF of four pages."""
    usual = (
        "The contractor protects the reading room from dust and noise, and leaves the roof clean "
        "and dry at the end of each day. Changes are agreed upon in writing before work begins. "
    )
    guarantee = (
        "The contractor gives a guarantee of ten years against leaks of the roof and the gutter. "
        "It begins on the day on which both sides have signed the protocol."
    )
    heads = ("The work", "Dates and payment", "Guarantee", "Signatures")
    texts = (
        f"<h1 style='{'page-break-before: always' * (at > 0)}'>{at + 1}. {head}</h1>"
        + "".join(f"<h3>{at + 1}.{n}</h3><p>{usual * 2}</p>" for n in (1, 2))
        + f"<p>{guarantee * (head == 'Guarantee')}</p><h3>{at + 1}.3</h3><p>{usual * 3}</p>"
        for at, head in enumerate(heads)
    )
    document, writer = QTextDocument(), QPdfWriter(str(file))
    writer.setTitle("Contract for the roof")
    document.setHtml("".join(texts))
    document.print_(writer)


def add_diary(desktop: Desktop) -> None:
    """The sample notes with a year of daily notes, two of which changed after indexing."""
    folder = add_sample(desktop, write_diary)
    lines = (folder / "MEMORY.md").read_text(encoding="utf-8").splitlines()
    pause(3)
    until(lambda: is_indexed(desktop))
    text = "\n".join([*lines[:-2], "The roof garden has a bench now.", *lines[-1:]])
    (folder / "MEMORY.md").write_text(f"{text}\n", encoding="utf-8")
    (folder / "memory" / "plan.md").write_text("# Plan\n\nWater the tomatoes.\n", encoding="utf-8")
    desktop.late.actions.refresh()


def write_diary(folder: Path) -> None:
    """Write a year of daily notes."""
    chance = random.Random(4)
    lines = (folder / "MEMORY.md").read_text(encoding="utf-8").splitlines()
    for age in range(1, 420):
        day = dt.date.today() - dt.timedelta(days=age)
        file = folder / "memory" / f"{day}.md"
        if chance.random() < 0.4 and not file.exists():
            text = "\n".join(chance.choices(list(filter(None, lines)), k=chance.randrange(2, 30)))
            file.write_text(f"# {day}\n\n{text}\n", encoding="utf-8")


def tray_icons(desktop: Desktop) -> QWidget:
    """A row of the shapes that the tray icon takes."""
    row = QWidget()
    layout = QHBoxLayout(row)
    for state in AppState:
        label = QLabel()
        label.setPixmap(tray_icon(str(state), desktop.theme.colors.text).pixmap(32))
        layout.addWidget(label)
    row.resize(row.sizeHint())
    return row


def keep_dialog(camera: Camera, desktop: Desktop, name: str) -> None:
    """Save the dialog that is open, and close it without a choice."""
    dialogs: list[QWidget] = []

    def is_open() -> bool:
        children = desktop.window.findChildren(QWidget)
        dialogs[:] = [child for child in children if child.isWindow() and child.isVisible()]
        return bool(dialogs)

    until(is_open)
    dialog = dialogs[-1]
    camera.keep(desktop, dialog, name)
    escape = dialog.escapeButton() if isinstance(dialog, QMessageBox) else None
    if escape is not None:
        escape.click()
    dialog.close()
    until(lambda: not dialog.isVisible())


def is_indexed(desktop: Desktop, *, by_meaning: bool = False) -> bool:
    """Whether every note can be found by its words, or by its meaning too."""
    statuses = desktop.feed.status.workspaces
    return bool(statuses) and all(
        status.state is IndexState.READY
        and status.freshness.documents > 0
        and (status.freshness.embedded == 1 or not by_meaning)
        for status in statuses
    )


def until(is_true: Callable[[], bool]) -> None:
    """Let the app run until a condition holds. Raises TimeoutError."""
    deadline = time.monotonic() + _TIMEOUT_S
    while not is_true():
        if time.monotonic() > deadline:
            raise TimeoutError("The app did not reach the state of the picture")
        pause(0.02)


def pause(seconds: float) -> None:
    """Let the app run for a while."""
    loop = QEventLoop()
    QTimer.singleShot(round(1000 * seconds), loop.quit)
    loop.exec()


# -- the command ------------------------------------------------------------------------------


def photograph(language: Language, target: Path, names: Callable[[str], bool]) -> None:
    """Save the pictures whose names are wanted."""
    # A download that fails looks the same on every computer.
    os.environ["HF_ENDPOINT"] = "http://127.0.0.1:9"
    with tempfile.TemporaryDirectory(prefix="scrubjay-pictures-") as homes:
        screens = Path(homes) / "screens.json"
        screens.write_text(json.dumps({"screens": [_SCREEN]}))
        os.environ["QT_QPA_PLATFORM"] = f"offscreen:configfile={screens}"
        app = QApplication(sys.argv[:1])
        app.setStyle("Fusion")
        app.setCursorFlashTime(0)
        set_language(app, language, QLocale(_LOCALES[language]))
        camera = Camera(app, Path(homes), target, names)
        for scene in SCENES:
            scene(camera)


def reduce_colours(pictures: list[Path]) -> None:
    """Store pictures with 256 colours, in a third of the space: each clone fetches them.

    Those with a shadow stay as they are, because a palette has no half transparent colours.
    """
    opaque = [str(picture) for picture in pictures if not QImage(str(picture)).hasAlphaChannel()]
    command = ["mogrify", "-strip", "-dither", "None", "-colors", "256"]
    command += ["-define", "png:format=png8", "-define", "png:compression-level=9"]
    subprocess.run([*command, *opaque], check=True)


def main() -> None:
    """Take all pictures, those of the documentation, or those whose names begin as asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="first letters of the pictures, commas between")
    parser.add_argument("--language", choices=_LOCALES)
    parser.add_argument("--scale", choices=("1", "2"))
    parser.add_argument("--documentation", action="store_true")
    options = parser.parse_args()
    if options.documentation and options.language:
        target = ROOT / "docs" / "screenshots"
        wanted = DOCUMENTATION if options.language == "en" else {"main-light"}
        if options.language == "es":
            target = target / "es"
        photograph(options.language, target, wanted.__contains__)
        reduce_colours([target / f"{name}.png" for name in wanted])
    elif options.language and options.scale:
        os.environ["QT_SCALE_FACTOR"] = options.scale
        target = ROOT / "build" / "screenshots" / options.language
        prefixes = tuple(options.only.split(","))
        photograph(options.language, target, lambda name: name.startswith(prefixes))
    else:
        languages = [options.language] if options.language else list(_LOCALES)
        scales = [options.scale] if options.scale else ["1", "2"]
        each = [["--only", options.only, "--scale", scale] for scale in scales]
        kinds = [["--documentation"]] if options.documentation else each
        for language, kind in itertools.product(languages, kinds):
            command = [sys.executable, __file__, "--language", language, *kind]
            subprocess.run(command, check=True)


if __name__ == "__main__":
    main()
