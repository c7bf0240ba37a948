#!/usr/bin/env python3
"""Makes decoder.onnx: a decoder with one attention layer over a cache of keys and values.

It has no weights: keys say where in a period a token stands, and each token looks for the one that
stood where the next one will. So it goes on with a text as it began.
"""

import pathlib

import onnx.checker
import onnx.parser

MODEL = """
<ir_version: 8, opset_import: ["" : 16], producer_name: "generate-text">
decoder (int64[1, length] tokens, int64 period, float[1, past, 64] past_keys,
         float[1, past, 128] past_values)
    => (float[1, length, 128] scores, float[1, total, 64] keys, float[1, total, 128] values)
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

  past_shape = Shape(past_keys)
  past = Gather(past_shape, one)
  token_shape = Shape(tokens)
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
  new_values = OneHot <axis = -1> (tokens, letters, off_on)
  keys = Concat <axis = 1> (past_keys, new_keys)
  values = Concat <axis = 1> (past_values, new_values)

  columns = Transpose <perm = [0, 2, 1]> (keys)
  products = MatMul(queries, columns)
  scaled = Mul(products, sharpness)
  all = Range(zero, total, one)
  own = Unsqueeze(positions, second)
  is_seen = LessOrEqual(all, own)
  masked = Where(is_seen, scaled, hidden)
  attention = Softmax <axis = -1> (masked)
  scores = MatMul(attention, values)
}
"""

if __name__ == "__main__":
    model = onnx.parser.parse_model(MODEL)
    onnx.checker.check_model(model)
    onnx.save(model, str(pathlib.Path(__file__).with_name("decoder.onnx")))
