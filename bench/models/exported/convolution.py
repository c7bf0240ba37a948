"""What convolutional networks consist of, in the nodes that exporters write for it."""

import math

import numpy


def convolve(network, value, channels, filters, size=3, stride=1, groups=1, gain=1.0,
             has_bias=True, pads=None):
    """A convolution into which the exporter has folded the normalisation behind it."""
    fan_in = channels // groups * size * size
    words = [network.weight([filters, channels // groups, size, size], gain / math.sqrt(fan_in))]
    if has_bias:
        words.append(network.weight([filters], 0.05, name="bias"))
    return network.add("Conv", value, *words, dilations=[1, 1], group=groups,
                       kernel_shape=[size, size], strides=[stride, stride],
                       pads=pads or [size // 2] * 4)


def convolve_relu(network, value, channels, filters, size=3, stride=1):
    return network.add("Relu", convolve(network, value, channels, filters, size, stride,
                                        gain=math.sqrt(2)))


def normalize_batch(network, value, channels):
    """A BatchNormalization that the exporter has left."""
    return network.add(
        "BatchNormalization", value, network.weight([channels], 0.1, 1.0),
        network.weight([channels], 0.1, name="bias"),
        network.weight([channels], 0.1, name="running_mean"),
        network.keep(numpy.abs(network.draw([channels], 0.1, 1.0)), "running_var"), epsilon=1e-5)


def turn_convolve(network, value, channels, filters, size=2):
    """ConvTranspose that makes images `size` times as large."""
    return network.add(
        "ConvTranspose", value, network.weight([channels, filters, size, size],
                                               math.sqrt(2 / channels)),
        network.weight([filters], 0.05, name="bias"), dilations=[1, 1], group=1,
        kernel_shape=[size, size], pads=[0, 0, 0, 0], strides=[size, size])


def swish(network, value):
    return network.add("Mul", value, network.add("Sigmoid", value))


def enlarge(network, value, scale=2.0, mode="nearest"):
    """Upsample, by scales."""
    how = {"nearest": {"coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"},
           "linear": {"coordinate_transformation_mode": "half_pixel"}}[mode]
    return network.add("Resize", value, "", numpy.float32([1, 1, scale, scale]), mode=mode,
                       cubic_coeff_a=-0.75, **how)


def classify(network, value, channels, classes=1000):
    """Global average, Flatten and a Gemm, whose output is the model's."""
    pooled = network.add("Flatten", network.add("GlobalAveragePool", value), axis=1)
    logits = network.add("Gemm", pooled, network.weight([classes, channels],
                                                        1 / math.sqrt(channels)),
                         network.weight([classes], 0.05, name="bias"), transB=1)
    network.output("logits", logits)


def add_image(network, height, width, channels=3, dims=None):
    array = network.draw((1, channels, height, width), 1.0)
    return network.input("pixel_values", array, dims)
