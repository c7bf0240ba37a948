"""A Llama in com.microsoft's operators, as ONNX Runtime's model builder writes it."""

import math

import numpy

from llama import HEADS, INNER, KEY_HEADS, SIZE, VOCABULARY, WIDTH
import transformer

from network import Network

INT32, POSITIONS, EPSILON = 6, 512, 1e-5


def read_lengths(network, mask):
    """How many keys each batch entry has, less one, and how many there are in all."""
    with network.scope("attn_mask_reformat"):
        counts = network.add("ReduceSum", mask, [1], keepdims=1)
        last = network.add("Cast", network.add("Sub", counts, [1]), to=INT32)
        extent = network.add("Gather", network.add("Shape", mask), numpy.int64(1), axis=0)
        return last, network.add("Cast", extent, to=INT32)


def keep_rotation(network):
    """Cosines and sines of all positions, for half a head."""
    half = SIZE // 2
    angles = numpy.outer(numpy.arange(POSITIONS), 10000.0 ** (-numpy.arange(half) / half))
    return [network.keep(function(angles).astype(numpy.float32), name)
            for function, name in ((numpy.cos, "cos_cache"), (numpy.sin, "sin_cache"))]


def project(network, value, width_in, width_out):
    return transformer.project(network, value, width_in, width_out, has_bias=False)


def rotate(network, value, positions, rotation):
    return network.add_microsoft("RotaryEmbedding", value, positions, *rotation, interleaved=0)


def attend(network, hidden, positions, lengths, rotation, past):
    """With positions, queries and keys are rotated by nodes of their own; else they come out of
    one product and are rotated within the attention."""
    heads = {"num_heads": HEADS, "kv_num_heads": KEY_HEADS, "scale": 1 / math.sqrt(SIZE)}
    if positions is None:
        parts = [project(network, hidden, WIDTH, (HEADS + 2 * KEY_HEADS) * SIZE), "", ""]
        behind, within = rotation, 1
    else:
        parts = [project(network, hidden, WIDTH, count * SIZE)
                 for count in (HEADS, KEY_HEADS, KEY_HEADS)]
        parts[:2] = (rotate(network, part, positions, rotation) for part in parts[:2])
        behind, within = (), 0
    context, *present = network.add_microsoft(
        "GroupQueryAttention", *parts, *past, *lengths, *behind, outputs=3, do_rotary=within,
        rotary_interleaved=0, local_window_size=-1, softcap=0.0, **heads)
    return project(network, context, HEADS * SIZE, WIDTH), present


def add_mlp(network, hidden):
    gate = project(network, hidden, WIDTH, INNER)
    gate = network.add("Mul", gate, network.add("Sigmoid", gate))
    return project(network, network.add("Mul", gate, project(network, hidden, WIDTH, INNER)),
                   INNER, WIDTH)


def normalize_sum(network, added, total, is_last=False):
    """The norm of the sum, and the sum itself, which the last norm has no use for."""
    results = network.add_microsoft(
        "SkipSimplifiedLayerNormalization", total, added, network.weight([WIDTH], 0.1, 1.0),
        outputs=1 if is_last else 4, unused=(1, 2), epsilon=EPSILON)
    return (results, None) if is_last else (results[0], results[3])


def add_layers(network, hidden, positions, lengths, rotation, pasts):
    """The normalised end of all layers, with the keys and values for the next step."""
    total, presents = hidden, []
    normalized = network.add("SimplifiedLayerNormalization", hidden,
                             network.weight([WIDTH], 0.1, 1.0), axis=-1, stash_type=1,
                             epsilon=EPSILON)
    for layer, past in enumerate(pasts):
        with network.scope(f"layers.{layer}"):
            added, present = attend(network, normalized, positions, lengths, rotation, past)
            normalized, total = normalize_sum(network, added, total)
            added = add_mlp(network, normalized)
            normalized, total = normalize_sum(network, added, total, layer == len(pasts) - 1)
            presents.append(present)
    return normalized, presents


def make_llama_fused(tokens, past, rotates_within=True, layers=4):
    """A prompt, with a past of 0, or a step."""
    network = Network(operator_set=14)
    words = network.generator.integers(0, VOCABULARY, (1, tokens))
    ids = network.input("input_ids", words, ["batch_size", "sequence_length"])
    mask = network.input("attention_mask", numpy.ones((1, past + tokens), numpy.int64),
                         ["batch_size", "total_sequence_length"])
    positions = None if rotates_within else network.input(
        "position_ids", numpy.arange(past, past + tokens)[None], ["batch_size", "sequence_length"])
    dims = ["batch_size", KEY_HEADS, "past_sequence_length", SIZE]
    pasts = [[network.input(f"past_key_values.{layer}.{kind}",
                            network.draw((1, KEY_HEADS, past, SIZE), 1.0), dims)
              for kind in ("key", "value")] for layer in range(layers)]
    hidden = network.add("Gather", network.weight([VOCABULARY, WIDTH], 1.0), ids)
    normalized, presents = add_layers(network, hidden, positions, read_lengths(network, mask),
                                      keep_rotation(network), pasts)
    network.output("logits", project(network, normalized, WIDTH, VOCABULARY),
                   ["batch_size", "sequence_length", VOCABULARY])
    dims[2] = "total_sequence_length"
    for layer, (key, value) in enumerate(presents):
        network.output(f"present.{layer}.key", key, dims)
        network.output(f"present.{layer}.value", value, dims)
    return network
