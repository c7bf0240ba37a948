"""MobileNetV3 large, with HardSwish as one node (torch.onnx) or spelt out (tf2onnx)."""

import math

import numpy

from convolution import add_image, convolve
from network import Network

# size, expanded, channels, excites, hard swish, stride
BLOCKS = ((3, 16, 16, 0, 0, 1), (3, 64, 24, 0, 0, 2), (3, 72, 24, 0, 0, 1), (5, 72, 40, 1, 0, 2),
          (5, 120, 40, 1, 0, 1), (5, 120, 40, 1, 0, 1), (3, 240, 80, 0, 1, 2),
          (3, 200, 80, 0, 1, 1), (3, 184, 80, 0, 1, 1), (3, 184, 80, 0, 1, 1),
          (3, 480, 112, 1, 1, 1), (3, 672, 112, 1, 1, 1), (5, 672, 160, 1, 1, 2),
          (5, 960, 160, 1, 1, 1), (5, 960, 160, 1, 1, 1))


class TorchStyle:
    """Channels in front, one node for each function, global averages as GlobalAveragePool."""

    @staticmethod
    def add_input(network):
        return add_image(network, 224, 224)

    @staticmethod
    def hard_sigmoid(network, value):
        return network.add("HardSigmoid", value, alpha=1 / 6)

    @staticmethod
    def hard_swish(network, value):
        return network.add("HardSwish", value)

    @staticmethod
    def average(network, value):
        return network.add("GlobalAveragePool", value)


class TensorFlowStyle:
    """An input with channels last, functions spelt out, averages as ReduceMean."""

    @staticmethod
    def add_input(network):
        image = network.input("input_1", network.draw((1, 224, 224, 3), 1.0))
        return network.add("Transpose", image, perm=[0, 3, 1, 2])

    @staticmethod
    def hard_sigmoid(network, value):
        clipped = network.add("Clip", network.add("Add", value, 3.0), 0.0, 6.0)
        return network.add("Mul", clipped, 1 / 6)

    @staticmethod
    def hard_swish(network, value):
        return network.add("Mul", value, TensorFlowStyle.hard_sigmoid(network, value))

    @staticmethod
    def average(network, value):
        return network.add("ReduceMean", value, axes=[2, 3], keepdims=1)


def round_channels(count):
    """The nearest multiple of 8 that is not less than nine tenths."""
    rounded = max(8, (count + 4) // 8 * 8)
    return rounded + 8 if rounded < 0.9 * count else rounded


def add_block(network, style, image, channels, block):
    size, wide, filters, excites, is_hard, stride = block

    def activate(value):
        return style.hard_swish(network, value) if is_hard else network.add("Relu", value)

    value = image
    if wide != channels:
        value = activate(convolve(network, value, channels, wide, 1, gain=1.25))
    value = activate(convolve(network, value, wide, wide, size, stride, wide, gain=1.25))
    if excites:
        squeezed = round_channels(wide // 4)
        inner = network.add("Relu", convolve(network, style.average(network, value), wide,
                                             squeezed, 1))
        gate = style.hard_sigmoid(network, convolve(network, inner, squeezed, wide, 1))
        value = network.add("Mul", gate, value)
    value = convolve(network, value, wide, filters, 1, gain=math.sqrt(2))
    return network.add("Add", value, image) if stride == 1 and channels == filters else value


def make_mobilenet(style):
    network = Network(operator_set=14)
    image = style.add_input(network)
    value = style.hard_swish(network, convolve(network, image, 3, 16, stride=2))
    channels = 16
    for number, block in enumerate(BLOCKS):
        with network.scope(f"features.{number}"):
            value = add_block(network, style, value, channels, block)
            channels = block[2]
    value = style.hard_swish(network, convolve(network, value, channels, 960, 1))
    pooled = network.add("Flatten", style.average(network, value), axis=1)
    weights = network.weight([1280, 960], 1 / math.sqrt(960))
    hidden = style.hard_swish(network, network.add(
        "Gemm", pooled, weights, network.weight([1280], 0.05), transB=1))
    logits = network.add("Gemm", hidden, network.weight([1000, 1280], 1 / math.sqrt(1280)),
                         network.keep(numpy.zeros(1000, numpy.float32)), transB=1)
    network.output("logits", logits)
    return network
