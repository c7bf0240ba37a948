"""GPT-2 behind ONNX Runtime's optimiser: keys and values of a layer are one tensor."""

import math

import numpy

import fused
from gpt2 import HEADS, POSITIONS, SIZE, VOCABULARY, WIDTH
from network import Network

INT32, EPSILON = 6, 1e-5


def add_layers(network, hidden, mask, pasts):
    """The normalised end of all layers, with the keys and values for the next step."""
    total, presents = hidden, []
    normalized = network.add("LayerNormalization", hidden, *fused.scale_and_shift(network, WIDTH),
                             axis=-1, epsilon=EPSILON)
    for layer, past in enumerate(pasts):
        with network.scope(f"h.{layer}"):
            context, present = network.add_microsoft(
                "Attention", normalized,
                network.weight([WIDTH, 3 * WIDTH], 1 / math.sqrt(WIDTH)),
                fused.bias(network, 3 * WIDTH), mask, past, outputs=2, num_heads=HEADS,
                unidirectional=1)
            attended = fused.project(network, context, WIDTH, WIDTH)
            normalized, total = fused.normalize_sum(network, attended, total, WIDTH, EPSILON, True)
            outer = fused.add_mlp(network, normalized, WIDTH, "FastGelu")
            normalized, total = fused.normalize_sum(network, outer, total, WIDTH, EPSILON, True)
            presents.append(present)
    return normalized, presents


def make_gpt2_fused(tokens, past, layers=4):
    network = Network(operator_set=17)
    dims = ["batch_size", "sequence_length"]
    ids = network.input("input_ids", network.generator.integers(0, VOCABULARY, (1, tokens)), dims)
    positions = network.input("position_ids", numpy.arange(past, past + tokens)[None], dims)
    mask = network.input("attention_mask", numpy.ones((1, past + tokens), numpy.int64),
                         ["batch_size", "total_sequence_length"])
    of_past = [2, "batch_size", HEADS, "past_sequence_length", SIZE]
    pasts = [network.input(f"past_{layer}", network.draw((2, 1, HEADS, past, SIZE), 1.0), of_past)
             for layer in range(layers)]
    table = network.draw((VOCABULARY, WIDTH), 1.0)
    hidden = network.add("Add", network.add("Gather", network.keep(table), ids),
                         network.add("Gather", network.weight([POSITIONS, WIDTH], 0.3), positions))
    counts = network.add("Cast", mask, to=INT32)
    normalized, presents = add_layers(network, hidden, counts, pasts)
    logits = network.add("MatMul", normalized, network.keep(table.T / math.sqrt(WIDTH), "lm_head"))
    network.output("logits", logits, [*dims, VOCABULARY])
    for layer, present in enumerate(presents):
        network.output(f"present_{layer}", present,
                       [*of_past[:3], "total_sequence_length", SIZE])
    return network
