"""Whisper behind ONNX Runtime's optimiser: its encoder, and a step of its decoder."""

import numpy

import fused
from network import Network
from whisper import BINS, FRAMES, HEADS, WIDTH, convolve_line

SIZE, VOCABULARY, POSITIONS, EPSILON = WIDTH // HEADS, 8192, 448, 1e-5


def attend(network, query, key, value, *behind, **how):
    return network.add_microsoft("MultiHeadAttention", query, key, value,
                                 fused.bias(network, 3 * WIDTH), *behind, num_heads=HEADS, **how)


def attend_to_itself(network, hidden, *past, **how):
    parts = [fused.project(network, hidden, WIDTH, WIDTH) for _ in range(3)]
    return attend(network, *parts, *past, **how)


def normalize(network, value):
    return network.add("LayerNormalization", value, *fused.scale_and_shift(network, WIDTH), axis=-1,
                       epsilon=EPSILON)


def normalize_product(network, value, total):
    """A product, whose bias and sum the norm behind it adds."""
    return fused.normalize_sum(network, fused.project(network, value, WIDTH, WIDTH), total, WIDTH,
                               EPSILON, True)


def normalize_mlp(network, hidden, total):
    return fused.normalize_sum(network, fused.add_mlp(network, hidden, WIDTH, "BiasGelu"), total,
                               WIDTH, EPSILON, True)


def make_whisper_encoder(layers=2):
    network = Network(operator_set=17)
    features = network.input("input_features", network.draw((1, BINS, FRAMES), 1.0),
                             ["batch_size", BINS, FRAMES])
    value = convolve_line(network, convolve_line(network, features, BINS, 1), WIDTH, 2)
    tokens = FRAMES // 2
    total = network.add("Add", network.add("Transpose", value, perm=[0, 2, 1]),
                        network.weight([tokens, WIDTH], 0.5, name="embed_positions"))
    hidden = normalize(network, total)
    for layer in range(layers):
        with network.scope(f"layers.{layer}"):
            context = attend_to_itself(network, hidden)
            hidden, total = normalize_product(network, context, total)
            hidden, total = normalize_mlp(network, hidden, total)
    network.output("last_hidden_state", hidden, ["batch_size", tokens, WIDTH])
    return network


def add_past(network, layer, kind, count, extent):
    dims = ["batch_size", HEADS, extent, SIZE]
    return [network.input(f"past_{part}_{kind}_{layer}",
                          network.draw((1, HEADS, count, SIZE), 1.0), dims)
            for part in ("key", "value")]


def make_whisper_step(past=32, layers=4):
    """One token, with the keys and values of those before and of the encoder."""
    network = Network(operator_set=17)
    dims = ["batch_size", "sequence_length"]
    ids = network.input("input_ids", numpy.int32([[50]]), dims)
    table = network.draw((VOCABULARY, WIDTH), 1.0)
    place = network.add("Slice", network.weight([POSITIONS, WIDTH], 0.5), [past], [past + 1], [0])
    total = network.add("Add", network.add("Gather", network.keep(table), ids), place)
    hidden, presents = normalize(network, total), []
    for layer in range(layers):
        with network.scope(f"layers.{layer}"):
            kept = add_past(network, layer, "self", past, "past_sequence_length")
            context, *present = attend_to_itself(network, hidden, "", "", *kept, outputs=3,
                                                 unidirectional=1)
            hidden, total = normalize_product(network, context, total)
            crossed = attend(network, fused.project(network, hidden, WIDTH, WIDTH),
                             *add_past(network, layer, "cross", FRAMES // 2, FRAMES // 2))
            hidden, total = normalize_product(network, crossed, total)
            hidden, total = normalize_mlp(network, hidden, total)
            presents.append(present)
    network.output("logits", network.add("MatMul", hidden, network.keep(table.T.copy(), "lm_head")),
                   [*dims, VOCABULARY])
    for layer, present in enumerate(presents):
        for part, value in zip(("key", "value"), present):
            network.output(f"present_{part}_self_{layer}", value,
                           ["batch_size", HEADS, "total_sequence_length", SIZE])
    return network
