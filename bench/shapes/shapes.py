#!/usr/bin/env python3
"""Compares inputs of many lengths, in random order, through one loaded model with ONNX Runtime.

MODEL has open dimensions. Printed are, for each side: loading, the first run of all lengths, peak
memory, and of the runs after the first the median and 99th percentile of the time as a part of that
with the same length again and again; of Backplane also how long runs went on past their timeout.
Then the ratio of the times.

    build/release/bench/shapes/shapes.py MODEL --library libonnxruntime.so.1
        [--lengths 20] [--longest 256] [--rounds 10] [--threads 1]
"""

import argparse
import json
import pathlib
import random
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import interleaved  # noqa: E402: beside this folder


def run(side, lengths, options):
    command = [interleaved.find_program(HERE, "bench_shapes"), options.model, options.threads,
               options.rounds, side, *lengths]
    output = subprocess.run([str(word) for word in command], check=True, capture_output=True,
                            text=True).stdout
    return json.loads(output)


def describe(name, result):
    lengths = result["lengths"]
    first = sum(one["varied_us"][0] for one in lengths) / 1000
    parts = sorted(us / statistics.median(one["fixed_us"]) for one in lengths
                   for us in one["varied_us"][1:])
    at = min(len(parts) - 1, int(len(parts) * 0.99))
    late = max(us for one in lengths for us in one["late_us"]) / 1000
    print(f"{name}: load {result['load_ms']:.0f} ms, first runs {first:.0f} ms, "
          f"peak {result['peak_mb']:.0f} MB, "
          f"of the time of one length: median {statistics.median(parts):.2f}, p99 {parts[at]:.2f}"
          + (f"; at most {late:.1f} ms past a timeout" if "ONNX" not in name else ""))
    return sum(min(one["fixed_us"]) for one in lengths), first + result["load_ms"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", type=pathlib.Path)
    parser.add_argument("--library", required=True, help="libonnxruntime.so.1")
    parser.add_argument("--backends", default="CpuAcc,CpuRef")
    parser.add_argument("--lengths", type=int, default=20)
    parser.add_argument("--longest", type=int, default=256)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    lengths = random.Random(0).sample(range(8, options.longest + 1), options.lengths)
    ours = describe("Backplane", run(options.backends, lengths, options))
    peer = describe("ONNX Runtime", run(options.library, lengths, options))
    print(f"ratios: runs {ours[0] / peer[0]:.2f}, loading and first runs {ours[1] / peer[1]:.2f}")


if __name__ == "__main__":
    main()
