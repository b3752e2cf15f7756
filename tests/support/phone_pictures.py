"""Pictures in HEIF, as phones store them.

Nothing that the tests install writes this format. `page` in `support/pictures` drew the lines, and
the encoder of pillow-heif 1.8.1 (x265) wrote both files with quality 50: `upright.heic` with
`Image.save`, and `turned.heic` with `heif_context_encode_grid` and `heif_item_add_raw_property` of
its libheif. Like that of a phone that was held upright, the latter has tiles (of 128 pixels), lies
on its side, and says so twice: in `irot`, which counts, and in its EXIF data.
"""

from __future__ import annotations

from pathlib import Path

_FOLDER = Path(__file__).parent / "heic"
UPRIGHT = (_FOLDER / "upright.heic").read_bytes()
TURNED = (_FOLDER / "turned.heic").read_bytes()
LINES = ("Receta de la abuela", "Pump: 1,250.00 euros")
SIZE = (512, 256)
"""Width and height of both, as a person sees them."""
