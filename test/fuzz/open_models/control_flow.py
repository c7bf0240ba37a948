"""Nodes with graphs within them: If, Loop, Scan, SequenceMap, and calls of local functions."""

import numpy
import onnx
import onnx.helper

from data_shapes import make_like, pick_condition, pick_number, shape_of
from fill import MOST_DEPTH, fill
from graphs import BOOL, FLOAT, INT64, Graph, Value
from sequences import SEQUENCE_MAKERS, add_at, add_join, element_dims, join_dims
from tensors import broadcast, is_number, is_small, replace, result, tame

DOMAIN = "test"
CARRIED_BOUND = 16


class Inner:
    """A graph within another one, in whose time the model is one deeper."""

    def __init__(self, graph, is_function=False):
        self.graph = Graph(graph.model, graph, is_function)

    def __enter__(self):
        self.graph.model.depth += 1
        return self.graph

    def __exit__(self, *failure):
        self.graph.model.depth -= 1


def own(graph, value):
    """The value as one of the graph's own nodes, as outputs have to be."""
    if any(value.name in node.output for node in graph.nodes):
        return value
    return graph.keep(replace(value, name=graph.add("Identity", value)))


def as_kind(graph, value, like):
    """A value of the graph with the type and rank of another one."""
    same = graph.pick(lambda x: x.type == like.type and len(x.dims) == len(like.dims))
    if same is not None and graph.random.random() < 0.7:
        return same
    dims = tuple(extent if graph.knows(extent) else graph.random.randint(0, 3)
                 for extent in like.dims)
    return make_like(graph, like.type, dims)


def add_if(graph):
    condition = pick_condition(graph)
    kinds = ["tensor"] * graph.random.randint(1, 2)
    if graph.random.random() < 0.3:
        kinds.append("sequence")
    inner = []
    for _ in range(2):
        with Inner(graph) as branch:
            fill(branch, graph.random.randint(1, 4))
            inner.append(branch)
    pairs = []
    for kind in kinds:
        pair = choose_pair(inner, kind)
        if pair is not None:
            pairs.append(tuple(own(branch, value) for branch, value in zip(inner, pair)))
    branches = [branch.make(word, [], [pair[index] for pair in pairs])
                for index, (word, branch) in enumerate(zip(("then", "else"), inner))]
    names = graph.add("If", condition, outputs=len(pairs), then_branch=branches[0],
                      else_branch=branches[1])
    for name, (first, second) in zip([names] if len(pairs) == 1 else names, pairs):
        dims = tuple(a if a == b and graph.knows(a) else None
                     for a, b in zip(first.dims, second.dims))
        if first.kind == "tensor":
            dims = tuple(meet(graph, a, b) for a, b in zip(first.dims, second.dims))
        graph.keep(replace(first, name=name, dims=dims, bound=max(first.bound, second.bound),
                           exact=first.exact and second.exact,
                           least=min(first.least, second.least)))
    return True


def meet(graph, first, second):
    """An extent that is one of two."""
    if first == second and graph.knows(first):
        return first
    model = graph.model
    return model.extent(graph, min(model.least(first), model.least(second)),
                        max(model.most(first), model.most(second)))


def choose_pair(branches, kind):
    """A result of each branch, of one type and rank."""
    first = branches[0].pick(kind=kind)
    if first is None:
        if kind == "tensor":
            return None
        graph = branches[0]
        graph.random.choice(SEQUENCE_MAKERS)(graph)
        first = graph.pick(kind=kind)
        if first is None:
            return None
    if kind == "tensor":
        return first, as_kind(branches[1], first, first)
    second = branches[1].pick(lambda x: x.type == first.type
                              and join_dims(x.dims, first.dims) is not None, kind)
    if second is None:
        name = branches[1].add("SequenceEmpty", dtype=first.type)
        second = branches[1].keep(replace(first, name=name, least=0))
    return first, second


def add_optional_choice(graph):
    """If there is something in an optional, that; else something of its kind."""
    given = graph.pick(kind="optional")
    if given is None:
        return add_if(graph)
    condition = graph.add("OptionalHasElement", given)
    with Inner(graph) as there:
        first = there.keep(replace(given, kind="tensor",
                                   name=there.add("OptionalGetElement", given)))
    with Inner(graph) as missing:
        second = own(missing, as_kind(missing, first, first))
    name = graph.add("If", condition, then_branch=there.make("then", [], [first]),
                     else_branch=missing.make("else", [], [second]))
    graph.keep(replace(first, name=name, bound=max(first.bound, second.bound),
                       dims=tuple(meet(graph, a, b) for a, b in zip(first.dims, second.dims))))
    return True


class Carried:
    """What a Loop or Scan carries from round to round: of the same extents, growing along an axis,
    or a sequence to which each round adds."""

    def __init__(self, graph, may_grow):
        kinds = ["same", "same"] + (["grow", "sequence", "optional"] if may_grow else [])
        self.kind = graph.random.choice(kinds)
        self.start, self.axis = None, 0
        if self.kind == "sequence":
            self.start = graph.pick(lambda x: x.least < 9, "sequence")
            if self.start is None and graph.random.choice(SEQUENCE_MAKERS)(graph):
                self.start = graph.pick(kind="sequence")
        if self.kind == "optional":
            self.start = graph.pick(kind="optional")
        if self.start is None:
            self.kind = "grow" if self.kind == "grow" else "same"
            picked = graph.pick(lambda x: is_number(x) and len(x.dims) < 4
                                and (self.kind == "same" or x.dims))
            self.start = tame(graph, picked or make_like(graph, FLOAT, (2,)), CARRIED_BOUND)
            if self.start.bound < CARRIED_BOUND:
                self.start = replace(self.start, bound=CARRIED_BOUND)

    def enter(self, body):
        """The value that a round begins with."""
        dims = self.start.dims
        if self.kind == "grow" and dims:
            self.axis = body.random.randrange(len(dims))
            model = body.model
            many = model.extent(body, model.least(dims[self.axis]),
                                model.most(dims[self.axis]) + 80)
            dims = dims[:self.axis] + (many,) + dims[self.axis + 1:]
        elif self.kind == "sequence":
            dims = (None,) * len(dims)
        return body.keep(replace(self.start, name=body.name("carried"), dims=dims,
                                 bound=max(self.start.bound, CARRIED_BOUND)))

    def leave(self, body, value):
        """What the round passes on."""
        if self.kind == "sequence":
            return self._insert(body, value)
        if self.kind == "optional":
            inside = body.pick(lambda x: x.type == value.type and x.dims == value.dims)
            if inside is None:
                return own(body, value)
            return body.keep(replace(value, name=body.add("Optional", inside)))
        if self.kind == "grow" and value.dims:
            dims = value.dims[:self.axis] + (body.random.randint(1, 2),) + \
                value.dims[self.axis + 1:]
            more = tame(body, make_like(body, value.type, dims), CARRIED_BOUND)
            parts = [value, more]
            body.random.shuffle(parts)
            return replace(value, name=body.add("Concat", *parts, axis=self.axis))
        if body.random.random() < 0.08:  # as it came
            return value if body.random.random() < 0.5 else own(body, value)
        other = body.pick(lambda x: x.type == value.type and x.exact and x is not value
                          and broadcast(x.dims, value.dims) == value.dims)
        if other is None:
            other = make_like(body, value.type, ())
        operator = body.random.choice(("Add", "Sub", "Max", "Mul"))
        new = replace(value, name=body.add(operator, value, tame(body, other)), bound=999)
        new = own(body, tame(body, new, CARRIED_BOUND))
        return replace(new, exact=value.exact)

    @staticmethod
    def _insert(body, value):
        element = body.pick(lambda x: x.type == value.type and len(x.dims) == len(value.dims)
                            and x.exact >= value.exact)
        if element is None:
            dims = tuple(body.random.randint(0, 2) for _ in value.dims)
            element = make_like(body, value.type, dims)
        element = tame(body, element, CARRIED_BOUND)
        return replace(value, name=body.add("SequenceInsert", value, element))

    def behind(self, graph, name, rounds):
        """The value behind the last round."""
        dims = self.start.dims
        if self.kind == "grow" and dims:
            model = graph.model
            many = model.extent(graph, model.least(dims[self.axis]),
                                model.most(dims[self.axis]) + 2 * rounds)
            dims = dims[:self.axis] + (many,) + dims[self.axis + 1:]
        elif self.kind == "sequence":
            dims = (None,) * len(dims)
        return graph.keep(replace(self.start, name=name, dims=dims,
                                  bound=max(self.start.bound, CARRIED_BOUND)))


def choose_collected(graph, body, count, may_be_none):
    """Values of a body whose extents are the same in each round. Where there may be no round, all
    are numbers: what the others are then is stated nowhere."""
    chosen = []
    for _ in range(count):
        value = body.pick(lambda x: len(x.dims) < 5 and all(
            isinstance(extent, int) if may_be_none else graph.knows(extent) for extent in x.dims)
            and is_small(graph, x.dims + (8,)))
        if value is None:
            value = make_like(body, FLOAT, ())
        chosen.append(own(body, value))
    return chosen


def says_shape(body, collected):
    """Whether the body states the extents of what it gives."""
    return "closed" if collected else "any"


def add_loop(graph):
    most = graph.random.randint(1, 4 if graph.model.depth else 5)
    if not graph.model.depth and graph.random.random() < 0.05:
        most = 40  # more shapes than plans are kept
    is_counted = graph.random.random() < 0.85
    is_asked = not is_counted or graph.random.random() < 0.6
    least = graph.random.choice((0, 0, 1))
    is_constant = is_counted and graph.random.random() < 0.15
    endless = graph.random.choice(("", graph.constant(2 ** 63 - 1)))
    trips = (endless if not is_counted else graph.constant(graph.random.randint(least, most))
             if is_constant else pick_number(graph, least, most))
    start = None if graph.random.random() < 0.4 else pick_condition(graph)
    may_be_none = least == 0 or not is_counted or start is not None
    carried = [Carried(graph, True) for _ in range(graph.random.randint(0, 3))]
    collects = graph.random.randint(0 if carried else 1, 2)
    with Inner(graph) as body:
        # ONNX leaves open whether round and condition have rank 0 or 1.
        dims = graph.random.choice(((), (), (1,)))
        number = body.keep(Value(body.name("round"), INT64, dims, bound=most))
        goes_on = body.keep(Value(body.name("goes_on"), BOOL,
                                  start.dims if start else (), bound=1))
        states = [one.enter(body) for one in carried]
        fill(body, graph.random.randint(1, 5))
        ends = [one.leave(body, state) for one, state in zip(carried, states)]
        limit = graph.random.randint(0, most - 1)
        if is_asked:
            below = body.add("Less", body.add("Reshape", number, numpy.zeros(0, numpy.int64)),
                             limit)
            condition = Value(below, BOOL)
            if graph.random.random() < 0.4:
                condition = Value(body.add("And", below, body.add(
                    "Reshape", pick_condition(body), numpy.zeros(0, numpy.int64))), BOOL)
        else:
            condition = own(body, goes_on)
        collected = choose_collected(graph, body, collects, may_be_none)
    says = says_shape(body, collected)
    made = body.make("body", [number, goes_on] + states, [condition] + ends + collected, says)
    _add_with_body(graph, "Loop", [trips, start or ""] + [one.start for one in carried], made, carried,
                   most)
    names = list(graph.nodes[-1].output)
    for name, value in zip(names[len(carried):], collected):
        rounds = graph.model.extent(graph, 0 if may_be_none else 1, most)
        result(graph, name, value, dims=(rounds,) + value.dims)
    return True


def _add_with_body(graph, operator, inputs, body, carried, rounds, **attributes):
    """Adds a node that runs a body, and what it carries."""
    outputs = len(body.output) - (operator == "Loop")
    names = graph.add(operator, *inputs, outputs=outputs, body=body, **attributes)
    names = [names] if outputs == 1 else names
    for one, name in zip(carried, names):
        one.behind(graph, name, rounds)


def scan_axes(graph, value, least):
    """Axes along which a value may be scanned. ONNX Runtime divides by zero when it turns tensors
    without elements."""
    is_full = all(map(graph.model.least, value.dims))
    return [axis for axis, extent in enumerate(value.dims)
            if graph.model.least(extent) >= least and (is_full or axis == 0)]


def add_scan(graph):
    first = None
    least = int(graph.random.random() > 0.15)  # ONNX Runtime refuses a Scan without a round
    if graph.random.random() < 0.9:
        first = graph.pick(lambda x: scan_axes(graph, x, least))
    if first is None:
        first = make_like(graph, FLOAT, (graph.random.randint(1, 3), 2))
    inputs = [(first, graph.random.choice(scan_axes(graph, first, least)))]
    along = first.dims[inputs[0][1]]
    other = graph.pick(lambda x: along in [x.dims[axis] for axis in scan_axes(graph, x, least)])
    if other is not None and graph.random.random() < 0.5:
        inputs.append((other, next(axis for axis in scan_axes(graph, other, least)
                                   if other.dims[axis] == along)))
    carried = [Carried(graph, False) for _ in range(graph.random.randint(0, 2))]
    with Inner(graph) as body:
        states = [one.enter(body) for one in carried]
        parts = [body.keep(replace(value, name=body.name("part"),
                                   dims=value.dims[:axis] + value.dims[axis + 1:]))
                 for value, axis in inputs]
        fill(body, graph.random.randint(1, 4))
        ends = [own(body, one.leave(body, state)) for one, state in zip(carried, states)]
        collected = choose_collected(graph, body, graph.random.randint(0 if ends else 1, 2), False)
    # The same holds for results.
    out_axes = [graph.random.randrange(len(value.dims) + 1)
                if all(map(graph.model.least, value.dims + (along,))) else 0 for value in collected]

    def give(axes, ranks):
        """Some axes counted from the end."""
        return [axis - rank if graph.random.random() < 0.5 else axis
                for axis, rank in zip(axes, ranks)]

    made = body.make("body", states + parts, ends + collected,
                     says_shape(body, collected))
    attributes = {"num_scan_inputs": len(inputs)}
    if any(axis for _, axis in inputs) or graph.random.random() < 0.3:
        attributes["scan_input_axes"] = give([axis for _, axis in inputs],
                                             [len(value.dims) for value, _ in inputs])
    if collected and (any(out_axes) or graph.random.random() < 0.3):
        attributes["scan_output_axes"] = give(out_axes, [len(x.dims) + 1 for x in collected])
    for word, number in (("input", len(inputs)), ("output", len(collected))):
        if number and graph.random.random() < 0.4:
            attributes[f"scan_{word}_directions"] = [graph.random.randint(0, 1)
                                                     for _ in range(number)]
    starts = [one.start for one in carried]
    _add_with_body(graph, "Scan", starts + [value for value, _ in inputs], made, carried, 1,
                   **attributes)
    for name, value, axis in zip(list(graph.nodes[-1].output)[len(carried):], collected, out_axes):
        result(graph, name, value, dims=value.dims[:axis] + (along,) + value.dims[axis:])
    return True


def add_sequence_map(graph):
    sequence = graph.pick(kind="sequence")
    if sequence is None or graph.model.operator_set < 17:
        return False
    with Inner(graph) as body:
        element = body.keep(replace(sequence, name=body.name("element"), kind="tensor", least=0,
                                    dims=element_dims(body, sequence)))
        more = graph.pick(lambda x: len(x.dims) < 4)
        more = [more] if more is not None and graph.random.random() < 0.4 else []
        inputs = [element] + [body.keep(replace(x, name=body.name("more"))) for x in more]
        # ONNX Runtime puts what functions and graphs within the body read in the wrong order.
        graph.model.depth += MOST_DEPTH
        fill(body, graph.random.randint(1, 3))
        graph.model.depth -= MOST_DEPTH
        end = own(body, body.need(lambda x: len(x.dims) < 4))
    name = graph.add("SequenceMap", sequence, *more, body=body.make("body", inputs, [end]))
    dims = tuple(extent if graph.knows(extent) else None for extent in end.dims)
    graph.keep(replace(end, name=name, kind="sequence", dims=dims, least=sequence.least))
    return True


def add_function(graph):
    """A function of one to three values, called once or twice."""
    kinds = ["tensor"] * graph.random.randint(1, 3)
    if graph.random.random() < 0.25:
        kinds.append("sequence")
    actual = [value for value in (graph.pick(lambda x: True, kind) for kind in kinds) if value]
    names, back = {}, {}
    with Inner(graph, is_function=True) as body:
        formal = []
        for place, value in enumerate(actual):
            dims = tuple(extent if isinstance(extent, int) or extent is None else
                         names.setdefault(extent, body.model.extent(
                             body, body.model.least(extent), body.model.most(extent)))
                         for extent in value.dims)
            formal.append(body.keep(replace(value, name=f"in_{place}", dims=dims)))
        fill(body, graph.random.randint(2, 5))
        attributes = add_attribute(body)
        ends = [own(body, body.need())]
        for kind in ("tensor", "sequence"):
            more = body.pick(lambda x: True, kind)
            if more is not None and graph.random.random() < 0.4:
                ends.append(own(body, more))
        ends = list({value.name: value for value in ends}.values())
    name = f"Function{len(graph.model.functions)}"
    opsets = [onnx.helper.make_opsetid("", graph.model.operator_set),
              onnx.helper.make_opsetid(DOMAIN, 1)]
    graph.model.functions.append(onnx.helper.make_function(
        DOMAIN, name, [value.name for value in formal], [value.name for value in ends],
        body.nodes, opsets, list(attributes)))
    back.update({inner: outer for outer, inner in names.items()})
    call(graph, name, actual, ends, dict(back), attributes)
    second = match(graph, actual)
    if second is not None:
        values, renamed = second
        call(graph, name, values, ends, {inner: renamed[outer] for inner, outer in back.items()},
             attributes)
    return True


def add_attribute(body):
    """Sometimes a node whose attribute the call gives."""
    value = body.pick(lambda x: x.type == FLOAT)
    if value is None or body.random.random() < 0.6:
        return {}
    name = body.add("LeakyRelu", value)
    attribute = onnx.AttributeProto(name="alpha", ref_attr_name="slope",
                                    type=onnx.AttributeProto.FLOAT)
    body.nodes[-1].attribute.append(attribute)
    result(body, name, value, exact=False)
    return {"slope": 0.5}


def call(graph, function, actual, ends, back, attributes):
    names = graph.add(function, *actual, outputs=len(ends), domain=DOMAIN, **attributes)
    for name, end in zip([names] if len(ends) == 1 else names, ends):
        dims = []
        for extent in end.dims:
            if isinstance(extent, str):
                if extent not in back:
                    model = graph.model
                    back[extent] = model.extent(graph, model.least(extent), model.most(extent))
                extent = back[extent]
            dims.append(extent)
        graph.keep(replace(end, name=name, dims=tuple(dims)))


def match(graph, actual):
    """Other values that a function can be called with, and what its extents are then."""
    renamed, values = {}, []
    for value in actual:
        def fits(x):
            names = dict(renamed)
            return (x.type == value.type and len(x.dims) == len(value.dims)
                    and x.exact >= value.exact and x.bound <= value.bound
                    and x.least >= value.least and all(
                        names.setdefault(a, b) == b and graph.model.least(b) >=
                        graph.model.least(a) if isinstance(a, str) and b is not None else a == b
                        for a, b in zip(value.dims, x.dims)))
        other = graph.pick(fits, value.kind)
        if other is None:
            return None
        renamed.update({a: b for a, b in zip(value.dims, other.dims) if isinstance(a, str)})
        values.append(other)
    return (values, renamed) if [x.name for x in values] != [x.name for x in actual] else None
