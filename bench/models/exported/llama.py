"""A decoder of Llama's kind: RMSNorm, rotary positions, keys shared by groups of heads, SwiGLU."""

import math

import numpy

from network import Network
import transformer

WIDTH, HEADS, KEY_HEADS, INNER, VOCABULARY = 768, 12, 4, 2048, 4096
SIZE = WIDTH // HEADS


def normalize(network, value):
    """RMSNorm."""
    squares = network.add("ReduceMean", network.add("Pow", value, 2.0), axes=[-1])
    root = network.add("Sqrt", network.add("Add", squares, 1e-5))
    normalized = network.add("Mul", value, network.add("Div", 1.0, root))
    return network.add("Mul", network.weight([WIDTH], 0.1, 1.0), normalized)


def make_rotation(network, positions):
    """Cosines and sines of all positions, the same for both halves of a head."""
    half = SIZE // 2
    frequencies = (10000.0 ** (-numpy.arange(half) / half)).astype(numpy.float32)
    rows = network.add("Cast", network.add("Unsqueeze", positions, [1]), to=1)
    angles = network.add("MatMul", network.keep(frequencies[None, :, None], "inv_freq"), rows)
    angles = network.add("Transpose", angles, perm=[0, 2, 1])
    angles = network.add("Concat", angles, angles, axis=-1)
    return [network.add("Unsqueeze", network.add("Mul", network.add(function, angles), 1.0), [1])
            for function in ("Cos", "Sin")]


def rotate(network, value, rotation):
    cosines, sines = rotation
    front = network.add("Slice", value, [0], [SIZE // 2], [3], [1])
    back = network.add("Slice", value, [SIZE // 2], [2**63 - 1], [3], [1])
    turned = network.add("Concat", network.add("Neg", back), front, axis=-1)
    return network.add("Add", network.add("Mul", value, cosines), network.add("Mul", turned, sines))


def repeat_heads(network, value, leading):
    """Each head of keys or values as often as queries share it."""
    tokens = transformer.read_extents(network, value, [2])[0]
    batch = leading[0]
    wide = network.add("Concat", batch, network.constant([KEY_HEADS]),
                       network.constant([HEADS // KEY_HEADS]), tokens, network.constant([SIZE]),
                       axis=0)
    spread = network.add("Expand", network.add("Unsqueeze", value, [2]), wide)
    return transformer.view(network, spread, [batch, HEADS, tokens, SIZE])


def split_heads(network, hidden, heads, leading):
    product = transformer.project(network, hidden, WIDTH, heads * SIZE, has_bias=False)
    return network.add("Transpose", transformer.view(network, product, [*leading, heads, SIZE]),
                       perm=[0, 2, 1, 3])


def attend(network, hidden, rotation, past, mask):
    leading = transformer.read_extents(network, hidden, [0, 1])
    query, key, value = (split_heads(network, hidden, heads, leading)
                         for heads in (HEADS, KEY_HEADS, KEY_HEADS))
    query, key = rotate(network, query, rotation), rotate(network, key, rotation)
    key = network.add("Concat", past[0], key, axis=-2)
    value = network.add("Concat", past[1], value, axis=-2)
    turned = network.add("Transpose", repeat_heads(network, key, leading), perm=[0, 1, 3, 2])
    scores = network.add("Mul", network.add("MatMul", query, turned), 1 / math.sqrt(SIZE))
    weights = network.add("Softmax", network.add("Add", scores, mask), axis=-1)
    context = network.add("MatMul", weights, repeat_heads(network, value, leading))
    context = network.add("Transpose", context, perm=[0, 2, 1, 3])
    context = transformer.view(network, context, [*leading, WIDTH])
    return transformer.project(network, context, WIDTH, WIDTH, has_bias=False), key, value


def add_layer(network, hidden, rotation, past, mask):
    attended, key, value = attend(network, normalize(network, hidden), rotation, past, mask)
    hidden = network.add("Add", hidden, attended)
    normalized = normalize(network, hidden)
    gate = transformer.project(network, normalized, WIDTH, INNER, has_bias=False)
    gate = network.add("Mul", gate, network.add("Sigmoid", gate))
    wide = transformer.project(network, normalized, WIDTH, INNER, has_bias=False)
    inner = network.add("Mul", gate, wide)
    return (network.add("Add", hidden, transformer.project(network, inner, INNER, WIDTH,
                                                           has_bias=False)), key, value)


def make_llama(past=64, layers=3):
    """One step with the keys and values of the tokens before."""
    network = Network(operator_set=17)
    ids = network.input("input_ids", network.generator.integers(0, VOCABULARY, (1, 1)),
                        ["batch_size", "sequence_length"])
    mask = network.input("attention_mask", numpy.ones((1, past + 1), numpy.int64),
                         ["batch_size", "past_sequence_length + sequence_length"])
    positions = network.input("position_ids", numpy.int64([[past]]),
                              ["batch_size", "sequence_length"])
    dims = ["batch_size", KEY_HEADS, "past_sequence_length", SIZE]
    pasts = [[network.input(f"past_key_values.{layer}.{kind}",
                            network.draw((1, KEY_HEADS, past, SIZE), 1.0), dims)
              for kind in ("key", "value")] for layer in range(layers)]
    hidden = network.add("Gather", network.weight([VOCABULARY, WIDTH], 1.0), ids)
    wide = network.add("Unsqueeze", network.add("Unsqueeze", mask, [1]), [2])
    added = network.add("Mul", network.add("Sub", 1.0, network.add("Cast", wide, to=1)),
                        float(numpy.finfo(numpy.float32).min))
    rotation = make_rotation(network, positions)
    presents = []
    for layer in range(layers):
        with network.scope(f"layers.{layer}"):
            hidden, *present = add_layer(network, hidden, rotation, pasts[layer], added)
            presents += present
    logits = transformer.project(network, normalize(network, hidden), WIDTH, VOCABULARY,
                                 has_bias=False)
    network.output("logits", logits, ["batch_size", "sequence_length", VOCABULARY])
    for index, value in enumerate(presents):
        kind = ("key", "value")[index % 2]
        network.output(f"present.{index // 2}.{kind}", value,
                       [*dims[:2], "past_sequence_length + sequence_length", SIZE])
    return network
