"""Whisper's decoder as one graph: a Loop makes tokens and carries keys and values."""

import math

import numpy

from network import Network
import transformer
from whisper import FRAMES, HEADS, WIDTH

SIZE, VOCABULARY, POSITIONS = WIDTH // HEADS, 8192, 448
INT64, BOOL, FLOAT = 7, 9, 1
START, END = 50, 51


def split_heads(network, value):
    return network.add("Transpose", network.add("Reshape", value, [1, -1, HEADS, SIZE]),
                       perm=[0, 2, 1, 3])


def attend(network, hidden, keys, values):
    """Queries of the hidden state, and a projection behind."""
    query = split_heads(network, transformer.project(network, hidden, WIDTH, WIDTH))
    query = network.add("Mul", query, 1 / math.sqrt(SIZE))
    scores = network.add("MatMul", query, network.add("Transpose", keys, perm=[0, 1, 3, 2]))
    context = network.add("MatMul", network.add("Softmax", scores, axis=-1), values)
    context = network.add("Transpose", context, perm=[0, 2, 1, 3])
    context = network.add("Reshape", context, [1, -1, WIDTH])
    return transformer.project(network, context, WIDTH, WIDTH)


def make_keys_and_values(network, value):
    return [split_heads(network, transformer.project(network, value, WIDTH, WIDTH, has_bias))
            for has_bias in (False, True)]


def add_layer(network, hidden, past, crossed):
    """The hidden state, and the keys and values with those of this token."""
    normalized = transformer.normalize(network, hidden, WIDTH, 1e-5)
    present = [network.add("Concat", before, new, axis=2)
               for before, new in zip(past, make_keys_and_values(network, normalized))]
    hidden = network.add("Add", hidden, attend(network, normalized, *present))
    normalized = transformer.normalize(network, hidden, WIDTH, 1e-5)
    hidden = network.add("Add", hidden, attend(network, normalized, *crossed))
    normalized = transformer.normalize(network, hidden, WIDTH, 1e-5)
    inner = transformer.gelu(network, transformer.project(network, normalized, WIDTH, 4 * WIDTH))
    outer = transformer.project(network, inner, 4 * WIDTH, WIDTH)
    return network.add("Add", hidden, outer), present


def make_step(network, crossed, table, places):
    """The body of the loop."""
    def make(round_index, _, token, *pasts):
        place = network.add("Gather", places, network.add("Unsqueeze", round_index, [0]), axis=0)
        hidden = network.add("Add", network.add("Gather", table, token), place)
        presents = []
        for layer, keys_and_values in enumerate(crossed):
            with network.scope(f"layers.{layer}"):
                past = pasts[2 * layer:2 * layer + 2]
                hidden, present = add_layer(network, hidden, past, keys_and_values)
                presents += present
        hidden = transformer.normalize(network, hidden, WIDTH, 1e-5)
        logits = network.add("MatMul", hidden, network.add("Transpose", table, perm=[1, 0]))
        best = network.add("ArgMax", logits, axis=-1, keepdims=0)
        goes_on = network.add("Not", network.add("Equal", best, numpy.int64([[END]])))
        goes_on = network.add("Squeeze", goes_on)
        grown = (FLOAT, [1, HEADS, None, SIZE])
        return [(goes_on, BOOL, []), (network.add("Identity", best), INT64, [1, 1]),
                *((value, *grown) for value in presents),
                (network.add("Squeeze", best, [0]), INT64, [1])]
    return make


def make_whisper_loop(layers=2):
    """The number of rounds is an input."""
    network = Network(operator_set=17)
    rounds = network.input("max_length", numpy.int64([16]))
    encoded = network.input("encoder_hidden_states", network.draw((1, FRAMES // 2, WIDTH), 1.0))
    table = network.weight([VOCABULARY, WIDTH], 1.0)
    places = network.weight([POSITIONS, WIDTH], 0.5, name="embed_positions")
    crossed = [make_keys_and_values(network, encoded) for _ in range(layers)]
    grown = (FLOAT, [1, HEADS, None, SIZE])
    pasts = [(f"past_{index}", *grown) for index in range(2 * layers)]
    body = network.graph("body", [("round", INT64, []), ("goes_on", BOOL, []),
                                  ("token", INT64, [1, 1]), *pasts],
                         make_step(network, crossed, table, places))
    nothing = network.constant(numpy.zeros((1, HEADS, 0, SIZE), numpy.float32))
    results = network.add("Loop", network.add("Squeeze", rounds), numpy.bool_(True),
                          numpy.int64([[START]]), *[nothing] * len(pasts), body=body,
                          outputs=2 + len(pasts))
    tokens = network.add("Transpose", results[-1], perm=[1, 0])
    network.output("sequences", tokens, [1, None], INT64)
    network.output("keys", network.add("Identity", results[1]), [1, HEADS, None, SIZE])
    return network
