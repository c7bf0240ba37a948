"""Nodes that make and read sequences and optionals."""

from data_shapes import pick_number
from graphs import BOOL, INT64
from tensors import is_number, is_small, replace, result


def join_dims(first, second):
    """What is known of the extents of both; None where their ranks differ."""
    if len(first) != len(second):
        return None
    return tuple(a if a == b else None for a, b in zip(first, second))


def keep_sequence(graph, name, like, **changes):
    changes = {"kind": "sequence", "least": 0, **changes}
    return graph.keep(replace(like, name=name, **changes))


def add_construct(graph):
    first = graph.need(lambda x: len(x.dims) < 5)
    parts, dims = [first], first.dims
    for _ in range(graph.random.randint(0, 2)):
        other = graph.pick(lambda x: x.type == first.type and join_dims(x.dims, dims) is not None)
        parts.append(other)
        dims = join_dims(dims, other.dims)
    keep_sequence(graph, graph.add("SequenceConstruct", *parts), first, dims=dims,
                  least=len(parts), bound=max(part.bound for part in parts),
                  exact=all(part.exact for part in parts))
    return True


def add_empty(graph):
    value = graph.need(is_number)
    keep_sequence(graph, graph.add("SequenceEmpty", dtype=value.type), value)
    return True


def add_split(graph):
    value = graph.need(lambda x: x.dims)
    axis = graph.random.randrange(len(value.dims))
    given = graph.random.choice((axis, axis - len(value.dims)))
    extent, how = value.dims[axis], graph.random.random()
    least = graph.model.least(extent)
    before, behind = value.dims[:axis], value.dims[axis + 1:]
    if how < 0.3:
        name = graph.add("SplitToSequence", value, axis=given,
                         keepdims=graph.random.randint(0, 1))
        is_kept = graph.nodes[-1].attribute[-1].i == 1
        keep_sequence(graph, name, value, dims=before + ((1,) if is_kept else ()) + behind,
                      least=least)
    elif how < 0.55:
        name = graph.add("SplitToSequence", value, graph.constant(graph.random.randint(1, 3)),
                         axis=given)
        keep_sequence(graph, name, value, dims=before + (None,) + behind, least=min(least, 1))
    else:  # how many lie in the first part is known when it runs
        first = graph.add("Unsqueeze", pick_number(graph, 0, least), [0])
        total = graph.add("Gather", graph.add("Shape", value), [axis], axis=0)
        sizes = graph.add("Concat", first, graph.add("Sub", total, first), axis=0)
        name = graph.add("SplitToSequence", value, sizes, axis=given)
        keep_sequence(graph, name, value, dims=before + (None,) + behind, least=2)
    return True


def add_insert(graph):
    sequence = graph.need(kind="sequence")
    value = graph.pick(lambda x: x.type == sequence.type
                       and join_dims(x.dims, sequence.dims) is not None)
    if value is None:
        return False
    inputs = [sequence, value]
    if graph.random.random() < 0.6:
        inputs.append(graph.constant(graph.random.randint(-sequence.least, sequence.least)))
    keep_sequence(graph, graph.add("SequenceInsert", *inputs), sequence,
                  dims=join_dims(sequence.dims, value.dims), least=sequence.least + 1,
                  bound=max(sequence.bound, value.bound), exact=sequence.exact and value.exact)
    return True


def pick_place(graph, sequence):
    if graph.random.random() < 0.5 and sequence.least > 0:
        return pick_number(graph, -sequence.least, sequence.least - 1)
    return graph.constant(graph.random.randrange(-sequence.least, sequence.least))


def add_erase(graph):
    sequence = graph.need(lambda x: x.least > 0, "sequence")
    inputs = [sequence] + ([pick_place(graph, sequence)] if graph.random.random() < 0.6 else [])
    keep_sequence(graph, graph.add("SequenceErase", *inputs), sequence, least=sequence.least - 1)
    return True


def element_dims(graph, sequence):
    """The extents of one element: those that differ get a name."""
    return tuple(graph.model.extent(graph, 0, 64) if extent is None else extent
                 for extent in sequence.dims)


def add_at(graph):
    sequence = graph.need(lambda x: x.least > 0, "sequence")
    dims = element_dims(graph, sequence)
    if not is_small(graph, dims):
        return False
    result(graph, graph.add("SequenceAt", sequence, pick_place(graph, sequence)), sequence,
           dims=dims, least=0)
    return True


def add_length(graph):
    sequence = graph.need(kind="sequence")
    result(graph, graph.add("SequenceLength", sequence), sequence, type=INT64, dims=(), bound=64,
           exact=True, least=0)
    return True


def add_join(graph):
    sequence = graph.need(lambda x: x.least > 0 and x.dims, "sequence")
    unknown = [axis for axis, extent in enumerate(sequence.dims) if extent is None]
    if len(unknown) > 1:
        return False
    axis = unknown[0] if unknown else graph.random.randrange(len(sequence.dims))
    is_new = not unknown and graph.random.random() < 0.4
    extent = graph.model.extent(graph, 0, 128)
    dims = sequence.dims[:axis] + (extent,) + sequence.dims[axis + (not is_new):]
    if not is_small(graph, dims):
        return False
    given = graph.random.choice((axis, axis - len(dims)))
    name = graph.add("ConcatFromSequence", sequence, axis=given, new_axis=int(is_new))
    result(graph, name, sequence, dims=dims, least=0)
    return True


def add_optional(graph):
    """An optional with a tensor, which is asked and taken out again, or one that a run gives."""
    given = graph.pick(kind="optional")
    if given is None:
        value = graph.need(lambda x: x.type != BOOL)
        given = graph.keep(replace(value, name=graph.add("Optional", value), kind="optional"))
        result(graph, graph.add("OptionalGetElement", given), value)
    result(graph, graph.add("OptionalHasElement", given), given, type=BOOL, dims=(), bound=1,
           exact=True)
    return True


SEQUENCE_MAKERS = (add_construct, add_construct, add_empty, add_split, add_split)
SEQUENCE_NODES = SEQUENCE_MAKERS + (add_insert, add_insert, add_erase, add_at, add_at, add_length,
                                    add_join, add_join, add_optional)
