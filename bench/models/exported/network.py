"""A model under construction: nodes, seeded weights, and inputs with the data of one run."""

import contextlib

import numpy
import onnx
import onnx.numpy_helper
import onnx.shape_inference

IR_VERSION = 8
MICROSOFT = "com.microsoft"


class Network:
    """Scalars and shapes become Constant nodes, weights initializers, as torch.onnx writes them."""

    def __init__(self, operator_set):
        self.operator_set = operator_set
        self.generator = numpy.random.default_rng(7)
        self.nodes, self.weights, self.inputs, self.outputs = [], [], [], []
        self.data = {}
        self.scopes = []

    @contextlib.contextmanager
    def scope(self, name):
        self.scopes.append(name)
        yield
        self.scopes.pop()

    def add(self, operator, *inputs, outputs=1, unused=(), **attributes):
        """The name of the node's output, or a list of them. Arrays and numbers become constants.
        Outputs that are unused, by their index, have no name."""
        names = [word if isinstance(word, str) else self.constant(word) for word in inputs]
        node = "/".join(["", *self.scopes, f"{operator}_{len(self.nodes)}"])
        results = ["" if index in unused else f"{node}_output_{index}" for index in range(outputs)]
        self.nodes.append(onnx.helper.make_node(operator, names, results, node, **attributes))
        return results[0] if outputs == 1 else results

    def add_microsoft(self, operator, *inputs, **how):
        """An operator of ONNX Runtime's own."""
        return self.add(operator, *inputs, domain=MICROSOFT, **how)

    def graph(self, name, inputs, make):
        """A graph within this one, which sees its values. `inputs` have name, type and dims;
        `make` is given their names and returns, of each output, value, type and dims."""
        outer, self.nodes = self.nodes, []
        with self.scope(name):
            outputs = make(*(f"{name}/{word}" for word, _, _ in inputs))
        nodes, self.nodes = self.nodes, outer
        info = onnx.helper.make_tensor_value_info
        return onnx.helper.make_graph(
            nodes, name, [info(f"{name}/{word}", *rest) for word, *rest in inputs],
            [info(*output) for output in outputs])

    def constant(self, values):
        """Python's numbers are float32; shapes and axes are lists of whole numbers."""
        if isinstance(values, float):
            values = numpy.float32(values)
        return self.add("Constant", value=onnx.numpy_helper.from_array(numpy.asarray(values)))

    def keep(self, array, name="weight"):
        full = ".".join([*self.scopes, f"{name}_{len(self.weights)}"])
        self.weights.append(onnx.numpy_helper.from_array(numpy.ascontiguousarray(array), full))
        return full

    def draw(self, shape, deviation, mean=0.0):
        values = self.generator.standard_normal(shape, dtype=numpy.float32)
        return values * numpy.float32(deviation) + numpy.float32(mean)

    def weight(self, shape, deviation, mean=0.0, name="weight"):
        return self.keep(self.draw(shape, deviation, mean), name)

    def input(self, name, array, dims=None):
        """An input with the data of one run; dims names those that the model leaves open."""
        kind = onnx.mapping.NP_TYPE_TO_TENSOR_TYPE[array.dtype]
        self.inputs.append(onnx.helper.make_tensor_value_info(name, kind, dims or array.shape))
        self.data[name] = array
        return name

    def output(self, name, value, dims=None, kind=onnx.TensorProto.FLOAT):
        """Calls a value by the name that the model shows; dims that are not given are inferred."""
        for node in self.nodes:
            for names in (node.input, node.output):
                for index, known in enumerate(names):
                    if known == value:
                        names[index] = name
        self.outputs.append(onnx.helper.make_tensor_value_info(name, kind, dims))
        return name

    def build(self):
        graph = onnx.helper.make_graph(self.nodes, "main_graph", self.inputs, self.outputs,
                                       self.weights)
        sets = {"": self.operator_set}
        if any(node.domain == MICROSOFT for node in self.nodes):
            sets[MICROSOFT] = 1
        model = onnx.helper.make_model(
            graph, producer_name="pytorch", ir_version=IR_VERSION,
            opset_imports=[onnx.helper.make_opsetid(*pair) for pair in sets.items()])
        if all(output.type.tensor_type.HasField("shape") for output in self.outputs):
            return model
        inferred = onnx.shape_inference.infer_shapes(model, data_prop=True)
        del model.graph.output[:]
        model.graph.output.extend(inferred.graph.output)
        return model
