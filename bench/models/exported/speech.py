"""Speech models: an acoustic model with bidirectional LSTMs, and a GRU that keeps its state."""

import math

import numpy

from convolution import convolve
from network import Network
import transformer

BINS = 80


def add_recurrent(network, operator, value, width_in, width, directions, states, **attributes):
    """The layer in torch's order of sequence, batch, width; and its outputs of states."""
    gates = {"LSTM": 4, "GRU": 3}[operator]
    deviation = 1 / math.sqrt(3 * width)
    words = [network.weight([directions, gates * width, width_in], 1 / math.sqrt(width_in)),
             network.weight([directions, gates * width, width], deviation),
             network.weight([directions, 2 * gates * width], deviation)]
    outputs = network.add(operator, value, *words, "", *states, outputs=1 + len(states),
                          hidden_size=width, **attributes)
    return outputs[0], outputs[1:]


def shrink_spectrogram(network, value, filters):
    """Two convolutions of stride 2, after which rows of features are made of channels and bins."""
    for channels in (1, filters):
        value = network.add("Relu", convolve(network, value, channels, filters, 3, 2, gain=1.4))
    value = network.add("Transpose", value, perm=[0, 2, 1, 3])
    return network.add("Reshape", value, [0, 0, -1])


def make_lstm(frames=200, width=320, layers=3, tokens=1000):
    network = Network(operator_set=14)
    features = network.input("speech", network.draw((1, frames, BINS), 1.0),
                             ["batch", "frames", BINS])
    value = shrink_spectrogram(network, network.add("Unsqueeze", features, [1]), 32)
    value = network.add("Transpose", value, perm=[1, 0, 2])
    width_in = 32 * BINS // 4
    for _ in range(layers):
        batch = network.add("Gather", network.add("Shape", value), numpy.int64(1), axis=0)
        extents = network.add("Concat", network.constant([2]), network.add(
            "Unsqueeze", batch, [0]), network.constant([width]), axis=0)
        zeros = [network.add("Expand", numpy.zeros((1, 1, 1), numpy.float32), extents)
                 for _ in range(2)]
        value, _ = add_recurrent(network, "LSTM", value, width_in, width, 2, zeros,
                                 direction="bidirectional")
        value = network.add("Transpose", value, perm=[0, 2, 1, 3])
        value = network.add("Reshape", value, [0, 0, -1])
        width_in = 2 * width
    value = network.add("Transpose", value, perm=[1, 0, 2])
    logits = transformer.project(network, value, width_in, tokens)
    network.output("log_probabilities", network.add("LogSoftmax", logits, axis=-1))
    return network


def make_gru(frames=40, width=512, layers=3):
    network = Network(operator_set=13)
    features = network.input("features", network.draw((1, frames, BINS), 1.0))
    state = network.input("state", numpy.zeros((layers, 1, width), numpy.float32))
    value = network.add("Relu", transformer.project(network, features, BINS, width))
    value = network.add("Transpose", value, perm=[1, 0, 2])
    states = []
    for layer in range(layers):
        before = network.add("Slice", state, [layer], [layer + 1], [0])
        value, after = add_recurrent(network, "GRU", value, width, width, 1, [before],
                                     linear_before_reset=1)
        value = network.add("Squeeze", value, [1])
        states += after
    value = network.add("Transpose", value, perm=[1, 0, 2])
    mask = network.add("Sigmoid", transformer.project(network, value, width, BINS))
    network.output("enhanced", network.add("Mul", mask, features))
    network.output("next_state", network.add("Concat", *states, axis=0))
    return network
