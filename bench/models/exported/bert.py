"""BERT with open dimensions, as optimum exports it: embeddings, an additive mask, a pooler."""

import math

import numpy

from network import Network
import transformer

WIDTH, HEADS, VOCABULARY = 768, 12, 8192


def embed(network, ids, types):
    tokens = transformer.read_extents(network, ids, [1])[0]
    words = network.add("Gather", network.weight([VOCABULARY, WIDTH], 1.0), ids)
    kinds = network.add("Gather", network.weight([2, WIDTH], 0.3), types)
    positions = network.add("Slice", numpy.arange(512, dtype=numpy.int64)[None], [0], tokens, [1])
    places = network.add("Gather", network.weight([512, WIDTH], 0.3), positions)
    total = network.add("Add", network.add("Add", words, kinds), places)
    return transformer.normalize(network, total, WIDTH)


def make_mask(network, mask):
    """0 for tokens that count, the lowest float for others."""
    wide = network.add("Unsqueeze", network.add("Unsqueeze", mask, [1]), [2])
    inverse = network.add("Sub", 1.0, network.add("Cast", wide, to=1))
    return network.add("Mul", inverse, float(numpy.finfo(numpy.float32).min))


def add_layer(network, hidden, mask):
    with network.scope("attention"):
        parts = [transformer.project(network, hidden, WIDTH, WIDTH) for _ in range(3)]
        leading = transformer.read_extents(network, parts[0], [0, 1])
        context = transformer.attend(network, *parts, (leading, leading), HEADS, WIDTH, mask)
        attended = transformer.project(network, context, WIDTH, WIDTH)
        hidden = transformer.normalize(network, network.add("Add", attended, hidden), WIDTH)
    with network.scope("mlp"):
        inner = transformer.gelu(network, transformer.project(network, hidden, WIDTH, 4 * WIDTH))
        outer = transformer.project(network, inner, 4 * WIDTH, WIDTH)
        return transformer.normalize(network, network.add("Add", outer, hidden), WIDTH)


def make_bert(layers=3, tokens=128, batch=1):
    network = Network(operator_set=14)
    dims = ["batch_size", "sequence_length"]
    ids = network.input("input_ids", network.generator.integers(0, VOCABULARY, (batch, tokens)),
                        dims)
    mask = network.input("attention_mask", numpy.ones((batch, tokens), numpy.int64), dims)
    types = network.input("token_type_ids", numpy.zeros((batch, tokens), numpy.int64), dims)
    hidden = embed(network, ids, types)
    added = make_mask(network, mask)
    for layer in range(layers):
        with network.scope(f"layer.{layer}"):
            hidden = add_layer(network, hidden, added)
    with network.scope("pooler"):
        first = network.add("Gather", hidden, numpy.int64(0), axis=1)
        pooled = network.add("Tanh", network.add(
            "Gemm", first, network.weight([WIDTH, WIDTH], 1 / math.sqrt(WIDTH)),
            network.weight([WIDTH], 0.05, name="bias"), transB=1))
    network.output("last_hidden_state", hidden, [*dims, WIDTH])
    network.output("pooler_output", pooled, [dims[0], WIDTH])
    return network
