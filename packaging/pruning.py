"""Files that a bundle excludes, with reasons. Tests and `make package-test` prove them unneeded."""

from __future__ import annotations

import re
from dataclasses import dataclass

_OTHER_SERVICES = (
    *(
        f"openai.{kind}.{service}"
        for kind in ("resources", "types")
        for service in (
            "admin", "audio", "beta", "containers", "conversations", "evals", "fine_tuning", "live",
            "realtime", "safety", "skills", "uploads", "vector_stores", "webhooks",
        )
    ),
    "openai.resources.chat", "openai.resources.responses", "openai.lib.beta",
    "openai.lib.streaming",
)  # fmt: skip

MODULES: dict[str, str] = {
    "tkinter": "another window toolkit",
    "unittest": "for tests",
    "pydoc": "for developers",
    "lib2to3": "for developers",
    "test": "Python's own tests",
    "pip": "installs packages",
    "setuptools": "builds packages",
    "pkg_resources": "builds packages",
    "pytest": "for tests",
    "_pytest": "for tests",
    "hypothesis": "for tests",
    "mypy": "for developers",
    "ruff": "for developers",
    "IPython": "for developers",
    "PIL.ImageTk": "pictures in another window toolkit",
    "PIL.ImageQt": "pictures for Qt, which reads its own",
    "PIL.ImageFont": "nothing here draws letters with it",
    "onnxruntime.backend": "another interface to it",
    "onnxruntime.datasets": "examples",
    "onnxruntime.quantization": "makes models smaller",
    "onnxruntime.tools": "converts models",
    "onnxruntime.transformers": "converts models",
    "gguf": "makes the built-in model, before bundling",
    "safetensors": "makes the built-in model, before bundling",
    "numpy.f2py": "compiles Fortran",
    "numpy.testing": "for tests",
    "numpy.random": "nothing here is random",
    "numpy.polynomial": "nothing here is a polynomial",
    "numpy.ma": "nothing here is a masked array",
    "llama_cpp.server": "answers HTTP; the child speaks through a pipe",
    "llama_cpp.llama": "a class for chat models; the child uses the C interface",
    "llama_cpp.mtmd_cpp": "pictures for chat models",
    "fastapi": "only llama_cpp.server wants it",
    "jinja2": "templates of model cards and chats, which nobody here writes",
    "hf_xet": "fetches models, which the standard library does here",
    "fsspec": "the hub as a file system",
    "anyio.pytest_plugin": "for tests",
    **dict.fromkeys(_OTHER_SERVICES, "services of OpenAI other than embeddings"),
    "google.genai._gaos": "services of Google other than embeddings",
    "huggingface_hub.inference": "runs models elsewhere",
    "huggingface_hub.cli": "for developers",
    "botocore": "services of Amazon, which no provider here uses; tests bring it",
    "werkzeug": "for tests",
    "lancedb": "memories of teams, an extra of 350 MB",
    "pyarrow": "the same",
    "PySide6.QtQml": "no Quick here",
    "PySide6.QtQuick": "no Quick here",
    "PySide6.QtPdf": "no PDF here",
    "PySide6.QtVirtualKeyboard": "no keyboard on the screen",
    "PySide6.QtOpenGL": "no OpenGL here",
}
"""Modules that are left out with everything below them."""


@dataclass(frozen=True, slots=True)
class Pruned:
    """Files that are left out."""

    pattern: str
    """Searched in the path inside the bundle."""
    reason: str


QT_FILES = (
    Pruned(r"/platforms/libq(?!offscreen|wayland|xcb|cocoa)", "screens without a desktop"),
    Pruned(r"/platforms/q(?!offscreen|windows)", "other ways to draw on Windows"),
    Pruned(r"/egldeviceintegrations/", "screens without a desktop"),
    Pruned(r"/plugins/generic/", "input devices without a desktop"),
    Pruned(r"/platformthemes/libqgtk3", "would bring GTK; Fusion is drawn by Qt itself"),
    Pruned(r"/networkinformation/", "asks whether there is a network, which nobody asks here"),
    Pruned(
        r"/imageformats/(lib)?q(?!svg|jpeg|ico|webp|gif|tiff)", "pictures that notes do not hold"
    ),
    Pruned(r"/xcbglintegrations/", "nothing is drawn with OpenGL"),
    Pruned(r"/wayland-graphics-integration-client/", "nothing is drawn with OpenGL"),
    Pruned(
        r"/wayland-shell-integration/lib(fullscreen|ivi|qt-shell|wl-shell)",
        "shells of cars and kiosks",
    ),
    Pruned(r"/platforminputcontexts/(lib)?qtvirtualkeyboard", "no keyboard on the screen"),
    Pruned(r"Qt6(EglFS|Pdf|Qml|Quick|VirtualKeyboard|OpenGL|Egl)", "parts of what is left out"),
    Pruned(r"Qt6(WlShell|WaylandEgl)", "parts of what is left out"),
    Pruned(
        r"(^|/)Qt(Pdf|Qml|Quick|VirtualKeyboard|OpenGL)\w*(\.framework/|$)",
        "the same on macOS, each in a folder of its own, and the links to them",
    ),
    Pruned(r"/opengl32sw\.dll$", "draws OpenGL without a graphics card; nothing is drawn with it"),
    Pruned(r"PySide6/(Qt/)?translations/(?!qtbase_(en|es)\.qm)", "languages not in Scrubjay"),
)

LIBRARY_FILES = (
    Pruned(
        r"onnxruntime/capi/(lib)?onnxruntime\.(so|dll|\d|dylib)",
        "the same for programs in C; Python's part contains all of it",
    ),
    Pruned(
        r"PIL/_(avif|imagingcms|imagingft|imagingmath|imagingmorph|imagingtk)\.",
        "formats, colours and letters that nobody asks for",
    ),
    Pruned(
        r"lib(avif|brotli\w+|freetype|harfbuzz|lcms2|png16)(-[0-9a-f]{8}\.so|\.[\d.]+\.dylib)",
        "parts of the same",
    ),
    Pruned(r"/libmtmd\.", "pictures for chat models"),
    Pruned(r"yaml/_yaml\.", "a faster reader of YAML, which is only read in model cards"),
    Pruned(r"^lib(readline|ncursesw?|tinfo)\.so", "a prompt, and Scrubjay has none"),
    Pruned(r"lib-dynload/(readline|_curses|_curses_panel|nis|ossaudiodev)\.", "see above"),
)

SYSTEM_LIBRARIES = (
    Pruned(r"^lib(X11|X11-xcb|xcb|Xau|Xdmcp)\.so", "has to fit the X server's own"),
    Pruned(r"^libwayland-", "has to fit the compositor's own"),
    Pruned(r"^libxkbcommon(-x11)?\.so", "reads keyboard files of the system"),
    Pruned(r"^lib(glib|gio|gobject|gmodule|gthread)-2\.0", "loads modules of the system"),
    Pruned(r"^lib(pcre2|mount|blkid|selinux)", "comes with GLib"),
    Pruned(r"^lib(dbus-1|systemd|gcrypt|gpg-error|lz4|zstd|cap)\.so", "comes with D-Bus"),
    Pruned(r"^lib(fontconfig|freetype|png16|expat|brotli\w*)\.so", "reads fonts of the system"),
    Pruned(r"^lib(gssapi_krb5|krb5|k5crypto|krb5support|com_err|keyutils)\.so", "reads its files"),
    Pruned(r"^lib(stdc\+\+|gcc_s)\.so", "drivers of the system need the newest one"),
    Pruned(r"^libjpeg\.so", "Qt has its own"),
    Pruned(
        r"^lib(cups|avahi-client|avahi-common|gnutls|p11-kit|tasn1|nettle|hogweed|gmp|idn2|unistring)"
        r"\.so",
        "comes with CUPS, which knows the printers; without it one prints into a file",
    ),
    Pruned(
        r"^lib(gtk-3|gdk-3|gdk_pixbuf|pango|cairo|pixman|epoxy|atk|atspi|thai|datrie|graphite"
        r"|harfbuzz|fribidi|Xcomposite|Xcursor|Xdamage|Xi|Xinerama|Xrandr|Xrender|Xfixes)",
        "comes with GTK",
    ),
)
"""Libraries that every Linux desktop has, and that must match the rest of it.

The .deb depends on them; `packaging/deb.py` finds out which ones these are.
"""

STRIPPED = (
    r"^libpython",
    r"^python3\.\d+/lib-dynload/",
    r"^(cryptography|regex|rpds|pydantic_core|jiter|msgspec|apsw)/",
)
"""Whose debugging symbols are taken away. Not numpy's: its libraries break."""

START_STEPS = {
    "pyi_rth_pyside6": "loads Qt into every command, and leads the Qt of an editor to our plug-ins;"
    " Qt for Python finds its own by itself",
    "pyi_rth_inspect": "for reading source code, which no bundle has",
    "pyi_rth_multiprocessing": "nothing here is started that way",
}
"""Start steps of PyInstaller that are left out, with reasons."""

_TRACES = re.compile(r"\.dist-info/(direct_url\.json|RECORD|INSTALLER|REQUESTED|uv_\w+\.json)$")

_LEFT_OUT = re.compile(
    "|".join(f"(?:{rule.pattern})" for rule in (*QT_FILES, *LIBRARY_FILES, *SYSTEM_LIBRARIES))
)
_LOOKS = re.compile(r"^pygments\.(styles|formatters)\.(?!_mapping|default|terminal)")


def is_left_out(path: str) -> bool:
    """Whether a bundle goes without the file with this path inside of it."""
    # PyInstaller writes paths as the system does.
    return _LEFT_OUT.search(path.replace("\\", "/")) is not None


def is_trace(path: str) -> bool:
    """Whether a file only says where a package was built or installed from."""
    return _TRACES.search(path) is not None


def is_module_left_out(name: str) -> bool:
    """Whether a bundle goes without a module that the analysis found."""
    return _LOOKS.match(name) is not None  # code in notes has the colours of the app


def is_stripped(path: str) -> bool:
    """Whether a library can do without its symbols; path begins inside `_internal`."""
    return any(re.search(pattern, path) for pattern in STRIPPED)
