"""EfficientNet-B0: depthwise convolutions, squeeze-and-excite, Swish as Sigmoid and Mul."""

import math

from convolution import add_image, classify, convolve, swish
from network import Network

# expansion, channels, repeats, stride, size
STAGES = ((1, 16, 1, 1, 3), (6, 24, 2, 2, 3), (6, 40, 2, 2, 5), (6, 80, 3, 2, 3),
          (6, 112, 3, 1, 5), (6, 192, 4, 2, 5), (6, 320, 1, 1, 3))


def excite(network, value, channels, squeezed):
    pooled = network.add("ReduceMean", value, axes=[2, 3], keepdims=1)
    inner = swish(network, convolve(network, pooled, channels, squeezed, size=1))
    gate = network.add("Sigmoid", convolve(network, inner, squeezed, channels, size=1))
    return network.add("Mul", value, gate)


def add_block(network, image, channels, filters, expansion, stride, size):
    wide = channels * expansion
    value = image
    if expansion > 1:
        value = swish(network, convolve(network, value, channels, wide, 1, gain=1.7))
    value = swish(network, convolve(network, value, wide, wide, size, stride, wide, gain=1.7))
    value = excite(network, value, wide, max(1, channels // 4))
    value = convolve(network, value, wide, filters, 1, gain=math.sqrt(2))
    return network.add("Add", value, image) if stride == 1 and channels == filters else value


def make_efficientnet():
    network = Network(operator_set=13)
    image = add_image(network, 224, 224)
    value, channels = swish(network, convolve(network, image, 3, 32, stride=2)), 32
    for stage, (expansion, filters, repeats, stride, size) in enumerate(STAGES):
        for repeat in range(repeats):
            with network.scope(f"blocks.{stage}.{repeat}"):
                value = add_block(network, value, channels, filters, expansion,
                                  stride if repeat == 0 else 1, size)
                channels = filters
    classify(network, swish(network, convolve(network, value, 320, 1280, 1)), 1280)
    return network
