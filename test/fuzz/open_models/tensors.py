"""Nodes that compute tensors. Each function adds one or a few to a graph, and says whether it found
values to do so with."""

import dataclasses

import numpy

from graphs import BOOL, FLOAT, INT64, MOST_ELEMENTS, Value

replace = dataclasses.replace
UNKNOWN_SUM = 2000  # times the bound: sums of so many stay exact in float32


def tame(graph, value, most=9):
    """The value with a small bound, so that later sums and products stay exact."""
    if value.type == BOOL or value.bound <= most:
        return value
    bounds = ([numpy.array(number, numpy.float32) for number in (-most, most)]
              if value.type == FLOAT else [-most, most])
    if graph.random.random() < 0.5:
        name = graph.add("Clip", value, *bounds)
    else:
        name = graph.add("Max", graph.add("Min", value, bounds[1]), bounds[0])
    return graph.keep(replace(value, name=name, bound=most))


def is_small(graph, dims):
    return len(dims) <= 6 and graph.model.most_elements(dims) <= MOST_ELEMENTS


def result(graph, name, like, **changes):
    return graph.keep(replace(like, name=name, kind="tensor", **changes))


def broadcast(first, second):
    """The extents of a result of two; None where they may not fit."""
    rank = max(len(first), len(second))
    dims = []
    for a, b in zip((1,) * (rank - len(first)) + first, (1,) * (rank - len(second)) + second):
        if a != b and 1 not in (a, b):
            return None
        dims.append(b if a == 1 else a)
    return tuple(dims)


def is_exact(value):
    return value.exact


def is_number(value):
    return value.type != BOOL


def add_unary(graph):
    value = graph.need(is_number)
    operators = ["Neg", "Abs", "Sign", "Identity"]
    if value.type == FLOAT:
        operators += ["Relu", "Floor", "Relu", "Sigmoid", "Tanh", "Softplus", "Erf"]
        if value.dims:
            operators.append("Softmax")
    operator = graph.random.choice(operators)
    is_inexact = operator in ("Sigmoid", "Tanh", "Softplus", "Erf", "Softmax")
    if is_inexact:
        value = tame(graph, value)
    attributes = {"axis": graph.random.choice((-1, 0))} if operator == "Softmax" else {}
    # Rounding of what is not exact may go either way.
    if not value.exact and operator in ("Floor", "Sign"):
        operator = "Abs"
    result(graph, graph.add(operator, value, **attributes), value,
           exact=value.exact and not is_inexact)
    return True


def pick_operand(graph, value):
    """Something to compute with a value: of the same extents, or such that it is spread."""
    other = graph.pick(lambda x: x.type == value.type and broadcast(x.dims, value.dims) is not None)
    if other is None or other is value or graph.random.random() < 0.2:
        dims = graph.random.choice(((), (1,), tuple(
            extent if isinstance(extent, int) else 1 for extent in value.dims)))
        shape = numpy.array([graph.random.randint(-3, 3) for _ in range(int(numpy.prod(dims)))])
        name = graph.constant(shape.reshape(dims).astype(numpy.float32 if value.type == FLOAT
                                                         else numpy.int64))
        return Value(name, value.type, dims, bound=3)
    return other


def add_binary(graph):
    first = tame(graph, graph.need(is_number), 64)
    second = tame(graph, pick_operand(graph, first), 64)
    dims = broadcast(first.dims, second.dims)
    if not is_small(graph, dims):
        return False
    operator = graph.random.choice(("Add", "Sub", "Mul", "Min", "Max"))
    bound = (first.bound * second.bound if operator == "Mul" else first.bound + second.bound)
    pair = [first, second]
    graph.random.shuffle(pair)
    result(graph, graph.add(operator, *pair), first, dims=dims, bound=max(bound, 1),
           exact=first.exact and second.exact)
    return True


def add_comparison(graph):
    first = graph.need(lambda x: is_number(x) and x.exact)
    second = pick_operand(graph, first)
    dims = broadcast(first.dims, second.dims)
    if not second.exact or not is_small(graph, dims):
        return False
    operator = graph.random.choice(("Greater", "Less", "Equal", "GreaterOrEqual", "LessOrEqual"))
    result(graph, graph.add(operator, first, second), first, type=BOOL, dims=dims, bound=1)
    return True


def add_where(graph):
    first = graph.need(is_number)
    second = pick_operand(graph, first)
    dims = broadcast(first.dims, second.dims)
    chosen = graph.need(lambda x: x.type == BOOL and broadcast(x.dims, dims) is not None)
    dims = broadcast(chosen.dims, dims)
    if not is_small(graph, dims):
        return False
    result(graph, graph.add("Where", chosen, first, second), first, dims=dims,
           bound=max(first.bound, second.bound), exact=first.exact and second.exact)
    return True


def add_logic(graph):
    value = graph.need(lambda x: x.type == BOOL)
    other = graph.pick(lambda x: x.type == BOOL and broadcast(x.dims, value.dims) is not None)
    dims = broadcast(value.dims, other.dims)
    operator = graph.random.choice(("Not", "And", "Or", "Xor"))
    if operator == "Not":
        result(graph, graph.add("Not", value), value)
    elif is_small(graph, dims):
        result(graph, graph.add(operator, value, other), value, dims=dims)
    return True


def add_cast(graph):
    value = graph.need(is_exact)
    to = graph.random.choice([kind for kind in (FLOAT, INT64, BOOL) if kind != value.type])
    result(graph, graph.add("Cast", value, to=to), value, type=to,
           bound=1 if BOOL in (to, value.type) else value.bound)
    return True


def add_reduction(graph):
    value = graph.need(lambda x: is_number(x) and x.dims)
    value = tame(graph, value)
    axes = graph.random.sample(range(len(value.dims)), graph.random.randint(1, len(value.dims)))
    keeps = graph.random.random() < 0.5
    dims = tuple(1 if axis in axes else extent for axis, extent in enumerate(value.dims)
                 if keeps or axis not in axes)
    # ONNX Runtime gives wrong shapes for negative axes of tensors without elements.
    may_count_back = all(map(graph.model.least, value.dims))
    given = [axis - len(value.dims) if may_count_back and graph.random.random() < 0.5 else axis
             for axis in axes]
    is_whole = len(axes) == len(value.dims) and graph.random.random() < 0.5
    inputs = [value] if is_whole else [value, numpy.array(given, numpy.int64)]
    result(graph, graph.add("ReduceSum", *inputs, keepdims=int(keeps)), value, dims=dims,
           bound=value.bound * UNKNOWN_SUM)
    return True


def add_product(graph):
    value = graph.need(lambda x: x.type == FLOAT and len(x.dims) >= 2)
    value = tame(graph, value)
    extent = value.dims[-1]
    if isinstance(extent, int) and graph.random.random() < 0.6:
        width = graph.random.randint(1, 4)
        weights = [graph.random.randint(-2, 2) for _ in range(extent * width)]
        other = graph.constant(numpy.array(weights, numpy.float32).reshape(extent, width))
        dims = value.dims[:-1] + (width,)
    else:
        swapped = [*range(len(value.dims) - 2), len(value.dims) - 1, len(value.dims) - 2]
        other = graph.add("Transpose", value, perm=swapped)
        dims = value.dims[:-1] + value.dims[-2:-1]
    if not is_small(graph, dims):
        return False
    result(graph, graph.add("MatMul", value, other), value, dims=dims,
           bound=value.bound * value.bound * UNKNOWN_SUM / 10)
    return True


def add_movement(graph):
    value = graph.need(lambda x: x.dims)
    rank = len(value.dims)
    axis = graph.random.randrange(rank)
    what = graph.random.choice(("Transpose", "Unsqueeze", "Squeeze", "Flatten", "Slice", "Concat"))
    if what == "Transpose":
        order = graph.random.sample(range(rank), rank)
        result(graph, graph.add(what, value, perm=order), value,
               dims=tuple(value.dims[place] for place in order))
    elif what == "Unsqueeze" and rank < 5:
        result(graph, graph.add(what, value, [graph.random.choice((axis, axis - rank - 1))]), value,
               dims=value.dims[:axis] + (1,) + value.dims[axis:])
    elif what == "Squeeze" and value.dims[axis] == 1:
        result(graph, graph.add(what, value, [axis]), value,
               dims=value.dims[:axis] + value.dims[axis + 1:])
    elif what == "Flatten":
        most = graph.model.most_elements(value.dims)
        result(graph, graph.add("Reshape", value, [-1]), value,
               dims=(graph.model.extent(graph, 0, most),))
    elif what == "Slice":
        add_slice(graph, value, axis)
    elif what == "Concat":
        return add_concat(graph, value, axis)
    return True


def add_slice(graph, value, axis):
    start, end, step = graph.random.choice((
        (0, 2, 1), (1, 2 ** 31, 1), (-2, 2 ** 31, 1), (0, 2 ** 62, 2), (-1, -2 ** 62, -1),
        (-1, -2 ** 62, -2), (3, 1, 1)))
    given = graph.random.choice((axis, axis - len(value.dims)))
    name = graph.add("Slice", value, [start], [end], [given], [step])
    extent = value.dims[axis]
    if isinstance(extent, int):
        extent = len(range(extent)[slice(start, None if abs(end) > 2 ** 30 else end, step)])
    else:
        extent = graph.model.extent(graph, 0, graph.model.most(extent))
    result(graph, name, value, dims=value.dims[:axis] + (extent,) + value.dims[axis + 1:])


def add_concat(graph, value, axis):
    other = graph.pick(lambda x: x.type == value.type and len(x.dims) == len(value.dims) and all(
        place == axis or x.dims[place] == value.dims[place] for place in range(len(x.dims))))
    parts = [value, other] + [value] * (graph.random.random() < 0.2)
    graph.random.shuffle(parts)
    extents = [part.dims[axis] for part in parts]
    extent = sum(extents) if all(isinstance(e, int) for e in extents) else graph.model.extent(
        graph, sum(map(graph.model.least, extents)), sum(map(graph.model.most, extents)))
    dims = value.dims[:axis] + (extent,) + value.dims[axis + 1:]
    if not is_small(graph, dims):
        return False
    given = graph.random.choice((axis, axis - len(dims)))
    result(graph, graph.add("Concat", *parts, axis=given), value, dims=dims,
           bound=max(part.bound for part in parts), exact=all(part.exact for part in parts))
    return True


def add_gather(graph):
    """Rows by their place, also from the end."""
    value = graph.need(lambda x: x.dims)
    axis = graph.random.randrange(len(value.dims))
    least = graph.model.least(value.dims[axis])
    if least == 0:
        return False
    places = [graph.random.randrange(-least, least) for _ in range(graph.random.randint(1, 3))]
    is_one = graph.random.random() < 0.4
    name = graph.add("Gather", value, places[0] if is_one else places, axis=axis)
    dims = value.dims[:axis] + (() if is_one else (len(places),)) + value.dims[axis + 1:]
    result(graph, name, value, dims=dims)
    return True


TENSOR_NODES = (add_unary, add_unary, add_binary, add_binary, add_comparison, add_where, add_logic,
                add_cast, add_reduction, add_product, add_movement, add_movement, add_gather)
