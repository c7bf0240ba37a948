"""What ONNX Runtime's optimiser of transformers puts in place of an exporter's nodes."""

import math


def project(network, value, width_in, width_out):
    """A product whose bias is left to the node behind."""
    return network.add("MatMul", value, network.weight([width_in, width_out],
                                                       1 / math.sqrt(width_in)))


def bias(network, width):
    return network.weight([width], 0.05, name="bias")


def scale_and_shift(network, width):
    return network.weight([width], 0.1, 1.0), network.weight([width], 0.1, name="bias")


def normalize_sum(network, value, skip, width, epsilon, has_sum=False):
    """SkipLayerNormalization, into which the bias of the product before has gone; with has_sum also
    the sum."""
    results = network.add_microsoft(
        "SkipLayerNormalization", value, skip, *scale_and_shift(network, width),
        bias(network, width), outputs=4 if has_sum else 1, unused=(1, 2), epsilon=epsilon)
    return (results[0], results[3]) if has_sum else results


def add_mlp(network, hidden, width, activation):
    """Two products; `activation` is BiasGelu or FastGelu."""
    inner = network.add_microsoft(activation, project(network, hidden, width, 4 * width),
                                  bias(network, 4 * width))
    return project(network, inner, 4 * width, width)
