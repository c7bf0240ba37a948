"""Parts of a diffusion U-Net: GroupNorm spelt out, self and cross attention, time."""

import math

import numpy

from convolution import convolve, enlarge, swish
from network import Network
import transformer

GROUPS, HEADS, TEXT_WIDTH, TIME_WIDTH = 32, 8, 768, 1280


def normalize_groups(network, value, channels, epsilon=1e-5):
    """GroupNorm, with the shape that the Reshape behind restores read from its input."""
    rows = network.add("Reshape", value, [0, GROUPS, -1])
    rows = network.add("InstanceNormalization", rows, numpy.ones(GROUPS, numpy.float32),
                       numpy.zeros(GROUPS, numpy.float32), epsilon=epsilon)
    image = network.add("Reshape", rows, network.add("Shape", value))
    scaled = network.add("Mul", image, network.weight([channels, 1, 1], 0.1, 1.0))
    return network.add("Add", scaled, network.weight([channels, 1, 1], 0.1, name="bias"))


def add_linear(network, value, width_in, width_out):
    return network.add("Gemm", value, network.weight([width_out, width_in],
                                                     1 / math.sqrt(width_in)),
                       network.weight([width_out], 0.05, name="bias"), transB=1)


def embed_time(network, time, channels):
    """Sines and cosines of the step, and two layers."""
    half = channels // 2
    frequencies = numpy.exp(-math.log(10000) * numpy.arange(half) / half).astype(numpy.float32)
    time = network.add("Cast", network.add("Unsqueeze", time, [1]), to=1)
    angles = network.add("Mul", time, network.keep(frequencies[None], "frequencies"))
    waves = network.add("Concat", network.add("Sin", angles), network.add("Cos", angles), axis=-1)
    back = network.add("Slice", waves, [half], [2**63 - 1], [1])
    waves = network.add("Concat", back, network.add("Slice", waves, [0], [half], [1]), axis=-1)
    hidden = swish(network, add_linear(network, waves, channels, TIME_WIDTH))
    return add_linear(network, hidden, TIME_WIDTH, TIME_WIDTH)


def add_resnet(network, value, time, channels, filters):
    hidden = swish(network, normalize_groups(network, value, channels))
    hidden = convolve(network, hidden, channels, filters)
    shift = add_linear(network, swish(network, time), TIME_WIDTH, filters)
    shift = network.add("Unsqueeze", network.add("Unsqueeze", shift, [2]), [3])
    hidden = network.add("Add", hidden, shift)
    hidden = swish(network, normalize_groups(network, hidden, filters))
    hidden = convolve(network, hidden, filters, filters, gain=0.7)
    if channels != filters:
        value = convolve(network, value, channels, filters, 1)
    return network.add("Add", value, hidden)


def attend(network, hidden, context, width, context_width, leading):
    queries = transformer.project(network, hidden, width, width, has_bias=False)
    keys, values = (transformer.project(network, context, context_width, width, has_bias=False)
                    for _ in range(2))
    result = transformer.attend(network, queries, keys, values, leading, HEADS, width)
    return transformer.project(network, result, width, width)


def gate(network, hidden, width):
    """GEGLU: one half of a product times GELU of the other."""
    wide = transformer.project(network, hidden, width, 8 * width)
    halves = network.add("Split", wide, [4 * width] * 2, outputs=2, axis=-1)
    product = network.add("Mul", halves[0], transformer.gelu(network, halves[1]))
    return transformer.project(network, product, 4 * width, width)


def add_transformer(network, image, text, text_tokens, width, extent):
    tokens = extent * extent
    value = convolve(network, normalize_groups(network, image, width, 1e-6), width, width, 1)
    value = network.add("Transpose", value, perm=[0, 2, 3, 1])
    hidden = network.add("Reshape", value, [1, tokens, width])
    itself, other = ((1, tokens), (1, tokens)), ((1, tokens), (1, text_tokens))
    normalized = transformer.normalize(network, hidden, width, 1e-5)
    hidden = network.add("Add", attend(network, normalized, normalized, width, width, itself),
                         hidden)
    normalized = transformer.normalize(network, hidden, width, 1e-5)
    hidden = network.add("Add", attend(network, normalized, text, width, TEXT_WIDTH, other),
                         hidden)
    normalized = transformer.normalize(network, hidden, width, 1e-5)
    hidden = network.add("Add", gate(network, normalized, width), hidden)
    value = network.add("Reshape", hidden, [1, extent, extent, width])
    value = network.add("Transpose", value, perm=[0, 3, 1, 2])
    return network.add("Add", convolve(network, value, width, width, 1), image)


def make_diffusion(extent=24, width=320, text_tokens=77):
    network = Network(operator_set=14)
    sample = network.input("sample", network.draw((1, 4, extent, extent), 1.0))
    step = network.input("timestep", numpy.int64([981]))
    text = network.input("encoder_hidden_states", network.draw((1, text_tokens, TEXT_WIDTH), 1.0))
    time = embed_time(network, step, width)
    first = convolve(network, sample, 4, width)
    value = add_resnet(network, first, time, width, width)
    value = add_transformer(network, value, text, text_tokens, width, extent)
    value = convolve(network, value, width, width, stride=2)
    value = add_resnet(network, value, time, width, width)
    value = add_transformer(network, value, text, text_tokens, width, extent // 2)
    value = convolve(network, enlarge(network, value), width, width)
    value = network.add("Concat", value, first, axis=1)
    value = add_resnet(network, value, time, 2 * width, width)
    value = swish(network, normalize_groups(network, value, width))
    network.output("out_sample", convolve(network, value, width, 4))
    return network
