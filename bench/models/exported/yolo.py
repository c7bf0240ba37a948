"""YOLOv8's small form, with the selection of boxes within the graph."""

import math

import numpy

from convolution import add_image, convolve, enlarge, swish
from network import Network

CLASSES, BINS, CHANNELS, KEPT = 80, 16, (16, 32, 64, 128, 256), 100
INT64 = 7


def add_conv(network, value, channels, filters, size=3, stride=1):
    return swish(network, convolve(network, value, channels, filters, size, stride,
                                   gain=1.5))


def add_c2f(network, value, channels, filters, repeats, has_skip):
    """Two halves, of which one goes through bottlenecks, each of whose results is kept."""
    half = filters // 2
    split = network.add("Split", add_conv(network, value, channels, filters, 1), [half, half],
                        outputs=2, axis=1)
    parts = list(split)
    for _ in range(repeats):
        inner = add_conv(network, add_conv(network, parts[-1], half, half), half, half)
        parts.append(network.add("Add", parts[-1], inner) if has_skip else inner)
    joined = network.add("Concat", *parts, axis=1)
    return add_conv(network, joined, len(parts) * half, filters, 1)


def add_pools(network, value, channels):
    """SPPF."""
    half = channels // 2
    parts = [add_conv(network, value, channels, half, 1)]
    for _ in range(3):
        parts.append(network.add("MaxPool", parts[-1], kernel_shape=[5, 5], strides=[1, 1],
                                 pads=[2, 2, 2, 2], ceil_mode=0))
    return add_conv(network, network.add("Concat", *parts, axis=1), 4 * half, channels, 1)


def add_backbone(network, image):
    """The features of the last three levels."""
    value, levels, before = image, [], 3
    for channels, repeats in zip(CHANNELS, (0, 1, 2, 2, 1)):
        with network.scope(f"model.{channels}"):
            value = add_conv(network, value, before, channels, 3, 2)
            if repeats > 0:
                value = add_c2f(network, value, channels, channels, repeats, has_skip=True)
        levels.append(value)
        before = channels
    return [*levels[2:4], add_pools(network, value, before)]


def add_neck(network, levels):
    """Down to the finest level, and up again."""
    fine, middle, coarse = levels
    _, _, few, more, most = CHANNELS
    def join(*parts):
        return network.add("Concat", *parts, axis=1)
    middle = add_c2f(network, join(enlarge(network, coarse), middle), most + more, more, 1, False)
    fine = add_c2f(network, join(enlarge(network, middle), fine), more + few, few, 1, False)
    middle = add_c2f(network, join(add_conv(network, fine, few, few, 3, 2), middle), few + more,
                     more, 1, False)
    coarse = add_c2f(network, join(add_conv(network, middle, more, more, 3, 2), coarse),
                     more + most, most, 1, False)
    return [(fine, few), (middle, more), (coarse, most)]


def add_head(network, value, channels):
    """Distances in bins and classes, as rows of all places."""
    rows = []
    for outputs, width in ((4 * BINS, 64), (CLASSES, 80)):
        branch = add_conv(network, add_conv(network, value, channels, width), width, width)
        rows.append(convolve(network, branch, width, outputs, 1, gain=0.3))
    joined = network.add("Concat", *rows, axis=1)
    return network.add("Reshape", joined, [1, 4 * BINS + CLASSES, -1])


def decode(network, bins, extent):
    """Centres and extents; each distance is the mean of its bins."""
    wide = network.add("Transpose", network.add("Reshape", bins, [1, 4, BINS, -1]),
                       perm=[0, 2, 1, 3])
    weights = network.keep(numpy.arange(BINS, dtype=numpy.float32).reshape(1, BINS, 1, 1), "dfl")
    means = network.add("Conv", network.add("Softmax", wide, axis=1), weights, kernel_shape=[1, 1],
                        strides=[1, 1], pads=[0, 0, 0, 0], dilations=[1, 1], group=1)
    near, far = network.add("Split", network.add("Reshape", means, [1, 4, -1]), [2, 2], outputs=2,
                            axis=1)
    centres, strides = make_places(extent)
    near = network.add("Sub", network.keep(centres, "anchors"), near)
    far = network.add("Add", network.keep(centres, "anchors"), far)
    middle = network.add("Div", network.add("Add", near, far), 2.0)
    boxes = network.add("Concat", middle, network.add("Sub", far, near), axis=1)
    return network.add("Mul", boxes, network.keep(strides, "strides"))


def make_places(extent):
    centres, strides = [], []
    for stride in (8, 16, 32):
        count = extent // stride
        y, x = numpy.meshgrid(*[numpy.arange(count) + 0.5] * 2, indexing="ij")
        centres.append(numpy.stack([x.ravel(), y.ravel()]))
        strides.append(numpy.full((1, count * count), stride))
    return [numpy.concatenate(parts, 1).astype(numpy.float32)[None] for parts in (centres, strides)]


def select_boxes(network, boxes, scores):
    """NonMaxSuppression, and of each box that it keeps: corner form, score, class."""
    rows = network.add("Transpose", boxes, perm=[0, 2, 1])
    kept = network.add("NonMaxSuppression", rows, scores, numpy.int64([KEPT]),
                       numpy.float32([0.45]), numpy.float32([0.25]), center_point_box=1)
    label = network.add("Gather", kept, numpy.int64([1]), axis=1)
    place = network.add("Gather", kept, numpy.int64(2), axis=1)
    picked = network.add("Gather", network.add("Squeeze", rows, [0]), place, axis=0)
    values = network.add("Unsqueeze", network.add("GatherND", scores, kept), [1])
    centre, extents = network.add("Split", picked, [2, 2], outputs=2, axis=1)
    half = network.add("Mul", extents, 0.5)
    corners = [network.add("Sub", centre, half), network.add("Add", centre, half)]
    network.output("detections", network.add(
        "Concat", *corners, values, network.add("Cast", label, to=1), axis=1), [None, 6])
    network.output("indices", network.add("Identity", kept), [None, 3], INT64)


def make_yolo(extent=320):
    network = Network(operator_set=17)
    image = add_image(network, extent, extent)
    levels = add_neck(network, add_backbone(network, image))
    rows = network.add("Concat", *(add_head(network, *level) for level in levels), axis=2)
    bins, logits = network.add("Split", rows, [4 * BINS, CLASSES], outputs=2, axis=1)
    rare = network.keep(numpy.float32([[[-math.log(60)]]]), "prior")
    scores = network.add("Sigmoid", network.add("Add", logits, rare))
    select_boxes(network, decode(network, bins, extent), scores)
    return network
