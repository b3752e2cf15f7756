"""Models of the families in the catalogue, a few thousand random weights each.

The layout is the true one, so that llama.cpp computes with them exactly as with the large ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from gguf import GGUFReader, GGUFWriter, PoolingType, TokenType

WIDTH = 32
HEADS = 4
HEAD = WIDTH // HEADS
INNER = 48
LAYERS = 6
"""Every sixth layer of EmbeddingGemma looks at the whole text, and llama.cpp needs one of those."""
CONTEXT = 256
DENSE = 40
"""Between the two layers that EmbeddingGemma has behind its pooling."""

_WORDS = "the jay hides acorns and finds them again search query document result task title text"
_BYTES_AS_LETTERS = [
    *range(ord("!"), ord("~") + 1),
    *range(ord("¡"), ord("¬") + 1),
    *range(ord("®"), ord("ÿ") + 1),
]
_NORMAL, _CONTROL, _UNKNOWN, _BYTE = (
    TokenType.NORMAL,
    TokenType.CONTROL,
    TokenType.UNKNOWN,
    TokenType.BYTE,
)


@dataclass(frozen=True)
class Family:
    """One architecture."""

    architecture: str
    pooling: PoolingType
    file: str
    """As its publisher calls it: the prompts go by it."""
    is_causal: bool = False
    has_dense: bool = False
    context: int = CONTEXT
    layers: int = LAYERS
    answers: tuple[str, ...] = ()
    """What it judges a text to be, for a model that puts found texts in order."""
    prefers: tuple[str, ...] = ()
    """Tokens that it writes whenever it can, the last before the others."""


GEMMA = Family("gemma-embedding", PoolingType.MEAN, "embeddinggemma-tiny.gguf", has_dense=True)
QWEN = Family("qwen3", PoolingType.LAST, "Qwen3-Embedding-tiny.gguf", is_causal=True)
NOMIC = Family("nomic-bert", PoolingType.MEAN, "nomic-embed-text-tiny.gguf")
FAMILIES = (GEMMA, QWEN, NOMIC)

WRITER = Family(
    "qwen3",
    PoolingType.NONE,
    "writer-tiny.gguf",
    is_causal=True,
    context=4096,
    layers=1,
    prefers=("\u010a", "<|endoftext|>"),
)
"""Writes text, as QMD has questions put in other words. It ends lines and texts as soon as it may,
since each letter costs time."""
RANKER = Family(
    "qwen3",
    PoolingType.RANK,
    "ranker-tiny.gguf",
    is_causal=True,
    context=4096,
    layers=1,
    answers=("yes", "no"),
)
"""Says how well a text answers a question."""


def write_tiny_model(family: Family, folder: Path, *, seed: int = 0) -> Path:
    """A model file, always the same for a seed."""
    file = folder / family.file
    writer = GGUFWriter(file, family.architecture)
    _architecture(writer, family)
    tokens = {
        "gemma-embedding": _sentence_pieces,
        "qwen3": _byte_pairs,
        "nomic-bert": _word_pieces,
    }[family.architecture](writer)
    preferred = [tokens.index(text) for text in family.prefers]
    for name, shape in _shapes(family, len(tokens)).items():
        # Of its own for each tensor, so that leaving one out changes no other.
        dice = np.random.default_rng([seed, *name.encode()])
        is_scale = len(shape) == 1 and name.endswith("norm.weight")
        values = dice.normal(1.0 if is_scale else 0.0, 0.2, shape)
        if family.prefers:
            _bend(name, values, preferred)
        writer.add_tensor(name, values.astype(np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return file


def dense_layers(file: Path) -> Sequence[np.ndarray]:
    """The matrices behind the pooling, first to last."""
    found = {tensor.name: np.array(tensor.data) for tensor in GGUFReader(file).tensors}
    return [found[name] for name in ("dense_2.weight", "dense_3.weight") if name in found]


def _architecture(writer: GGUFWriter, family: Family) -> None:
    writer.add_name(family.file.removesuffix(".gguf"))
    writer.add_block_count(family.layers)
    writer.add_context_length(family.context)
    writer.add_embedding_length(WIDTH)
    writer.add_feed_forward_length(INNER)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_pooling_type(family.pooling)
    writer.add_rope_freq_base(1000.0)
    if family == NOMIC:
        writer.add_layer_norm_eps(1e-12)
        writer.add_causal_attention(False)
        writer.add_token_type_count(2)
        return
    writer.add_layer_norm_rms_eps(1e-6)
    writer.add_key_length(HEAD)
    writer.add_value_length(HEAD)
    if family.answers:
        writer.add_array("qwen3.classifier.output_labels", family.answers)
        writer.add_string("tokenizer.chat_template.rerank", "{query}: {document}")
    if family.architecture == GEMMA.architecture:
        writer.add_sliding_window(64)
    if family.has_dense:
        for layer, sizes in (("dense_2", (WIDTH, DENSE)), ("dense_3", (DENSE, WIDTH))):
            writer.add_uint32(f"gemma-embedding.{layer}_feat_in", sizes[0])
            writer.add_uint32(f"gemma-embedding.{layer}_feat_out", sizes[1])


def _shapes(family: Family, tokens: int) -> dict[str, tuple[int, ...]]:
    square, up, down = (WIDTH, WIDTH), (INNER, WIDTH), (WIDTH, INNER)
    found: dict[str, tuple[int, ...]] = {"token_embd.weight": (tokens, WIDTH)}
    inside: dict[str, tuple[int, ...]] = {"attn_output.weight": square}
    inside |= {"ffn_up.weight": up, "ffn_gate.weight": up, "ffn_down.weight": down}
    if family == NOMIC:
        found |= {"token_types.weight": (2, WIDTH)}
        found |= {f"token_embd_norm.{kind}": (WIDTH,) for kind in ("weight", "bias")}
        inside |= {"attn_qkv.weight": (3 * WIDTH, WIDTH)}
        norms = ("attn_output_norm", "layer_output_norm")
        inside |= {f"{norm}.{kind}": (WIDTH,) for norm in norms for kind in ("weight", "bias")}
    else:
        found |= {"output_norm.weight": (WIDTH,)}
        inside |= {f"attn_{part}.weight": square for part in "qkv"}
        inside |= {f"attn_{part}_norm.weight": (HEAD,) for part in "qk"}
        inside |= {"attn_norm.weight": (WIDTH,), "ffn_norm.weight": (WIDTH,)}
    if family.architecture == GEMMA.architecture:
        inside |= {f"post_{part}_norm.weight": (WIDTH,) for part in ("attention", "ffw")}
    if family.prefers:
        found |= {"output.weight": (tokens, WIDTH)}
    if family.answers:
        found |= {"cls.output.weight": (len(family.answers), WIDTH)}
    if family.has_dense:
        found |= {"dense_2.weight": (DENSE, WIDTH), "dense_3.weight": (WIDTH, DENSE)}
    layers = range(family.layers)
    return found | {f"blk.{n}.{name}": shape for n in layers for name, shape in inside.items()}


def _bend(name: str, values: np.ndarray, preferred: Sequence[int]) -> None:
    """Whatever was read points in one direction, and the preferred tokens lie there."""
    if name == "token_embd.weight":
        values[:, 0] = 10.0
    elif name == "output.weight":
        values[preferred, 0] = 5.0 * np.arange(1, len(preferred) + 1)


def _sentence_pieces(writer: GGUFWriter) -> list[str]:
    special = [("<pad>", _CONTROL), ("<eos>", _CONTROL), ("<bos>", _CONTROL), ("<unk>", _UNKNOWN)]
    raw = [(f"<0x{byte:02X}>", _BYTE) for byte in range(256)]
    words = [(f"\u2581{word}", _NORMAL) for word in _WORDS.split()]
    letters = [(chr(code), _NORMAL) for code in (*range(ord("a"), ord("z") + 1), 0x2581)]
    tokens = [*special, *raw, *words, *letters]
    writer.add_tokenizer_model("llama")
    writer.add_token_list([text for text, _ in tokens])
    writer.add_token_scores([-float(n) for n in range(len(tokens))])
    writer.add_token_types([kind for _, kind in tokens])
    writer.add_pad_token_id(0)
    writer.add_eos_token_id(1)
    writer.add_bos_token_id(2)
    writer.add_unk_token_id(3)
    writer.add_add_bos_token(True)
    writer.add_add_eos_token(True)
    return [text for text, _ in tokens]


def _byte_pairs(writer: GGUFWriter) -> list[str]:
    letters = [chr(code) for code in _BYTES_AS_LETTERS]
    letters += [chr(256 + n) for n in range(256 - len(letters))]
    tokens = [*letters, "th", "<|endoftext|>"]
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("qwen2")
    writer.add_token_list(tokens)
    writer.add_token_types([*([_NORMAL] * (len(tokens) - 1)), _CONTROL])
    writer.add_token_merges(["t h"])
    writer.add_eos_token_id(len(tokens) - 1)
    writer.add_pad_token_id(len(tokens) - 1)
    writer.add_add_bos_token(False)
    writer.add_add_eos_token(True)
    return tokens


def _word_pieces(writer: GGUFWriter) -> list[str]:
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    words = [f"\u2581{word}" for word in (*_WORDS.split(), *":.,")]
    tokens = [*special, *words]
    kinds = [_CONTROL, _UNKNOWN, _CONTROL, _CONTROL, _CONTROL, *([_NORMAL] * len(words))]
    writer.add_tokenizer_model("bert")
    writer.add_tokenizer_pre("default")
    writer.add_token_list(tokens)
    writer.add_token_types(kinds)
    writer.add_bos_token_id(2)
    writer.add_eos_token_id(3)
    writer.add_sep_token_id(3)
    writer.add_unk_token_id(1)
    writer.add_pad_token_id(0)
    return tokens
