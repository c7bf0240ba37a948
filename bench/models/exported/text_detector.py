"""A detector of text as Paddle's exporter writes it: normalisations stay, ConvTranspose last."""

import math

from convolution import add_image, enlarge, normalize_batch, turn_convolve
from network import Network

STAGES = ((32, 2), (64, 2), (128, 2), (256, 2))
WIDTH = 96


def convolve(network, value, channels, filters, size=3, stride=1, groups=1):
    """A convolution without bias, BatchNormalization, and ReLU."""
    fan_in = channels // groups * size * size
    value = network.add("Conv", value, network.weight(
        [filters, channels // groups, size, size], math.sqrt(2 / fan_in)), dilations=[1, 1],
        group=groups, kernel_shape=[size, size], pads=[size // 2] * 4, strides=[stride, stride])
    return network.add("Relu", normalize_batch(network, value, filters))


def add_neck(network, stages):
    """A quarter of the width from each stage, all as large as the first."""
    sides = [convolve(network, value, channels, WIDTH, 1) for value, channels in stages]
    for index in range(len(sides) - 2, -1, -1):
        sides[index] = network.add("Add", sides[index], enlarge(network, sides[index + 1]))
    parts = []
    for index, side in enumerate(sides):
        part = convolve(network, side, WIDTH, WIDTH // 4)
        parts.append(enlarge(network, part, 2.0**index) if index > 0 else part)
    return network.add("Concat", *reversed(parts), axis=1)


def make_text_detector(height=320, width=480):
    network = Network(operator_set=13)
    value = convolve(network, add_image(network, height, width), 3, 16, stride=2)
    stages, channels = [], 16
    for filters, repeats in STAGES:
        for repeat in range(repeats):
            value = convolve(network, value, channels, channels, 3, 2 if repeat == 0 else 1,
                             channels)
            value = convolve(network, value, channels, filters, 1)
            channels = filters
        stages.append((value, channels))
    value = convolve(network, add_neck(network, stages), WIDTH, WIDTH // 4)
    value = turn_convolve(network, value, WIDTH // 4, WIDTH // 4)
    value = network.add("Relu", normalize_batch(network, value, WIDTH // 4))
    value = turn_convolve(network, value, WIDTH // 4, 1)
    network.output("maps", network.add("Sigmoid", value))
    return network
