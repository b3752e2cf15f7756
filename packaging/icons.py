"""Icons of the app in every size and format that a system needs, drawn from one SVG."""

from __future__ import annotations

import os
import struct
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DRAWING = ROOT / "resources" / "icons" / "app.svg"
SIZES = (16, 22, 24, 32, 48, 64, 96, 128, 256, 512)
"""Of the hicolor theme, in pixels."""
WINDOWS_SIZES = (16, 24, 32, 48, 64, 128, 256)
MAC_KINDS = {
    b"icp4": 16, b"icp5": 32, b"ic07": 128, b"ic08": 256, b"ic09": 512, b"ic10": 1024,
    b"ic11": 32, b"ic12": 64, b"ic13": 256, b"ic14": 512,
}  # fmt: skip
"""Kinds of picture in an ICNS file that hold a PNG, and their width in pixels."""


def drawn(size: int) -> bytes:
    """The app's icon as a PNG of size x size pixels."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtCore import QBuffer, QByteArray
    from PySide6.QtGui import QImage, QImageWriter, QPainter
    from PySide6.QtSvg import QSvgRenderer

    picture = QImage(size, size, QImage.Format.Format_ARGB32)
    picture.fill(0)
    painter = QPainter(picture)
    QSvgRenderer(str(DRAWING)).render(painter)
    painter.end()
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QBuffer.OpenModeFlag.WriteOnly)
    if not QImageWriter(buffer, QByteArray(b"png")).write(picture):
        raise OSError(f"The icon could not be drawn in {size} pixels")
    return bytes(data.data())


def hicolor(share: Path) -> None:
    """Write the theme's folders below share, the drawing itself included."""
    theme = share / "icons" / "hicolor"
    for size in SIZES:
        _write(theme / f"{size}x{size}/apps/org.scrubjay.Scrubjay.png", drawn(size))
    _write(theme / "scalable/apps/org.scrubjay.Scrubjay.svg", DRAWING.read_bytes())


def ico() -> bytes:
    """The icon of a Windows program: a directory, then PNGs."""
    pictures = [(size, drawn(size)) for size in WINDOWS_SIZES]
    head = struct.pack("<HHH", 0, 1, len(pictures))
    offset = len(head) + 16 * len(pictures)
    directory = b""
    for size, png in pictures:
        # A byte for each side, where 0 stands for 256.
        side = size % 256
        directory += struct.pack("<BBBBHHII", side, side, 0, 0, 1, 32, len(png), offset)
        offset += len(png)
    return head + directory + b"".join(png for _, png in pictures)


def icns() -> bytes:
    """The icon of a macOS app: each PNG with its kind and length in front."""
    body = b""
    for kind, size in MAC_KINDS.items():
        png = drawn(size)
        body += kind + struct.pack(">I", len(png) + 8) + png
    return b"icns" + struct.pack(">I", len(body) + 8) + body


def _write(file: Path, data: bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)
