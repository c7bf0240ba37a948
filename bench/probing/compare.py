#!/usr/bin/env python3
"""Compares what running many trivial backends in processes of their own costs.

The floor is a program that opens each file in a process of its own and checks nothing. Every program
runs in turn, many times; the figures are medians and their ratios to the floor. Run it from the
build tree:

    build/release/bench/probing/compare.py [--backends 50] [--rounds 21]
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
    parser.add_argument("--backends", type=int, default=50)
    parser.add_argument("--rounds", type=int, default=21)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        backends = pathlib.Path(scratch, "backends")
        backends.mkdir()
        interleaved.make_backends(HERE / "Bench_Probed_backend.so", backends, options.backends, "P")
        verdicts = pathlib.Path(scratch, "verdicts")
        probe = interleaved.find_program(HERE, "bench_probe_backends")
        runs = {
            "bare probe": (interleaved.find_program(HERE, "bench_bare_probe"), backends),
            "cold": (probe, backends, verdicts, "ignore"),
            "warm cache": (probe, backends, verdicts, "use"),  # filled by the round that warms up
        }
        interleaved.compare(runs, "bare probe", options.backends, options.rounds)


if __name__ == "__main__":
    main()
