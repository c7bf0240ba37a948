"""Swin: attention in windows that are cut out by Reshape and Transpose, and shifted by Concat."""

import math

import numpy

from convolution import add_image
from network import Network
import transformer

WINDOW, SHIFT = 7, 3
TOKENS = WINDOW * WINDOW
FAR = 2**63 - 1


def roll(network, value, shift):
    """torch.roll along rows and columns: two slices, joined the other way round."""
    for axis in (1, 2):
        front = network.add("Slice", value, [-shift], [FAR], [axis])
        back = network.add("Slice", value, [0], [-shift], [axis])
        value = network.add("Concat", front, back, axis=axis)
    return value


def cut_windows(network, value, extent, width):
    count = extent // WINDOW
    value = network.add("Reshape", value, [1, count, WINDOW, count, WINDOW, width])
    value = network.add("Transpose", value, perm=[0, 1, 3, 2, 4, 5])
    return network.add("Reshape", value, [-1, TOKENS, width])


def join_windows(network, value, extent, width):
    count = extent // WINDOW
    value = network.add("Reshape", value, [1, count, count, WINDOW, WINDOW, -1])
    value = network.add("Transpose", value, perm=[0, 1, 3, 2, 4, 5])
    return network.add("Reshape", value, [1, extent, extent, width])


def make_shift_mask(extent):
    """-100 between tokens that lie in one window only because of the shift."""
    regions = numpy.zeros((extent, extent))
    parts = (slice(0, -WINDOW), slice(-WINDOW, -SHIFT), slice(-SHIFT, None))
    for number, (rows, columns) in enumerate((a, b) for a in parts for b in parts):
        regions[rows, columns] = number
    count = extent // WINDOW
    regions = regions.reshape(count, WINDOW, count, WINDOW).transpose(0, 2, 1, 3)
    regions = regions.reshape(-1, TOKENS)
    differs = regions[:, None] != regions[:, :, None]
    return numpy.where(differs, -100, 0).astype(numpy.float32)[None, :, None]


def attend(network, windows, extent, width, is_shifted):
    heads = width // 32
    count = (extent // WINDOW) ** 2
    joint = transformer.project(network, windows, width, 3 * width)
    joint = network.add("Reshape", joint, [count, TOKENS, 3, heads, 32])
    joint = network.add("Transpose", joint, perm=[2, 0, 3, 1, 4])
    query, key, value = (network.add("Gather", joint, numpy.int64(part), axis=0)
                         for part in range(3))
    query = network.add("Mul", query, 1 / math.sqrt(32))
    scores = network.add("MatMul", query, network.add("Transpose", key, perm=[0, 1, 3, 2]))
    scores = network.add("Add", scores, network.weight([1, heads, TOKENS, TOKENS], 0.5,
                                                       name="relative_position_bias"))
    if is_shifted:
        scores = network.add("Reshape", scores, [1, count, heads, TOKENS, TOKENS])
        scores = network.add("Add", scores, network.keep(make_shift_mask(extent), "attn_mask"))
        scores = network.add("Reshape", scores, [-1, heads, TOKENS, TOKENS])
    context = network.add("MatMul", network.add("Softmax", scores, axis=-1), value)
    context = network.add("Transpose", context, perm=[0, 2, 1, 3])
    context = network.add("Reshape", context, [count, TOKENS, width])
    return transformer.project(network, context, width, width)


def add_block(network, hidden, extent, width, is_shifted):
    value = transformer.normalize(network, hidden, width, 1e-5)
    value = network.add("Reshape", value, [1, extent, extent, width])
    if is_shifted:
        value = roll(network, value, -SHIFT)
    windows = cut_windows(network, value, extent, width)
    value = join_windows(network, attend(network, windows, extent, width, is_shifted), extent,
                         width)
    if is_shifted:
        value = roll(network, value, SHIFT)
    value = network.add("Reshape", value, [1, extent * extent, width])
    hidden = network.add("Add", hidden, value)
    normalized = transformer.normalize(network, hidden, width, 1e-5)
    inner = transformer.gelu(network, transformer.project(network, normalized, width, 4 * width))
    return network.add("Add", hidden, transformer.project(network, inner, 4 * width, width))


def merge_patches(network, hidden, extent, width):
    """Four neighbours become one token of twice the width."""
    value = network.add("Reshape", hidden, [1, extent, extent, width])
    corners = []
    for column in (0, 1):
        for row in (0, 1):
            rows = network.add("Slice", value, [row], [FAR], [1], [2])
            corners.append(network.add("Slice", rows, [column], [FAR], [2], [2]))
    value = network.add("Concat", *corners, axis=-1)
    value = network.add("Reshape", value, [1, -1, 4 * width])
    value = transformer.normalize(network, value, 4 * width, 1e-5)
    return transformer.project(network, value, 4 * width, 2 * width, has_bias=False)


def make_swin(depths=(2, 2, 2, 2), width=96, extent=56):
    network = Network(operator_set=16)
    image = add_image(network, 4 * extent, 4 * extent)
    value = network.add("Conv", image, network.weight([width, 3, 4, 4], 1 / math.sqrt(48)),
                        network.weight([width], 0.05, name="bias"), dilations=[1, 1], group=1,
                        kernel_shape=[4, 4], pads=[0, 0, 0, 0], strides=[4, 4])
    rows = network.add("Reshape", value, [1, width, -1])
    hidden = transformer.normalize(network, network.add("Transpose", rows, perm=[0, 2, 1]), width,
                                   1e-5)
    for stage, depth in enumerate(depths):
        if stage > 0:
            hidden = merge_patches(network, hidden, extent, width)
            extent, width = extent // 2, width * 2
        for block in range(depth):
            is_shifted = block % 2 == 1 and extent > WINDOW
            with network.scope(f"layers.{stage}/blocks.{block}"):
                hidden = add_block(network, hidden, extent, width, is_shifted)
    hidden = transformer.normalize(network, hidden, width, 1e-5)
    columns = network.add("Transpose", hidden, perm=[0, 2, 1])
    pooled = network.add("Flatten", network.add("GlobalAveragePool", columns), axis=1)
    network.output("logits", network.add(
        "Gemm", pooled, network.weight([1000, width], 1 / math.sqrt(width)),
        network.weight([1000], 0.05, name="bias"), transB=1))
    return network
