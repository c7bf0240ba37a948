"""What transformers consist of, in the nodes that torch.onnx writes for it."""

import math

import numpy


def normalize(network, value, width, epsilon=1e-12):
    """LayerNorm over the last axis; before operator set 17 in nine nodes."""
    with network.scope("LayerNorm"):
        scale = network.weight([width], 0.1, 1.0)
        shift = network.weight([width], 0.1, name="bias")
        if network.operator_set >= 17:
            return network.add("LayerNormalization", value, scale, shift, axis=-1,
                               epsilon=epsilon)
        mean = network.add("ReduceMean", value, axes=[-1])
        centred = network.add("Sub", value, mean)
        squares = network.add("Pow", centred, 2.0)
        variance = network.add("ReduceMean", squares, axes=[-1])
        deviation = network.add("Sqrt", network.add("Add", variance, epsilon))
        normalized = network.add("Div", centred, deviation)
        return network.add("Add", network.add("Mul", normalized, scale), shift)


def gelu(network, value):
    """GELU by the error function."""
    with network.scope("act"):
        error = network.add("Erf", network.add("Div", value, math.sqrt(2)))
        product = network.add("Mul", value, network.add("Add", error, 1.0))
        return network.add("Mul", product, 0.5)


def gelu_by_tanh(network, value):
    """What GPT-2 takes for GELU."""
    with network.scope("act"):
        half = network.add("Mul", value, 0.5)
        cubed = network.add("Mul", network.add("Pow", value, 3.0), 0.044715)
        inner = network.add("Mul", network.add("Add", value, cubed), math.sqrt(2 / math.pi))
        return network.add("Mul", half, network.add("Add", network.add("Tanh", inner), 1.0))


def project(network, value, width_in, width_out, has_bias=True, gain=1.0):
    """Linear: the weights are a matrix of inputs by outputs, and the bias is the first summand."""
    product = network.add("MatMul", value, network.weight([width_in, width_out],
                                                          gain / math.sqrt(width_in)))
    if not has_bias:
        return product
    return network.add("Add", network.weight([width_out], 0.05, name="bias"), product)


def project_rows(network, value, width_in, width_out, shape):
    """Conv1D of GPT-2: a Gemm on rows, with Reshapes around it."""
    rows = network.add("Reshape", value, [-1, width_in])
    product = network.add("Gemm", rows, network.weight([width_in, width_out],
                                                       1 / math.sqrt(width_in)),
                          network.weight([width_out], 0.05, name="bias"))
    return network.add("Reshape", product, shape)


def read_extents(network, value, axes):
    """The extents of these axes as vectors of one element, for models with open dimensions."""
    extents = []
    for axis in axes:
        shape = network.add("Shape", value)
        extent = network.add("Gather", shape, numpy.int64(axis), axis=0)
        extents.append(network.add("Unsqueeze", extent, [0]))
    return extents


def view(network, value, extents):
    """Reshape; extents are numbers, or the names of vectors of one element."""
    if all(isinstance(extent, int) for extent in extents):
        return network.add("Reshape", value, list(extents))
    parts = [extent if isinstance(extent, str) else network.constant([extent])
             for extent in extents]
    return network.add("Reshape", value, network.add("Concat", *parts, axis=0))


def attend(network, query, key, value, leading, heads, width, mask=None):
    """Attention whose scores are divided; leading is (batch, tokens) of queries, then of keys."""
    size = width // heads
    queries, keys = leading
    query = network.add("Transpose", view(network, query, [*queries, heads, size]),
                        perm=[0, 2, 1, 3])
    key = network.add("Transpose", view(network, key, [*keys, heads, size]), perm=[0, 2, 3, 1])
    value = network.add("Transpose", view(network, value, [*keys, heads, size]),
                        perm=[0, 2, 1, 3])
    scores = network.add("Div", network.add("MatMul", query, key), math.sqrt(size))
    if mask is not None:
        scores = network.add("Add", scores, mask)
    context = network.add("MatMul", network.add("Softmax", scores, axis=-1), value)
    context = network.add("Transpose", context, perm=[0, 2, 1, 3])
    return view(network, context, [*queries, width])


def attend_scaled(network, query, key, value, leading, heads, width):
    """scaled_dot_product_attention: queries and keys are multiplied by the root of the scale."""
    size = width // heads
    split = [view(network, part, [*leading, heads, size]) for part in (query, key, value)]
    query = network.add("Transpose", split[0], perm=[0, 2, 1, 3])
    value = network.add("Transpose", split[2], perm=[0, 2, 1, 3])
    extent = network.add("Slice", network.add("Shape", query), [-1], [2**63 - 1])
    root = network.add("Sqrt", network.add("Cast", extent, to=1))
    scale = network.add("Sqrt", network.add("Div", numpy.float32([1.0]), root))
    key = network.add("Transpose", split[1], perm=[0, 2, 3, 1])
    scores = network.add("MatMul", network.add("Mul", query, scale),
                         network.add("Mul", key, network.add("Sqrt", network.add(
                             "Div", numpy.float32([1.0]), root))))
    context = network.add("MatMul", network.add("Softmax", scores, axis=-1), value)
    return view(network, network.add("Transpose", context, perm=[0, 2, 1, 3]),
                [*leading, width])
