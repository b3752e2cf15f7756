"""The pictures of windows under Wine: the step fails where there is nothing to see."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import windows_pictures
import wine
from windows_pictures import Area, NoWindow, check_all_differ, check_not_blank, wait_for_window

pytestmark = [
    pytest.mark.needs("Linux"),
    pytest.mark.skipif(not shutil.which("convert"), reason="needs ImageMagick"),
]


@pytest.fixture
def draw(tmp_path: Path) -> Callable[[str, str], Path]:
    """Makes a picture of 200 x 100 from what ImageMagick calls a pseudo image."""

    def made(name: str, image: str) -> Path:
        file = tmp_path / f"{name}.png"
        command = ["convert", "-size", "200x100", "-seed", "1", image, "-depth", "8", str(file)]
        subprocess.run(command, check=True)
        return file

    return made


def test_a_blank_window_is_an_error(draw: Callable[[str, str], Path]) -> None:
    painted = draw("painted", "plasma:")
    check_not_blank(painted, Area(200, 100, 0, 0))
    # Here the window lies beyond what is painted.
    with pytest.raises(NoWindow, match=r"painted\.png shows a window with only \d+ colours"):
        check_not_blank(painted, Area(3, 3, 5, 5))
    with pytest.raises(NoWindow, match="only 1 colours"):
        check_not_blank(draw("blank", "xc:white"), Area(200, 100, 0, 0))


def test_a_key_without_an_effect_is_an_error(draw: Callable[[str, str], Path]) -> None:
    one, other = draw("one", "plasma:"), draw("other", "xc:white")
    check_all_differ([one, other])
    with pytest.raises(NoWindow, match="are the same"):
        check_all_differ([one, other, draw("again", "xc:white")])


@pytest.mark.skipif(not shutil.which("Xvfb"), reason="needs Xvfb")
@pytest.mark.skipif(not shutil.which("xdotool"), reason="needs xdotool")
def test_a_screen_without_the_window_is_an_error() -> None:
    missing = pytest.raises(NoWindow, match="no window “Scrubjay” of at least 800 x 500")
    with wine.display() as display, missing:
        wait_for_window(display, "Scrubjay", (800, 500), limit_s=0)


def test_the_step_fails_where_the_app_does_not_start(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(_display: str) -> None:
        raise NoWindow("No window.")

    monkeypatch.setattr(windows_pictures, "photograph", fail)
    assert windows_pictures.main() == 1
    assert capsys.readouterr().err == "No window.\n"
