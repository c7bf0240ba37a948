#!/usr/bin/env python3
"""Compares what a layer costs beyond its arithmetic, on a chain of small layers.

Every program runs in turn, many times, each time as a new process that reports the median of its
inferences; the figures are the medians and minima of those. Run it from the build tree, in the
directory with node_modules/onnxruntime-node when ONNX Runtime is to be in it:

    build/release/bench/chain/compare.py [--layers 100] [--elements 4] [--rounds 21]
"""

import argparse
import pathlib
import shutil
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
sys.path.insert(0, str(HERE))
import chain_model  # noqa: E402: beside this script
import interleaved  # noqa: E402: beside this folder


def add_peers(runs, options, scratch):
    size = (options.layers, options.elements)
    armnn = interleaved.find_program(HERE, "bench_armnn_chain")
    backends = interleaved.find_armnn_backends()
    if armnn and backends:
        runs["Arm NN"] = (armnn, backends, *size)
    else:
        print("Arm NN is left out: install libarmnn-dev and libarmnn-cpuref-backend22")
    module = pathlib.Path.cwd() / "node_modules" / "onnxruntime-node"
    if module.exists() and shutil.which("node"):
        model = pathlib.Path(scratch, "chain.onnx")
        model.write_bytes(chain_model.chain(*size))
        script = HERE / "onnxruntime_chain.cjs"
        runs["ONNX Runtime"] = ("node", script, module, model, *size)
    else:
        print("ONNX Runtime is left out: npm install onnxruntime-node here")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--layers", type=int, default=100)
    parser.add_argument("--elements", type=int, default=4)
    parser.add_argument("--rounds", type=int, default=21)
    parser.add_argument("--only-ours", action="store_true")
    options = parser.parse_args()
    size = (options.layers, options.elements)
    ours = interleaved.find_program(HERE, "bench_chain")
    with tempfile.TemporaryDirectory() as scratch:
        runs = {
            "bare loop": (interleaved.find_program(HERE, "bench_bare_chain"), *size),
            "Backplane": (ours, *size, 1),
            "  linked statically": (interleaved.find_program(HERE, "bench_chain_static"), *size, 1),
            "  two threads": (ours, *size, 2),
            "  with a deadline": (ours, *size, 1, "deadline"),
            "  with a token": (ours, *size, 1, "token"),
            "  with crash notes": (ours, *size, 1, "notes"),
        }
        languages = HERE.parents[1] / "languages"
        for language, backend in (("C", "CRelu"), ("Rust", "RustRelu")):
            if (languages / f"Example_{backend}_backend.so").exists():
                runs[f"  one in {language}"] = (ours, *size, 1, "none", languages, backend)
        if not options.only_ours:
            add_peers(runs, options, scratch)
        times = interleaved.collect(runs, options.layers, options.rounds)
    print(f"{options.layers} layers of {options.elements} elements, {options.rounds} rounds, "
          "interleaved; microseconds for each inference of one thread")
    interleaved.print_table(times, "Backplane", "us", 1)
    floor = min(times["bare loop"])
    for name, values in times.items():
        print(f"{name:22}{(interleaved.median(values) - floor) * 1000 / options.layers:8.1f} ns "
              "beyond the arithmetic for each layer")


if __name__ == "__main__":
    main()
