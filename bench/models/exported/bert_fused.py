"""BERT behind ONNX Runtime's optimiser of transformers."""

import math

import numpy

from bert import HEADS, VOCABULARY, WIDTH
import fused
from network import Network

INT32, EPSILON = 6, 1e-12


def embed(network, ids, types, mask):
    """The sum of three rows for each token, and how many tokens count."""
    narrow = [network.add("Cast", value, to=INT32) for value in (ids, types)]
    return network.add_microsoft(
        "EmbedLayerNormalization", *narrow,
        network.weight([VOCABULARY, WIDTH], 1.0), network.weight([512, WIDTH], 0.3),
        network.weight([2, WIDTH], 0.3), *fused.scale_and_shift(network, WIDTH),
        network.add("Cast", mask, to=INT32), outputs=2, epsilon=EPSILON)


def add_layer(network, hidden, lengths, activation):
    context = network.add_microsoft(
        "Attention", hidden, network.weight([WIDTH, 3 * WIDTH], 1 / math.sqrt(WIDTH)),
        fused.bias(network, 3 * WIDTH), lengths, num_heads=HEADS)
    attended = fused.project(network, context, WIDTH, WIDTH)
    hidden = fused.normalize_sum(network, attended, hidden, WIDTH, EPSILON)
    outer = fused.add_mlp(network, hidden, WIDTH, activation)
    return fused.normalize_sum(network, outer, hidden, WIDTH, EPSILON)


def make_bert_fused(activation="BiasGelu", layers=4, batch=2, tokens=96, padding=20):
    """Of the last batch entry, the last tokens are padding."""
    network = Network(operator_set=14)
    dims = ["batch_size", "sequence_length"]
    ids = network.input("input_ids", network.generator.integers(0, VOCABULARY, (batch, tokens)),
                        dims)
    counts = numpy.ones((batch, tokens), numpy.int64)
    counts[-1, tokens - padding:] = 0
    mask = network.input("attention_mask", counts, dims)
    types = network.input("token_type_ids", numpy.zeros((batch, tokens), numpy.int64), dims)
    hidden, lengths = embed(network, ids, types, mask)
    for layer in range(layers):
        with network.scope(f"layer.{layer}"):
            hidden = add_layer(network, hidden, lengths, activation)
    first = network.add("Gather", hidden, numpy.int64(0), axis=1)
    pooled = network.add("Tanh", network.add(
        "Gemm", first, network.weight([WIDTH, WIDTH], 1 / math.sqrt(WIDTH)),
        fused.bias(network, WIDTH), transB=1))
    network.output("last_hidden_state", hidden, [*dims, WIDTH])
    network.output("pooler_output", pooled, [dims[0], WIDTH])
    return network
