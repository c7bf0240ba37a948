"""What a random model is made of: values, of which it is known what they are, and graphs."""

import dataclasses
import random

import numpy
import onnx
import onnx.helper
import onnx.numpy_helper

FLOAT, INT64, BOOL = onnx.TensorProto.FLOAT, onnx.TensorProto.INT64, onnx.TensorProto.BOOL
ARRAY_TYPES = {FLOAT: numpy.float32, INT64: numpy.int64, BOOL: numpy.bool_}
MOST_ELEMENTS = 4096


@dataclasses.dataclass(frozen=True)
class Value:
    """Extents are numbers, or names of numbers that a run decides. Where the elements of a sequence
    may differ, they are None. Exact values are whole numbers up to the bound, also in floats, so
    that a branch never depends on how a sum was rounded."""
    name: str
    type: int
    dims: tuple = ()
    kind: str = "tensor"
    bound: float = 8
    exact: bool = True
    least: int = 0  # elements of a sequence


class CannotMake(Exception):
    """There is no value to make a node of; another node, or another model, is tried."""


class Model:
    """What all graphs of a model share."""

    def __init__(self, seed, features):
        self.random = random.Random(seed)
        self.operator_set = self.random.choice((16, 17, 18, 21))
        self.features = features
        self.pending = list(features)
        self.functions = []
        self.extents = {}  # by name: least, most, the graph that knows it
        self.must_be_refused = False
        self.depth = 0
        self.nodes_left = 150

    def extent(self, graph, least, most):
        """The name of a number that is known in a graph and those within it."""
        name = f"d{len(self.extents)}"
        self.extents[name] = (least, most, graph)
        return name

    def least(self, extent):
        return extent if isinstance(extent, int) else self.extents[extent][0]

    def most(self, extent):
        return extent if isinstance(extent, int) else self.extents[extent][1]

    def most_elements(self, dims):
        return int(numpy.prod([self.most(extent) for extent in dims] or [1]))


class Graph:
    """A graph under construction: the model's, that of a node, or the body of a function, which
    does not see the values around it."""

    def __init__(self, model, parent=None, is_function=False):
        self.model, self.random = model, model.random
        self.parent = None if is_function else parent
        self.is_function = is_function or (parent is not None and parent.is_function)
        self.nodes, self.values, self.initializers = [], [], []
        self.num_names = 0 if self.parent is None else parent.num_names

    def visible(self):
        return ([] if self.parent is None else self.parent.visible()) + self.values

    def sees(self, graph):
        return self is graph or (self.parent is not None and self.parent.sees(graph))

    def knows(self, extent):
        return isinstance(extent, int) or (
            extent is not None and self.sees(self.model.extents[extent][2]))

    def outward(self, dims):
        """Extents of a value of a graph within this one, as this one knows them."""
        return tuple(extent if extent is None or self.knows(extent) else self.model.extent(
            self, self.model.least(extent), self.model.most(extent)) for extent in dims)

    def name(self, word):
        self.num_names += 1
        return f"{word}_{self.num_names}"

    def add(self, operator, *inputs, outputs=1, domain="", **attributes):
        """Adds a node. Arrays and lists become constants. The name of its output, or a list."""
        names = [word if isinstance(word, str) else word.name if isinstance(word, Value)
                 else self.constant(word) for word in inputs]
        node = self.name(operator)
        results = [node] if outputs == 1 else [f"{node}_{index}" for index in range(outputs)]
        self.nodes.append(onnx.helper.make_node(operator, names, results, f"n{node}",
                                                domain=domain, **attributes))
        self.model.nodes_left -= 1
        return results[0] if outputs == 1 else results

    def constant(self, values):
        array = values if isinstance(values, numpy.ndarray) else numpy.array(
            values, numpy.float32 if isinstance(values, float) else numpy.int64)
        name = self.name("c")
        tensor = onnx.numpy_helper.from_array(array, name)
        if self.is_function or self.random.random() < 0.5:
            self.nodes.append(onnx.helper.make_node("Constant", [], [name], f"n{name}",
                                                    value=tensor))
        else:
            self.initializers.append(tensor)
        return name

    def keep(self, value):
        """Makes a value one that later nodes may read."""
        self.values.append(value)
        return value

    def pick(self, accepts=lambda value: True, kind="tensor"):
        """One of the values, more often one of the last; None when there is none such."""
        values = [value for value in self.visible() if value.kind == kind and accepts(value)]
        if not values:
            return None
        return self.random.choice(values[-4:] if self.random.random() < 0.7 else values)

    def need(self, accepts=lambda value: True, kind="tensor"):
        value = self.pick(accepts, kind)
        if value is None:
            raise CannotMake
        return value

    def info(self, value, says="any"):
        """What a graph states of an input or output: all ("closed": but names of extents), or a
        part of it."""
        dims = [extent if isinstance(extent, int) else extent if says == "named" else None
                for extent in value.dims]
        # ONNX Runtime wants to know whether round and condition of a Loop have rank 0 or 1.
        if says == "any" and value.dims not in ((), (1,)) and self.random.random() < 0.3:
            dims = None
        tensor = onnx.helper.make_tensor_type_proto(value.type, dims)
        if value.kind == "tensor":
            return onnx.helper.make_value_info(value.name, tensor)
        make = (onnx.helper.make_sequence_type_proto if value.kind == "sequence"
                else onnx.helper.make_optional_type_proto)
        return onnx.helper.make_value_info(value.name, make(tensor))

    def make(self, name, inputs, outputs, says="any"):
        """The graph. No two outputs have one name; later nodes around it take none of its own."""
        seen = set()
        for place, value in enumerate(outputs):
            if value.name in seen:
                outputs[place] = dataclasses.replace(value, name=self.add("Identity", value))
            seen.add(value.name)
        if self.parent is not None:
            self.parent.num_names = max(self.parent.num_names, self.num_names)
        return onnx.helper.make_graph(
            self.nodes, name, [self.info(value, says) for value in inputs],
            [self.info(value, says) for value in outputs], initializer=self.initializers)
