"""A Llama in the operators that ONNX has for it since set 23."""

import math

import numpy

from llama import HEADS, KEY_HEADS, SIZE, VOCABULARY, WIDTH
from llama_fused import EPSILON, add_mlp, keep_rotation, project
from network import Network

BOOL = 9


def normalize(network, value):
    return network.add("RMSNormalization", value, network.weight([WIDTH], 0.1, 1.0), axis=-1,
                       epsilon=EPSILON)


def make_mask(network, mask, positions):
    """True where a query may see a key: not after it, and no padding."""
    extent = network.add("Gather", network.add("Shape", mask), numpy.int64(1), axis=0)
    keys = network.add("Range", numpy.int64(0), extent, numpy.int64(1))
    seen = network.add("LessOrEqual", network.add("Unsqueeze", keys, [0, 1, 2]),
                       network.add("Unsqueeze", positions, [1, 3]))
    kept = network.add("Unsqueeze", network.add("Cast", mask, to=BOOL), [1, 2])
    return network.add("And", seen, kept)


def split_heads(network, hidden, heads):
    parts = network.add("Reshape", project(network, hidden, WIDTH, heads * SIZE),
                        [0, -1, heads, SIZE])
    return network.add("Transpose", parts, perm=[0, 2, 1, 3])


def attend(network, hidden, positions, rotation, past, mask):
    query, key, value = (split_heads(network, hidden, heads)
                         for heads in (HEADS, KEY_HEADS, KEY_HEADS))
    query, key = (network.add("RotaryEmbedding", part, *rotation, positions)
                  for part in (query, key))
    context, *present = network.add("Attention", query, key, value, mask, *past, outputs=3,
                                    scale=1 / math.sqrt(SIZE))
    context = network.add("Transpose", context, perm=[0, 2, 1, 3])
    context = network.add("Reshape", context, [0, -1, HEADS * SIZE])
    return project(network, context, HEADS * SIZE, WIDTH), present


def make_llama_attention(tokens, past, layers=4):
    network = Network(operator_set=23)
    words = network.generator.integers(0, VOCABULARY, (1, tokens))
    ids = network.input("input_ids", words, ["batch_size", "sequence_length"])
    mask = network.input("attention_mask", numpy.ones((1, past + tokens), numpy.int64),
                         ["batch_size", "total_sequence_length"])
    positions = network.input("position_ids", numpy.arange(past, past + tokens)[None],
                              ["batch_size", "sequence_length"])
    dims = ["batch_size", KEY_HEADS, "past_sequence_length", SIZE]
    hidden = network.add("Gather", network.weight([VOCABULARY, WIDTH], 1.0), ids)
    seen, rotation = make_mask(network, mask, positions), keep_rotation(network)
    presents = []
    for layer in range(layers):
        with network.scope(f"layers.{layer}"):
            kept = [network.input(f"past_key_values.{layer}.{kind}",
                                  network.draw((1, KEY_HEADS, past, SIZE), 1.0), dims)
                    for kind in ("key", "value")]
            added, present = attend(network, normalize(network, hidden), positions, rotation, kept,
                                    seen)
            hidden = network.add("Add", hidden, added)
            hidden = network.add("Add", hidden, add_mlp(network, normalize(network, hidden)))
            presents.append(present)
    network.output("logits", project(network, normalize(network, hidden), WIDTH, VOCABULARY),
                   ["batch_size", "sequence_length", VOCABULARY])
    dims = [*dims[:2], "total_sequence_length", SIZE]
    for layer, (key, value) in enumerate(presents):
        network.output(f"present.{layer}.key", key, dims)
        network.output(f"present.{layer}.value", value, dims)
    return network
