"""Nothing that a bundle leaves out is needed by anything that is in it."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import picture_models
import pruning
from support import pictures

ROOT = Path(__file__).resolve().parents[2]
SOURCES = [*sorted((ROOT / "core").rglob("*.py")), *sorted((ROOT / "desktop").rglob("*.py"))]

WITHOUT = """
import importlib, importlib.abc, json, sys

left_out, wanted = json.loads(sys.stdin.read())

class Bundle(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        parents = name.split(".")
        if any(".".join(parents[:depth]) in left_out for depth in range(1, len(parents) + 1)):
            raise ModuleNotFoundError(name)
        return None

sys.meta_path.insert(0, Bundle())
for name in wanted:
    importlib.import_module(name)
"""

USED_LATER = """
import json, numpy, openai, threading
from google import genai
from http.server import BaseHTTPRequestHandler, HTTPServer
from huggingface_hub import HfApi

numpy.bitwise_count(numpy.ones(3, dtype=numpy.uint8)).sum()
numpy.linalg.norm(numpy.ones((2, 3)), axis=1)
HfApi()

class Service(BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers["content-length"]))
        kind = {"object": "list", "model": "m", "usage": {"prompt_tokens": 1, "total_tokens": 1}}
        data = [{"object": "embedding", "index": 0, "embedding": [1.0, 2.0]}]
        answer = json.dumps({**kind, "data": data, "embeddings": [{"values": [1.0, 2.0]}]}).encode()
        self.send_response(400 if "bad" in self.path else 200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_arguments):
        pass

server = HTTPServer(("127.0.0.1", 0), Service)
threading.Thread(target=server.serve_forever, daemon=True).start()
place = f"http://127.0.0.1:{server.server_port}"
client = openai.OpenAI(api_key="k", base_url=place, max_retries=0)
answer = client.embeddings.create(model="m", input=["a"], encoding_format="float")
assert answer.data[0].embedding == [1.0, 2.0]
try:
    openai.OpenAI(api_key="k", base_url=place + "/bad", max_retries=0).embeddings.create(
        model="m", input=["a"], encoding_format="float"
    )
except openai.APIStatusError:
    pass
client = genai.Client(api_key="k", http_options=genai.types.HttpOptions(base_url=place))
answer = client.models.embed_content(model="m", contents=["a"])
assert answer.embeddings[0].values == [1.0, 2.0]
try:
    client.models.embed_content(model="bad", contents=["a"])
except genai.errors.APIError:
    pass
"""


def imports(source: Path) -> Iterator[str]:
    """Every module that a source file names anywhere, in functions too."""
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module


def run(program: str, needed: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", program],
        input=json.dumps([list(pruning.MODULES), needed]),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


OTHER_PLATFORMS = {
    "winreg", "_winapi", "msvcrt", "ctypes.wintypes", "watchdog.observers.fsevents",
    "scrubjay.notes.fsevents_observer", "watchdog.observers.read_directory_changes",
    "watchdog.observers.winapi", "scrubjay.notes.windows_observer",
    "scrubjay.platform.local_channel.pipe_channel", "scrubjay.platform.shared_open",
    "scrubjay.platform.windows_exchange",
}  # fmt: skip
EXTRA = ("lancedb", "pyarrow")
"""Packages of the extra for shared memories, which no bundle has."""


def test_everything_that_is_imported_anywhere_works_without_what_is_left_out() -> None:
    needed = {name for source in SOURCES for name in imports(source)} - OTHER_PLATFORMS
    needed = {name for name in needed if name.partition(".")[0] not in EXTRA}
    assert "scrubjay.store.lancedb.shared_reader" in needed
    # Its package is not imported whole, see scrubjay.embedding.local.llama_model.
    needed.remove("llama_cpp.llama_cpp")
    assert "scrubjay.embedding.local.llama_model" in needed
    done = run(WITHOUT, sorted(needed))
    assert done.returncode == 0, done.stderr


def test_the_libraries_that_import_late_work_without_it_too() -> None:
    done = run(WITHOUT + USED_LATER, [])
    assert done.returncode == 0, done.stderr


READ_PICTURE = """
from pathlib import Path
from scrubjay.documents.picture_engine import PictureEngine
from scrubjay.documents.picture_pixels import open_picture

data = {data!r}
page = open_picture(data)[0]
engine = PictureEngine(Path({folder!r}))
assert len(engine.read(page)) == len(engine.read(page.rotate(90, expand=True))) == 2
"""


def test_pictures_are_read_without_it_and_with_smaller_models(tmp_path: Path) -> None:
    data = pictures.encoded(pictures.page(pictures.ENGLISH[:2]))
    folder = picture_models.write_models(tmp_path)
    done = run(WITHOUT + READ_PICTURE.format(data=data, folder=str(folder)), [])
    assert done.returncode == 0, done.stderr


def test_a_module_that_is_left_out_is_really_kept_out_of_the_test() -> None:
    done = run(WITHOUT, ["numpy.random"])
    assert "ModuleNotFoundError: numpy.random" in done.stderr


@pytest.mark.parametrize(
    ("path", "is_left_out"),
    [
        ("PySide6/Qt/plugins/platforms/libqxcb.so", False),
        ("PySide6/Qt/plugins/platforms/libqwayland.so", False),
        ("PySide6/Qt/plugins/platforms/libqoffscreen.so", False),
        ("PySide6/Qt/plugins/platforms/libqvnc.so", True),
        ("PySide6/Qt/plugins/platformthemes/libqgtk3.so", True),
        ("PySide6/Qt/plugins/platformthemes/libqxdgdesktopportal.so", False),
        ("PySide6/Qt/plugins/wayland-shell-integration/libxdg-shell.so", False),
        ("PySide6/Qt/plugins/wayland-shell-integration/libivi-shell.so", True),
        ("PySide6/Qt/plugins/imageformats/libqsvg.so", False),
        ("PySide6/Qt/translations/qtbase_es.qm", False),
        ("PySide6/Qt/translations/qtbase_fr.qm", True),
        ("PySide6/Qt/lib/libQt6Widgets.so.6", False),
        (r"PySide6\plugins\platforms\qwindows.dll", False),
        (r"PySide6\plugins\platforms\qoffscreen.dll", False),
        (r"PySide6\plugins\platforms\qdirect2d.dll", True),
        (r"PySide6\plugins\imageformats\qjpeg.dll", False),
        (r"PySide6\plugins\imageformats\qtiff.dll", False),
        (r"PySide6\plugins\imageformats\qtga.dll", True),
        (r"PySide6\plugins\iconengines\qsvgicon.dll", False),
        (r"PySide6\plugins\tls\qschannelbackend.dll", False),
        (r"PySide6\plugins\styles\qmodernwindowsstyle.dll", False),
        (r"PySide6\plugins\styles\qwindowsvistastyle.dll", False),
        (r"PySide6\translations\qtbase_es.qm", False),
        (r"PySide6\translations\qtbase_fr.qm", True),
        (r"PySide6\opengl32sw.dll", True),
        (r"PySide6\Qt6Quick.dll", True),
        (r"PySide6\Qt6Widgets.dll", False),
        (r"scrubjay\resources\translations\scrubjay_es.qm", False),
        ("PySide6/Qt/plugins/platforms/libqcocoa.dylib", False),
        ("PySide6/Qt/plugins/styles/libqmacstyle.dylib", False),
        ("libX11.so.6", True),
        ("libxcb.so.1", True),
        ("libxcb-cursor.so.0", False),
        ("libglib-2.0.so.0", True),
        ("libcups.so.2", True),
        ("libQt6PrintSupport.so.6", False),
        ("libssl.so.3", False),
        ("libgomp.so.1", False),
        ("scrubjay/resources/translations/scrubjay_es.qm", False),
        ("scrubjay/resources/sample/memory/2026-09-29.md", False),
    ],
)
def test_only_what_is_listed_is_left_out(path: str, is_left_out: bool) -> None:
    assert pruning.is_left_out(path) is is_left_out


def test_numpys_libraries_keep_their_symbols() -> None:
    assert not pruning.is_stripped("numpy.libs/libscipy_openblas64_-32a4b2a6.so")
    assert not pruning.is_stripped("numpy/_core/_multiarray_umath.cpython-311-x86_64-linux-gnu.so")
    assert pruning.is_stripped("libpython3.11.so.1.0")


@pytest.mark.parametrize(
    ("file", "is_left_out"),
    [
        ("PySide6/Qt/lib/QtQuick.framework/Versions/A/QtQuick", True),
        ("PySide6/Qt/lib/QtQmlModels.framework/Resources", True),
        ("PySide6/Qt/lib/QtWidgets.framework/Versions/A/QtWidgets", False),
        ("QtVirtualKeyboardQml", True),
        ("QtSvgWidgets", False),
        ("PySide6/Qt/plugins/platforms/libqcocoa.dylib", False),
        ("PySide6/Qt/plugins/styles/libqmacstyle.dylib", False),
        ("PIL/.dylibs/libharfbuzz.0.dylib", True),
        ("libbrotlicommon.1.2.0.dylib", True),
        ("PIL/.dylibs/libtiff.6.dylib", False),
        ("Python.framework/Versions/3.12/Python", False),
    ],
)
def test_what_is_left_out_on_macos(file: str, is_left_out: bool) -> None:
    assert bool(pruning.is_left_out(file)) == is_left_out
