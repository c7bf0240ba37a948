"""Nodes that are wrong for every data, or that make tensors of too many axes. Nothing may crash."""

import numpy
import onnx
import onnx.helper

from control_flow import DOMAIN
from data_shapes import make_like, pick_number
from graphs import FLOAT, INT64, Graph, Value, CannotMake
from sequences import keep_sequence
from tensors import result


def collect(graph, value, operator):
    """What a Loop or Scan of two rounds collects of a value."""
    body = Graph(graph.model, graph)
    inputs = ([Value(body.name("round"), INT64), Value(body.name("goes_on"), 9)]
              if operator == "Loop" else [Value(body.name("part"), FLOAT)])
    ends = [Value(body.add("Identity", inputs[1]), 9)] if operator == "Loop" else []
    ends.append(Value(body.add("Identity", value), value.type, value.dims))
    made = body.make("body", inputs, ends, "closed")
    if operator == "Loop":
        return graph.add("Loop", 2, "", body=made)
    part = graph.constant(numpy.zeros(2, numpy.float32))
    return graph.add("Scan", part, body=made, num_scan_inputs=1)


def grow_rank(graph):
    """A tensor of rank 8, or of rank 9, which is one too many and must be refused."""
    value = graph.need(lambda x: x.type == FLOAT and 0 < len(x.dims) < 4)
    rank = graph.random.choice((7, 8))
    axes = sorted(graph.random.sample(range(rank), rank - len(value.dims)))
    dims = list(value.dims)
    for axis in axes:
        dims.insert(axis, 1)
    wide = result(graph, graph.add("Unsqueeze", value, axes), value, dims=tuple(dims))
    how = graph.random.choice(("Loop", "Scan", "Join", "Unsqueeze", "Gather", "NonZero"))
    if how in ("Loop", "Scan"):
        name = collect(graph, wide, how)
    elif how == "Join":
        sequence = graph.add("SequenceConstruct", wide, wide)
        axis = graph.random.choice((0, -1, rank))
        name = graph.add("ConcatFromSequence", sequence, axis=axis, new_axis=1)
    elif how == "Unsqueeze":
        name = graph.add("Unsqueeze", wide, [graph.random.choice((0, -1, rank))])
    elif how == "Gather":
        name = graph.add("Gather", graph.add("Expand", wide, [1] * rank),
                         numpy.zeros((1, 1), numpy.int64), axis=axes[0])
    else:
        name = graph.add("NonZero", wide)
        graph.keep(Value(name, INT64, (rank, graph.model.extent(
            graph, 0, graph.model.most_elements(value.dims))), bound=8))
        return
    graph.model.must_be_refused = rank == 8
    # Read again: an axis that is lost shows here.
    shape = graph.add("Shape", name)
    graph.keep(Value(shape, INT64, (rank + 1,), bound=64))
    graph.keep(Value(graph.add("ReduceSum", name, keepdims=0), FLOAT, bound=9999))


def repeat_name(graph):
    """Two nodes of one name: in the graph, in one within a node, or in a function."""
    value = make_like(graph, FLOAT, ())
    where = graph.random.choice(("graph", "body", "function"))
    if where == "graph":
        first = result(graph, graph.add("Abs", value), value)
        result(graph, graph.add("Neg", first), value)
        graph.nodes[-1].name = graph.nodes[-2].name
    elif where == "body":
        result(graph, collect(graph, value, "Loop"), value, dims=(2,))
        body = next(x.g for x in graph.nodes[-1].attribute if x.name == "body")
        body.node[1].name = body.node[0].name
    else:
        twins = [onnx.helper.make_node("Abs", ["a"], ["b"], "twin"),
                 onnx.helper.make_node("Neg", ["b"], ["c"], "twin")]
        graph.model.functions.append(onnx.helper.make_function(
            DOMAIN, "Twins", ["a"], ["c"], twins,
            [onnx.helper.make_opsetid("", graph.model.operator_set)]))
        result(graph, graph.add("Twins", value, domain=DOMAIN), value)


def place_results_beyond(graph):
    value = make_like(graph, FLOAT, (2, 2))
    result(graph, collect(graph, value, "Scan"), value, dims=(2, 2, 2))
    if graph.random.random() < 0.5:  # then only a run can tell that the axis is wrong
        body = next(x.g for x in graph.nodes[-1].attribute if x.name == "body")
        body.output[0].type.tensor_type.ClearField("shape")
    attribute = onnx.helper.make_attribute("scan_output_axes", [graph.random.choice((3, 9, -4))])
    graph.nodes[-1].attribute.append(attribute)


def scan_beyond(graph):
    value = make_like(graph, FLOAT, (2,))
    result(graph, collect(graph, value, "Scan"), value, dims=(2, 2))
    attribute = onnx.helper.make_attribute("scan_input_axes", [graph.random.choice((1, -2, 7))])
    graph.nodes[-1].attribute.append(attribute)


def split_wrongly(graph):
    value = make_like(graph, FLOAT, (4, 2))
    big = 2 ** 62
    sizes = graph.random.choice(([big, big, big, big + 4], [2, 3], [-1, 5], [2 ** 63 - 1, 5]))
    sizes = graph.add("Add", sizes, graph.add("Mul", pick_number(graph, 0, 1), 0))
    keep_sequence(graph, graph.add("SplitToSequence", value, sizes, axis=0), value,
                  dims=(None, 2), least=1)
    result(graph, graph.add("ConcatFromSequence", graph.nodes[-1].output[0], axis=0), value,
           dims=(4, 2))


def take_beyond(graph):
    """An element, or place, that a sequence does not have."""
    value = make_like(graph, FLOAT, (2,))
    sequence = graph.add("SequenceConstruct", value, value)
    place = graph.add("Add", graph.add("Mul", pick_number(graph, 0, 3), 0),
                      graph.random.choice((2, -3, 2 ** 62, -2 ** 63)))
    how = graph.random.choice(("SequenceAt", "SequenceErase", "SequenceInsert"))
    if how == "SequenceAt":
        result(graph, graph.add(how, sequence, place), value)
        return
    if how == "SequenceInsert":
        place = graph.add("Add", place, graph.add("Sign", place))
        name = graph.add(how, sequence, value, place)
    else:
        name = graph.add(how, sequence, place)
    keep_sequence(graph, name, value, least=1)


def read_empty(graph):
    empty = graph.add("SequenceEmpty", dtype=FLOAT)
    how = graph.random.choice(("SequenceAt", "SequenceErase", "ConcatFromSequence"))
    if how == "ConcatFromSequence":
        graph.keep(Value(graph.add(how, empty, axis=0), FLOAT, (2,)))
    elif how == "SequenceAt":
        graph.keep(Value(graph.add(how, empty, pick_number(graph, 0, 0)), FLOAT, (2,)))
    else:
        keep_sequence(graph, graph.add(how, empty), Value("", FLOAT, (2,)))


def shape_wrongly(graph):
    """Shapes, counts and places by data that do not fit."""
    value = make_like(graph, FLOAT, (2, 3))
    zero = graph.add("Mul", pick_number(graph, 1, 3), 0)
    far = graph.add("Add", zero, graph.random.choice((4, -4)))
    row = graph.add("Unsqueeze", far, [0])
    # Places beyond a tensor that Gather reads mean the nearest there is.
    how = graph.random.choice(("Reshape", "TopK", "Range", "Slice", "Tile", "Concat",
                               "ConstantOfShape", "Expand"))
    if how == "Reshape":
        name = graph.add(how, value, graph.add("Concat", row, [2], axis=0))
    elif how == "TopK":
        name = graph.add(how, value, row, outputs=2)[0]
    elif how == "Range":
        name = graph.add("Cast", graph.add(how, 0, far, zero), to=FLOAT)
    elif how == "Slice":
        name = graph.add(how, value, [0], [2], [0], graph.add("Unsqueeze", zero, [0]))
    elif how == "Tile":
        name = graph.add(how, value, graph.add("Concat", graph.add("Neg", graph.add("Abs", row)),
                                               [1], axis=0))
    elif how == "Concat":
        wide = graph.add("Expand", value, graph.add("Concat", graph.add("Abs", row), [1, 1],
                                                    axis=0))
        name = graph.add(how, wide, graph.add("Unsqueeze", graph.add("Transpose", value), [0]),
                         axis=0)
    elif how == "ConstantOfShape":
        name = graph.add(how, graph.add("Neg", graph.add("Abs", row)))
    else:
        name = graph.add(how, value, graph.add("Concat", graph.add("Abs", row), [3], axis=0))
    graph.keep(Value(name, FLOAT, (2, 3)))


WRONG = (repeat_name, repeat_name, place_results_beyond, scan_beyond, split_wrongly, split_wrongly,
         take_beyond, take_beyond, read_empty, shape_wrongly, shape_wrongly)


def add_odd(graph):
    """Something of these, for which the model must be refused, but for tensors of rank 8."""
    if graph.random.random() < 0.4:
        grow_rank(graph)
        return
    graph.random.choice(WRONG)(graph)
    if graph.model.nodes_left < 0:
        raise CannotMake
    graph.model.must_be_refused = True
