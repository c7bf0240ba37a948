#!/usr/bin/env python3
"""Prints what each layer costs on CpuRef, and beside Arm NN's reference backend where it has it.

The programs run in turn, so many rounds, each round a new process that reports the median of its
runs; the figures are the medians of the rounds. Run it from the build tree:

    build/release/bench/operators/compare.py [--rounds 5] [--seconds 0.1] [--only convolution]
"""

import argparse
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import interleaved  # noqa: E402: beside this folder


def measure(command):
    """Runs a program once: for each name the figures of its line."""
    output = subprocess.run([str(word) for word in command], check=True, capture_output=True,
                            text=True).stdout
    lines = [line.split("\t") for line in output.splitlines() if "\t" in line]
    return {name: figures for name, *figures in lines}


def collect(commands, num_rounds):
    """For each command, for each name, the lines of all rounds."""
    results = [{} for _ in commands]
    for _ in range(num_rounds):
        for result, command in zip(results, commands):
            for name, figures in measure(command).items():
                result.setdefault(name, []).append(figures)
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.1)
    parser.add_argument("--only", default="", help="layers whose names contain this")
    parser.add_argument("--backend", default="CpuRef")
    options = parser.parse_args()
    commands = [(interleaved.find_program(HERE, "bench_operators"), options.backend,
                 options.seconds, options.only)]
    armnn = interleaved.find_program(HERE, "bench_armnn_operators")
    backends = interleaved.find_armnn_backends()
    if armnn and backends:
        commands.append((armnn, backends, options.seconds, options.only))
    else:
        print("Arm NN is left out: install libarmnn-dev and libarmnn-cpuref-backend22")
    ours, *peers = collect(commands, options.rounds)
    print(f"{options.rounds} rounds, interleaved; medians; the last column: Arm NN's time / ours")
    for name, rounds in ours.items():
        took = interleaved.median([float(figures[0]) for figures in rounds])
        speed = interleaved.median([float(figures[1]) for figures in rounds])
        line = f"{name:52}{took:12.1f} us{speed:10.2f} {rounds[0][2]:8}"
        for peer in peers:
            if name in peer:
                line += f"{interleaved.median([float(f[0]) for f in peer[name]]) / took:8.1f}"
        print(line)


if __name__ == "__main__":
    main()
