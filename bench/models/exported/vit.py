"""ViT as timm and torch.onnx write it: one product for queries, keys and values, fixed shapes."""

import math

import numpy

from convolution import add_image
from network import Network
import transformer

WIDTH, HEADS, PATCH = 768, 12, 16


def embed(network, image, patches):
    filters = network.weight([WIDTH, 3, PATCH, PATCH], 1 / math.sqrt(3 * PATCH * PATCH))
    value = network.add("Conv", image, filters, network.weight([WIDTH], 0.05, name="bias"),
                        dilations=[1, 1], group=1, kernel_shape=[PATCH, PATCH],
                        pads=[0, 0, 0, 0], strides=[PATCH, PATCH])
    rows = network.add("Transpose", network.add("Reshape", value, [1, WIDTH, patches]),
                       perm=[0, 2, 1])
    tokens = network.add("Concat", network.weight([1, 1, WIDTH], 0.3, name="cls_token"), rows,
                         axis=1)
    return network.add("Add", tokens, network.weight([1, patches + 1, WIDTH], 0.3,
                                                     name="pos_embed"))


def attend(network, hidden, tokens):
    size = WIDTH // HEADS
    joint = transformer.project(network, hidden, WIDTH, 3 * WIDTH)
    joint = network.add("Reshape", joint, [1, tokens, 3, HEADS, size])
    joint = network.add("Transpose", joint, perm=[2, 0, 3, 1, 4])
    parts = network.add("Split", joint, [1, 1, 1], outputs=3, axis=0)
    query, key, value = (network.add("Squeeze", part, [0]) for part in parts)
    query = network.add("Mul", query, 1 / math.sqrt(size))
    scores = network.add("MatMul", query, network.add("Transpose", key, perm=[0, 1, 3, 2]))
    context = network.add("MatMul", network.add("Softmax", scores, axis=-1), value)
    context = network.add("Transpose", context, perm=[0, 2, 1, 3])
    context = network.add("Reshape", context, [1, tokens, WIDTH])
    return transformer.project(network, context, WIDTH, WIDTH)


def add_layer(network, hidden, tokens):
    attended = attend(network, transformer.normalize(network, hidden, WIDTH, 1e-6), tokens)
    hidden = network.add("Add", hidden, attended)
    normalized = transformer.normalize(network, hidden, WIDTH, 1e-6)
    inner = transformer.gelu(network, transformer.project(network, normalized, WIDTH, 4 * WIDTH))
    return network.add("Add", hidden, transformer.project(network, inner, 4 * WIDTH, WIDTH))


def make_vit(layers=3, extent=224):
    network = Network(operator_set=17)
    patches = (extent // PATCH) ** 2
    hidden = embed(network, add_image(network, extent, extent), patches)
    for layer in range(layers):
        with network.scope(f"blocks.{layer}"):
            hidden = add_layer(network, hidden, patches + 1)
    hidden = transformer.normalize(network, hidden, WIDTH, 1e-6)
    first = network.add("Gather", hidden, numpy.int64(0), axis=1)
    network.output("logits", network.add(
        "Gemm", first, network.weight([1000, WIDTH], 1 / math.sqrt(WIDTH)),
        network.weight([1000], 0.05, name="bias"), transB=1))
    return network
