"""GPT-2 as optimum exports it: a prompt, and one step with the keys and values of those before."""

import math

import numpy

from network import Network
import transformer

WIDTH, HEADS, VOCABULARY, POSITIONS = 768, 12, 4096, 1024
SIZE = WIDTH // HEADS
LOWEST = numpy.finfo(numpy.float32).min


def add_past(network, layer, past):
    """The inputs with keys and values of tokens before."""
    shape = (1, HEADS, past, SIZE)
    dims = ["batch_size", HEADS, "past_sequence_length", SIZE]
    return [network.input(f"past_key_values.{layer}.{kind}", network.draw(shape, 1.0), dims)
            for kind in ("key", "value")]


def mask_future(network, scores, query, key):
    """Where over a part of the triangle that the model keeps for all positions."""
    tokens = transformer.read_extents(network, query, [2])[0]
    known = transformer.read_extents(network, key, [2])[0]
    triangle = numpy.tril(numpy.ones((POSITIONS, POSITIONS), bool))[None, None]
    rows = network.add("Slice", network.keep(triangle, "bias"), network.add("Sub", known, tokens),
                       known, [2])
    part = network.add("Slice", rows, [0], known, [3])
    return network.add("Where", part, scores, numpy.float32(LOWEST))


def attend(network, hidden, leading, past, mask):
    """The context, and the keys and values for the next step."""
    wide = transformer.view(network, hidden, [*leading, WIDTH])
    joint = transformer.project_rows(network, wide, WIDTH, 3 * WIDTH, network.add(
        "Concat", *leading, network.constant([3 * WIDTH]), axis=0))
    parts = network.add("Split", joint, [WIDTH] * 3, outputs=3, axis=2)
    query, key, value = (
        network.add("Transpose", transformer.view(network, part, [*leading, HEADS, SIZE]),
                    perm=[0, 2, 1, 3]) for part in parts)
    if past is not None:
        key = network.add("Concat", past[0], key, axis=-2)
        value = network.add("Concat", past[1], value, axis=-2)
    scores = network.add("MatMul", query, network.add("Transpose", key, perm=[0, 1, 3, 2]))
    scores = network.add("Div", scores, math.sqrt(SIZE))
    scores = network.add("Add", mask_future(network, scores, query, key), mask)
    context = network.add("MatMul", network.add("Softmax", scores, axis=-1), value)
    context = network.add("Transpose", context, perm=[0, 2, 1, 3])
    return transformer.view(network, context, [*leading, WIDTH]), key, value


def add_layer(network, hidden, past, mask):
    leading = transformer.read_extents(network, hidden, [0, 1])
    same = network.add("Concat", *leading, network.constant([WIDTH]), axis=0)
    inner = network.add("Concat", *leading, network.constant([4 * WIDTH]), axis=0)
    with network.scope("attn"):
        normalized = transformer.normalize(network, hidden, WIDTH, 1e-5)
        context, key, value = attend(network, normalized, leading, past, mask)
        hidden = network.add("Add", transformer.project_rows(
            network, context, WIDTH, WIDTH, same), hidden)
    with network.scope("mlp"):
        normalized = transformer.normalize(network, hidden, WIDTH, 1e-5)
        wide = transformer.gelu_by_tanh(network, transformer.project_rows(
            network, normalized, WIDTH, 4 * WIDTH, inner))
        hidden = network.add("Add", hidden, transformer.project_rows(
            network, wide, 4 * WIDTH, WIDTH, same))
    return hidden, key, value


def make_gpt2(tokens, past, layers=3):
    """With past 0 the model has no inputs for it."""
    network = Network(operator_set=13)
    ids = network.input("input_ids", network.generator.integers(0, VOCABULARY, (1, tokens)),
                        ["batch_size", "sequence_length"])
    mask = network.input("attention_mask", numpy.ones((1, past + tokens), numpy.int64),
                         ["batch_size", "past_sequence_length + 1"])
    positions = network.input("position_ids", numpy.arange(past, past + tokens)[None],
                              ["batch_size", "sequence_length"])
    pasts = [add_past(network, layer, past) if past else None for layer in range(layers)]
    table = network.draw((VOCABULARY, WIDTH), 1.0)
    hidden = network.add("Add", network.add("Gather", network.keep(table), ids),
                         network.add("Gather", network.weight([POSITIONS, WIDTH], 0.3), positions))
    wide = network.add("Unsqueeze", network.add("Unsqueeze", mask, [1]), [2])
    added = network.add("Mul", network.add("Sub", 1.0, network.add("Cast", wide, to=1)),
                        float(LOWEST))
    presents = []
    for layer in range(layers):
        with network.scope(f"h.{layer}"):
            hidden, *present = add_layer(network, hidden, pasts[layer], added)
            presents.append(present)
    hidden = transformer.normalize(network, hidden, WIDTH, 1e-5)
    logits = network.add("MatMul", hidden, network.keep(table.T / math.sqrt(WIDTH), "lm_head"))
    network.output("logits", logits, ["batch_size", "sequence_length", VOCABULARY])
    dims = ["batch_size", HEADS, "past_sequence_length + sequence_length", SIZE]
    for layer, (key, value) in enumerate(presents):
        network.output(f"present.{layer}.key", key, dims)
        network.output(f"present.{layer}.value", value, dims)
    return network
