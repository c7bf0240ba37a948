"""Fills a graph with random nodes."""

from graphs import CannotMake
from data_shapes import CHOICES, DATA_NODES
from sequences import SEQUENCE_NODES
from tensors import TENSOR_NODES

MOST_DEPTH = 3


def add_feature(graph, feature):
    """Adds a node of that kind. The module of graphs within nodes fills them by this one."""
    import control_flow
    random = graph.random
    if feature in graph.model.pending:
        graph.model.pending.remove(feature)
    if feature == "function":
        return control_flow.add_function(graph)
    if feature == "if":
        return (control_flow.add_optional_choice if random.random() < 0.2
                else control_flow.add_if)(graph)
    if feature == "loop":
        return control_flow.add_loop(graph)
    if feature == "scan":
        return control_flow.add_scan(graph)
    if feature == "sequence":
        for _ in range(random.randint(2, 4)):
            random.choice(SEQUENCE_NODES)(graph)
        if random.random() < 0.3:
            control_flow.add_sequence_map(graph)
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
