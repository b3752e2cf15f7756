"""What goes wrong in the core is told in Spanish where the app speaks Spanish."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from scrubjay.engine.engine import Engine
from scrubjay.health.findings import FindingKind
from scrubjay.platform.paths import Paths
from scrubjay_desktop.app.application import Desktop
from scrubjay_desktop.health.findings_model import finding_texts
from scrubjay_desktop.workspaces.skipped_files import skipped_rows
from support.app import QUICK, running_app
from support.providers import WordProvider
from support.vault import TIMEOUT

pytestmark = pytest.mark.qt_log_ignore("systemTrayWindowChanged", extend=True)


@pytest.fixture
def router_notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "router.md").write_text("# Router\n\nThe password is on the fridge.\n")
    (folder / "broken.md").write_bytes(b"\x00\x01\x02")
    return folder


@pytest.fixture
def provider() -> WordProvider:
    return WordProvider()


@pytest.fixture
def escritorio(
    qtbot, spanish, qapp: QApplication, paths: Paths, router_notes: Path, provider: WordProvider
) -> Iterator[Desktop]:
    with running_app(qapp, paths, provider, QUICK) as made:
        made.late.actions.add_folder(router_notes, "Mis notas")
        qtbot.waitUntil(lambda: made.window.status_line.sentence == "1 nota, 1 no se pudo leer")
        yield made


def test_a_folder_that_is_not_there(qtbot, escritorio: Desktop, tmp_path: Path) -> None:
    away = tmp_path / "fuera"
    escritorio.late.actions.add_folder(away, "Fuera")
    words = escritorio.window.banner
    told = f"La carpeta no existe: {away}. Comprueba el nombre de la carpeta y vuelve a intentarlo."
    qtbot.waitUntil(lambda: words.words == told)


def test_settings_that_make_no_sense(qtbot, escritorio: Desktop, paths: Paths) -> None:
    paths.config_file.write_text("{ memorySearch: { query: [[[")
    words = escritorio.window.banner
    qtbot.waitUntil(lambda: "No se puede usar el archivo de ajustes" in words.words)
    assert words.words == (
        "No se puede usar el archivo de ajustes: config.json5: El archivo tiene un error en la "
        "línea 1, columna 29: se esperaba un valor, pero hay el final del archivo. Scrubjay sigue "
        "usando los ajustes anteriores."
    )


def test_a_file_that_is_no_text_also_after_a_restart(
    qtbot, escritorio: Desktop, paths: Paths
) -> None:
    reason = "El archivo no parece texto. Quizá sea una imagen o un programa."
    [problem] = skipped_rows(escritorio.feed.status.workspaces)
    assert (problem.path, problem.reason) == ("broken.md", reason)
    with qtbot.waitSignal(escritorio.engine_closed):
        escritorio.quit()
    again = Engine(paths, provider=WordProvider())
    try:
        [workspace] = again.workspaces()
        again.refresh(workspace).result(TIMEOUT)
        [problem] = skipped_rows(again.status().workspaces)
        assert problem.reason == reason
    finally:
        again.close()


def test_a_file_that_is_no_model(qtbot, escritorio: Desktop, tmp_path: Path) -> None:
    page = escritorio.show_models()
    page.use_file(tmp_path / "notas.gguf")
    qtbot.waitUntil(lambda: page.line.text().startswith("El archivo no existe"))
    (tmp_path / "notas.gguf").write_text("# Notas, no un modelo\n" * 10)
    page.use_file(tmp_path / "notas.gguf")
    told = (
        "notas.gguf no es un ayudante de idioma que Scrubjay pueda usar. El archivo no es un "
        "ayudante de idioma. Elige un archivo completo y sin comprimir cuyo nombre acabe en .gguf."
    )
    qtbot.waitUntil(lambda: page.line.text() == told)


def test_a_bug_while_notes_are_read(
    qtbot, escritorio: Desktop, router_notes: Path, provider: WordProvider
) -> None:
    def broken() -> None:
        raise ZeroDivisionError("uy")

    provider.before_batch = broken
    (router_notes / "boiler.md").write_text("# Boiler\n\nThe boiler is serviced in May.\n")
    line = escritorio.window.status_line
    told = (
        "Scrubjay ha dejado de leer tus notas de forma inesperada (uy). Tus notas están a salvo y "
        "puedes buscar en las que ya se leyeron."
    )
    qtbot.waitUntil(lambda: told in line.sentence)


def test_a_folder_that_goes_away_is_found_by_the_check_up(
    qtbot, escritorio: Desktop, router_notes: Path
) -> None:
    shutil.rmtree(router_notes)
    report = escritorio.engine.health.check().result(TIMEOUT)
    [gone] = [finding_texts(one) for one in report.findings if one.kind is FindingKind.FOLDER_GONE]
    assert gone.title == "Falta una carpeta"
    assert gone.detail.startswith(f"Mis notas: La carpeta {router_notes} no existe")
