"""Faster R-CNN as torchvision exports it: proposals, their features, and the boxes left."""

import math

import numpy
import onnx
import onnx.numpy_helper

from convolution import add_image, convolve, convolve_relu, enlarge
from network import Network
import resnet

CLASSES, WIDTH, ANCHORS, POOLED, INNER = 21, 96, 3, 7, 256
STRIDES = (8, 16, 32)
PROPOSALS_OF_LEVEL, PROPOSALS, DETECTIONS = 300, 100, 50
LONGEST = math.log(1000 / 16)
INT64, FLOAT = 7, 1
LAST = 2**63 - 1


def add_pyramid(network, stages):
    levels = []
    for value, channels in reversed(stages):
        side = convolve(network, value, channels, WIDTH, 1)
        levels.insert(0, network.add("Add", side, enlarge(network, levels[0])) if levels else side)
    return [convolve(network, level, WIDTH, WIDTH) for level in levels]


def make_anchors(extent):
    """Three boxes of each place, by level."""
    levels = []
    for stride in STRIDES:
        at = numpy.arange(extent // stride) * stride
        y, x = numpy.meshgrid(at, at, indexing="ij")
        roots = numpy.sqrt([0.5, 1.0, 2.0])
        half = numpy.stack([1 / roots, roots], 1) * 2 * stride
        places = numpy.stack([x.ravel(), y.ravel()], 1)[:, None]
        boxes = numpy.concatenate([places - half, places + half], 2)
        levels.append(boxes.reshape(-1, 4).astype(numpy.float32))
    return levels


def flatten(network, value, columns, count):
    """Rows of all anchors, as torchvision permutes them."""
    wide = network.add("Reshape", value, [1, -1, columns, count, count])
    return network.add("Reshape", network.add("Transpose", wide, perm=[0, 3, 4, 1, 2]),
                       [-1, columns])


def columns_of(network, value, indices, axis=-1):
    return [network.add("Gather", value, numpy.int64(index), axis=axis) for index in indices]


def decode(network, deltas, boxes, weights):
    """Boxes of deltas; both have rows, deltas perhaps one set for each class."""
    left, top, right, bottom = columns_of(network, boxes, range(4), 1)
    extents, centres, moved, grown = [], [], [], []
    for low, high in ((left, right), (top, bottom)):
        extents.append(network.add("Unsqueeze", network.add("Sub", high, low), [1]))
        middle = network.add("Mul", network.add("Add", low, high), 0.5)
        centres.append(network.add("Unsqueeze", middle, [1]))
    for index in range(4):
        part = network.add("Slice", deltas, [index], [LAST], [1], [4])
        part = network.add("Div", part, weights[index])
        (moved if index < 2 else grown).append(part)
    corners = []
    for extent, centre, move, growth in zip(extents, centres, moved, grown):
        place = network.add("Add", network.add("Mul", move, extent), centre)
        growth = network.add("Clip", growth, "", LONGEST)
        half = network.add("Mul", network.add("Mul", network.add("Exp", growth), extent), 0.5)
        corners.append([network.add("Sub", place, half), network.add("Add", place, half)])
    (left, right), (top, bottom) = corners
    stacked = [network.add("Unsqueeze", part, [2]) for part in (left, top, right, bottom)]
    return network.add("Clip", network.add("Concat", *stacked, axis=2), 0.0, 320.0)


def find(network, condition):
    """The indices for which a vector is true."""
    return network.add("Squeeze", network.add("NonZero", condition), [0])


def pick(network, indices, *values):
    return [network.add("Gather", value, indices, axis=0) for value in values]


def drop_small(network, boxes, *others):
    left, top, right, bottom = columns_of(network, boxes, range(4), 1)
    wide = network.add("GreaterOrEqual", network.add("Sub", right, left), 1.0)
    high = network.add("GreaterOrEqual", network.add("Sub", bottom, top), 1.0)
    return pick(network, find(network, network.add("And", wide, high)), boxes, *others)


def select(network, boxes, scores, groups, threshold, count):
    """The indices of the best boxes: those of different groups do not suppress each other."""
    greatest = network.add("ReduceMax", boxes, keepdims=0)
    offsets = network.add("Mul", network.add("Cast", groups, to=FLOAT),
                          network.add("Add", greatest, 1.0))
    apart = network.add("Add", boxes, network.add("Unsqueeze", offsets, [1]))
    kept = network.add("NonMaxSuppression", network.add("Unsqueeze", apart, [0]),
                       network.add("Unsqueeze", scores, [0, 1]), numpy.int64([LAST]),
                       numpy.float32([threshold]))
    places = network.add("Squeeze", network.add("Gather", kept, numpy.int64([2]), axis=1), [1])
    return network.add("Slice", places, [0], [count], [0])


def propose(network, levels, extent):
    """The boxes that the first stage finds."""
    kept = []
    for level, (value, anchors) in enumerate(zip(levels, make_anchors(extent))):
        with network.scope(f"rpn.{level}"):
            count = extent // STRIDES[level]
            hidden = convolve_relu(network, value, WIDTH, WIDTH)
            scores = flatten(network, convolve(network, hidden, WIDTH, ANCHORS, 1), 1, count)
            deltas = flatten(network, convolve(network, hidden, WIDTH, 4 * ANCHORS, 1, gain=0.3),
                             4, count)
            best, index = network.add("TopK", network.add("Squeeze", scores, [1]),
                                      [min(PROPOSALS_OF_LEVEL, len(anchors))], outputs=2, axis=0)
            deltas, boxes = pick(network, index, deltas, network.keep(anchors, "anchors"))
            boxes = network.add("Squeeze", decode(network, deltas, boxes, (1.0,) * 4), [1])
            number = network.add("ConstantOfShape", network.add("Shape", best),
                                 value=make_int(level))
            kept.append((boxes, best, number))
    boxes, scores, numbers = (network.add("Concat", *parts, axis=0) for parts in zip(*kept))
    boxes, scores, numbers = drop_small(network, boxes, network.add("Sigmoid", scores), numbers)
    return pick(network, select(network, boxes, scores, numbers, 0.7, PROPOSALS), boxes)[0]


def make_int(number):
    return onnx.numpy_helper.from_array(numpy.int64([number]))


def choose_levels(network, boxes):
    """The level whose features a box is given, by its area."""
    left, top, right, bottom = columns_of(network, boxes, range(4), 1)
    area = network.add("Mul", network.add("Sub", right, left), network.add("Sub", bottom, top))
    octave = network.add("Div", network.add("Log", network.add("Div", network.add("Sqrt", area),
                                                               112.0)), math.log(2))
    level = network.add("Floor", network.add("Add", octave, 2.0 + 1e-6))
    return network.add("Cast", network.add("Clip", level, 0.0, 2.0), to=INT64)


def pool_features(network, levels, boxes):
    """RoiAlign on each level for the boxes that belong there, put together in their order."""
    numbers = choose_levels(network, boxes)
    count = network.add("Slice", network.add("Shape", boxes), [0], [1], [0])
    shape = network.add("Concat", count, network.constant([WIDTH, POOLED, POOLED]), axis=0)
    result = network.add("ConstantOfShape", shape,
                         value=onnx.numpy_helper.from_array(numpy.float32([0])))
    for level, value in enumerate(levels):
        with network.scope(f"roi.{level}"):
            index = find(network, network.add("Equal", numbers, numpy.int64(level)))
            [picked] = pick(network, index, boxes)
            batch = network.add("ConstantOfShape", network.add("Shape", index), value=make_int(0))
            features = network.add(
                "RoiAlign", value, picked, batch, output_height=POOLED, output_width=POOLED,
                sampling_ratio=2, spatial_scale=1 / STRIDES[level], mode="avg",
                coordinate_transformation_mode="output_half_pixel")
            spread = network.add("Expand", network.add("Unsqueeze", index, [1, 2, 3]),
                                 network.add("Shape", features))
            result = network.add("ScatterElements", result, spread, features, axis=0)
    return result


def project(network, value, width_in, width_out, gain=1.0):
    return network.add("Gemm", value, network.weight([width_out, width_in],
                                                     gain / math.sqrt(width_in)),
                       network.weight([width_out], 0.05, name="bias"), transB=1)


def classify(network, features):
    value, width = network.add("Flatten", features, axis=1), WIDTH * POOLED * POOLED
    for _ in range(2):
        value = network.add("Relu", project(network, value, width, INNER, math.sqrt(2)))
        width = INNER
    return project(network, value, INNER, CLASSES, 3.0), project(network, value, INNER, 4 * CLASSES)


def detect(network, boxes, logits, deltas):
    """One box for each class and proposal, of which those that score remain."""
    scores = network.add("Slice", network.add("Softmax", logits, axis=1), [1], [LAST], [1])
    moved = decode(network, deltas, boxes, (10.0, 10.0, 5.0, 5.0))
    moved = network.add("Slice", moved, [1], [LAST], [1])
    labels = network.add("Expand", numpy.arange(1, CLASSES)[None], network.add("Shape", scores))
    scores, labels = (network.add("Reshape", value, [-1]) for value in (scores, labels))
    moved = network.add("Reshape", moved, [-1, 4])
    likely = find(network, network.add("Greater", scores, 0.05))
    moved, scores, labels = pick(network, likely, moved, scores, labels)
    moved, scores, labels = drop_small(network, moved, scores, labels)
    best = select(network, moved, scores, labels, 0.5, DETECTIONS)
    moved, scores, labels = pick(network, best, moved, scores, labels)
    network.output("boxes", moved, [None, 4])
    network.output("labels", labels, [None], INT64)
    network.output("scores", scores, [None])


def make_two_stage_detection(extent=320):
    network = Network(operator_set=16)
    value = resnet.add_stem(network, add_image(network, extent, extent), 32)
    stages = resnet.add_stages(network, value, resnet.add_basic, (2, 2, 2, 2),
                               (32, 64, 128, 256), 32)
    levels = add_pyramid(network, stages[1:])
    boxes = propose(network, levels, extent)
    detect(network, boxes, *classify(network, pool_features(network, levels, boxes)))
    return network
