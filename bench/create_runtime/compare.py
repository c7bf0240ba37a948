#!/usr/bin/env python3
"""Compares what creating a runtime over many trivial backends costs.

Every program runs in turn, many times, each time as a new process over the same files; the figures
are medians and their ratios to the bare loop of dlopen and dlsym. Run it from the build tree:

    build/release/bench/create_runtime/compare.py [--backends 200] [--rounds 41]
"""

import argparse
import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import interleaved  # noqa: E402: beside this folder


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--backends", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=41)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        ours = pathlib.Path(scratch, "backplane")
        theirs = pathlib.Path(scratch, "armnn")
        ours.mkdir()
        interleaved.make_backends(HERE / "Bench_Trivial_backend.so", ours, options.backends, "T")
        create = interleaved.find_program(HERE, "bench_create_runtime")
        runs = {
            "bare loop": (interleaved.find_program(HERE, "bench_bare_loop"), ours),
            "Backplane": (create, ours),
            "  lazy": (create, ours, "lazy"),
        }
        peer = interleaved.find_program(HERE, "bench_armnn_create_runtime")
        if peer:
            theirs.mkdir()
            interleaved.make_backends(HERE / "bench_armnn_trivial.so", theirs, options.backends,
                                      "T")
            runs["Arm NN"] = (peer, theirs)
        else:
            print("Arm NN is left out: install libarmnn-dev and configure again")
        interleaved.compare(runs, "bare loop", options.backends, options.rounds)


if __name__ == "__main__":
    main()
