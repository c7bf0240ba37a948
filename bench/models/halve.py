#!/usr/bin/env python3
"""Makes a model of float16 or bfloat16 of one of float32, as exporters make them.

Weights, inputs, outputs and the types that nodes ask for change; what ONNX wants in float32, such
as the scales of a Resize, stays. With --keep-borders the inputs and outputs stay float32, with a
Cast behind and before them.

    bench/models/halve.py MODEL.onnx HALF.onnx [--type float16|bfloat16] [--keep-borders]
"""

import argparse
import pathlib

import numpy
import onnx
import onnx.helper
import onnx.numpy_helper

TYPES = {"float16": onnx.TensorProto.FLOAT16, "bfloat16": onnx.TensorProto.BFLOAT16}
FLOAT32_INPUTS = {"Resize": (1, 2), "Upsample": (1,), "QuantizeLinear": (1,),
                  "DequantizeLinear": (1,)}


def halve_tensor(tensor, half):
    """In place. bfloat16 has no numpy type: its bits are the upper half of float32's, rounded."""
    if tensor.data_type != onnx.TensorProto.FLOAT:
        return
    values = onnx.numpy_helper.to_array(tensor)
    if half == onnx.TensorProto.FLOAT16:
        greatest = numpy.finfo(numpy.float16).max  # masks have the lowest float32
        data = values.clip(-greatest, greatest).astype(numpy.float16).tobytes()
    else:
        bits = values.astype(numpy.float32).view(numpy.uint32)
        data = ((bits + 0x7fff + ((bits >> 16) & 1)) >> 16).astype(numpy.uint16).tobytes()
    halved = onnx.TensorProto(name=tensor.name, data_type=half, dims=tensor.dims, raw_data=data)
    tensor.CopyFrom(halved)


def halve_attributes(node, half):
    for attribute in node.attribute:
        if attribute.type == onnx.AttributeProto.TENSOR:
            halve_tensor(attribute.t, half)
        if node.op_type == "Cast" and attribute.name == "to":
            if attribute.i == onnx.TensorProto.FLOAT:
                attribute.i = half


def halve_value(value, half):
    if value.type.tensor_type.elem_type == onnx.TensorProto.FLOAT:
        value.type.tensor_type.elem_type = half


def find_float32_names(graph):
    return {node.input[index] for node in graph.node
            for index in FLOAT32_INPUTS.get(node.op_type, ()) if index < len(node.input)}


def add_casts(graph, half):
    """Between the borders, which stay float32, and what is inside."""
    constants = {constant.name for constant in graph.initializer}
    before, behind = [], []

    def rename(name, new, lists):
        for node in graph.node:
            for names in (getattr(node, which) for which in lists):
                for index, known in enumerate(names):
                    if known == name:
                        names[index] = new

    for value in graph.input:
        if value.name in constants or value.type.tensor_type.elem_type != onnx.TensorProto.FLOAT:
            continue
        rename(value.name, value.name + "_half", ("input",))
        before.append(onnx.helper.make_node("Cast", [value.name], [value.name + "_half"], to=half))
    for value in graph.output:
        if value.type.tensor_type.elem_type != onnx.TensorProto.FLOAT:
            continue
        rename(value.name, value.name + "_half", ("input", "output"))
        behind.append(onnx.helper.make_node("Cast", [value.name + "_half"], [value.name],
                                            to=onnx.TensorProto.FLOAT))
    return before, behind


def halve(model, half, keeps_borders):
    graph = model.graph
    stays = find_float32_names(graph)
    constants = {constant.name for constant in graph.initializer}
    for node in graph.node:
        if not (node.op_type == "Constant" and node.output[0] in stays):
            halve_attributes(node, half)
    for constant in graph.initializer:
        if constant.name not in stays:
            halve_tensor(constant, half)
    before, behind = add_casts(graph, half) if keeps_borders else ([], [])
    for value in [*graph.input, *graph.output]:
        is_border = value.name not in constants
        if value.name not in stays and not (keeps_borders and is_border):
            halve_value(value, half)
    del graph.value_info[:]
    nodes = [*before, *graph.node, *behind]
    del graph.node[:]
    graph.node.extend(nodes)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", type=pathlib.Path)
    parser.add_argument("half", type=pathlib.Path)
    parser.add_argument("--type", choices=TYPES, default="float16")
    parser.add_argument("--keep-borders", action="store_true")
    options = parser.parse_args()
    model = onnx.load(str(options.model))
    halve(model, TYPES[options.type], options.keep_borders)
    onnx.save(model, str(options.half))


if __name__ == "__main__":
    main()
