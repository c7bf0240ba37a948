#!/usr/bin/env python3
"""Makes decoder.onnx: a decoder with one attention layer over a cache of keys and values.

It has no weights: keys say where in a period a token stands, and each token looks for the one that
stood where the next one will. So it goes on with a text as it began. Its tensors have the names that
exporters of decoders use.
"""

import pathlib

import onnx.checker
import onnx.parser

MODEL = """
<ir_version: 8, opset_import: ["" : 16], producer_name: "generate-text">
decoder (int64[1, length] input_ids, int64 period, float[1, past, 64] past_key_values_0_key,
         float[1, past, 128] past_key_values_0_value)
    => (float[1, length, 128] logits, float[1, total, 64] present_0_key,
        float[1, total, 128] present_0_value)
{
  zero = Constant <value = int64 {0}> ()
  one = Constant <value = int64 {1}> ()
  first = Constant <value = int64[1] {0}> ()
  second = Constant <value = int64[1] {1}> ()
  places = Constant <value = int64 {64}> ()
  letters = Constant <value = int64 {128}> ()
  off_on = Constant <value = float[2] {0.0, 1.0}> ()
  sharpness = Constant <value = float {40.0}> ()
  hidden = Constant <value = float {-1000000000.0}> ()

  past_shape = Shape(past_key_values_0_key)
  past = Gather(past_shape, one)
  token_shape = Shape(input_ids)
  length = Gather(token_shape, one)
  total = Add(past, length)
  positions = Range(past, total, one)
  next_positions = Add(positions, one)

  here = Mod(positions, period)
  there = Mod(next_positions, period)
  key_rows = OneHot <axis = -1> (here, places, off_on)
  query_rows = OneHot <axis = -1> (there, places, off_on)
  new_keys = Unsqueeze(key_rows, first)
  queries = Unsqueeze(query_rows, first)
  new_values = OneHot <axis = -1> (input_ids, letters, off_on)
  present_0_key = Concat <axis = 1> (past_key_values_0_key, new_keys)
  present_0_value = Concat <axis = 1> (past_key_values_0_value, new_values)

  columns = Transpose <perm = [0, 2, 1]> (present_0_key)
  products = MatMul(queries, columns)
  scaled = Mul(products, sharpness)
  all = Range(zero, total, one)
  own = Unsqueeze(positions, second)
  is_seen = LessOrEqual(all, own)
  masked = Where(is_seen, scaled, hidden)
  attention = Softmax <axis = -1> (masked)
  logits = MatMul(attention, present_0_value)
}
"""


def name_as_exporters_do(names):
    """With dots, which the text form of ONNX does not have."""
    for index, name in enumerate(names):
        names[index] = name.replace("_0_", ".0.")


if __name__ == "__main__":
    model = onnx.parser.parse_model(MODEL)
    for node in model.graph.node:
        name_as_exporters_do(node.input)
        name_as_exporters_do(node.output)
    for value in [*model.graph.input, *model.graph.output]:
        value.name = value.name.replace("_0_", ".0.")
    onnx.checker.check_model(model)
    onnx.save(model, str(pathlib.Path(__file__).with_name("decoder.onnx")))
