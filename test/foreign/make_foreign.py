#!/usr/bin/env python3
"""Makes small models with values that others computed: make_foreign.py FOLDER [--count N].

Each model is one node with attributes, shapes and types drawn at random, always the same for one
number. Its values are those of ONNX Runtime; they are kept where ONNX's own reference says the same,
or does not know the operator. The folders are what execute-network takes with --test-data.

Needs the Python packages onnx, onnxruntime and numpy. `--archive FILE` packs what was made.
"""

import argparse
import pathlib
import random
import shutil
import sys
import tarfile
import zlib

import numpy
import onnx
import onnx.helper as oh
import onnx.numpy_helper as onp
import onnx.reference
import onnxruntime

OPSET = 21
FLOATS = ("float32", "float16", "float64")
INTS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")


class Draw:
    """Random numbers of one case."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.numbers = numpy.random.default_rng(seed)

    def one(self, *values):
        return self.random.choice(values)

    def whole(self, low, high):
        return self.random.randint(low, high)

    def shape(self, rank=None, low=1, high=5):
        return [self.whole(low, high) for _ in range(self.whole(0, 4) if rank is None else rank)]

    def axis(self, rank):
        return self.whole(-rank, rank - 1)

    def tensor(self, shape, kind="float32", low=-4, high=4):
        if kind == "bool":
            return self.numbers.random(shape) < 0.5
        if kind in FLOATS:
            return numpy.asarray(self.numbers.uniform(low, high, shape)).astype(kind)
        low = max(low, 0) if kind.startswith("u") else low
        return numpy.asarray(self.numbers.integers(low, high, shape, endpoint=True)).astype(kind)

    def like(self, shape):
        """A shape that broadcasts with another."""
        cut = shape[self.whole(0, len(shape)):]
        return [extent if self.whole(0, 2) else 1 for extent in cut]


class Case:
    """A node with what it reads. `fixed` inputs are constants of the model."""

    def __init__(self, op, inputs, fixed=(), num_outputs=1, opset=OPSET, **attributes):
        self.op = op
        self.inputs = inputs
        self.fixed = set(fixed)
        self.outputs = [f"y{i}" for i in range(num_outputs)]
        self.opset = opset
        self.attributes = attributes


def unary(d):
    op = d.one("Abs", "Neg", "Exp", "Log", "Sqrt", "Floor", "Ceil", "Round", "Sin", "Cos", "Tan", "Asin", "Acos",
               "Atan", "Sinh", "Cosh", "Asinh", "Acosh", "Atanh", "Erf", "Sigmoid", "Tanh", "Softplus", "Softsign",
               "Reciprocal", "Relu", "HardSwish", "Mish", "Sign")
    low, high = {"Log": (0.1, 9), "Sqrt": (0, 9), "Asin": (-1, 1), "Acos": (-1, 1), "Atanh": (-0.9, 0.9),
                 "Acosh": (1, 9), "Reciprocal": (0.5, 4), "Tan": (-1.4, 1.4)}.get(op, (-5, 5))
    kind = d.one("float32", *(INTS[:4] if op in ("Abs", "Neg", "Sign") else ()))
    return Case(op, [d.tensor(d.shape(), kind, low, high)])


def shaped_activation(d):
    op, attributes = d.one(("LeakyRelu", {"alpha": 0.3}), ("Elu", {"alpha": 1.7}), ("Celu", {"alpha": 0.6}),
                           ("Selu", {}), ("ThresholdedRelu", {"alpha": 0.8}), ("HardSigmoid", {"alpha": 0.3}),
                           ("Shrink", {"bias": 0.3, "lambd": 0.9}), ("Gelu", {"approximate": "tanh"}), ("Gelu", {}))
    return Case(op, [d.tensor(d.shape())], **attributes)


def binary(d):
    op = d.one("Add", "Sub", "Mul", "Div", "Max", "Min", "Equal", "Less", "Greater", "LessOrEqual", "GreaterOrEqual")
    kind = d.one("float32", "float32", "int32", "int64", "float64", "float16", "int8", "uint8")
    a = d.shape()
    x, y = d.tensor(a, kind, 1 if op == "Div" else -4), d.tensor(d.like(a), kind, 1 if op == "Div" else -4)
    return Case(op, [x, y] if d.whole(0, 1) else [y, x])


def integers(d):
    op = d.one("Mod", "BitShift", "BitwiseAnd", "BitwiseOr", "BitwiseXor", "And", "Or", "Xor")
    a = d.shape()
    kind = "bool" if op in ("And", "Or", "Xor") else d.one("uint8", "uint32", "uint64") if op == "BitShift" else \
        d.one("int8", "int32", "int64", "uint8")
    second = d.tensor(d.like(a), kind, 1, 5)
    attributes = {"direction": d.one("LEFT", "RIGHT")} if op == "BitShift" else \
        {"fmod": d.whole(0, 1)} if op == "Mod" else {}
    return Case(op, [d.tensor(a, kind, -9, 9), second], **attributes)


def power(d):
    a = d.shape()
    return Case("Pow", [d.tensor(a, "float32", 0.1, 3), d.tensor(d.like(a), d.one("float32", "int32", "int64"), 0, 3)])


def choice(d):
    a = d.shape()
    return d.one(Case("Where", [d.tensor(d.like(a), "bool"), d.tensor(a), d.tensor(d.like(a))]),
                 Case("PRelu", [d.tensor(a), d.tensor(d.like(a))]),
                 Case("Clip", [d.tensor(a), numpy.float32(-1), numpy.float32(1.5)], fixed=(1, 2)))


def cast(d):
    to = d.one("FLOAT", "FLOAT16", "DOUBLE", "INT8", "INT32", "INT64", "UINT8", "BOOL", "BFLOAT16")
    kind = d.one("float32", "float16", "int32", "int64", "uint8", "bool", "float64")
    return Case("Cast", [d.tensor(d.shape(), kind, 0 if to.startswith("U") else -9, 9)],
                to=getattr(onnx.TensorProto, to))


def reduction(d):
    op = d.one("ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceL1", "ReduceL2",
               "ReduceLogSum", "ReduceLogSumExp", "ReduceSumSquare")
    rank = d.whole(1, 4)
    axes = sorted(d.random.sample(range(rank), d.whole(0, rank)))
    kind = "float32" if op.startswith("ReduceLog") else d.one("float32", "float32", "int32")  # else in integers
    inputs = [d.tensor(d.shape(rank), kind, 1, 3)]
    if axes:
        inputs.append(numpy.array([a - d.whole(0, 1) * rank for a in axes], "int64"))
    return Case(op, inputs, fixed=(1,), keepdims=d.whole(0, 1), noop_with_empty_axes=d.whole(0, 1))


def along_axis(d):
    rank = d.whole(1, 4)
    shape = d.shape(rank, 2)
    axis = d.axis(rank)
    return d.one(
        Case("Softmax", [d.tensor(shape)], axis=axis), Case("LogSoftmax", [d.tensor(shape)], axis=axis),
        Case("Hardmax", [d.tensor(shape)], axis=axis),
        Case("LpNormalization", [d.tensor(shape)], axis=axis, p=d.whole(1, 2)),
        Case("ArgMax", [d.tensor(shape, "int32", 0, 3)], axis=axis, keepdims=d.whole(0, 1), select_last_index=d.whole(0, 1)),
        Case("ArgMin", [d.tensor(shape, "float32")], axis=axis, keepdims=d.whole(0, 1)),
        Case("CumSum", [d.tensor(shape, d.one("float32", "int32")), numpy.int64(axis)], fixed=(1,),
             exclusive=d.whole(0, 1), reverse=d.whole(0, 1)),
        Case("Flatten", [d.tensor(shape)], axis=axis),
        Case("TopK", [d.numbers.permutation(numpy.prod(shape)).reshape(shape).astype("float32"),
                      numpy.array([d.whole(1, shape[axis])], "int64")], fixed=(1,), num_outputs=2, axis=axis,
             largest=d.whole(0, 1)))


def windows(d, rank):
    """Attributes of a window that fits into extents, with those."""
    kernel = [d.whole(1, 3) for _ in range(rank)]
    dilations = [d.whole(1, 2) for _ in range(rank)]
    strides = [d.whole(1, 3) for _ in range(rank)]
    extents = [(k - 1) * s + 1 + d.whole(0, 6) for k, s in zip(kernel, dilations)]
    attributes = {"kernel_shape": kernel, "strides": strides, "dilations": dilations}
    padding = d.one("none", "pads", "SAME_UPPER", "SAME_LOWER", "VALID")
    if padding == "pads":
        attributes["pads"] = [d.whole(0, k - 1) for k in kernel + kernel]
    elif padding != "none":
        attributes["auto_pad"] = padding
        attributes["dilations"] = [1] * rank
        # Beyond the window, ONNX Runtime takes negative padding.
        attributes["strides"] = [min(s, k) for s, k in zip(strides, kernel)]
    return extents, attributes


def convolution(d):
    extents, attributes = windows(d, d.whole(1, 3))
    groups, inputs, outputs = d.one(1, 1, 2, 3), d.whole(1, 3), d.whole(1, 3)
    x = d.tensor([d.whole(1, 2), groups * inputs] + extents)
    w = d.tensor([groups * outputs, inputs] + attributes["kernel_shape"])
    return Case("Conv", [x, w] + ([d.tensor([groups * outputs])] if d.whole(0, 1) else []), fixed=d.one((), (1, 2)),
                group=groups, **attributes)


def transposed_convolution(d):
    extents, attributes = windows(d, d.whole(1, 2))
    attributes.pop("auto_pad", None)
    groups, inputs, outputs = d.one(1, 1, 2), d.whole(1, 3), d.whole(1, 3)
    padding = [d.whole(0, s - 1) for s in attributes["strides"]]
    return Case("ConvTranspose", [d.tensor([1, groups * inputs] + extents),
                                  d.tensor([groups * inputs, outputs] + attributes["kernel_shape"])],
                fixed=d.one((), (1,)), group=groups, output_padding=padding, **attributes)


def pooling(d):
    extents, attributes = windows(d, d.whole(1, 3))
    x = d.tensor([d.whole(1, 2), d.whole(1, 3)] + extents)
    ceil = 0 if "auto_pad" in attributes else d.whole(0, 1)
    return d.one(Case("MaxPool", [x], ceil_mode=ceil, **attributes),
                 Case("AveragePool", [x], count_include_pad=d.whole(0, 1), **attributes),
                 Case("LpPool", [x], p=d.whole(1, 3), **attributes),
                 Case("GlobalAveragePool", [x]), Case("GlobalMaxPool", [x]))


def products(d):
    m, k, n = d.whole(1, 9), d.whole(1, 20), d.whole(1, 20)
    batch = d.shape(d.whole(0, 2), 1, 3)
    transposes = [d.whole(0, 1), d.whole(0, 1)]
    a, b = [(m, k), (k, m)][transposes[0]], [(k, n), (n, k)][transposes[1]]
    kind = d.one("float32", "float32", "float64", "int32")
    signed = d.one("int8", "uint8")
    return d.one(
        Case("MatMul", [d.tensor(batch + [m, k], kind), d.tensor(d.like(batch) + [k, n], kind)], fixed=d.one((), (1,))),
        Case("Gemm", [d.tensor(a), d.tensor(b), d.tensor(d.like([m, n]))], fixed=d.one((), (1, 2)), alpha=0.7,
             beta=1.3, transA=transposes[0], transB=transposes[1]),
        Case("MatMulInteger", [d.tensor([m, k], "uint8", 0, 255), d.tensor([k, n], signed, -128, 127),
                               numpy.uint8(d.whole(0, 255)), numpy.array(d.whole(0, 100), signed)], fixed=(1, 2, 3)))


def einsum(d):
    equation, *shapes = d.one(("ij,jk->ik", "ij", "jk"), ("bij,bkj->bik", "bij", "bkj"), ("ij->ji", "ij"), ("ii->i", "ii"),
                              ("ij,ij->", "ij", "ij"), ("bhid,bhjd->bhij", "bhid", "bhjd"), ("...ij->...ji", "bij"),
                              ("i,j->ij", "i", "j"), ("ijk,k->ij", "ijk", "k"))
    extents = {letter: d.whole(1, 5) for letter in "abdhijk"}
    return Case("Einsum", [d.tensor([extents[letter] for letter in shape]) for shape in shapes], equation=equation)


def normalisation(d):
    shape = [d.whole(1, 3), d.one(2, 4, 6)] + d.shape(d.whole(1, 2), 2)
    channels = shape[1]
    axis = d.whole(1, len(shape) - 1)
    scale, bias = d.tensor([channels]), d.tensor([channels])
    return d.one(
        Case("BatchNormalization", [d.tensor(shape), scale, bias, d.tensor([channels]), d.tensor([channels], low=0.2)],
             fixed=d.one((), (1, 2, 3, 4)), epsilon=0.01),
        Case("InstanceNormalization", [d.tensor(shape), scale, bias], fixed=(1, 2)),
        Case("GroupNormalization", [d.tensor(shape), scale, bias], fixed=(1, 2), num_groups=2, epsilon=0.001),
        Case("LayerNormalization", [d.tensor(shape), d.tensor(shape[axis:]), d.tensor(shape[axis:])], fixed=(1, 2), axis=axis),
        Case("LRN", [d.tensor(shape)], size=d.one(1, 3, 5), alpha=0.3, beta=0.6, bias=1.5),
        Case("MeanVarianceNormalization", [d.tensor(shape)], axes=d.one([0, 2], [1], [0, 1])))


def movement(d):
    rank = d.whole(1, 4)
    shape = d.shape(rank)
    order = d.random.sample(range(rank), rank)
    starts, ends, steps = [], [], []
    for extent in shape:
        starts.append(d.whole(-extent, extent))
        ends.append(d.whole(-extent - 2, extent + 2))
        steps.append(d.one(1, 2, -1, -2))
    kind = d.one("float32", "int64", "uint8", "bool", "float16")
    x = d.tensor(shape, kind)
    return d.one(
        Case("Transpose", [x], perm=order), Case("Tile", [x, numpy.array([d.whole(1, 3) for _ in shape], "int64")], fixed=(1,)),
        Case("Slice", [x, numpy.array(starts, "int64"), numpy.array(ends, "int64"), numpy.arange(rank), numpy.array(steps, "int64")],
             fixed=(1, 2, 3, 4)),
        Case("Expand", [d.tensor(d.like(shape), kind), numpy.array(shape, "int64")], fixed=(1,)),
        Case("Concat", [x, x, d.tensor(shape, kind)], axis=d.axis(rank)),
        Case("Reshape", [x, numpy.array([-1], "int64")], fixed=(1,)),
        Case("Unsqueeze", [x, numpy.array([d.whole(0, rank)], "int64")], fixed=(1,)))


def padding(d):
    shape = d.shape(d.whole(1, 4), 3)
    mode = d.one("constant", "reflect", "edge", "wrap")
    low = -1 if mode == "constant" else 0
    pads = numpy.array([d.whole(low, 2) for _ in shape + shape], "int64")
    return Case("Pad", [d.tensor(shape), pads] + ([numpy.float32(1.5)] if mode == "constant" else []), fixed=(1, 2), mode=mode)


def indexing(d):
    rank = d.whole(1, 4)
    shape = d.shape(rank, 2)
    axis = d.axis(rank)
    extent = shape[axis]
    places = d.shape(d.whole(0, 2))
    x = d.tensor(shape, d.one("float32", "int64", "bool"))
    grid = [d.whole(1, e) for e in shape]
    grid[axis] = d.whole(1, 4)
    depth = d.whole(1, rank)
    rows = numpy.stack([d.numbers.integers(-e, e, d.whole(1, 4)) if not i else None for i, e in enumerate(shape[:1])], -1)
    tuples = numpy.stack([d.numbers.integers(-e, e, len(rows)) for e in shape[:depth]], -1)
    return d.one(
        Case("Gather", [x, d.tensor(places, "int64", -extent, extent - 1)], axis=axis),
        Case("GatherElements", [x, d.tensor(grid, "int64", -extent, extent - 1)], axis=axis),
        Case("GatherND", [x, tuples]),
        Case("OneHot", [d.tensor(places, "int64", -5, 4), numpy.int64(5), numpy.array([-1, 2], "float32")], fixed=(1,),
             axis=d.whole(-1, len(places))),
        Case("Trilu", [d.tensor([2, *d.shape(2)]), numpy.int64(d.whole(-2, 2))], fixed=(1,), upper=d.whole(0, 1)))


def scattering(d):
    rank = d.whole(1, 3)
    shape = d.shape(rank, 2)
    axis = d.axis(rank)
    reduction = d.one("none", "add", "mul", "max", "min")
    grid = list(shape)
    grid[axis] = d.whole(1, shape[axis])
    places = numpy.stack([d.numbers.permutation(shape[axis])[:grid[axis]] for _ in range(int(numpy.prod(grid)) // grid[axis])])
    places = numpy.moveaxis(places.reshape([e for i, e in enumerate(grid) if i != axis % rank] + [grid[axis]]), -1, axis)
    rows = d.numbers.permutation(shape[0])[:d.whole(1, shape[0])][:, None]
    return d.one(
        Case("ScatterElements", [d.tensor(shape), places.astype("int64"), d.tensor(grid)], axis=axis, reduction=reduction),
        Case("ScatterND", [d.tensor(shape), rows.astype("int64"), d.tensor([len(rows)] + shape[1:])], reduction=reduction))


def resizing(d):
    mode = d.one("nearest", "linear", "cubic")
    rank = d.whole(1, 3) if mode != "cubic" else 2
    shape = [1, d.whole(1, 2)] + d.shape(rank, 2, 7)
    attributes = {"mode": mode, "coordinate_transformation_mode": d.one("half_pixel", "asymmetric", "pytorch_half_pixel",
                                                                        "align_corners", "half_pixel_symmetric")}
    if mode == "nearest":
        attributes["nearest_mode"] = d.one("round_prefer_floor", "round_prefer_ceil", "floor", "ceil")
    if mode == "cubic":
        attributes["cubic_coeff_a"] = d.one(-0.75, -0.5)
        attributes["exclude_outside"] = d.whole(0, 1)
    none = numpy.zeros(0, "float32")
    if d.whole(0, 1):
        scales = numpy.array([1, 1] + [d.one(0.5, 0.6, 1.5, 2, 2.3) for _ in range(rank)], "float32")
        return Case("Resize", [d.tensor(shape), none, scales], fixed=(1, 2), **attributes)
    sizes = numpy.array(shape[:2] + [d.whole(1, 9) for _ in range(rank)], "int64")
    return Case("Resize", [d.tensor(shape), none, none, sizes], fixed=(1, 2, 3), **attributes)


def sampling(d):
    shape = [1, d.whole(1, 2)] + d.shape(2, 3, 6)
    boxes = d.numbers.uniform(0, 5, (2, 4)).astype("float32")
    boxes[:, 2:] += boxes[:, :2] + 1
    block = d.whole(2, 3)
    return d.one(
        Case("GridSample", [d.tensor(shape), d.tensor([1, 3, 4, 2], low=-1.3, high=1.3)], mode=d.one("linear", "nearest", "cubic"),
             padding_mode=d.one("zeros", "border", "reflection"), align_corners=d.whole(0, 1)),
        Case("RoiAlign", [d.tensor(shape), boxes, numpy.zeros(2, "int64")], mode="avg", output_height=2, output_width=3,
             sampling_ratio=d.whole(1, 2), spatial_scale=0.7,
             coordinate_transformation_mode=d.one("half_pixel", "output_half_pixel")),
        Case("DepthToSpace", [d.tensor([1, 2 * block * block, 2, 3])], blocksize=block, mode=d.one("DCR", "CRD")),
        Case("SpaceToDepth", [d.tensor([1, 2, 2 * block, 3 * block])], blocksize=block))


def recurrent(d):
    op, gates = d.one(("LSTM", 4), ("GRU", 3), ("RNN", 1))
    direction = d.one("forward", "reverse", "bidirectional")
    ways = 2 if direction == "bidirectional" else 1
    steps, batch, width, hidden = d.whole(1, 4), d.whole(1, 3), d.whole(1, 4), d.whole(1, 4)
    inputs = [d.tensor([steps, batch, width], low=-1, high=1), d.tensor([ways, gates * hidden, width], low=-1, high=1),
              d.tensor([ways, gates * hidden, hidden], low=-1, high=1), d.tensor([ways, 2 * gates * hidden], low=-1, high=1)]
    attributes = {"linear_before_reset": d.whole(0, 1)} if op == "GRU" else {}
    return Case(op, inputs, fixed=(1, 2, 3), num_outputs=2, hidden_size=hidden, direction=direction, **attributes)


def quantisation(d):
    shape = d.shape(d.whole(1, 3), 2)
    axis = d.axis(len(shape))
    kind = d.one("int8", "uint8")
    low, high = (-128, 127) if kind == "int8" else (0, 255)
    scales = d.tensor([shape[axis]] if d.whole(0, 1) else [], low=0.02, high=0.3)
    zeros = d.tensor(list(scales.shape), kind, low // 2, high // 2)
    m, k, n = d.whole(1, 5), d.whole(1, 20), d.whole(1, 20)
    return d.one(
        Case("QuantizeLinear", [d.tensor(shape, low=-9, high=9), scales, zeros], fixed=(1, 2), axis=axis),
        Case("DequantizeLinear", [d.tensor(shape, kind, low, high), scales, zeros], fixed=(1, 2), axis=axis),
        Case("DynamicQuantizeLinear", [d.tensor(shape)], num_outputs=3),
        Case("QLinearMatMul", [d.tensor([m, k], "uint8", 0, 255), numpy.float32(0.02), numpy.uint8(120), d.tensor([k, n], "int8", -128, 127),
                               numpy.float32(0.03), numpy.int8(3), numpy.float32(0.2), numpy.uint8(100)], fixed=range(1, 8)))


def attention(d):
    batch, heads, groups = d.whole(1, 2), d.one(1, 2, 4), d.one(1, 2)
    queries, keys, width = d.whole(1, 5), d.whole(1, 6), d.one(2, 4, 8)
    q = d.tensor([batch, heads * groups, queries, width])
    k, v = d.tensor([batch, heads, keys, width]), d.tensor([batch, heads, keys, d.whole(1, 5)])
    mask = [d.tensor(d.one([queries, keys], [batch, 1, queries, keys]), d.one("float32", "bool"))] if d.whole(0, 1) else []
    shape = [batch, heads, queries, width]
    places = d.numbers.integers(0, 7, (batch, queries))
    return d.one(
        Case("Attention", [q, k, v] + mask, is_causal=d.whole(0, 1), scale=d.one(0.3, 0.5), softcap=d.one(0.0, 2.0), opset=23),
        Case("RMSNormalization", [d.tensor(shape), d.tensor([width])], fixed=(1,), axis=-1, epsilon=0.01, opset=23),
        Case("RotaryEmbedding", [d.tensor(shape), d.tensor([7, width // 2], low=-1, high=1), d.tensor([7, width // 2], low=-1, high=1),
                                 places], fixed=(1, 2), interleaved=d.whole(0, 1), opset=23))


def integer_convolution(d):
    extents, attributes = windows(d, 2)
    inputs, outputs = d.whole(1, 3), d.whole(1, 4)
    x = d.tensor([1, inputs] + extents, "uint8", 0, 255)
    w = d.tensor([outputs, inputs] + attributes["kernel_shape"], "int8", -128, 127)
    zero = numpy.uint8(d.whole(0, 255))
    return d.one(
        Case("ConvInteger", [x, w, zero], fixed=(1, 2), **attributes),
        Case("QLinearConv", [x, numpy.float32(0.02), zero, w, numpy.float32(0.03), numpy.int8(0), numpy.float32(0.3), numpy.uint8(110),
                             d.tensor([outputs], "int32", -900, 900)], fixed=range(1, 9), **attributes))


def by_values(d):
    shape = d.shape(d.whole(1, 3), 2)
    boxes = d.numbers.uniform(0, 3, (1, 6, 4)).astype("float32")
    boxes[..., 2:] += boxes[..., :2] + 0.5
    return d.one(
        Case("NonZero", [d.tensor(shape, "int32", 0, 1)]),
        Case("Compress", [d.tensor(shape), d.tensor([shape[0]], "bool")], axis=0),
        Case("Unique", [d.tensor(shape, "int64", 0, 4)], num_outputs=4, sorted=d.whole(0, 1)),
        Case("NonMaxSuppression", [boxes, d.tensor([1, 2, 6], low=0, high=1), numpy.int64(3), numpy.float32(0.4), numpy.float32(0.2)],
             fixed=(2, 3, 4), center_point_box=d.whole(0, 1)))


FAMILIES = (unary, shaped_activation, binary, integers, power, choice, cast, reduction, along_axis, convolution,
            transposed_convolution, pooling, products, einsum, normalisation, movement, padding, indexing, scattering,
            resizing, sampling, recurrent, quantisation, attention, integer_convolution, by_values)


def get_element_type(array):
    return oh.np_dtype_to_tensor_dtype(array.dtype)


def make_model(case):
    names = [f"x{i}" for i in range(len(case.inputs))]
    arrays = [numpy.ascontiguousarray(array) if numpy.ndim(array) else numpy.asarray(array) for array in case.inputs]
    constants = [onp.from_array(arrays[i], names[i]) for i in sorted(case.fixed) if i < len(arrays)]
    used = ["" if not array.size and i in case.fixed else name for i, (name, array) in enumerate(zip(names, arrays))]
    node = oh.make_node(case.op, used, case.outputs, name="node", **case.attributes)
    free = [i for i in range(len(arrays)) if i not in case.fixed]
    inputs = [oh.make_tensor_value_info(names[i], get_element_type(arrays[i]), arrays[i].shape) for i in free]
    outputs = [onnx.ValueInfoProto(name=name) for name in case.outputs]
    graph = oh.make_graph([node], "foreign", inputs, outputs, [c for c in constants if c.name in used])
    model = oh.make_model(graph, opset_imports=[oh.make_opsetid("", case.opset)], ir_version=10)
    model = onnx.shape_inference.infer_shapes(model, strict_mode=True)
    onnx.checker.check_model(model)
    return model, {names[i]: arrays[i] for i in free}


def run_foreign(model, inputs):
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return session.run(None, inputs)


def agree(a, b):
    if a.shape != b.shape or a.dtype != b.dtype:
        return False
    if a.dtype.kind in "biu":
        return numpy.array_equal(a, b)
    rtol = 1e-2 if a.dtype == numpy.float16 else 1e-3
    return numpy.allclose(a, b, rtol=rtol, atol=1e-4, equal_nan=True)


def make_values(model, inputs):
    """The outputs that ONNX Runtime gives, and why they are not kept, or nothing."""
    found = run_foreign(model, inputs)
    try:
        expected = onnx.reference.ReferenceEvaluator(model).run(None, inputs)
    except Exception:  # it does not know all operators and attributes
        return found, None
    differ = [i for i, (a, b) in enumerate(zip(found, expected)) if not agree(a, numpy.asarray(b))]
    return found, f"ONNX's reference says other values for output {differ[0]}" if differ else None


def write_folder(folder, model, inputs, outputs):
    data = folder / "test_data_set_0"
    data.mkdir(parents=True)
    (folder / "model.onnx").write_bytes(model.SerializeToString())
    for i, (name, array) in enumerate(inputs.items()):
        (data / f"input_{i}.pb").write_bytes(onp.from_array(array, name).SerializeToString())
    for i, (output, array) in enumerate(zip(model.graph.output, outputs)):
        (data / f"output_{i}.pb").write_bytes(onp.from_array(array, output.name).SerializeToString())


def make_case(family, number, folder):
    """Why there is no case, or nothing."""
    seed = zlib.crc32(f"{family.__name__} {number}".encode())
    numpy.random.seed(seed)
    case = family(Draw(seed))
    model, inputs = make_model(case)
    outputs, difference = make_values(model, inputs)
    if difference:
        return f"{case.op}: {difference}"
    write_folder(folder / f"{family.__name__}_{number:03}_{case.op.lower()}", model, inputs, outputs)
    return None


def pack(folder, archive):
    with tarfile.open(archive, "w:xz", preset=9) as packed:
        for path in sorted(folder.rglob("*")):
            entry = packed.gettarinfo(path, path.relative_to(folder).as_posix())
            entry.mtime = entry.uid = entry.gid = 0
            entry.uname = entry.gname = ""
            with open(path, "rb") if path.is_file() else open("/dev/null", "rb") as content:
                packed.addfile(entry, content)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=20, help="cases of each family")
    parser.add_argument("--archive", type=pathlib.Path, help="pack what was made into this file")
    arguments = parser.parse_args()
    shutil.rmtree(arguments.folder, ignore_errors=True)
    arguments.folder.mkdir(parents=True)
    made = left = 0
    for family in FAMILIES:
        for number in range(arguments.count):
            try:
                why = make_case(family, number, arguments.folder)
            except Exception as error:  # a case that ONNX or its runtime refuses
                why = str(error).strip().splitlines()[-1][:160]
            made += why is None
            left += why is not None
            if why:
                print(f"left out: {family.__name__} {number}: {why}", file=sys.stderr)
    if arguments.archive:
        pack(arguments.folder, arguments.archive)
    print(f"{made} models in {arguments.folder}, {left} left out")


if __name__ == "__main__":
    main()
