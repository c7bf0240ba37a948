"""Networks whose course depends on data: an If that ends early, a Loop until nothing changes, and a
Scan along time."""

import math

import numpy

import bert
from convolution import add_image, convolve, convolve_relu
from network import Network
import resnet
import transformer

BOOL, FLOAT, INT64 = 9, 1, 7
CLASSES = 5


def classify(network, hidden):
    first = network.add("Gather", hidden, numpy.int64(0), axis=1)
    return transformer.project(network, first, bert.WIDTH, CLASSES)


def make_early_exit(threshold, tokens=64, layers=2):
    """BERT with a classifier half-way: with more confidence the rest is not run."""
    network = Network(operator_set=14)
    dims = ["batch_size", "sequence_length"]
    words = network.generator.integers(0, bert.VOCABULARY, (1, tokens))
    ids = network.input("input_ids", words, dims)
    mask = network.input("attention_mask", numpy.ones((1, tokens), numpy.int64), dims)
    types = network.input("token_type_ids", numpy.zeros((1, tokens), numpy.int64), dims)
    hidden, added = bert.embed(network, ids, types), bert.make_mask(network, mask)

    def add_layers(value):
        for layer in range(layers):
            with network.scope(f"layer.{layer}"):
                value = bert.add_layer(network, value, added)
        return value

    with network.scope("front"):
        hidden = add_layers(hidden)
        logits = classify(network, hidden)
    confidence = network.add("ReduceMax", network.add("Softmax", logits, axis=-1), keepdims=0)
    of_logits = (FLOAT, ["batch_size", CLASSES])
    end = network.graph("end", [], lambda: [(network.add("Identity", logits), *of_logits)])
    rest = network.graph("rest", [], lambda: [(classify(network, add_layers(hidden)), *of_logits)])
    chosen = network.add("If", network.add("Greater", confidence, threshold), then_branch=end,
                         else_branch=rest)
    network.output("logits", chosen, of_logits[1])
    return network


def add_update(network, hidden, context, width):
    """A gated unit of convolutions, as networks for optical flow have it."""
    joined = network.add("Concat", hidden, context, axis=1)
    gate = network.add("Sigmoid", convolve(network, joined, 2 * width, width))
    reset = network.add("Sigmoid", convolve(network, joined, 2 * width, width))
    kept = network.add("Concat", network.add("Mul", reset, hidden), context, axis=1)
    new = network.add("Tanh", convolve(network, kept, 2 * width, width))
    stays = network.add("Mul", network.add("Sub", 1.0, gate), hidden)
    return network.add("Add", stays, network.add("Mul", gate, new))


def make_refinement(extent=320, width=64, rounds=12, tolerance=0.05):
    """A field over an image is refined until it changes by less than the tolerance."""
    network = Network(operator_set=17)
    image = add_image(network, extent, extent)
    most = network.input("max_rounds", numpy.int64(rounds))
    value = resnet.add_stem(network, image, 32)
    (value, channels), = resnet.add_stages(network, value, resnet.add_basic, (2,), (width,), 32)
    context = convolve_relu(network, value, channels, width, 3, 2)
    start = network.add("Tanh", convolve(network, context, width, width))
    side = extent // 8
    field = numpy.zeros((1, 2, side, side), numpy.float32)

    def make(_, __, hidden, before):
        hidden = add_update(network, hidden, context, width)
        change = convolve(network, convolve_relu(network, hidden, width, width), width, 2,
                          gain=0.5)
        greatest = network.add("ReduceMax", network.add("Abs", change), keepdims=0)
        return [(network.add("Greater", greatest, tolerance), BOOL, []),
                (hidden, FLOAT, [1, width, side, side]),
                (network.add("Add", before, change), FLOAT, [1, 2, side, side]),
                (network.add("Identity", greatest), FLOAT, [])]

    body = network.graph("body", [("round", INT64, []), ("goes_on", BOOL, []),
                                  ("hidden", FLOAT, [1, width, side, side]),
                                  ("field", FLOAT, [1, 2, side, side])], make)
    _, refined, changes = network.add("Loop", most, numpy.bool_(True), start, field, body=body,
                                      outputs=3)
    network.output("field", refined, [1, 2, side, side])
    network.output("changes", changes, [None])
    return network


def scan_states(network, decay, driven, readout, width, states):
    """What a state space makes of its inputs along time; all have time in front."""
    def make(state, decays, inputs, weights):
        state = network.add("Add", network.add("Mul", decays, state), inputs)
        result = network.add("MatMul", state, network.add("Unsqueeze", weights, [1]))
        return [(state, FLOAT, [width, states]),
                (network.add("Squeeze", result, [1]), FLOAT, [width])]

    of_state = (FLOAT, [width, states])
    body = network.graph("body", [("state", *of_state), ("decay", *of_state), ("driven", *of_state),
                                  ("readout", FLOAT, [states])], make)
    start = network.constant(numpy.zeros((width, states), numpy.float32))
    return network.add("Scan", start, decay, driven, readout, body=body, num_scan_inputs=3,
                       outputs=2)[1]


def add_state_space(network, hidden, width, states):
    """A block of Mamba's kind, without its convolution; hidden has a row for each step."""
    inner = 2 * width
    normalized = transformer.normalize(network, hidden, width, 1e-5)
    value, gate = (transformer.project(network, normalized, width, inner, has_bias=False)
                   for _ in range(2))
    value = network.add("Mul", value, network.add("Sigmoid", value))
    step = network.add("Softplus", transformer.project(network, value, inner, inner, gain=0.3))
    write, read = (transformer.project(network, value, inner, states, has_bias=False)
                   for _ in range(2))
    rates = network.keep(-numpy.tile(numpy.arange(1, states + 1, dtype=numpy.float32), (inner, 1)))
    wide = network.add("Unsqueeze", step, [2])
    decay = network.add("Exp", network.add("Mul", wide, rates))
    driven = network.add("Mul", network.add("Unsqueeze", network.add("Mul", step, value), [2]),
                         network.add("Unsqueeze", write, [1]))
    result = scan_states(network, decay, driven, read, inner, states)
    passed = network.add("Mul", value, network.weight([inner], 0.1, 1.0))
    result = network.add("Add", result, passed)
    result = network.add("Mul", result, network.add("Mul", gate, network.add("Sigmoid", gate)))
    return network.add("Add", hidden, transformer.project(network, result, inner, width,
                                                          has_bias=False))


def make_state_space(tokens=64, width=256, states=16, layers=4):
    network = Network(operator_set=17)
    hidden = network.input("hidden_states", network.draw((tokens, width), 1.0),
                           ["sequence_length", width])
    for layer in range(layers):
        with network.scope(f"layers.{layer}"):
            hidden = add_state_space(network, hidden, width, states)
    network.output("last_hidden_state", transformer.normalize(network, hidden, width, 1e-5),
                   ["sequence_length", width])
    return network


def make_growing_loop(rounds=400, width=16):
    """A sequence that each round of a loop makes one row longer."""
    network = Network(operator_set=17)
    start = network.input("start", network.draw((1, width), 1.0), ["length", width])
    most = network.input("rounds", numpy.int64(rounds))

    def make(_, __, rows):
        last = network.add("Gather", rows, [-1], axis=0)
        row = network.add("Tanh", network.add("Add", last, network.weight([width], 0.1)))
        return [(network.constant(numpy.bool_(True)), BOOL, []),
                (network.add("Concat", rows, row, axis=0), FLOAT, [None, width])]

    body = network.graph("body", [("round", INT64, []), ("goes_on", BOOL, []),
                                  ("rows", FLOAT, [None, width])], make)
    rows = network.add("Loop", most, numpy.bool_(True), start, body=body)
    network.output("rows", rows, [None, width])
    return network


def make_non_zero(extent=2000):
    """The places of a large mask, about a third of which are set."""
    network = Network(operator_set=17)
    image = network.input("image", network.draw((extent, extent), 1.0), ["height", "width"])
    places = network.add("NonZero", network.add("Greater", image, 0.43))
    network.output("places", places, [2, None], INT64)
    return network


def make_suppression(classes=80, boxes=2000):
    """The end of a detector: the best of many boxes in each class."""
    network = Network(operator_set=17)
    corners = network.generator.random((1, boxes, 2), numpy.float32)
    sizes = network.generator.random((1, boxes, 2), numpy.float32) * numpy.float32(0.2)
    both = numpy.concatenate([corners, corners + sizes], axis=2)
    found = network.input("boxes", both, ["batch", "boxes", 4])
    scores = network.input("scores", network.generator.random((1, classes, boxes), numpy.float32),
                           ["batch", classes, "boxes"])
    chosen = network.add("NonMaxSuppression", found, scores, numpy.int64([100]),
                         numpy.float32([0.5]), numpy.float32([0.3]))
    network.output("chosen", chosen, [None, 3], INT64)
    return network
