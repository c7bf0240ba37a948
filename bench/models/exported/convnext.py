"""ConvNeXt: depthwise 7 x 7, then channels last through LayerNorm and two products, and back."""

import math

from convolution import add_image, classify, convolve
from network import Network
import transformer


def normalize_channels(network, value, width):
    """LayerNorm over the channels of an image, with the channels in front."""
    scale = network.weight([width, 1, 1], 0.1, 1.0)
    shift = network.weight([width, 1, 1], 0.1, name="bias")
    centred = network.add("Sub", value, network.add("ReduceMean", value, axes=[1]))
    variance = network.add("ReduceMean", network.add("Pow", centred, 2.0), axes=[1])
    deviation = network.add("Sqrt", network.add("Add", variance, 1e-6))
    normalized = network.add("Div", centred, deviation)
    return network.add("Add", network.add("Mul", scale, normalized), shift)


def add_block(network, image, width):
    value = convolve(network, image, width, width, size=7, groups=width)
    value = network.add("Transpose", value, perm=[0, 2, 3, 1])
    value = transformer.normalize(network, value, width, 1e-6)
    value = transformer.gelu(network, transformer.project(network, value, width, 4 * width))
    value = transformer.project(network, value, 4 * width, width)
    value = network.add("Mul", value, network.weight([width], 0.1, 0.5, name="gamma"))
    return network.add("Add", image, network.add("Transpose", value, perm=[0, 3, 1, 2]))


def shrink(network, value, channels, width, size):
    fan_in = channels * size * size
    return network.add("Conv", value, network.weight([width, channels, size, size],
                                                     1 / math.sqrt(fan_in)),
                       network.weight([width], 0.05, name="bias"), dilations=[1, 1], group=1,
                       kernel_shape=[size, size], pads=[0, 0, 0, 0], strides=[size, size])


def make_convnext(depths=(2, 2, 3, 2), widths=(96, 192, 384, 768)):
    network = Network(operator_set=14)
    value = shrink(network, add_image(network, 224, 224), 3, widths[0], 4)
    value = normalize_channels(network, value, widths[0])
    for stage, (depth, width) in enumerate(zip(depths, widths)):
        if stage > 0:
            value = normalize_channels(network, value, widths[stage - 1])
            value = shrink(network, value, widths[stage - 1], width, 2)
        for block in range(depth):
            with network.scope(f"stages.{stage}/blocks.{block}"):
                value = add_block(network, value, width)
    classify(network, value, widths[-1])
    return network
