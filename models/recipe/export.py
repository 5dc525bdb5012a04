# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The Attnscope developers
"""Writes a checkpoint as a JSON model file: Hugging Face's tensor names and layout, base64 float16.

GPT-2 stores Linear weights as [in, out], PyTorch as [out, in], and it keeps q, k and v in one
matrix; so they are transposed and joined here. BERT stores them as PyTorch does. The card's texts
and the examples come from NAME.meta.json beside this script.
"""

import argparse
import base64
import json
import pathlib

import torch

LAYER_NORMS = ("ln_1", "ln_2")


def gpt2_tensors(state, n_layer):
    tensors = {"wte.weight": state["token.weight"], "wpe.weight": state["position.weight"]}
    for i in range(n_layer):
        block, h = f"blocks.{i}.", f"h.{i}."
        for norm in LAYER_NORMS:
            tensors[f"{h}{norm}.weight"] = state[f"{block}{norm}.weight"]
            tensors[f"{h}{norm}.bias"] = state[f"{block}{norm}.bias"]
        qkv = [f"{block}attn.{x}." for x in "qkv"]
        tensors[f"{h}attn.c_attn.weight"] = torch.cat([state[x + "weight"].T for x in qkv], 1)
        tensors[f"{h}attn.c_attn.bias"] = torch.cat([state[x + "bias"] for x in qkv])
        for ours, theirs in (
            ("attn.out", "attn.c_proj"),
            ("fc", "mlp.c_fc"),
            ("proj", "mlp.c_proj"),
        ):
            tensors[f"{h}{theirs}.weight"] = state[f"{block}{ours}.weight"].T
            tensors[f"{h}{theirs}.bias"] = state[f"{block}{ours}.bias"]
    tensors["ln_f.weight"], tensors["ln_f.bias"] = state["ln_f.weight"], state["ln_f.bias"]
    tensors["lm_head.weight"] = state["head"]
    return tensors


def gpt2_config(shape):
    return {
        "architectures": ["GPT2LMHeadModel"],
        "model_type": "gpt2",
        "vocab_size": shape["vocab_size"],
        "n_positions": shape["n_ctx"],
        "n_embd": shape["d_model"],
        "n_layer": shape["n_layer"],
        "n_head": shape["n_head"],
        "n_inner": 4 * shape["d_model"],
        "activation_function": "gelu_new",
        "layer_norm_epsilon": 1e-5,
        "scale_attn_weights": True,
        "tie_word_embeddings": False,
        "bos_token_id": 0,
        "eos_token_id": 0,
    }


BERT_BLOCK = {
    "attn.q": "attention.self.query",
    "attn.k": "attention.self.key",
    "attn.v": "attention.self.value",
    "attn.out": "attention.output.dense",
    "ln_1": "attention.output.LayerNorm",
    "fc": "intermediate.dense",
    "proj": "output.dense",
    "ln_2": "output.LayerNorm",
}


def bert_tensors(state, n_layer):
    embeddings, head = "bert.embeddings.", "cls.predictions."
    tensors = {
        embeddings + "word_embeddings.weight": state["token.weight"],
        embeddings + "position_embeddings.weight": state["position.weight"],
        embeddings + "token_type_embeddings.weight": state["segment.weight"],
    }
    modules = {"ln_e": embeddings + "LayerNorm"}
    for i in range(n_layer):
        for ours, theirs in BERT_BLOCK.items():
            modules[f"blocks.{i}.{ours}"] = f"bert.encoder.layer.{i}.{theirs}"
    modules |= {"dense": head + "transform.dense", "ln_head": head + "transform.LayerNorm"}
    for ours, theirs in modules.items():
        tensors[theirs + ".weight"] = state[ours + ".weight"]
        tensors[theirs + ".bias"] = state[ours + ".bias"]
    tensors[head + "bias"] = state["bias"]
    return tensors


def bert_config(shape):
    return {
        "architectures": ["BertForMaskedLM"],
        "model_type": "bert",
        "vocab_size": shape["vocab_size"],
        "hidden_size": shape["d_model"],
        "num_hidden_layers": shape["n_layer"],
        "num_attention_heads": shape["n_head"],
        "intermediate_size": 4 * shape["d_model"],
        "hidden_act": "gelu",
        "max_position_embeddings": shape["n_ctx"],
        "type_vocab_size": 2,
        "layer_norm_eps": 1e-5,
        "pad_token_id": 0,
        "tie_word_embeddings": True,
    }


# What writes the tensors and the config, and the file of the tokenizer.
GPT2 = gpt2_tensors, gpt2_config, "tokenizer.json"
BERT = bert_tensors, bert_config, "wordpiece.json"
FAMILIES = {"english-small": GPT2, "chinese-poems": GPT2, "english-masked": BERT}


def encode(tensor):
    values = tensor.contiguous().to(torch.float16)
    assert torch.isfinite(values).all()
    data = values.numpy().astype("<f2").tobytes()
    return {"dtype": "F16", "shape": list(tensor.shape), "data": base64.b64encode(data).decode()}


def model_file(checkpoint, folder, meta):
    name_tensors, config, tokenizer = FAMILIES[meta["name"]]
    tensors = name_tensors(checkpoint["model"], checkpoint["shape"]["n_layer"])
    return {
        "format": "attnscope-model",
        "version": 1,
        **{key: meta[key] for key in ("name", "description", "license", "source")},
        "config": config(checkpoint["shape"]),
        "tokenizer": json.loads((folder / tokenizer).read_text(encoding="utf-8")),
        "examples": meta["examples"],
        "tensors": {name: encode(t) for name, t in tensors.items()},
    }


def write(model, path):
    """Readable at the top: one line for each tensor, the tokenizer on one line."""
    lines = []
    for key, value in model.items():
        if key == "tensors":
            tensors = ",\n".join(f"    {json.dumps(n)}: {json.dumps(t)}" for n, t in value.items())
            text = "{\n" + tensors + "\n  }"
        else:
            compact = key == "tokenizer"
            text = json.dumps(value, ensure_ascii=False, indent=None if compact else 2).replace(
                "\n", "\n  "
            )
        lines.append(f"  {json.dumps(key)}: {text}")
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("name", choices=FAMILIES)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("-o", "--output", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    checkpoint = torch.load(arguments.work / f"{arguments.name}.pt", weights_only=False)
    meta = json.loads(
        (pathlib.Path(__file__).parent / f"{arguments.name}.meta.json").read_text(encoding="utf-8")
    )
    write(model_file(checkpoint, arguments.work, meta), arguments.output)
    print(
        f"{arguments.output}: step {checkpoint['step']}, {arguments.output.stat().st_size:,} bytes"
    )


if __name__ == "__main__":
    main()
