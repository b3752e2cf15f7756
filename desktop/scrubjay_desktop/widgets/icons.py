"""Line icons from resources/icons, drawn in a given colour."""

from __future__ import annotations

import functools

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap, QPixmapCache
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QWidget

from scrubjay.platform.paths import resources

_FILE_COLORS = ("#000000", "#000")
"""Names of black in the files, replaced by the requested colour."""


@functools.cache
def _source(name: str) -> str:
    return (resources() / "icons" / f"{name}.svg").read_text(encoding="utf-8")


def pixmap(name: str, color: QColor | None, size: int, scale: float = 1.0) -> QPixmap:
    """One icon, size device-independent pixels wide; color None keeps its own colours."""
    hue = color.name() if color else ""
    key = f"{name} {hue} {size} {scale}"
    picture = QPixmap()
    if QPixmapCache.find(key, picture):
        return picture
    text = _source(name)
    if color is not None:
        for black in _FILE_COLORS:
            text = text.replace(f'"{black}"', f'"{color.name()}"')
    # The picture has the pixels of the screen, and is as large as asked on it.
    picture = QPixmap(round(size * scale), round(size * scale))
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    QSvgRenderer(QByteArray(text.encode())).render(painter, QRectF(picture.rect()))
    painter.end()
    picture.setDevicePixelRatio(scale)
    QPixmapCache.insert(key, picture)
    return picture


def icon(name: str, color: QColor, size: int, widget: QWidget) -> QIcon:
    """An icon for the screen of a widget. Widgets draw it again when they are on another one."""
    scale = widget.devicePixelRatioF()
    return QIcon(pixmap(name, color, size=size, scale=scale))


def app_icon() -> QIcon:
    """The bird, in its own colours, for windows and task bars."""
    image = QIcon()
    for size in (16, 24, 32, 48, 64, 128, 256):
        image.addPixmap(pixmap("app", None, size))
    return image
