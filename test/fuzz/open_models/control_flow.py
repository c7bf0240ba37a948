"""If, and calls of local functions."""

import onnx
import onnx.helper

from data_shapes import make_like, pick_condition
from fill import Inner, fill, own
from graphs import FLOAT
from sequences import SEQUENCE_MAKERS, join_dims
from tensors import replace, result

DOMAIN = "test"


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
