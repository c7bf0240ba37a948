#!/usr/bin/env python3
"""Makes models of nothing but attention, as exporters write it, to compare with compare.py.

Queries, keys and values are inputs [batch, length, heads * width], whose heads are taken apart and
brought forward by Reshape and Transpose, and put together again behind. Files are named by length.

    build/release/bench/models/attention.py FOLDER [--lengths 64,128,...] [--queries N]
        [--batch N] [--heads N] [--width N] [--mask none|keys|causal]
    build/release/bench/models/compare.py FOLDER --onnx-runtime DIR
"""

import argparse
import pathlib

import numpy
import onnx
import onnx.helper
import onnx.numpy_helper


def make_mask(kind, length):
    """The mask as a constant, and the shape of an input that is one."""
    if kind == "causal":
        mask = numpy.triu(numpy.full((length, length), -numpy.inf, numpy.float32), 1)
        return [onnx.numpy_helper.from_array(mask, "mask")], []
    if kind == "keys":
        shape = [1, 1, 1, length]
        return [], [onnx.helper.make_tensor_value_info("mask", onnx.TensorProto.FLOAT, shape)]
    return [], []


def make_heads(name, length, options, permutation):
    """Nodes that make `name`_heads of `name`, and the shape to which it is reshaped."""
    shape = numpy.array([options.batch, length, options.heads, options.width])
    return [
        onnx.helper.make_node("Reshape", [name, f"{name}_shape"], [f"{name}_apart"]),
        onnx.helper.make_node("Transpose", [f"{name}_apart"], [f"{name}_heads"], perm=permutation),
    ], onnx.numpy_helper.from_array(shape, f"{name}_shape")


def make_model(length, options):
    queries = options.queries or length
    channels = options.heads * options.width
    nodes, constants, inputs = [], [], []
    for name, rows, permutation in (("query", queries, (0, 2, 1, 3)), ("key", length, (0, 2, 3, 1)),
                                    ("value", length, (0, 2, 1, 3))):
        made, shape = make_heads(name, rows, options, permutation)
        nodes += made
        constants.append(shape)
        inputs.append(onnx.helper.make_tensor_value_info(
            name, onnx.TensorProto.FLOAT, [options.batch, rows, channels]))
    scale = numpy.array(options.width ** -0.5, numpy.float32)
    constants.append(onnx.numpy_helper.from_array(scale, "scale"))
    constants.append(onnx.numpy_helper.from_array(
        numpy.array([options.batch, queries, channels]), "result_shape"))
    nodes.append(onnx.helper.make_node("MatMul", ["query_heads", "key_heads"], ["product"]))
    nodes.append(onnx.helper.make_node("Mul", ["product", "scale"], ["scores"]))
    mask_constants, mask_inputs = make_mask(options.mask, length)
    scores = "scores"
    if mask_constants or mask_inputs:
        nodes.append(onnx.helper.make_node("Add", ["scores", "mask"], ["masked"]))
        scores = "masked"
    nodes += [
        onnx.helper.make_node("Softmax", [scores], ["shares"], axis=-1),
        onnx.helper.make_node("MatMul", ["shares", "value_heads"], ["heads"]),
        onnx.helper.make_node("Transpose", ["heads"], ["together"], perm=(0, 2, 1, 3)),
        onnx.helper.make_node("Reshape", ["together", "result_shape"], ["result"]),
    ]
    output = onnx.helper.make_tensor_value_info("result", onnx.TensorProto.FLOAT,
                                                [options.batch, queries, channels])
    graph = onnx.helper.make_graph(nodes, "attention", inputs + mask_inputs, [output],
                                   constants + mask_constants)
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 13)])
    model.ir_version = 8
    onnx.checker.check_model(model)
    return model


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--lengths", default="64,128,197,512,1024,2048,4096")
    parser.add_argument("--queries", type=int, help="as many as keys when not given")
    parser.add_argument("--batch", type=int, default=1)
    parser.add_argument("--heads", type=int, default=12)
    parser.add_argument("--width", type=int, default=64, help="of a head")
    parser.add_argument("--mask", choices=("none", "keys", "causal"), default="none")
    options = parser.parse_args()
    if options.mask == "causal" and options.queries:
        parser.error("a causal mask needs as many queries as keys; leave --queries out")
    for length in (int(word) for word in options.lengths.split(",")):
        folder = options.folder / f"attention_{length}"
        folder.mkdir(parents=True, exist_ok=True)
        onnx.save(make_model(length, options), str(folder / "model.onnx"))


if __name__ == "__main__":
    main()
