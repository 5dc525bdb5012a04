# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The Attnscope developers
"""Writes a checkpoint as a JSON model file: GPT-2's tensor names and layout, base64 float16.

GPT-2 stores Linear weights as [in, out], PyTorch as [out, in], and it keeps q, k and v in one
matrix; so they are transposed and joined here. The card's texts and the examples come from
NAME.meta.json beside this script.
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


def encode(tensor):
    values = tensor.contiguous().to(torch.float16)
    assert torch.isfinite(values).all()
    data = values.numpy().astype("<f2").tobytes()
    return {"dtype": "F16", "shape": list(tensor.shape), "data": base64.b64encode(data).decode()}


def model_file(checkpoint, tokenizer, meta):
    tensors = gpt2_tensors(checkpoint["model"], checkpoint["shape"]["n_layer"])
    return {
        "format": "attnscope-model",
        "version": 1,
        **{key: meta[key] for key in ("name", "description", "license", "source")},
        "config": gpt2_config(checkpoint["shape"]),
        "tokenizer": tokenizer,
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
    parser.add_argument("name")
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("-o", "--output", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    checkpoint = torch.load(arguments.work / f"{arguments.name}.pt", weights_only=False)
    tokenizer = json.loads((arguments.work / "tokenizer.json").read_text(encoding="utf-8"))
    meta = json.loads(
        (pathlib.Path(__file__).parent / f"{arguments.name}.meta.json").read_text(encoding="utf-8")
    )
    write(model_file(checkpoint, tokenizer, meta), arguments.output)
    print(
        f"{arguments.output}: step {checkpoint['step']}, {arguments.output.stat().st_size:,} bytes"
    )


if __name__ == "__main__":
    main()
