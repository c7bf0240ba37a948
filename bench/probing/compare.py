#!/usr/bin/env python3
"""Compares what running many trivial backends in processes of their own costs.

The floor is a program that opens each file in a process of its own and checks nothing. Every program
runs in turn, many times; the figures are medians and their ratios to the floor. Run it from the
build tree:

    build/release/bench/probing/compare.py [--backends 50] [--rounds 21]
"""

import argparse
import pathlib
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
PLACEHOLDER = b"Trivial000000"


def find_program(name):
    for folder in HERE.parents:
        path = folder / "bin" / name
        if path.exists():
            return path
    sys.exit(f"{name} is not built")


def make_backends(directory, count):
    """Writes `count` copies of a backend, each with an id of its own."""
    content = (HERE / "Bench_Probed_backend.so").read_bytes()
    for index in range(count):
        changed = content.replace(PLACEHOLDER, b"Trivial%06d" % index)
        (directory / f"Bench_P{index:04}_backend.so").write_bytes(changed)


def measure(command, expected):
    """Runs a command once and returns its microseconds."""
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    words = output.split()
    if int(words[3]) != expected:
        sys.exit(f"{command} found {words[3]} backends, expected {expected}")
    return float(words[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--backends", type=int, default=50)
    parser.add_argument("--rounds", type=int, default=21)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        backends = pathlib.Path(scratch, "backends")
        backends.mkdir()
        make_backends(backends, options.backends)
        verdicts = pathlib.Path(scratch, "verdicts")
        probe = find_program("bench_probe_backends")
        runs = {
            "bare probe": (find_program("bench_bare_probe"), backends),
            "cold": (probe, backends, verdicts, "ignore"),
            "warm cache": (probe, backends, verdicts, "use"),
        }
        times = {name: [] for name in runs}
        for round_number in range(options.rounds + 1):
            for name, command in runs.items():
                took = measure(command, options.backends)
                if round_number > 0:  # the first round warms up, and fills the cache
                    times[name].append(took)
    floor = statistics.median(times["bare probe"])
    print(f"{options.backends} backends, {options.rounds} rounds, interleaved")
    print(f"{'':12}{'median ms':>10}{'min ms':>10}{'ratio':>8}")
    for name, values in times.items():
        median = statistics.median(values)
        print(f"{name:12}{median / 1000:10.2f}{min(values) / 1000:10.2f}{median / floor:8.2f}")


if __name__ == "__main__":
    main()
