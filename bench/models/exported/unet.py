"""A U-Net for segmentation, which enlarges by ConvTranspose, or by Resize with computed extents."""

import numpy

from convolution import add_image, convolve, convolve_relu, turn_convolve
from network import Network


def convolve_twice(network, value, channels, filters):
    return convolve_relu(network, convolve_relu(network, value, channels, filters), filters,
                         filters)


def resize_twofold(network, value):
    """nn.Upsample with align_corners: extents are computed, with those of batch and channels."""
    extents = []
    for axis in (2, 3):
        extent = network.add("Gather", network.add("Shape", value), numpy.int64(axis), axis=0)
        doubled = network.add("Mul", network.add("Cast", extent, to=1), 2.0)
        whole = network.add("Cast", network.add("Floor", doubled), to=7)
        extents.append(network.add("Unsqueeze", whole, [0]))
    leading = network.add("Slice", network.add("Shape", value), [0], [2], [0])
    sizes = network.add("Concat", leading, *extents, axis=0)
    return network.add("Resize", value, "", "", sizes, mode="linear", cubic_coeff_a=-0.75,
                       coordinate_transformation_mode="align_corners", nearest_mode="floor")


def make_unet(is_transposed, extent=128, base=32, depth=4):
    network = Network(operator_set=13)
    image = add_image(network, extent, extent,
                      dims=["batch", 3, "height", "width"])
    value = convolve_twice(network, image, 3, base)
    kept, channels = [], base
    for _ in range(depth):
        kept.append(value)
        value = network.add("MaxPool", value, kernel_shape=[2, 2], strides=[2, 2],
                            pads=[0, 0, 0, 0], ceil_mode=0)
        value = convolve_twice(network, value, channels, 2 * channels)
        channels *= 2
    for skipped in reversed(kept):
        if is_transposed:
            value = turn_convolve(network, value, channels, channels // 2)
        else:
            value = convolve(network, resize_twofold(network, value), channels, channels // 2, 1)
        value = network.add("Concat", skipped, value, axis=1)
        value = convolve_twice(network, value, channels, channels // 2)
        channels //= 2
    network.output("logits", convolve(network, value, base, 2, 1))
    return network
