"""An anchor-free detector whose end picks the best boxes by TopK and GatherElements."""

import math

import numpy

from convolution import add_image, convolve, convolve_relu, enlarge
from network import Network
import resnet

CLASSES, KEPT, WIDTH = 80, 300, 96


def add_pyramid(network, stages):
    """Features of one width at the extents of the last three stages."""
    sides = [convolve(network, value, channels, WIDTH, 1) for value, channels in stages[1:]]
    levels = [sides[-1]]
    for side in reversed(sides[:-1]):
        levels.insert(0, network.add("Add", side, enlarge(network, levels[0])))
    return [convolve_relu(network, level, WIDTH, WIDTH) for level in levels]


def flatten_level(network, value, width):
    rows = network.add("Reshape", value, [1, width, -1])
    return network.add("Transpose", rows, perm=[0, 2, 1])


def add_heads(network, levels):
    """Scores and boxes of all places of all levels, each in rows."""
    scores, boxes = [], []
    for level in levels:
        for rows, width in ((scores, CLASSES), (boxes, 4)):
            value = convolve_relu(network, level, WIDTH, WIDTH)
            rows.append(flatten_level(network, convolve(network, value, WIDTH, width, 1), width))
    return network.add("Concat", *scores, axis=1), network.add("Concat", *boxes, axis=1)


def make_centres(extent, strides=(8, 16, 32)):
    """The centres and the strides of all places, as the exporter folds them."""
    rows = []
    for stride in strides:
        count = extent // stride
        y, x = numpy.meshgrid(*[(numpy.arange(count) + 0.5) * stride] * 2, indexing="ij")
        rows.append(numpy.stack([x.ravel(), y.ravel(), numpy.full(count * count, stride)], 1))
    return numpy.concatenate(rows).astype(numpy.float32)[None]


def decode(network, boxes, extent):
    """Corners from centres and extents."""
    centres = make_centres(extent)
    parts = network.add("Split", boxes, [2, 2], outputs=2, axis=-1)
    strides = network.keep(centres[..., 2:], "strides")
    places = network.add("Add", network.add("Mul", parts[0], strides),
                         network.keep(centres[..., :2], "centres"))
    extents = network.add("Mul", network.add("Exp", parts[1]), strides)
    half = network.add("Mul", extents, 0.5)
    return network.add("Concat", network.add("Sub", places, half),
                       network.add("Add", places, half), axis=-1)


def pick_best(network, scores, boxes):
    """What RT-DETR's exports end with: places and classes from the index of the flattened score."""
    flat = network.add("Flatten", network.add("Sigmoid", scores), axis=1)
    best, index = network.add("TopK", flat, [KEPT], outputs=2, axis=-1, largest=1, sorted=1)
    place = network.add("Div", index, numpy.int64(CLASSES))
    label = network.add("Sub", index, network.add("Mul", place, numpy.int64(CLASSES)))
    columns = network.add("Tile", network.add("Unsqueeze", place, [-1]), [1, 1, 4])
    picked = network.add("GatherElements", boxes, columns, axis=1)
    network.output("labels", label, kind=7)
    network.output("boxes", picked)
    network.output("scores", best)


def make_detection(extent=320):
    network = Network(operator_set=16)
    value = resnet.add_stem(network, add_image(network, extent, extent), 32)
    stages = resnet.add_stages(network, value, resnet.add_basic, (2, 2, 2, 2),
                               (32, 64, 128, 256), 32)
    scores, boxes = add_heads(network, add_pyramid(network, stages))
    scores = network.add("Add", scores, network.keep(numpy.full(CLASSES, -math.log(99),
                                                                numpy.float32)))
    pick_best(network, scores, decode(network, boxes, extent))
    return network
