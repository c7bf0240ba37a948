"""Nodes whose results have shapes that data, or the shapes of others, decide on."""

import numpy
import onnx.numpy_helper

from graphs import BOOL, FLOAT, INT64, Value
from tensors import is_exact, is_number, is_small, result, tame


def pick_number(graph, least, most):
    """An int64 scalar within bounds that is known when the model runs, or when a plan is made."""
    def make(name, bound):
        return Value(name, INT64, bound=bound)

    choice = graph.random.random()
    if choice < 0.1:
        return graph.constant(graph.random.randint(least, most))
    value = graph.need(lambda x: x.exact and is_number(x))
    number = graph.pick(lambda x: x.type == INT64 and not x.dims)
    if choice < 0.45 and number is not None:
        number = number.name
    elif choice < 0.7 and value.dims:
        shape = graph.add("Shape", value)
        number = graph.add("Gather", shape, graph.random.randrange(-len(value.dims),
                                                                   len(value.dims)), axis=0)
    elif choice < 0.75:
        number = graph.add("Size", value)
    else:
        total = graph.add("ReduceSum", tame(graph, value), keepdims=0)
        number = total if value.type == INT64 else graph.add("Cast", total, to=INT64)
    number = graph.add("Clip", number, least, most)
    graph.keep(make(number, max(abs(least), abs(most))))
    return number


def pick_condition(graph):
    """A bool scalar, or one of one element."""
    choice = graph.random.random()
    given = graph.pick(lambda x: x.type == BOOL and x.dims in ((), (1,)))
    if choice < 0.3 and given is not None:
        return given
    if choice < 0.37:
        return Value(graph.constant(numpy.array(graph.random.random() < 0.5)), BOOL)
    operator = graph.random.choice(("Greater", "Less", "Equal", "LessOrEqual"))
    name = graph.add(operator, pick_number(graph, -4, 9), graph.random.randint(-1, 4))
    return graph.keep(Value(name, BOOL, bound=1))


def shape_of(graph, dims):
    """The name of an int64 vector of extents, from wherever they are known."""
    if all(isinstance(extent, int) for extent in dims):
        return graph.constant(list(dims)) if dims else graph.constant(numpy.zeros(0, numpy.int64))
    parts = []
    for extent in dims:
        if isinstance(extent, int):
            parts.append(graph.constant([extent]))
        else:
            value = graph.need(lambda x, extent=extent: extent in x.dims)
            axis = value.dims.index(extent)
            parts.append(graph.add("Shape", value, start=axis, end=axis + 1)
                         if graph.random.random() < 0.3 else
                         graph.add("Gather", graph.add("Shape", value), [axis], axis=0))
    return graph.add("Concat", *parts, axis=0) if len(parts) > 1 else parts[0]


def make_like(graph, kind, dims, exact=True):
    """A value of that type and those extents, which was computed from others if possible."""
    value = graph.pick(lambda x: x.type == kind and x.dims == dims and (x.exact or not exact))
    if value is not None and graph.random.random() < 0.7:
        return value
    number = graph.pick(lambda x: x.exact and x.type == kind and x.dims == ())
    scalar = number.name if number is not None else graph.add(
        "Cast", pick_number(graph, -5, 5), to=kind)
    bound = number.bound if number is not None else 5
    name = graph.add("Expand", scalar, shape_of(graph, dims))
    return graph.keep(Value(name, kind, dims, bound=bound))


def add_non_zero(graph):
    value = graph.need(lambda x: x.dims and is_exact(x))
    most = graph.model.most_elements(value.dims)
    many = graph.model.extent(graph, 0, most)
    places = result(graph, graph.add("NonZero", value), value, type=INT64,
                    dims=(len(value.dims), many), bound=max(map(graph.model.most, value.dims)))
    if graph.random.random() < 0.5:
        turned = graph.add("Transpose", places, perm=[1, 0])
        result(graph, graph.add("GatherND", value, turned), value, dims=(many,))
    return True


def add_compress(graph):
    value = graph.need(lambda x: x.dims)
    axis = graph.random.randrange(len(value.dims))
    chosen = make_like(graph, BOOL, value.dims[axis:axis + 1])
    if graph.random.random() < 0.7:
        extent = graph.model.extent(graph, 0, graph.model.most(value.dims[axis]))
        given = graph.random.choice((axis, axis - len(value.dims)))
        result(graph, graph.add("Compress", value, chosen, axis=given), value,
               dims=value.dims[:axis] + (extent,) + value.dims[axis + 1:])
    elif len(value.dims) == 1:
        extent = graph.model.extent(graph, 0, graph.model.most(value.dims[0]))
        result(graph, graph.add("Compress", value, chosen), value, dims=(extent,))
    return True


def add_unique(graph):
    value = graph.need(lambda x: x.dims and is_exact(x) and is_number(x))
    most = graph.model.most_elements(value.dims)
    extent = graph.model.extent(graph, 0, most)
    names = graph.add("Unique", value, outputs=4, sorted=1)
    result(graph, names[0], value, dims=(extent,))
    result(graph, names[1], value, type=INT64, dims=(extent,), bound=most)
    if len(value.dims) == 1:
        result(graph, names[2], value, type=INT64, dims=value.dims, bound=most)
    result(graph, names[3], value, type=INT64, dims=(extent,), bound=most)
    return True


def add_selection(graph):
    """NonMaxSuppression, of boxes that no two have one score."""
    value = graph.need(lambda x: x.type == FLOAT and len(x.dims) == 2 and x.exact
                       and isinstance(x.dims[1], int))
    if value is None or value.dims[1] == 0:
        return False
    value = tame(graph, value)

    def weigh(width):
        weights = [graph.random.randint(-1, 2) for _ in range(value.dims[1] * width)]
        return graph.add("MatMul", value, numpy.array(weights, numpy.float32).reshape(-1, width))

    corner = weigh(2)
    other = graph.add("Add", graph.add("Add", corner, graph.add("Abs", weigh(2))), 1.0)
    boxes = graph.add("Unsqueeze", graph.add("Concat", corner, other, axis=1), [0])
    number = graph.add("Gather", graph.add("Shape", value), 0, axis=0)
    order = graph.add("Cast", graph.add("Range", 0, number, 1), to=FLOAT)
    scores = graph.add("Add", graph.add("Mul", graph.add("Reshape", weigh(1), [-1]), 64.0), order)
    scores = graph.add("Unsqueeze", scores, [0, 1])
    most = graph.model.most(value.dims[0])
    extent = graph.model.extent(graph, 0, most)
    name = graph.add("NonMaxSuppression", boxes, scores, pick_number(graph, 0, 5), 0.337, -5.5)
    graph.keep(Value(name, INT64, (extent, 3), bound=most))
    return True


def add_range(graph):
    most = 6
    number = pick_number(graph, 0, most)
    step = graph.random.choice((1, 1, 2))
    extent = graph.model.extent(graph, 0, most)
    name = graph.add("Range", 0, number, step)
    graph.keep(Value(name, INT64, (extent,), bound=most))
    return True


def add_expand(graph):
    value = graph.need(lambda x: len(x.dims) < 4 and is_number(x))
    extent = graph.model.extent(graph, 0, 4)
    number = graph.add("Unsqueeze", pick_number(graph, 0, 4), [0])
    dims = (extent,) + value.dims
    if not is_small(graph, dims):
        return False
    shape = graph.add("Concat", number, shape_of(graph, value.dims), axis=0)
    result(graph, graph.add("Expand", value, shape), value, dims=dims)
    return True


def add_constant_of_shape(graph):
    value = graph.need(lambda x: 0 < len(x.dims) < 4)
    number = numpy.array([graph.random.randint(-2, 2)], numpy.float32)
    name = graph.add("ConstantOfShape", graph.add("Shape", value),
                     value=onnx.numpy_helper.from_array(number))
    result(graph, name, value, type=FLOAT, exact=True, bound=2)
    return True


def add_slice_by_data(graph):
    value = graph.need(lambda x: x.dims)
    axis = graph.random.randrange(len(value.dims))
    start, end = (graph.add("Unsqueeze", pick_number(graph, -5, 5), [0]) for _ in range(2))
    extent = graph.model.extent(graph, 0, graph.model.most(value.dims[axis]))
    name = graph.add("Slice", value, start, end, [axis], [graph.random.choice((1, 1, 2, -1))])
    result(graph, name, value, dims=value.dims[:axis] + (extent,) + value.dims[axis + 1:])
    return True


def add_pad(graph):
    value = graph.need(lambda x: x.dims and is_number(x))
    rank, axis = len(value.dims), graph.random.randrange(len(value.dims))
    pads = [graph.constant([0])] * (2 * rank)
    pads[axis + graph.random.choice((0, rank))] = graph.add(
        "Unsqueeze", pick_number(graph, 0, 2), [0])
    most = graph.model.most(value.dims[axis]) + 2
    extent = graph.model.extent(graph, 0, most)
    dims = value.dims[:axis] + (extent,) + value.dims[axis + 1:]
    if not is_small(graph, dims):
        return False
    result(graph, graph.add("Pad", value, graph.add("Concat", *pads, axis=0)), value, dims=dims)
    return True


def add_tile(graph):
    value = graph.need(lambda x: len(x.dims) in (1, 2))
    extent = graph.model.extent(graph, 0, 2 * graph.model.most(value.dims[0]))
    repeats = graph.add("Unsqueeze", pick_number(graph, 0, 2), [0])
    if len(value.dims) == 2:
        repeats = graph.add("Concat", repeats, [1], axis=0)
    dims = (extent,) + value.dims[1:]
    if not is_small(graph, dims):
        return False
    result(graph, graph.add("Tile", value, repeats), value, dims=dims)
    return True


def add_top(graph):
    # ONNX Runtime divides by the number of rows.
    value = graph.need(lambda x: is_number(x) and x.exact and x.dims
                       and all(map(graph.model.least, x.dims[:-1])))
    least = graph.model.least(value.dims[-1])
    extent = graph.model.extent(graph, 0, least)
    number = graph.add("Unsqueeze", pick_number(graph, 0, least), [0])
    names = graph.add("TopK", value, number, outputs=2, largest=graph.random.randint(0, 1))
    dims = value.dims[:-1] + (extent,)
    result(graph, names[0], value, dims=dims)
    result(graph, names[1], value, dims=dims, type=INT64, bound=graph.model.most(value.dims[-1]))
    return True


def add_backward(graph):
    """Rows in falling order, by places that a Range gives."""
    value = graph.need(lambda x: x.dims)
    axis = graph.random.randrange(len(value.dims))
    last = graph.add("Sub", graph.add("Gather", graph.add("Shape", value), axis, axis=0), 1)
    places = graph.add("Range", last, -1, -1)
    result(graph, graph.add("Gather", value, places, axis=axis), value)
    return True


def add_reshape(graph):
    """To the extents of it that were read from it, in another order."""
    value = graph.need(lambda x: len(x.dims) > 1)
    dims = tuple(graph.random.sample(value.dims, len(value.dims)))
    result(graph, graph.add("Reshape", value, shape_of(graph, dims), allowzero=1), value, dims=dims)
    return True


CHOICES = (add_non_zero, add_non_zero, add_compress, add_unique, add_selection)
DATA_NODES = (add_range, add_expand, add_constant_of_shape, add_slice_by_data, add_pad, add_tile,
              add_top, add_backward, add_reshape)
