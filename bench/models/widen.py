#!/usr/bin/env python3
"""Makes a model of float64 of one of narrower floats, which others can be held against.

Weights, inputs, outputs and the types that nodes ask for change; what ONNX wants in float32, such
as the scales of a Resize, stays, with Casts around layers that take or give float32 only.

    bench/models/widen.py MODEL.onnx WIDE.onnx
"""

import argparse
import pathlib

import numpy
import onnx
import onnx.helper
import onnx.numpy_helper

WIDE = onnx.TensorProto.DOUBLE
FLOATS = (onnx.TensorProto.FLOAT, onnx.TensorProto.FLOAT16, onnx.TensorProto.BFLOAT16)
FLOAT32_INPUTS = {"Resize": (1, 2), "Upsample": (1,), "QuantizeLinear": (0, 1),
                  "DequantizeLinear": (1,), "DynamicQuantizeLinear": (0,),
                  "NonMaxSuppression": (0, 1, 3, 4)}
FLOAT32_OUTPUTS = {"DequantizeLinear": (0,), "DynamicQuantizeLinear": (1,)}


def widen_tensor(tensor):
    """In place."""
    if tensor.data_type in FLOATS:
        values = onnx.numpy_helper.to_array(tensor).astype(numpy.float64)
        tensor.CopyFrom(onnx.numpy_helper.from_array(values, tensor.name))


def widen_attributes(node):
    for attribute in node.attribute:
        if attribute.type == onnx.AttributeProto.GRAPH:
            widen_graph(attribute.g)
        elif attribute.type == onnx.AttributeProto.TENSOR:
            widen_tensor(attribute.t)
        elif attribute.name == "to" and node.op_type == "Cast" and attribute.i in FLOATS:
            attribute.i = WIDE
        elif attribute.name in ("value_float", "value_floats"):
            values = numpy.array(onnx.helper.get_attribute_value(attribute), numpy.float64)
            attribute.CopyFrom(onnx.helper.make_attribute(
                "value", onnx.numpy_helper.from_array(values)))


def cast(node, names, index, to, is_before):
    """Puts a Cast before an input, or behind an output, of a node."""
    inner = f"{node.name or node.output[0]}/{'input' if is_before else 'output'}{index}/{to}"
    outer, names[index] = names[index], inner
    ends = (outer, inner) if is_before else (inner, outer)
    return onnx.helper.make_node("Cast", [ends[0]], [ends[1]], to=to)


def widen_node(node, constants):
    """The node, with what must stand before and behind it."""
    before, behind = [], []
    for index in FLOAT32_INPUTS.get(node.op_type, ()):
        if index < len(node.input) and node.input[index] and node.input[index] not in constants:
            before.append(cast(node, node.input, index, onnx.TensorProto.FLOAT, is_before=True))
    for index in FLOAT32_OUTPUTS.get(node.op_type, ()):
        behind.append(cast(node, node.output, index, WIDE, is_before=False))
    widen_attributes(node)
    return [*before, node, *behind]


def widen(model):
    widen_graph(model.graph)


def widen_graph(graph):
    constants = {constant.name for constant in graph.initializer}
    read_as_they_are = {node.input[index] for node in graph.node
                        for index in FLOAT32_INPUTS.get(node.op_type, ())
                        if index < len(node.input)} & constants
    for constant in graph.initializer:
        if constant.name not in read_as_they_are:
            widen_tensor(constant)
    for value in [*graph.input, *graph.output]:
        if value.type.tensor_type.elem_type in FLOATS and value.name not in read_as_they_are:
            value.type.tensor_type.elem_type = WIDE
    nodes = [part for node in graph.node for part in widen_node(node, read_as_they_are)]
    del graph.value_info[:]
    del graph.node[:]
    graph.node.extend(nodes)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", type=pathlib.Path)
    parser.add_argument("wide", type=pathlib.Path)
    options = parser.parse_args()
    model = onnx.load(str(options.model))
    widen(model)
    onnx.save(model, str(options.wide))


if __name__ == "__main__":
    main()
