"""Pixels of pictures of all formats that are read."""

from __future__ import annotations

import io
import math
import warnings
from typing import cast

import pi_heif
from PIL import (
    BmpImagePlugin,
    GifImagePlugin,
    Image,
    ImageOps,
    JpegImagePlugin,
    MpoImagePlugin,  # noqa: F401  # JPEG files with several pictures, opened by the plugin of JPEG
    PngImagePlugin,
    TiffImagePlugin,
    UnidentifiedImageError,
    WebPImagePlugin,
)

from scrubjay.documents.document_errors import DocumentRefused
from scrubjay.documents.media_types import sniff_media_type
from scrubjay.documents.picture_limits import TOO_SMALL
from scrubjay.messages import msg

# Nobody asks for the small pictures in a file, and more threads would take more of the processor.
pi_heif.register_heif_opener(
    thumbnails=False, depth_images=False, aux_images=False, decode_threads=0
)
FORMATS = (
    BmpImagePlugin.BmpImageFile.format,
    GifImagePlugin.GifImageFile.format,
    pi_heif.HeifImageFile.format,
    JpegImagePlugin.JpegImageFile.format,
    PngImagePlugin.PngImageFile.format,
    TiffImagePlugin.TiffImageFile.format,
    WebPImagePlugin.WebPImageFile.format,
)
"""Formats that may be opened. Pillow has many more, which it would import in the sandbox."""
MOST_PIXELS = 120_000_000
"""Pixels of a picture as it is stored; the cameras of telephones have up to 108 million."""
Image.MAX_IMAGE_PIXELS = MOST_PIXELS
LEAST_SIDE = 120
"""Pixels of the shorter side; smaller pictures are icons and avatars."""
MOST_SIDE = 3200
"""Pixels of the longer side that are kept: a page of A4 with 270 dots an inch."""

_TOO_LARGE = msg("The picture has more than 120 million pixels, so Scrubjay does not read it.")
_UNKNOWN = msg("The file is not a picture in a format that Scrubjay can read.")


def open_picture(data: bytes, page: int = 1) -> tuple[Image.Image, int, int]:
    """The upright picture in RGB, perhaps reduced, and its width and height before that.

    Page is the number of a picture in a TIFF file.

    Raises DocumentRefused, and anything for a damaged picture.
    """
    # Pillow warns of much that does not keep a picture from being read.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            picture = Image.open(io.BytesIO(data), formats=FORMATS)
        except UnidentifiedImageError:
            # What begins as pictures do is a damaged one.
            if sniff_media_type(data).startswith("image/"):
                raise
            raise DocumentRefused(_UNKNOWN) from None
        except Image.DecompressionBombError:
            raise DocumentRefused(_TOO_LARGE) from None
        if page > 1:
            picture.seek(page - 1)
        width, height = picture.size
        if min(width, height) < LEAST_SIDE:
            raise DocumentRefused(TOO_SMALL)
        if width * height > MOST_PIXELS:
            raise DocumentRefused(_TOO_LARGE)
        # JPEG can be decoded at a half or a quarter, with as much less memory and time.
        picture.draft("RGB", (MOST_SIDE, MOST_SIDE))
        picture.load()
        upright = _in_colours(ImageOps.exif_transpose(reduced(picture)))
    # Pillow turns some formats when it opens them, so the result tells which side is which.
    if (upright.width < upright.height) != (width < height):
        return upright, height, width
    return upright, width, height


def reduced(picture: Image.Image) -> Image.Image:
    """The picture, with no side longer than the most."""
    factor = MOST_SIDE / max(picture.size)
    if factor >= 1:
        return picture
    # Palettes and single bits cannot be mixed.
    if picture.mode in ("1", "P", "PA", "I;16B"):
        picture = _in_colours(picture)
    size = (max(1, round(picture.width * factor)), max(1, round(picture.height * factor)))
    return picture.resize(size, Image.Resampling.BILINEAR, reducing_gap=2.0)


def _in_colours(picture: Image.Image) -> Image.Image:
    """The picture in RGB; what is transparent is white, as paper is."""
    if picture.mode.startswith("I;16"):
        # 16 bits a pixel, as scanners write them; conversion would clip them.
        if picture.mode == "I;16B":
            picture = picture.convert("I")
        picture = picture.point(lambda value: value / 256).convert("L")
    if picture.mode in ("I", "F"):
        picture = _between_extremes(picture)
    if "A" in picture.getbands() or "transparency" in picture.info:
        layer = picture.convert("RGBA")
        paper = Image.new("RGBA", layer.size, "white")
        picture = Image.alpha_composite(paper, layer)
    return picture.convert("RGB")


def _between_extremes(picture: Image.Image) -> Image.Image:
    """A picture in grey, from numbers whose scale is the program's own."""
    darkest, brightest = cast("tuple[float, float]", picture.getextrema())
    # Nothing is drawn where all points are alike, or where one of them is not a number.
    if not 0 < brightest - darkest < math.inf:
        return Image.new("L", picture.size, "white")
    factor = 255 / (brightest - darkest)
    return picture.point(lambda value: value * factor - darkest * factor).convert("L")
