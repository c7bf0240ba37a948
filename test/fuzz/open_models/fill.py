"""Fills a graph with random nodes."""

from data_shapes import CHOICES, DATA_NODES
from graphs import CannotMake, Graph
from sequences import SEQUENCE_NODES
from tensors import TENSOR_NODES, replace

MOST_DEPTH = 3


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


def add_feature(graph, feature):
    """Adds a node of that kind. The module of graphs within nodes fills them by this one."""
    import control_flow
    import loops
    random = graph.random
    if feature in graph.model.pending:
        graph.model.pending.remove(feature)
    if feature == "function":
        return control_flow.add_function(graph)
    if feature == "if":
        return (control_flow.add_optional_choice if random.random() < 0.2
                else control_flow.add_if)(graph)
    if feature == "loop":
        return loops.add_loop(graph)
    if feature == "scan":
        return loops.add_scan(graph)
    if feature == "sequence":
        for _ in range(random.randint(2, 4)):
            random.choice(SEQUENCE_NODES)(graph)
        if random.random() < 0.3:
            loops.add_sequence_map(graph)
        return any(value.kind == "sequence" for value in graph.visible())
    return random.choice(CHOICES)(graph)


def of_nodes(features):
    return [feature for feature in features if feature != "in-place"]


def fill(graph, count):
    """Adds some nodes; also those with graphs within them, as long as the model is not too deep."""
    model = graph.model
    for _ in range(count):
        if model.nodes_left < 0:
            return
        try:
            add_random(graph)
        except CannotMake:
            pass


def add_random(graph):
    model, random = graph.model, graph.random
    chance = random.random()
    pending = of_nodes(model.pending)
    if 0 < model.depth < MOST_DEPTH and pending and chance < 0.4:
        add_feature(graph, random.choice(pending))
    elif 0 < model.depth < MOST_DEPTH and chance < 0.06:
        add_feature(graph, random.choice(of_nodes(model.features) or ["if"]))
    elif chance < 0.2:
        random.choice(DATA_NODES)(graph)
    elif chance < 0.25 and "non-zero" in model.features:
        random.choice(CHOICES)(graph)
    elif chance < 0.35 and "sequence" in model.features:
        random.choice(SEQUENCE_NODES)(graph)
    else:
        random.choice(TENSOR_NODES)(graph)
