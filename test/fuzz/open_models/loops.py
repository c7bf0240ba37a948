"""Loop, Scan and SequenceMap."""

import numpy

from data_shapes import make_like, pick_condition, pick_number
from fill import MOST_DEPTH, Inner, fill, own
from graphs import BOOL, FLOAT, INT64, Value
from sequences import SEQUENCE_MAKERS, element_dims
from tensors import broadcast, is_number, is_small, replace, result, tame

CARRIED_BOUND = 16


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
    starts = [one.start for one in carried]
    _add_with_body(graph, "Loop", [trips, start or ""] + starts, made, carried, most)
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
