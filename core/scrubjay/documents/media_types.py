"""Types of images and recordings, by name and by content."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from msgspec import Struct

_TYPES = {
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".webp": "image/webp",
    ".gif": "image/gif",
    ".heic": "image/heic",
    ".heif": "image/heic",
    ".mp3": "audio/mpeg",
    ".wav": "audio/wav",
    ".ogg": "audio/ogg",
    ".opus": "audio/ogg",
    ".m4a": "audio/mp4",
    ".aac": "audio/aac",
    ".flac": "audio/flac",
}
PICTURES = frozenset(
    {ending for ending, kind in _TYPES.items() if kind.startswith("image/")}
    | {".avif", ".bmp", ".svg", ".tif", ".tiff"}
)
"""Endings of pictures, in which people expect to find what is written on them."""
_STARTS = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"OggS", "audio/ogg"),
    (b"fLaC", "audio/flac"),
    (b"ID3", "audio/mpeg"),
    (b"ADIF", "audio/aac"),
)
_RIFF = {b"WEBP": "image/webp", b"WAVE": "audio/wav"}
_HEIF = frozenset({b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1"})
_MP4_AUDIO = frozenset({b"M4A ", b"M4B ", b"mp41", b"mp42", b"isom", b"iso2", b"dash"})
_IMAGE_TOKENS = 258
"""Tokens of an image, as Gemini counts."""
_BYTES_PER_AUDIO_TOKEN = 500
"""Bytes of a recording with 128 kbit/s, at Gemini's 32 tokens a second."""
_MAX_TOKENS = 8_192
"""Input limit of the model."""


class MediaRules(Struct, frozen=True):
    """Rules for the files that are searched in addition to Markdown."""

    kinds: frozenset[str] = frozenset()
    """Kinds "image" and "audio"."""
    max_bytes: int = 0

    def wants(self, name: str) -> bool:
        """Whether a name is that of such a file."""
        return bool(self.kinds) and media_type(name).partition("/")[0] in self.kinds


NO_MEDIA = MediaRules()


def media_rules(modalities: Sequence[str], max_bytes: int) -> MediaRules:
    """Rules from the settings, where "all" and an empty list stand for both kinds."""
    kinds = frozenset(modalities)
    if not modalities or "all" in modalities:
        kinds = frozenset({"image", "audio"})
    return MediaRules(kinds, max_bytes)


def media_type(name: str) -> str:
    """MIME type by the end of a name; empty for other files."""
    dot = name.rfind(".")
    if dot < 0:
        return ""
    return _TYPES.get(name[dot:].lower(), "")


def sniff_media_type(data: bytes) -> str:
    """MIME type by the first bytes; empty for unknown ones."""
    for start, kind in _STARTS:
        if data.startswith(start):
            return kind
    if data[:4] == b"RIFF":
        return _RIFF.get(data[8:12], "")
    if len(data) > 1 and data[0] == 0xFF and data[1] & 0xE0 == 0xE0:
        # The frames of MPEG: "layer" says 1 for MP3, and 0 for the AAC that borrows its head.
        return {1: "audio/mpeg", 0: "audio/aac"}.get(data[1] >> 1 & 3, "")
    # Pictures of phones and recordings have one container, whose brand tells them apart.
    if data[4:8] == b"ftyp" and data[8:12] in _HEIF:
        return "image/heic"
    if data[4:8] == b"ftyp" and data[8:12] in _MP4_AUDIO:
        return "audio/mp4"
    return ""


def media_hash(kind: str, data: bytes) -> bytes:
    """Key of the vector of an image or recording."""
    return hashlib.sha256(f"{kind}\0".encode() + data).digest()


def media_tokens(name: str, size: int) -> int:
    """Estimated tokens of a file, as a provider counts them."""
    if media_type(name).startswith("image/"):
        return _IMAGE_TOKENS
    return min(_MAX_TOKENS, size // _BYTES_PER_AUDIO_TOKEN + 1)
