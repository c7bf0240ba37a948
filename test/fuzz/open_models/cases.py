"""A case: a random model with inputs for several runs, in a folder that run_open_models reads."""

import itertools
import random

import numpy
import onnx
import onnx.helper
import onnx.numpy_helper

import control_flow
from fill import add_feature, fill, of_nodes
from graphs import ARRAY_TYPES, BOOL, FLOAT, INT64, CannotMake, Graph, Model, Value
from odd import add_odd
from tensors import replace

FEATURES = ("function", "if", "loop", "scan", "sequence", "non-zero", "in-place")
OPERATORS = {"If": "if", "Loop": "loop", "Scan": "scan", "NonZero": "non-zero",
             "Compress": "non-zero", "Unique": "non-zero", "NonMaxSuppression": "non-zero"}


class Case:
    """The model, what each run gives, and which outputs lie in the memory of an input."""

    def __init__(self, model, inputs, outputs, runs, rooms, closed, must_be_refused):
        self.model, self.inputs, self.outputs = model, inputs, outputs
        self.runs, self.rooms, self.closed = runs, rooms, closed
        self.must_be_refused = must_be_refused

    def write(self, folder):
        folder.mkdir(parents=True)
        (folder / "model.onnx").write_bytes(self.model.SerializeToString())
        lines = [f"runs {len(self.runs)}"] + [
            f"close {value.name} {'x'.join(map(str, self.runs[0][value.name].shape))}"
            for value in self.inputs if self.closed and value.kind == "tensor" and value.dims]
        for place, (values, rooms) in enumerate(zip(self.runs, self.rooms)):
            lines += [f"room {place} {output} {owner} {offset}"
                      for output, (owner, offset) in rooms.items()]
            (folder / f"run_{place}").mkdir()
            for value in self.inputs:
                path = folder / f"run_{place}" / f"{value.name}.pb"
                path.write_bytes(serialize(value, values[value.name]).SerializeToString())
        (folder / "case.txt").write_text("\n".join(lines) + "\n")


def serialize(value, data):
    if value.kind == "sequence":
        sequence = onnx.SequenceProto(name=value.name, elem_type=onnx.SequenceProto.TENSOR)
        sequence.tensor_values.extend(onnx.numpy_helper.from_array(array) for array in data)
        return sequence
    if value.kind == "optional":
        optional = onnx.OptionalProto(name=value.name, elem_type=onnx.OptionalProto.UNDEFINED)
        if data is not None:
            optional.elem_type = onnx.OptionalProto.TENSOR
            optional.tensor_value.CopyFrom(onnx.numpy_helper.from_array(data))
        return optional
    return onnx.numpy_helper.from_array(data, value.name)


def choose_features(number, without):
    """All pairs in turn, and more at random."""
    allowed = [feature for feature in FEATURES if feature not in without]
    pairs = list(itertools.combinations(allowed, 2))
    chooser = random.Random(number)
    pair = pairs[number % len(pairs)]
    # Networks without stages have an overlap check of their own, and are rare among the others.
    if "in-place" in pair and "function" in allowed and chooser.random() < 0.3:
        return ["function", "in-place"]
    return [feature for feature in allowed if feature in pair or chooser.random() < 0.15]


def found_features(model, rooms):
    """Which features a finished model has."""
    found = {"function"} if model.functions else set()
    if any(rooms):
        found.add("in-place")

    def visit(nodes):
        for node in nodes:
            if node.op_type in OPERATORS:
                found.add(OPERATORS[node.op_type])
            elif "Sequence" in node.op_type:
                found.add("sequence")
            for attribute in node.attribute:
                visit(attribute.g.node)
    visit(model.graph.node)
    for function in model.functions:
        visit(function.node)
    return found


def make_inputs(graph):
    rand, model = graph.random, graph.model
    many = model.extent(graph, rand.choice((0, 0, 1)), 5)
    other = model.extent(graph, rand.choice((0, 1, 1)), 4)
    width = rand.randint(1, 4)
    inputs = [Value("x", FLOAT, (many, width), bound=4),
              Value("y", FLOAT, rand.choice(((many, width), (other, width), (other, many))),
                    bound=4),
              Value("n", INT64, bound=6)]
    inputs += [value for value in (
        Value("v", INT64, (rand.choice((many, other)),), bound=5),
        Value("c", BOOL, rand.choice(((), (1,))), bound=1),
        Value("t", FLOAT, (2, other, 3), bound=4)) if rand.random() < 0.6]
    if "sequence" in model.features and rand.random() < 0.6:
        dims = rand.choice(((None,), (None, width), (many, width), ()))
        inputs.append(Value("s", rand.choice((FLOAT, INT64)), dims, "sequence", bound=4,
                            least=rand.choice((0, 0, 1))))
    if ("sequence" in model.features or "if" in model.features) and rand.random() < 0.25:
        inputs.append(Value("o", FLOAT, (many, width), "optional", bound=4))
    return [graph.keep(value) for value in inputs]


def draw(rand, value, extents):
    """Whole numbers, many of them zero."""
    def tensor():
        shape = [extent if isinstance(extent, int) else extents[extent] if extent else
                 rand.randint(0, 4) for extent in value.dims]
        low = 0 if value.type == BOOL else -int(value.bound)
        numbers = [rand.choice((0, rand.randint(low, int(value.bound))))
                   for _ in range(int(numpy.prod(shape)))]
        return numpy.array(numbers, ARRAY_TYPES[value.type]).reshape(shape)

    if value.kind == "sequence":
        return [tensor() for _ in range(rand.randint(value.least, value.least + 3))]
    if value.kind == "optional" and rand.random() < 0.4:
        return None
    return tensor()


def draw_runs(model, inputs, is_closed):
    """Runs of different shapes, the first shapes once more, and all the same once more."""
    rand, runs = model.random, []
    names = {extent for value in inputs for extent in value.dims if isinstance(extent, str)}
    for place in range(5):
        if place in (0, 1, 2) and not (is_closed and runs):
            extents = {name: rand.randint(model.least(name), model.most(name))
                       for name in sorted(names)}
            first = extents if place == 0 else first
        if place == 3:
            extents = first
        runs.append(runs[1] if place == 4 else
                    {value.name: draw(rand, value, extents) for value in inputs})
    return runs


def choose_rooms(rand, inputs, outputs, runs):
    """For each run, inputs in whose memory an output lies: at its place, before it or behind it."""
    places = (0, 0, 0, 0, 64, -64, 4, 128, -16)
    owners = [value.name for value in inputs if value.kind == "tensor"]
    names = [value.name for value in outputs if value.kind == "tensor"]
    rooms = []
    swapped = {"x": ("y", 0), "y": ("x", 0)}
    for _ in runs:
        if swapped.keys() <= set(names) and rand.random() < 0.4:
            rooms.append(swapped)
            continue
        number = rand.randint(1, min(len(names), len(owners), 3))
        rooms.append({name: (owner, rand.choice(places)) for name, owner in zip(
            rand.sample(names, number), rand.sample(owners[:3], len(owners[:3])))})
    rooms[4] = rooms[1]
    return rooms


def choose_outputs(graph, inputs):
    """The last results, some others, and inputs as they are where outputs may lie upon them."""
    rand = graph.random
    values = [value for value in graph.values if value not in inputs]
    chosen = values[-2:] + rand.sample(values, min(len(values), rand.randint(1, 3)))
    if "in-place" in graph.model.features:
        first = rand.choice(inputs[:2])
        chosen.insert(0, graph.keep(replace(first, name=graph.add(
            rand.choice(("Relu", "Neg", "Abs", "Identity")), first))))
        second = rand.choice(inputs[:2])
        # ONNX has it that an input may be an output, too.
        chosen.append(second if rand.random() < 0.3 else graph.keep(
            replace(second, name=graph.add(rand.choice(("Identity", "Neg")), second))))
        if rand.random() < 0.2:
            chosen += inputs[:2]  # which choose_rooms may swap
    return list({value.name: value for value in chosen}.values())


def vary_names(rand, graph, outputs):
    """Leaves out names that no one needs: of outputs that are not read, and sometimes of nodes."""
    read = set(outputs)

    def visit(nodes, see):
        for node in nodes:
            see(node)
            for attribute in node.attribute:
                read.update(value.name for value in attribute.g.output)
                visit(attribute.g.node, see)

    def leave_out(node):
        if rand.random() >= chance:
            node.name = ""
        if node.op_type == "Unique" and rand.random() < 0.5:  # only its outputs need not be there
            node.output[1:] = [name if name in read else "" for name in node.output[1:]]

    chance = rand.choice((1, 1, 1, 0.5, 0))
    visit(graph.node, lambda node: read.update(node.input))
    visit(graph.node, leave_out)


def try_case(seed, features, is_odd):
    model = Model(seed, features)
    graph = Graph(model)
    inputs = make_inputs(graph)
    rand = model.random
    fill(graph, rand.randint(1, 3))
    if is_odd:
        add_odd(graph)
    odd = graph.values[-1:] if is_odd else []
    while of_nodes(model.pending):
        add_feature(graph, rand.choice(of_nodes(model.pending)))
        fill(graph, rand.randint(0, 2))
    outputs = list({value.name: value for value in choose_outputs(graph, inputs) + odd}.values())
    made = graph.make("graph", inputs, outputs, "any")
    del made.input[:]
    made.input.extend(graph.info(value, "named") for value in inputs)
    imports = [onnx.helper.make_opsetid("", model.operator_set)]
    if model.functions:
        imports.append(onnx.helper.make_opsetid(control_flow.DOMAIN, 1))
    proto = onnx.helper.make_model(made, functions=model.functions, opset_imports=imports,
                                   ir_version=8)
    if not is_odd:
        vary_names(rand, proto.graph, [value.name for value in outputs])
        for function in proto.functions:
            vary_names(rand, function, function.output)
    # Without control flow, a network whose shapes are given has no stages.
    is_closed = rand.random() < (0.7 if set(features) <= {"function", "in-place"} else 0.1)
    runs = draw_runs(model, inputs, is_closed)
    rooms = [{}] * len(runs)
    if "in-place" in features:
        rooms = choose_rooms(rand, inputs, outputs, runs)
    if not set(features) <= found_features(proto, rooms):
        raise CannotMake
    return Case(proto, inputs, outputs, runs, rooms, is_closed, model.must_be_refused)


def make_case(seed, number, without=()):
    """The same case for the same seed and number. Models that cannot be finished are begun anew."""
    features = choose_features(number, without)
    is_odd = "odd" not in without and random.Random(f"{seed}/odd {number}").random() < 0.12
    for attempt in range(1000):
        try:
            return try_case(f"{seed}/{number}/{attempt}", features, is_odd)
        except CannotMake:
            pass
    raise RuntimeError(f"case {number} of seed {seed} cannot be made with {features}")
