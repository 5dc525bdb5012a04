# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The Attnscope developers
"""Writes GGUF files, and turns a Hugging Face folder into one as llama.cpp's converter does: its
names, its keys, and the rows that it moves. Nothing but Python's library, because the tests of the
command line have no more; so it suits small models only.

Source: docs/gguf.md of https://github.com/ggml-org/ggml; convert_hf_to_gguf.py and
gguf-py/gguf/constants.py of https://github.com/ggml-org/llama.cpp"""

import array
import base64
import json
import math
import re
import struct
from pathlib import Path

UINT8, UINT32, INT32, FLOAT32, BOOL, STRING, ARRAY, UINT64 = 0, 4, 5, 6, 7, 8, 9, 10
F32 = 0
ALIGNMENT = 32


def string(text):
    data = text if isinstance(text, bytes) else text.encode("utf-8")
    return struct.pack("<Q", len(data)) + data


class Bytes(bytes):
    """An array of bytes, not a string."""


def scalar(kind, value):
    if kind == STRING:
        return string(value)
    return struct.pack({UINT32: "<I", INT32: "<i", FLOAT32: "<f", BOOL: "<?", UINT64: "<Q"}[kind],
                       value)


def value(content):
    """Kind and bytes of a Python value; a list is an array of its first element's kind."""
    if isinstance(content, Bytes):
        return ARRAY, struct.pack("<IQ", UINT8, len(content)) + content
    if isinstance(content, list):
        kind = value(content[0])[0] if content else STRING
        body = b"".join(scalar(kind, item) for item in content)
        return ARRAY, struct.pack("<IQ", kind, len(content)) + body
    kind = {bool: BOOL, int: UINT32, float: FLOAT32, str: STRING}[type(content)]
    return kind, scalar(kind, content)


def gguf(values, tensors, version=3):
    """A whole file. values: {key: content}; tensors: [(name, shape as in C, type, bytes)]."""
    out = b"GGUF" + struct.pack("<IQQ", version, len(tensors), len(values))
    for key, content in values.items():
        kind, data = value(content)
        out += string(key) + struct.pack("<I", kind) + data
    offset, data = 0, b""
    for name, shape, kind, content in tensors:
        out += string(name) + struct.pack("<I", len(shape))
        out += b"".join(struct.pack("<Q", size) for size in reversed(shape))
        out += struct.pack("<IQ", kind, offset)
        data += content + bytes(-len(content) % ALIGNMENT)
        offset = len(data)
    return out + bytes(-len(out) % ALIGNMENT) + data


# A Hugging Face folder. A tensor is (shape, floats); a matrix is turned as a list of its rows.


def read_safetensors(path):
    data = path.read_bytes()
    size = struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8:8 + size])
    header.pop("__metadata__", None)
    tensors = {}
    for name, entry in header.items():
        assert entry["dtype"] == "F32", f"{name} is {entry['dtype']}"
        begin, end = entry["data_offsets"]
        floats = array.array("f")
        floats.frombytes(data[8 + size + begin:8 + size + end])
        tensors[name] = (entry["shape"], floats)
    return tensors


def rows_of(tensor):
    shape, floats = tensor
    width = shape[1] if len(shape) == 2 else 1
    return [floats[i:i + width] for i in range(0, len(floats), width)]


def from_rows(tensor, rows):
    floats = array.array("f")
    for row in rows:
        floats.extend(row)
    return tensor[0], floats


def pair_rows(tensor, n_heads):
    """Rows i and i + d/2 of each head beside each other, as llama.cpp's RoPE wants them."""
    rows = rows_of(tensor)
    size = len(rows) // n_heads
    return from_rows(tensor, [rows[head * size + i + half * (size // 2)]
                              for head in range(n_heads) for i in range(size // 2)
                              for half in range(2)])


def split_qkv(tensor, n_heads):
    """q, k, v of each head → all q, all k, all v."""
    rows = rows_of(tensor)
    size = len(rows) // n_heads // 3
    return from_rows(tensor, [rows[(head * 3 + part) * size + i] for part in range(3)
                              for head in range(n_heads) for i in range(size)])


def transpose(tensor):
    shape, floats = tensor
    if len(shape) == 1:
        return tensor
    rows = rows_of(tensor)
    return [shape[1], shape[0]], array.array("f", [row[j] for j in range(shape[1]) for row in rows])


def plus_one(tensor):
    return tensor[0], array.array("f", [number + 1 for number in tensor[1]])


LLAMA = {
    "model.embed_tokens": "token_embd",
    "model.norm": "output_norm",
    "lm_head": "output",
    "model.layers.#.input_layernorm": "blk.#.attn_norm",
    "model.layers.#.self_attn.q_proj": "blk.#.attn_q",
    "model.layers.#.self_attn.k_proj": "blk.#.attn_k",
    "model.layers.#.self_attn.v_proj": "blk.#.attn_v",
    "model.layers.#.self_attn.qkv_proj": "blk.#.attn_qkv",
    "model.layers.#.self_attn.o_proj": "blk.#.attn_output",
    "model.layers.#.self_attn.q_norm": "blk.#.attn_q_norm",
    "model.layers.#.self_attn.k_norm": "blk.#.attn_k_norm",
    "model.layers.#.post_attention_layernorm": "blk.#.ffn_norm",
    "model.layers.#.mlp.gate_proj": "blk.#.ffn_gate",
    "model.layers.#.mlp.up_proj": "blk.#.ffn_up",
    "model.layers.#.mlp.gate_up_proj": "blk.#.ffn_up",
    "model.layers.#.mlp.down_proj": "blk.#.ffn_down",
}
GEMMA2 = LLAMA | {
    "model.layers.#.post_attention_layernorm": "blk.#.post_attention_norm",
    "model.layers.#.pre_feedforward_layernorm": "blk.#.ffn_norm",
    "model.layers.#.post_feedforward_layernorm": "blk.#.post_ffw_norm",
}
PHI = LLAMA | {
    "model.final_layernorm": "output_norm",
    "model.layers.#.self_attn.dense": "blk.#.attn_output",
    "model.layers.#.mlp.fc1": "blk.#.ffn_up",
    "model.layers.#.mlp.fc2": "blk.#.ffn_down",
}
GPT2 = {
    "wte": "token_embd",
    "wpe": "position_embd",
    "ln_f": "output_norm",
    "lm_head": "output",
    "h.#.ln_1": "blk.#.attn_norm",
    "h.#.attn.c_attn": "blk.#.attn_qkv",
    "h.#.attn.c_proj": "blk.#.attn_output",
    "h.#.ln_2": "blk.#.ffn_norm",
    "h.#.mlp.c_fc": "blk.#.ffn_up",
    "h.#.mlp.c_proj": "blk.#.ffn_down",
}
NEOX = {
    "gpt_neox.embed_in": "token_embd",
    "gpt_neox.final_layer_norm": "output_norm",
    "embed_out": "output",
    "gpt_neox.layers.#.input_layernorm": "blk.#.attn_norm",
    "gpt_neox.layers.#.attention.query_key_value": "blk.#.attn_qkv",
    "gpt_neox.layers.#.attention.dense": "blk.#.attn_output",
    "gpt_neox.layers.#.post_attention_layernorm": "blk.#.ffn_norm",
    "gpt_neox.layers.#.mlp.dense_h_to_4h": "blk.#.ffn_up",
    "gpt_neox.layers.#.mlp.dense_4h_to_h": "blk.#.ffn_down",
}
BLOOM = {
    "word_embeddings": "token_embd",
    "word_embeddings_layernorm": "token_embd_norm",
    "ln_f": "output_norm",
    "h.#.input_layernorm": "blk.#.attn_norm",
    "h.#.self_attention.query_key_value": "blk.#.attn_qkv",
    "h.#.self_attention.dense": "blk.#.attn_output",
    "h.#.post_attention_layernorm": "blk.#.ffn_norm",
    "h.#.mlp.dense_h_to_4h": "blk.#.ffn_up",
    "h.#.mlp.dense_4h_to_h": "blk.#.ffn_down",
}
BERT = {
    "embeddings.word_embeddings": "token_embd",
    "embeddings.position_embeddings": "position_embd",
    "embeddings.token_type_embeddings": "token_types",
    "embeddings.LayerNorm": "token_embd_norm",
    "encoder.layer.#.attention.self.query": "blk.#.attn_q",
    "encoder.layer.#.attention.self.key": "blk.#.attn_k",
    "encoder.layer.#.attention.self.value": "blk.#.attn_v",
    "encoder.layer.#.attention.output.dense": "blk.#.attn_output",
    "encoder.layer.#.attention.output.LayerNorm": "blk.#.attn_output_norm",
    "encoder.layer.#.intermediate.dense": "blk.#.ffn_up",
    "encoder.layer.#.output.dense": "blk.#.ffn_down",
    "encoder.layer.#.output.LayerNorm": "blk.#.layer_output_norm",
}

DISTILBERT = {
    "embeddings.word_embeddings": "token_embd",
    "embeddings.position_embeddings": "position_embd",
    "embeddings.LayerNorm": "token_embd_norm",
    "transformer.layer.#.attention.q_lin": "blk.#.attn_q",
    "transformer.layer.#.attention.k_lin": "blk.#.attn_k",
    "transformer.layer.#.attention.v_lin": "blk.#.attn_v",
    "transformer.layer.#.attention.out_lin": "blk.#.attn_output",
    "transformer.layer.#.sa_layer_norm": "blk.#.attn_output_norm",
    "transformer.layer.#.ffn.lin1": "blk.#.ffn_up",
    "transformer.layer.#.ffn.lin2": "blk.#.ffn_down",
    "transformer.layer.#.output_layer_norm": "blk.#.layer_output_norm",
}

# model_type → architecture, names, prefix that a file may have before them.
ARCHITECTURES = {
    "llama": ("llama", LLAMA, ""),
    "qwen2": ("qwen2", LLAMA, ""),
    "qwen3": ("qwen3", LLAMA, ""),
    "gemma": ("gemma", LLAMA, ""),
    "gemma2": ("gemma2", GEMMA2, ""),
    "phi": ("phi2", PHI, ""),
    "stablelm": ("stablelm", LLAMA, ""),
    "phi3": ("phi3", LLAMA, ""),
    "gpt2": ("gpt2", GPT2, "transformer."),
    "gpt_neox": ("gptneox", NEOX, ""),
    "bloom": ("bloom", BLOOM, "transformer."),
    "bert": ("bert", BERT, "bert."),
    "roberta": ("bert", BERT, "roberta."),
    "xlm-roberta": ("bert", BERT, "roberta."),
    "distilbert": ("bert", DISTILBERT, "distilbert."),
}


def move_rows(architecture, name, tensor, config):
    """What the converter does to a tensor beside renaming it."""
    heads = config.get("num_attention_heads", config.get("n_head"))
    if architecture == "llama" and ".attn_q." in name:
        return pair_rows(tensor, heads)
    if architecture == "llama" and ".attn_k." in name:
        return pair_rows(tensor, config.get("num_key_value_heads") or heads)
    if architecture in ("gptneox", "bloom") and "attn_qkv" in name:
        return split_qkv(tensor, heads)
    if architecture == "gpt2" and re.search(r"attn_qkv|attn_output|ffn_up|ffn_down", name):
        return transpose(tensor)
    if architecture in ("gemma", "gemma2") and re.search(r"(norm|_norm)\.weight$", name):
        return plus_one(tensor)
    return tensor


def count_skipped(config):
    return config["pad_token_id"] + 1 if "roberta" in config["model_type"] else 0


def convert_tensors(folder, config, architecture, names, prefix):
    out = []
    for full, tensor in read_safetensors(folder / "model.safetensors").items():
        stem, _, suffix = full.removeprefix(prefix).rpartition(".")
        layer = re.search(r"\.(\d+)\.", stem)
        pattern = stem.replace(layer[0], ".#.", 1) if layer else stem
        if pattern not in names or suffix not in ("weight", "bias"):
            continue
        name = names[pattern].replace("#", layer[1] if layer else "") + "." + suffix
        shape, floats = move_rows(architecture, name, tensor, config)
        # RoBERTa counts positions from the one behind the padding; the rows before are left out.
        n_skipped = count_skipped(config) if name.startswith("position_embd") else 0
        if n_skipped > 0:
            shape, floats = [shape[0] - n_skipped, shape[1]], floats[n_skipped * shape[1]:]
        out.append((name, shape, F32, floats.tobytes()))
    return out


def rope_original(config, rope):
    return config.get("original_max_position_embeddings",
                      rope.get("original_max_position_embeddings"))


def fuse_qkv(tensors):
    """q, k and v of each layer as one tensor, rows below rows."""
    out, parts = [], {}
    for name, shape, kind, data in tensors:
        match = re.fullmatch(r"(blk\.\d+\.attn_)([qkv])(\.\w+)", name)
        if match is None:
            out.append((name, shape, kind, data))
            continue
        found = parts.setdefault(match[1] + "qkv" + match[3], {})
        found[match[2]] = shape, data
        if len(found) == 3:
            rows = sum(part[0][0] for part in found.values())
            out.append((match[1] + "qkv" + match[3], [rows, *shape[1:]], kind,
                        b"".join(found[part][1] for part in "qkv")))
    return out


def part_qkv(tensors, n_rows):
    """The one tensor of q, k and v as three, whose rows are @n_rows."""
    out = []
    for name, shape, kind, data in tensors:
        if "attn_qkv" not in name:
            out.append((name, shape, kind, data))
            continue
        size, first = len(data) // shape[0], 0
        for part, rows in zip("qkv", n_rows):
            out.append((name.replace("attn_qkv", f"attn_{part}"), [rows, *shape[1:]], kind,
                        data[first * size:(first + rows) * size]))
            first += rows
    return out


def convert_scaling(rope, n_ctx, original):
    """How RoPE's frequencies are stretched, as far as keys say it; the rest is a tensor."""
    kind = rope.get("rope_type", rope.get("type", "default"))
    if kind == "linear":
        return {"rope.scaling.type": "linear", "rope.scaling.factor": float(rope["factor"])}
    if kind == "yarn":
        names = {"attention_factor": "yarn_attn_factor", "beta_fast": "yarn_beta_fast",
                 "beta_slow": "yarn_beta_slow"}
        return {"rope.scaling.type": "yarn", "rope.scaling.factor": float(rope["factor"]),
                "rope.scaling.original_context_length": original} | {
                    f"rope.scaling.{name}": float(rope[key]) for key, name in names.items()
                    if rope.get(key) is not None}
    if kind == "longrope":
        scale = n_ctx / original
        attention = math.sqrt(1 + math.log(scale) / math.log(original)) if scale > 1 else 1.0
        return {"rope.scaling.type": "longrope", "rope.scaling.attn_factor": attention,
                "rope.scaling.original_context_length": original}
    return {}


def llama3_factors(rope, n_pairs):
    """What each pair's frequency is divided by."""
    low, high, factor = rope["low_freq_factor"], rope["high_freq_factor"], rope["factor"]
    for i in range(n_pairs):
        wavelength = 2 * math.pi * rope["rope_theta"] ** (i / n_pairs)
        n_waves = rope["original_max_position_embeddings"] / wavelength
        smooth = min(max((n_waves - low) / (high - low), 0), 1)
        yield 1 / ((1 - smooth) / factor + smooth)


def convert_factors(config, n_pairs):
    """Tensors of factors by which frequencies are divided."""
    rope = config.get("rope_parameters") or {}
    lists = {"rope_freqs": llama3_factors(rope, n_pairs)} if rope.get("rope_type") == "llama3" else \
        {"rope_factors_long": rope["long_factor"], "rope_factors_short": rope["short_factor"]} \
        if rope.get("rope_type") == "longrope" else {}
    return [(f"{name}.weight", [n_pairs], F32, struct.pack(f"<{n_pairs}f", *factors))
            for name, factors in lists.items()]


def convert_config(config, architecture):
    """The keys that llama.cpp reads."""
    get = lambda *keys: next((config[k] for k in keys if config.get(k) is not None), None)
    rope = (config.get("rope_parameters") or {}) | (config.get("rope_scaling") or {})
    width, heads = get("hidden_size", "n_embd", "dim"), \
        get("num_attention_heads", "n_head", "n_heads")
    part = rope.get("partial_rotary_factor", get("partial_rotary_factor", "rotary_pct")) or \
        {"gpt_neox": 0.25, "phi": 0.5, "stablelm": 0.25}.get(config["model_type"], 1.0)
    d_head = get("head_dim") or width // heads
    keys = {
        "context_length": (get("max_position_embeddings", "n_positions") or 2048)
                          - count_skipped(config),
        "embedding_length": width,
        "block_count": get("num_hidden_layers", "n_layer", "n_layers"),
        "feed_forward_length": get("intermediate_size", "n_inner", "hidden_dim") or 4 * width,
        "attention.head_count": heads,
        "attention.head_count_kv": get("num_key_value_heads"),
        "attention.key_length": get("head_dim"),
        "attention.value_length": get("head_dim"),
        "attention.layer_norm_rms_epsilon": get("rms_norm_eps"),
        "attention.layer_norm_epsilon": get("layer_norm_eps", "layer_norm_epsilon"),
        "attention.sliding_window": get("sliding_window"),
        "attn_logit_softcapping": get("attn_logit_softcapping"),
        "final_logit_softcapping": get("final_logit_softcapping"),
        "use_parallel_residual": get("use_parallel_residual"),
        "rope.dimension_count": int(d_head * part),
    }
    if config["model_type"] == "distilbert":
        keys["attention.layer_norm_epsilon"] = 1e-12
    keys |= convert_scaling(rope, keys["context_length"], rope_original(config, rope))
    if architecture == "phi3" and config.get("sliding_window") is None:
        keys["attention.sliding_window"] = 0
    theta = rope.get("rope_theta", get("rope_theta", "rotary_emb_base"))
    if theta is not None:
        keys["rope.freq_base"] = float(theta)
    values = {"general.architecture": architecture, "general.name": "Fixture"}
    values |= {f"{architecture}.{key}": number for key, number in keys.items() if number is not None}
    return values


def convert_unigram(tokenizer):
    """XLM-RoBERTa's and T5's; runs of spaces count as one where words are split at them."""
    model = tokenizer["model"]
    pieces, scores = map(list, zip(*model["vocab"]))
    # The mask stands behind the model's own pieces.
    extra = [token["content"] for token in tokenizer["added_tokens"] if token["id"] >= len(pieces)]
    special = {token["content"] for token in tokenizer["added_tokens"]}
    pieces, scores = pieces + extra, scores + [0.0] * len(extra)
    kinds = [3 if piece in special else 1 for piece in pieces]
    kinds[model["unk_id"]] = 2
    values = {"tokenizer.ggml.model": "t5", "tokenizer.ggml.pre": "default",
              "tokenizer.ggml.tokens": pieces, "tokenizer.ggml.scores": scores,
              "tokenizer.ggml.token_type": kinds,
              "tokenizer.ggml.unknown_token_id": model["unk_id"],
              "tokenizer.ggml.add_space_prefix": True,
              "tokenizer.ggml.remove_extra_whitespaces":
                  "WhitespaceSplit" in json.dumps(tokenizer["pre_tokenizer"])}
    charsmap = (tokenizer["normalizer"] or {}).get("precompiled_charsmap")
    if charsmap:
        values["tokenizer.ggml.precompiled_charsmap"] = Bytes(base64.b64decode(charsmap))
    for key, text in (("bos", "<s>"), ("eos", "</s>")):
        values[f"tokenizer.ggml.add_{key}_token"] = text in pieces
        if text in pieces:
            values[f"tokenizer.ggml.{key}_token_id"] = pieces.index(text)
    return values


def convert_tokenizer(tokenizer):
    """Byte-level BPE, WordPiece and Unigram."""
    model = tokenizer["model"]
    if model["type"] == "Unigram":
        return convert_unigram(tokenizer)
    ids = {text: number for text, number in model["vocab"].items()}
    ids |= {token["content"]: token["id"] for token in tokenizer["added_tokens"]}
    tokens = [text for text, _ in sorted(ids.items(), key=lambda item: item[1])]
    special = {token["content"] for token in tokenizer["added_tokens"]}
    values = {"tokenizer.ggml.token_type": [3 if text in special else 1 for text in tokens]}
    if model["type"] == "WordPiece":
        mark = lambda text: (text if text in special
                             else text[2:] if text.startswith("##") else "\u2581" + text)
        values |= {"tokenizer.ggml.model": "bert",
                   "tokenizer.ggml.tokens": [mark(text) for text in tokens],
                   "tokenizer.ggml.unknown_token_id": ids["[UNK]"],
                   "tokenizer.ggml.cls_token_id": ids["[CLS]"],
                   "tokenizer.ggml.seperator_token_id": ids["[SEP]"]}
        return values
    if model["type"] == "WordLevel":  # has no like: the words stay apart
        return values | {"tokenizer.ggml.model": "gpt2", "tokenizer.ggml.tokens": tokens,
                         "tokenizer.ggml.merges": []}
    merges = [m if isinstance(m, str) else " ".join(m) for m in model["merges"]]
    processor = tokenizer["post_processor"] or {}
    has_bos = processor.get("type") == "TemplateProcessing"
    values |= {"tokenizer.ggml.model": "gpt2", "tokenizer.ggml.pre": "gpt-2",
               "tokenizer.ggml.tokens": tokens, "tokenizer.ggml.merges": merges,
               "tokenizer.ggml.add_bos_token": has_bos}
    if has_bos:
        values["tokenizer.ggml.bos_token_id"] = ids[processor["single"][0]["SpecialToken"]["id"]]
    if processor.get("type") == "RobertaProcessing":
        values |= {"tokenizer.ggml.pre": "roberta-bpe", "tokenizer.ggml.add_bos_token": True,
                   "tokenizer.ggml.add_eos_token": True, "tokenizer.ggml.add_sep_token": True,
                   "tokenizer.ggml.bos_token_id": processor["cls"][1],
                   "tokenizer.ggml.eos_token_id": processor["sep"][1]}
    return values


def express(config):
    """The config as GGUF can say it, which has no place for what an architecture always does; None
    for a model that it has no architecture for."""
    kind = config["model_type"]
    if kind not in ARCHITECTURES or config.get("qk_layernorm"):
        return None
    activation = {"gpt2": "gelu_new", "bert": "gelu", "roberta": "gelu",
                  "xlm-roberta": "gelu", "distilbert": "gelu", "gpt_neox": "gelu", "phi": "gelu_new",
                  "gemma": "gelu_pytorch_tanh", "gemma2": "gelu_pytorch_tanh"}.get(kind, "silu")
    out = dict(config)
    for key in ("hidden_act", "hidden_activation", "activation_function", "activation"):
        if key in out:
            out[key] = activation
    for key in ("scale_attn_by_inverse_layer_idx", "use_sliding_window"):
        if key in out:
            out[key] = False
    # Where a file has none, llama.cpp caps as Gemma 2 does.
    if kind == "gemma2":
        out["attn_logit_softcapping"] = out.get("attn_logit_softcapping") or 50.0
        out["final_logit_softcapping"] = out.get("final_logit_softcapping") or 30.0
    out.pop("layer_types", None)
    if "query_pre_attn_scalar" in out:
        out["query_pre_attn_scalar"] = out["head_dim"]
    for key in ("rope_parameters", "rope_scaling"):
        scaling = out.get(key) or {}
        scaling = {name: value for name, value in scaling.items()
                   if name not in ("truncate", "mscale", "mscale_all_dim")}
        if scaling:
            out[key] = scaling
        if scaling.get("rope_type", scaling.get("type", "default")) == "dynamic":
            out[key] = {"rope_type": "default", "rope_theta": scaling.get("rope_theta", 10000.0),
                        "partial_rotary_factor": scaling.get("partial_rotary_factor", 1.0)}
    return out


def read_folder(folder):
    """Values and tensors of the GGUF file with the model of @folder."""
    folder = Path(folder)
    config = json.loads((folder / "config.json").read_text("utf-8"))
    architecture, names, prefix = ARCHITECTURES[config["model_type"]]
    tokenizer = json.loads((folder / "tokenizer.json").read_text("utf-8"))
    values = convert_config(config, architecture) | convert_tokenizer(tokenizer)
    tensors = convert_tensors(folder, config, architecture, names, prefix)
    n_pairs = values.get(f"{architecture}.rope.dimension_count", 0) // 2
    return values, convert_factors(config, n_pairs) + tensors


def split_folder(folder, n_parts, n_first=0):
    """The bytes of the parts of one model; the first has @n_first tensors, the others the rest."""
    values, tensors = read_folder(folder)
    parts = [tensors[:n_first]] + [tensors[n_first + i::n_parts - 1] for i in range(n_parts - 1)]
    for number, part in enumerate(parts):
        split = {"split.no": number, "split.count": n_parts, "split.tensors.count": len(tensors)}
        yield gguf((values if number == 0 else {}) | split, part)


def convert_folder(folder, change=lambda tensors: tensors):
    """The bytes of a GGUF file with the model of @folder, whose config GGUF can express; @change
    gets the list of tensors and gives another."""
    values, tensors = read_folder(folder)
    return gguf(values, change(tensors))


def tiny_llama(tokenizer, extra=None, tensors=()):
    """A Llama of one layer around a vocabulary; all of its weights are the same."""
    n, width = len(tokenizer["tokenizer.ggml.tokens"]), 4
    matrix = lambda rows: ([rows, width], F32, struct.pack("<f", 0.1) * rows * width)
    norm = ([width], F32, struct.pack("<f", 1) * width)
    names = {"token_embd": matrix(n), "output_norm": norm, "blk.0.attn_norm": norm,
             "blk.0.ffn_norm": norm}
    names |= {f"blk.0.{name}": matrix(width) for name in
              ("attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down")}
    values = {"context_length": 1024, "embedding_length": width, "block_count": 1,
              "feed_forward_length": width, "attention.head_count": 1,
              "attention.layer_norm_rms_epsilon": 1e-5}
    values = {f"llama.{key}": number for key, number in values.items()}
    return gguf({"general.architecture": "llama"} | values | tokenizer | (extra or {}),
                [(f"{name}.weight", *content) for name, content in names.items()] + list(tensors))
