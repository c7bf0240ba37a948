#!/usr/bin/env python3
"""Makes a model of 8-bit integers of one of floats, so that these can be measured, too.

The tensors of each convolution, fully connected layer, sum, pooling and concat are quantised and
dequantised: activations as uint8 with one scale, whose ranges are those of one run with random
inputs; weights as int8, convolutions' with a scale for each filter. Batch normalisations behind
convolutions are folded into these first. A model made so says nothing about accuracy; it has the
layers and shapes of one that was calibrated with care.

    build/release/bench/models/quantise.py MODEL.onnx QUANTISED.onnx [--backends CpuAcc,CpuRef]
"""

import argparse
import collections
import pathlib
import subprocess
import sys
import tempfile

import numpy
import onnx
import onnx.numpy_helper
import onnx.shape_inference
import onnx.version_converter

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import interleaved  # noqa: E402: beside this folder

OPERATOR_SET = 13  # the first with a scale for each channel
QUANTISED = ("Conv", "Gemm", "Add", "Sum", "MaxPool", "AveragePool", "GlobalAveragePool", "Concat")
ACTIVATIONS = ("Relu", "Clip")


class Graph:
    """The graph of a model, with its constants as arrays."""

    def __init__(self, model):
        self.graph = model.graph
        self.constants = {constant.name: onnx.numpy_helper.to_array(constant)
                          for constant in model.graph.initializer}
        self.readers = collections.defaultdict(list)
        for node in model.graph.node:
            for name in node.input:
                self.readers[name].append(node)
        self.outputs = {value.name for value in model.graph.output}

    def get_only_reader(self, name):
        readers = self.readers[name]
        return readers[0] if len(readers) == 1 and name not in self.outputs else None

    def set_nodes(self, nodes):
        del self.graph.node[:]
        self.graph.node.extend(nodes)
        read = {name for node in nodes for name in node.input}
        del self.graph.initializer[:]
        self.graph.initializer.extend(onnx.numpy_helper.from_array(array, name)
                                      for name, array in self.constants.items() if name in read)
        inputs = [value for value in self.graph.input if value.name not in self.constants]
        del self.graph.input[:]
        self.graph.input.extend(inputs)
        del self.graph.value_info[:]


def get_attribute(node, name, default):
    found = [attribute for attribute in node.attribute if attribute.name == name]
    return onnx.helper.get_attribute_value(found[0]) if found else default


def fold_batch_normalizations(model):
    graph = Graph(model)
    folded = set()
    for node in model.graph.node:
        behind = graph.get_only_reader(node.output[0])
        if node.op_type != "Conv" or behind is None or behind.op_type != "BatchNormalization":
            continue
        scale, shift, mean, variance = (graph.constants[name] for name in behind.input[1:])
        factor = scale / numpy.sqrt(variance + get_attribute(behind, "epsilon", 1e-5))
        weights = graph.constants[node.input[1]]
        bias = graph.constants[node.input[2]] if len(node.input) > 2 else 0
        folded_weights, folded_bias = node.input[1] + ".folded", node.input[1] + ".bias"
        graph.constants[folded_weights] = (
            weights * factor.reshape([-1] + [1] * (weights.ndim - 1))).astype(numpy.float32)
        graph.constants[folded_bias] = ((bias - mean) * factor + shift).astype(numpy.float32)
        del node.input[1:]
        node.input.extend([folded_weights, folded_bias])
        node.output[0] = behind.output[0]
        folded.add(behind.output[0])
    graph.set_nodes([node for node in model.graph.node
                     if node.op_type != "BatchNormalization" or node.output[0] not in folded])


def measure_ranges(model, names, backends, data=None):
    """The least and greatest element of each of these tensors in a run, of the inputs in `data`."""
    told = onnx.ModelProto()
    told.CopyFrom(model)
    del told.graph.output[:]
    told.graph.output.extend(onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, None)
                             for name in names)
    told = onnx.shape_inference.infer_shapes(told)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "model.onnx")
        onnx.save(told, str(path))
        subprocess.run([interleaved.find_program(HERE, "execute-network"), path, "--backends",
                        backends, "--output-dir", folder, "--output-format", "npy",
                        *(["--test-data", data] if data else [])],
                       check=True, stdout=subprocess.DEVNULL)
        written = next(pathlib.Path(folder).rglob("output_0.npy")).parent
        arrays = [numpy.load(written / f"output_{index}.npy") for index in range(len(names))]
    return {name: (min(float(array.min()), 0.0), max(float(array.max()), 0.0))
            for name, array in zip(names, arrays)}


class Quantiser:
    """Builds the nodes of the quantised model."""

    def __init__(self, graph, ranges):
        self.graph = graph
        self.ranges = ranges
        self.nodes = []
        self.scales = {}
        self.made = {}

    def add_constant(self, name, array):
        self.graph.constants[name] = array
        return name

    def add_pair(self, name):
        """The tensor as it is after being quantised and dequantised."""
        if name in self.made:
            return self.made[name]
        least, greatest = self.ranges[name]
        scale = numpy.float32(max(greatest - least, 1e-6) / 255)
        self.scales[name] = scale
        words = [self.add_constant(name + ".scale", scale),
                 self.add_constant(name + ".zero", numpy.uint8(round(-least / float(scale))))]
        self.made[name] = name + ".dequantised"
        self.nodes += [
            onnx.helper.make_node("QuantizeLinear", [name, *words], [name + ".quantised"]),
            onnx.helper.make_node("DequantizeLinear", [name + ".quantised", *words],
                                  [self.made[name]])]
        return self.made[name]

    def add_dequantized(self, name, integers, scale):
        self.nodes.append(onnx.helper.make_node(
            "DequantizeLinear",
            [self.add_constant(name + ".integers", integers),
             self.add_constant(name + ".scale", scale),
             self.add_constant(name + ".zero", numpy.zeros_like(scale, integers.dtype))],
            [name + ".dequantised"], axis=0))
        return name + ".dequantised"

    def add_weights(self, name, per_filter):
        weights = self.graph.constants[name]
        axes = tuple(range(1, weights.ndim)) if per_filter else None
        scale = numpy.maximum(numpy.abs(weights).max(axis=axes) / 127, 1e-9).astype(numpy.float32)
        spread = scale.reshape([-1] + [1] * (weights.ndim - 1)) if per_filter else scale
        integers = numpy.clip(numpy.rint(weights / spread), -127, 127).astype(numpy.int8)
        return self.add_dequantized(name, integers, scale), scale

    def add_layer(self, node):
        words = list(node.input)
        activation = words[0]
        if node.op_type in ("Conv", "Gemm"):
            words[0] = self.add_pair(activation)
            words[1], scale = self.add_weights(node.input[1], node.op_type == "Conv")
            if len(words) > 2:
                scale = (scale * self.scales[activation]).astype(numpy.float32)
                bias = numpy.rint(self.graph.constants[node.input[2]] / scale).astype(numpy.int32)
                words[2] = self.add_dequantized(node.input[2], bias, scale)
        else:
            words = [self.add_pair(name) for name in words]
        changed = onnx.NodeProto()
        changed.CopyFrom(node)
        del changed.input[:]
        changed.input.extend(words)
        self.nodes.append(changed)


def list_activations(graph, layers):
    """The tensors that are quantised: what the layers read and write, behind their ReLUs."""
    names = {}
    for node in layers:
        for name in node.input[:1] if node.op_type in ("Conv", "Gemm") else node.input:
            names[name] = None
        behind = graph.get_only_reader(node.output[0])
        is_activation = behind is not None and behind.op_type in ACTIVATIONS
        names[behind.output[0] if is_activation else node.output[0]] = None
    return list(names)


def quantise(model, backends):
    if model.opset_import[0].version < OPERATOR_SET:
        model = onnx.version_converter.convert_version(model, OPERATOR_SET)
    fold_batch_normalizations(model)
    graph = Graph(model)
    layers = [node for node in model.graph.node if node.op_type in QUANTISED
              and not any(name in graph.constants for name in node.input[:1])]
    activations = list_activations(graph, layers)
    made = Quantiser(graph, measure_ranges(model, activations, backends))
    chosen = {node.output[0] for node in layers}
    for node in model.graph.node:
        if node.output[0] in chosen:
            made.add_layer(node)
            continue
        for index, name in enumerate(node.input):
            if name in made.ranges and node.op_type not in ACTIVATIONS:
                node.input[index] = made.add_pair(name)
        made.nodes.append(node)
    graph.set_nodes(made.nodes)
    onnx.checker.check_model(model)
    return model


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", type=pathlib.Path)
    parser.add_argument("quantised", type=pathlib.Path)
    parser.add_argument("--backends", default="CpuAcc,CpuRef")
    options = parser.parse_args()
    onnx.save(quantise(onnx.load(str(options.model)), options.backends), str(options.quantised))


if __name__ == "__main__":
    main()
