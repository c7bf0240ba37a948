#!/usr/bin/env python3
"""Generates text beside ONNX Runtime: milliseconds a token, while the cache grows.

MODEL is a decoder with the inputs and outputs of Optimum's: input_ids, attention_mask, position_ids
and past_key_values.*, with open lengths; logits and present.*. Both sides run in turn. Printed are
for each: loading, the first token, the mean of all tokens, the median of the last quarter of them,
and peak memory; then the ratios, also of loading and all tokens together. Of the turns, the least
counts.

    build/release/bench/decoding/decoding.py MODEL... --library libonnxruntime.so.1
        [--count 64] [--past 128] [--threads 1] [--turns 3] [--room 0] [--in-place]
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import interleaved  # noqa: E402: beside this folder


def run(side, model, options):
    command = [interleaved.find_program(HERE, "bench_decoding"), model, options.count,
               options.past, options.threads, side]
    if options.room or options.in_place:
        command.append(options.room)
    if options.in_place and ".so" not in side:
        command.append(options.room or options.past + 2 * options.count)
    output = subprocess.run([str(word) for word in command], check=True, capture_output=True,
                            text=True).stdout
    return json.loads(output)


def get_token_ms(result):
    last = result["token_ms"][-max(1, len(result["token_ms"]) // 4):]
    return statistics.median(last)


def describe(name, results):
    best = min(results, key=get_token_ms)
    best["token"] = get_token_ms(best)
    best["mean"] = min(statistics.mean(one["token_ms"]) for one in results)
    best["whole"] = min(one["load_ms"] + sum(one["token_ms"]) for one in results)
    made = (f"; {best['resized']} stages resized, {best['foreseen']} foreseen, "
            f"{best['copied_mb']:.1f} MB of the cache copied"
            if "resized" in best else "")
    print(f"  {name}: load {best['load_ms']:.0f} ms, first token {best['token_ms'][0]:.1f} ms, "
          f"all tokens {best['mean']:.2f} ms, the last {best['token']:.2f} ms, "
          f"peak {best['peak_mb']:.0f} MB, logits {best['logits']:.4f}{made}")
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="+", type=pathlib.Path)
    parser.add_argument("--library", required=True, help="libonnxruntime.so.1")
    parser.add_argument("--backends", default="CpuAcc,CpuRef")
    parser.add_argument("--count", type=int, default=64)
    parser.add_argument("--past", type=int, default=128)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--room", type=int, default=0,
                        help="rows that the cache has from the first token on")
    parser.add_argument("--in-place", action="store_true",
                        help="Backplane's cache grows where it lies")
    options = parser.parse_args()
    for model in options.models:
        print(f"{model}, {options.threads} threads", flush=True)
        results = [[], []]
        for _ in range(options.turns):
            for side, name in enumerate((options.backends, options.library)):
                results[side].append(run(name, model, options))
        ours = describe("Backplane", results[0])
        peers = describe("ONNX Runtime", results[1])
        ratios = {label: ours[key] / peers[key] for label, key in
                  (("all tokens", "mean"), ("the last", "token"), ("with loading", "whole"),
                   ("peak", "peak_mb"))}
        print("  ratios: " + ", ".join(f"{label} {ratio:.2f}" for label, ratio in ratios.items()))


if __name__ == "__main__":
    main()
