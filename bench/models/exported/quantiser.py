"""Quantises transformers in the nodes that ONNX Runtime's quantiser writes.

Statically: QuantizeLinear and DequantizeLinear (uint8) behind every tensor of the chosen layers,
and weights of int8 with a DequantizeLinear. Dynamically: DynamicQuantizeLinear, MatMulInteger,
Cast, and two Mul. Both make a MatMul and an Add of each Gemm first. In 4 or 8 bits: MatMulNBits of
com.microsoft, with a scale and a zero point for each block of a column.
"""

import numpy
import onnx

import quantise

LAYERS = ("MatMul", "Add", "Gather", "Softmax")
MOVES = ("Reshape", "Transpose", "Squeeze", "Unsqueeze", "Gather")
FLOAT_SCOPES = ("LayerNorm", "act")


def make_node(operator, inputs, outputs, **attributes):
    return onnx.helper.make_node(operator, inputs, outputs, outputs[0] + "_node", **attributes)


def open_graph(model):
    """The graph with Constant nodes among the constants, and without Gemm."""
    graph = quantise.Graph(model)
    nodes = []
    for node in model.graph.node:
        if node.op_type == "Constant":
            value = quantise.get_attribute(node, "value", None)
            graph.constants[node.output[0]] = onnx.numpy_helper.to_array(value)
        elif node.op_type == "Gemm":
            nodes += split_gemm(graph, node)
        else:
            nodes.append(node)
    graph.set_nodes(nodes)
    return graph, list(model.graph.node)


def split_gemm(graph, node):
    rows, weights, bias = node.input
    if quantise.get_attribute(node, "transB", 0):
        graph.constants[weights + "_Transposed"] = graph.constants[weights].T
        weights += "_Transposed"
    product = node.output[0] + "_MatMul"
    return [make_node("MatMul", [rows, weights], [product]),
            make_node("Add", [product, bias], list(node.output))]


def quantise_weights(graph, name, per_column):
    """The names of the integers, scales and zero points, which are constants of the graph now."""
    if name + "_quantized" not in graph.constants:
        weights = graph.constants[name]
        axes = tuple(range(weights.ndim - 1)) if per_column else None
        scale = numpy.maximum(numpy.abs(weights).max(axis=axes) / 127, 1e-9).astype(numpy.float32)
        integers = numpy.clip(numpy.rint(weights / scale), -127, 127).astype(numpy.int8)
        graph.constants.update({name + "_quantized": integers, name + "_scale": scale,
                                name + "_zero_point": numpy.zeros_like(scale, numpy.int8)})
    return [name + suffix for suffix in ("_quantized", "_scale", "_zero_point")]


class StaticQuantiser:
    """Chooses the tensors, and writes the nodes around them."""

    def __init__(self, model, layers, float_scopes, per_column):
        self.graph, self.nodes = open_graph(model)
        self.per_column = per_column
        self.chosen = [node for node in self.nodes if node.op_type in layers and not any(
            f"/{scope}/" in node.name for scope in float_scopes) and self.is_float(node)]
        self.parameters = self.find_tensors()

    def is_float(self, node):
        """Whether a layer is one of reals; Gather also takes extents out of shapes."""
        array = self.graph.constants.get(node.input[0])
        return node.op_type != "Gather" if array is None else array.dtype == numpy.float32

    def find_tensors(self):
        """For each tensor, the one whose scale it has: moved elements keep their scale."""
        owners = {}
        identities = {node.output[0] for node in self.chosen}
        for node in self.nodes:
            if node.op_type in MOVES and node.input[0] in owners:
                owners[node.output[0]] = owners[node.input[0]]
            elif node.output[0] in identities:
                read = node.input[:1] if node.op_type == "Gather" else node.input
                for name in [*read, *node.output]:
                    owners.setdefault(name, name)
        return {name: owner for name, owner in owners.items()
                if self.graph.constants.get(owner) is None}

    def make_pair(self, name, ranges):
        owner = self.parameters[name]
        words = [owner + "_scale", owner + "_zero_point"]
        least, greatest = ranges[owner]
        scale = numpy.float32((greatest - least) / 255 if greatest > least else 1)
        self.graph.constants[words[0]] = scale
        self.graph.constants[words[1]] = numpy.uint8(round(-least / float(scale)))
        integers, reals = name + "_QuantizeLinear_Output", name + "_DequantizeLinear_Output"
        return [make_node("QuantizeLinear", [name, *words], [integers]),
                make_node("DequantizeLinear", [integers, *words], [reals])]

    def dequantise_constant(self, node, name):
        """The name of the dequantised constant, and the node that makes it."""
        words = quantise_weights(self.graph, name, self.per_column and node.op_type == "MatMul")
        result = name + "_DequantizeLinear_Output"
        return result, make_node("DequantizeLinear", words, [result],
                                 axis=self.graph.constants[name].ndim - 1)

    def build(self, model, ranges):
        made, chosen = {}, {node.output[0] for node in self.chosen}
        nodes = [pair for value in model.graph.input if value.name in self.parameters
                 for pair in self.make_pair(value.name, ranges)]
        for node in self.nodes:
            for index, name in enumerate(node.input):
                if name in self.parameters:
                    node.input[index] = name + "_DequantizeLinear_Output"
                elif node.output[0] in chosen and self.is_weight(name):
                    node.input[index], dequantize = self.dequantise_constant(node, name)
                    nodes += [dequantize] if name not in made else []
                    made[name] = True
            nodes.append(node)
            for name in node.output:
                if name in self.parameters and name not in self.graph.outputs:
                    nodes += self.make_pair(name, ranges)
        self.graph.set_nodes(nodes)

    def is_weight(self, name):
        array = self.graph.constants.get(name)
        return array is not None and array.dtype == numpy.float32


def quantise_statically(model, measure, layers=LAYERS, float_scopes=FLOAT_SCOPES,
                        per_column=False):
    """`measure` gives the ranges of tensors of a model in a run: quantise.measure_ranges."""
    made = StaticQuantiser(model, layers, float_scopes, per_column)
    made.parameters = {name: owner for name, owner in made.parameters.items()
                       if owner not in made.graph.outputs}
    made.build(model, measure(model, sorted(set(made.parameters.values()))))


def quantise_dynamically(model, per_column=False):
    """Products with constant matrices, and rows of tables."""
    graph, old = open_graph(model)
    nodes, quantised = [], set()
    for node in old:
        if node.op_type == "MatMul" and node.input[1] in graph.constants:
            if node.input[0] not in quantised:
                quantised.add(node.input[0])
                nodes.append(make_node("DynamicQuantizeLinear", [node.input[0]], [
                    node.input[0] + suffix for suffix in ("_quantized", "_scale", "_zero_point")]))
            nodes += multiply_integers(graph, node, per_column)
        elif node.op_type == "Gather" and is_table(graph, node.input[0]):
            integers, *words = quantise_weights(graph, node.input[0], False)
            rows = node.output[0] + "_quantized"
            nodes += [make_node("Gather", [integers, node.input[1]], [rows]),
                      make_node("DequantizeLinear", [rows, *words], list(node.output))]
        else:
            nodes.append(node)
    graph.set_nodes(nodes)


def is_table(graph, name):
    return name in graph.constants and graph.constants[name].dtype == numpy.float32


def multiply_integers(graph, node, per_column):
    rows, result = node.input[0], node.output[0]
    integers, scale, zero = quantise_weights(graph, node.input[1], per_column)
    sums, floats, scales = (result + suffix for suffix in
                            ("_output_quantized", "_output_float", "_scales_mul"))
    return [make_node("MatMulInteger", [rows + "_quantized", integers, rows + "_zero_point", zero],
                      [sums]),
            make_node("Cast", [sums], [floats], to=onnx.TensorProto.FLOAT),
            make_node("Mul", [rows + "_scale", scale], [scales]),
            make_node("Mul", [floats, scales], [result])]


def pack_bits(values, bits):
    """Along the last axis, which is filled up with zeros; the first element in the lowest bits."""
    step = 8 // bits
    filled = numpy.zeros((*values.shape[:-1], -(-values.shape[-1] // step) * step), numpy.uint8)
    filled[..., :values.shape[-1]] = values
    packed = numpy.zeros((*values.shape[:-1], filled.shape[-1] // step), numpy.uint8)
    for index in range(step):
        packed |= filled[..., index::step] << (index * bits)
    return packed


def quantise_blocks(model, bits=4, block=32):
    """Products with constant matrices."""
    graph, nodes = open_graph(model)
    most = 2**bits - 1
    for index, node in enumerate(nodes):
        weights = graph.constants.get(node.input[1]) if node.op_type == "MatMul" else None
        if weights is None or weights.ndim != 2 or weights.shape[0] % block != 0:
            continue
        inner, columns = weights.shape
        blocks = weights.T.reshape(columns, inner // block, block)
        least = numpy.minimum(blocks.min(axis=2), 0)
        scales = numpy.maximum((numpy.maximum(blocks.max(axis=2), 0) - least) / most, 1e-9)
        zeros = numpy.clip(numpy.rint(-least / scales), 0, most)
        values = numpy.clip(numpy.rint(blocks / scales[:, :, None]) + zeros[:, :, None], 0, most)
        names = [node.input[1] + suffix for suffix in ("_Q", "_scales", "_zero_points")]
        graph.constants.update(zip(names, (
            pack_bits(values.astype(numpy.uint8), bits), scales.astype(numpy.float32).reshape(-1),
            pack_bits(zeros.astype(numpy.uint8), bits).reshape(-1))))
        nodes[index] = make_node("MatMulNBits", [node.input[0], *names], list(node.output),
                                 domain="com.microsoft", K=inner, N=columns, bits=bits,
                                 block_size=block)
    graph.set_nodes(nodes)
    model.opset_import.append(onnx.helper.make_opsetid("com.microsoft", 1))
