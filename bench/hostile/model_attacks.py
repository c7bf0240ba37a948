"""Models that are made to be slow to import, or to take much memory. They are encoded here as
protobuf does it."""

import functools
import struct

from attack import Attack

NUM_NODES = 10_000  # at first
FLOAT, INT8, INT64, BOOL = 1, 3, 7, 9
MAKERS = []


def attack(make):
    MAKERS.append(make)
    return make


def varint(number):
    encoded = bytearray()
    while number > 127:
        encoded.append(number & 127 | 128)
        number >>= 7
    encoded.append(number)
    return bytes(encoded)


def field(number, content):
    if isinstance(content, int):
        return varint(number << 3) + varint(content)
    if isinstance(content, str):
        content = content.encode()
    return varint(number << 3 | 2) + varint(len(content)) + content


def node(op, inputs, outputs, attributes=(), name="", domain=""):
    return b"".join([field(1, text) for text in inputs] + [field(2, text) for text in outputs] +
                    [field(3, name)] * (name != "") + [field(4, op)] +
                    [field(5, attribute) for attribute in attributes] +
                    [field(7, domain)] * (domain != ""))


def branch(name, nodes, output):
    graph = b"".join([field(1, n) for n in nodes] + [field(2, name), field(12, value(output))])
    return field(1, name) + field(6, graph) + field(20, 5)


def value(name, data_type=FLOAT, dims=(1,)):
    shape = b"".join(field(1, field(1, extent)) for extent in dims)
    return field(1, name) + field(2, field(1, field(1, data_type) + field(2, shape)))


def tensor(name, data_type=FLOAT, dims=(1,), raw=b"\0\0\0\0"):
    return (b"".join(field(1, extent) for extent in dims) + field(2, data_type) + field(8, name) +
            field(9, raw))


def function(name, inputs, outputs, nodes):
    return b"".join([field(1, name)] + [field(4, text) for text in inputs] +
                    [field(5, text) for text in outputs] + [field(7, n) for n in nodes] +
                    [field(9, field(1, "") + field(2, 15)), field(10, "own")])


def model(nodes, tensors=(), inputs=("x",), outputs=("y",), functions=(), domains=("own",)):
    graph = b"".join([field(1, n) for n in nodes] + [field(2, "hostile")] +
                     [field(5, t) for t in tensors] + [field(11, value(i)) for i in inputs] +
                     [field(12, value(o)) for o in outputs])
    opsets = [field(8, field(1, domain) + field(2, 1)) for domain in domains]
    return b"".join([field(1, 8), field(7, graph), field(8, field(1, "") + field(2, 15))] +
                    opsets + [field(25, f) for f in functions])


@attack
def chain(size):
    """Relu behind Relu."""
    return model([node("Relu", [f"t{i}" if i else "x"], [f"t{i + 1}"]) for i in range(size)],
                 outputs=[f"t{size}"])


@attack
def wide(size):
    """All nodes read one tensor, and one reads all of theirs."""
    nodes = [node("Relu", ["x"], [f"t{i}"]) for i in range(size)]
    return model(nodes + [node("Sum", [f"t{i}" for i in range(size)], ["y"])])


@attack
def joined(size):
    """One Concat of as many initializers."""
    axis = field(1, "axis") + field(3, 0) + field(20, 2)
    names = [f"c{i}" for i in range(size)]
    return model([node("Concat", names + ["x"], ["y"], [axis])], [tensor(n) for n in names])


@attack
def initializers(size):
    """Initializers that nothing reads."""
    return model([node("Relu", ["x"], ["y"])], [tensor(f"c{i}") for i in range(size)])


@attack
def inputs(size):
    """Inputs of the model, whose shapes are all given."""
    names = [f"x{i}" for i in range(size)]
    return model([node("Sum", names, ["y"])], inputs=names)


@attack
def outputs(size):
    """Outputs of the model."""
    names = [f"y{i}" for i in range(size)]
    return model([node("Relu", ["x"], [n]) for n in names], outputs=names)


@attack
def branches(size):
    """An If behind the other, each with a branch of one node."""
    nodes = [node("If", ["c"], [f"t{i + 1}"],
                  [branch(b, [node("Relu", [f"t{i}" if i else "x"], ["r"])], "r")
                   for b in ("then_branch", "else_branch")]) for i in range(size)]
    return model(nodes, [tensor("c", BOOL, (1,), b"\1")], outputs=[f"t{size}"])


@attack
def nested(size):
    """Branches in branches, as deep as a file can have them, with as many nodes in the last."""
    nodes = [node("Relu", [f"t{i}" if i else "x"], [f"t{i + 1}"]) for i in range(size)]
    name = f"t{size}"
    for depth in range(30):
        then = branch("then_branch", nodes, name)
        other = branch("else_branch", [node("Identity", ["x"], ["e"])], "e")
        name = f"d{depth}"
        nodes = [node("If", ["c"], [name], [then, other])]
    return model(nodes, [tensor("c", BOOL, (1,), b"\1")], outputs=[name])


@attack
def calls(size):
    """One function, called again and again."""
    own = function("F", ["a"], ["b"], [node("Relu", ["a"], ["b"])])
    return model([node("F", [f"t{i}" if i else "x"], [f"t{i + 1}"], domain="own")
                  for i in range(size)], outputs=[f"t{size}"], functions=[own])


@attack
def functions(size):
    """As many functions, each called once."""
    own = [function(f"F{i}", ["a"], ["b"], [node("Relu", ["a"], ["b"])]) for i in range(size)]
    return model([node(f"F{i}", [f"t{i}" if i else "x"], [f"t{i + 1}"], domain="own")
                  for i in range(size)], outputs=[f"t{size}"], functions=own)


@attack
def function_chain(size):
    """Functions that call each other, deeper than is allowed."""
    own = [function(f"F{i}", ["a"], ["b"], [node(f"F{i + 1}", ["a"], ["b"], domain="own")])
           for i in range(size)] + [function(f"F{size}", ["a"], ["b"], [node("Relu", ["a"], ["b"])])]
    return model([node("F0", ["x"], ["y"], domain="own")], functions=own)


@attack
def domains(size):
    """As many operator sets as functions."""
    own = [function(f"F{i}", ["a"], ["b"], [node("Relu", ["a"], ["b"])]) for i in range(size)]
    return model([node("Relu", ["x"], ["y"])], functions=own,
                 domains=["own"] + [f"d{i}" for i in range(size)])


@attack
def long_names(size):
    """Names as long as a tenth of the number of nodes."""
    text = "n" * (size // 10)
    return model([node("Relu", [f"{text}{i}" if i else "x"], [f"{text}{i + 1}"])
                  for i in range(1000)], outputs=[f"{text}1000"])


@attack
def long_prefix(size):
    """A branch with a long name around one node that reads as many of its initializers."""
    axis = field(1, "axis") + field(3, 0) + field(20, 2)
    names = [f"c{i}" for i in range(size)]
    graph = b"".join([field(1, node("Concat", names + ["x"], ["r"], [axis])), field(2, "g")] +
                     [field(5, tensor(n)) for n in names] + [field(12, value("r"))])
    then, other = [field(1, f"{b}_branch") + field(6, graph) + field(20, 5)
                   for b in ("then", "else")]
    return model([node("If", ["c"], ["y"], [then, other], name="n" * 20 * size)],
                 [tensor("c", BOOL, (1,), b"\1")])


@attack
def scales(size):
    """One tensor, dequantised with as many scales."""
    tensors = [tensor("q", INT8, (1,), b"\1")]
    tensors += [tensor(f"s{i}", FLOAT, (), struct.pack("<f", 1 + i / 1e6)) for i in range(size)]
    nodes = [node("DequantizeLinear", ["q", f"s{i}"], [f"t{i}"]) for i in range(size)]
    return model(nodes, tensors, outputs=[f"t{i}" for i in range(size)])


@attack
def growing(size):
    """Constants that grow by an element with each node."""
    axis = field(1, "axis") + field(3, 0) + field(20, 2)
    nodes = [node("Concat", [f"t{i}" if i else "c", "c"], [f"t{i + 1}"], [axis])
             for i in range(size)]
    return model(nodes + [node("Relu", ["x"], ["y"])], [tensor("c")])


@attack
def unknown(size):
    """As many operators that do not exist."""
    return model([node(f"Operator{i}", ["x"], [f"t{i}"]) for i in range(size)], outputs=["t0"])


def reference(name, attribute_type, other):
    return field(1, name) + field(20, attribute_type) + field(21, other)


@attack
def unknown_within(size):
    """A function of operators that do not exist, called by a node with a name as long."""
    own = function("F", ["a"], ["t0"], [node("Nothing", ["a"], [f"t{i}"]) for i in range(size)])
    return model([node("F", ["x"], ["y"], name="n" * size, domain="own")], functions=[own])


@attack
def long_attribute(size):
    """A list that a call gives to as many nodes of a function."""
    nodes = [node("Constant", [], [f"t{i}"], [reference("value_ints", 7, "list")])
             for i in range(size)]
    own = function("F", ["a"], ["b"], nodes + [node("Relu", ["a"], ["b"])])
    ints = field(1, "list") + b"".join(field(8, 0) for _ in range(size)) + field(20, 7)
    return model([node("F", ["x"], ["y"], [ints], domain="own")], functions=[own])


@attack
def converted(size):
    """A function with a large tensor that has to be converted, called again and again."""
    large = (field(1, 20 * size) + field(2, BOOL) +
             b"".join(field(5, 1) for _ in range(20 * size)))
    constant = node("Constant", [], ["c"], [field(1, "value") + field(5, large) + field(20, 4)])
    own = function("F", ["a"], ["b"], [constant, node("Where", ["c", "a", "a"], ["b"])])
    return model([node("F", ["x"], [f"t{i}"], domain="own") for i in range(size)],
                 outputs=["t0"], functions=[own])


@attack
def unread(size):
    """Nodes whose inputs nothing makes."""
    return model([node("Relu", [f"u{i}"], [f"t{i}"]) for i in range(size)], outputs=["t0"])


@attack
def cycle(size):
    """Each node reads what the next one makes."""
    return model([node("Relu", [f"t{i + 1}"], [f"t{i}"]) for i in range(size)], outputs=["t0"])


@attack
def attributes(size):
    """One node with as many attributes that it does not have."""
    extra = [field(1, f"a{i}") + field(3, 0) + field(20, 2) for i in range(size)]
    return model([node("Relu", ["x"], ["y"], extra)])


@attack
def axes(size):
    """A list of axes, as long."""
    ints = field(1, "axes") + b"".join(field(8, 0) for _ in range(size)) + field(20, 7)
    return model([node("ReduceMax", ["x"], ["y"], [ints])])


def write(make, scale, folder):
    path = folder / "model.onnx"
    path.write_bytes(make(scale * NUM_NODES))
    return ["bench_import_model", str(path)]


def list_attacks(_):
    return [Attack("model: " + make.__name__.replace("_", " "), functools.partial(write, make))
            for make in MAKERS]
