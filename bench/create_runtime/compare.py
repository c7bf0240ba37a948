#!/usr/bin/env python3
"""Compares what creating a runtime over many trivial backends costs.

Every program runs in turn, many times, each time as a new process over the same files; the figures
are medians and their ratios to the bare loop of dlopen and dlsym. Run it from the build tree:

    build/release/bench/create_runtime/compare.py [--backends 200] [--rounds 41]
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
    """Finds a program of this build, or nothing when it was not built."""
    for folder in HERE.parents:
        path = folder / "bin" / name
        if path.exists():
            return path
    return None


def make_backends(original, directory, count):
    """Writes `count` copies of a backend, each with an id of its own."""
    content = original.read_bytes()
    if content.count(PLACEHOLDER) == 0:
        sys.exit(f"{original} does not hold the id {PLACEHOLDER.decode()}")
    for index in range(count):
        changed = content.replace(PLACEHOLDER, b"Trivial%06d" % index)
        (directory / f"Bench_T{index:04}_backend.so").write_bytes(changed)


def measure(command, expected):
    """Runs a command once and returns its microseconds."""
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    words = output.split()
    if int(words[3]) != expected:
        sys.exit(f"{command} found {words[3]} backends, expected {expected}")
    return float(words[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--backends", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=41)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        ours = pathlib.Path(scratch, "backplane")
        theirs = pathlib.Path(scratch, "armnn")
        ours.mkdir()
        make_backends(HERE / "Bench_Trivial_backend.so", ours, options.backends)
        runs = {
            "bare loop": (find_program("bench_bare_loop"), ours),
            "Backplane": (find_program("bench_create_runtime"), ours),
            "  lazy": (find_program("bench_create_runtime"), ours, "lazy"),
            "  lazy, kept": (find_program("bench_create_runtime"), ours, "lazy",
                             pathlib.Path(scratch, "cache")),
        }
        peer = find_program("bench_armnn_create_runtime")
        if peer:
            theirs.mkdir()
            make_backends(HERE / "bench_armnn_trivial.so", theirs, options.backends)
            runs["Arm NN"] = (peer, theirs)
        else:
            print("Arm NN is left out: install libarmnn-dev and configure again")
        times = {name: [] for name in runs}
        for round_number in range(options.rounds + 1):
            for name, command in runs.items():
                took = measure(command, options.backends)
                if round_number > 0:  # the first round warms up
                    times[name].append(took)
    floor = statistics.median(times["bare loop"])
    print(f"{options.backends} backends, {options.rounds} rounds, interleaved")
    print(f"{'':12}{'median ms':>10}{'min ms':>10}{'ratio':>8}")
    for name, values in times.items():
        median = statistics.median(values)
        print(f"{name:12}{median / 1000:10.2f}{min(values) / 1000:10.2f}{median / floor:8.2f}")


if __name__ == "__main__":
    main()
