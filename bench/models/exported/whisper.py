"""The encoder of Whisper: convolutions along time, and layers with LayerNormalization nodes."""

import math

from network import Network
import transformer

WIDTH, HEADS, BINS, FRAMES = 384, 6, 80, 3000


def convolve_line(network, value, channels, stride):
    value = network.add("Conv", value, network.weight([WIDTH, channels, 3],
                                                      1.4 / math.sqrt(3 * channels)),
                        network.weight([WIDTH], 0.05, name="bias"), dilations=[1], group=1,
                        kernel_shape=[3], pads=[1, 1], strides=[stride])
    return transformer.gelu(network, value)


def add_layer(network, hidden, tokens):
    normalized = transformer.normalize(network, hidden, WIDTH, 1e-5)
    query = transformer.project(network, normalized, WIDTH, WIDTH)
    key = transformer.project(network, normalized, WIDTH, WIDTH, has_bias=False)
    value = transformer.project(network, normalized, WIDTH, WIDTH)
    context = transformer.attend_scaled(network, query, key, value, (1, tokens), HEADS, WIDTH)
    hidden = network.add("Add", hidden, transformer.project(network, context, WIDTH, WIDTH))
    normalized = transformer.normalize(network, hidden, WIDTH, 1e-5)
    inner = transformer.gelu(network, transformer.project(network, normalized, WIDTH, 4 * WIDTH))
    return network.add("Add", hidden, transformer.project(network, inner, 4 * WIDTH, WIDTH))


def make_whisper(layers=1):
    network = Network(operator_set=17)
    features = network.input("input_features", network.draw((1, BINS, FRAMES), 1.0))
    value = convolve_line(network, convolve_line(network, features, BINS, 1), WIDTH, 2)
    tokens = FRAMES // 2
    hidden = network.add("Transpose", value, perm=[0, 2, 1])
    places = network.weight([tokens, WIDTH], 0.5, name="embed_positions")
    hidden = network.add("Add", hidden, places)
    for layer in range(layers):
        with network.scope(f"layers.{layer}"):
            hidden = add_layer(network, hidden, tokens)
    network.output("last_hidden_state", transformer.normalize(network, hidden, WIDTH, 1e-5))
    return network
