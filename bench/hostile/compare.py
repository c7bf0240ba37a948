#!/usr/bin/env python3
"""Measures what hostile files cost at one, two and four times their size.

For each attack: processor time and peak memory of the command at each size, and the exponent of
growth: 1 is linear, 2 quadratic. What the command takes for a good file is taken off before. The
files are given to list-backends --probe inspect --explain, models to bench_import_model. Run it
from the build tree:

    build/release/bench/hostile/compare.py [--only WORD] [--seconds 60] [--bytes 1000000000]
"""

import argparse
import importlib
import math
import multiprocessing
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.path.insert(0, str(HERE.parent))
import interleaved  # noqa: E402: beside this folder

# Each has list_attacks(backend), which gives rows of attack.Attack.
SOURCES = ("file_attacks", "model_attacks")
SCALES = (1, 2, 4)
LEAST_SECONDS = 0.02  # less than this is not growth


def list_attacks(backend):
    for name in SOURCES:
        yield from importlib.import_module(name).list_attacks(backend)


def run(command, limits):
    """Runs a command and gives its seconds, its peak of memory in MB, and how it ended."""
    program = interleaved.find_program(HERE, command[0])
    if program is None:
        sys.exit(f"this build has no {command[0]}")

    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (limits.seconds, limits.seconds + 1))
        resource.setrlimit(resource.RLIMIT_AS, (limits.bytes, limits.bytes))

    process = subprocess.Popen([program, *command[1:]], stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, preexec_fn=limit)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, process.returncode


def measure(attack, scale, limits):
    """The least of three runs, as other work only adds to it."""
    with tempfile.TemporaryDirectory() as folder:
        # In a process of its own, as a command begins with the memory of the one that starts it.
        with multiprocessing.Pool(1) as pool:
            command = pool.apply(attack.make, (scale, pathlib.Path(folder)))
        rows = [run(command, limits)]
        while len(rows) < 3 and rows[0][0] < 2:
            rows.append(run(command, limits))
    return min(rows)


def get_exponent(rows, floor):
    """Of the growth from the first to the last size; nothing when there is none to speak of."""
    first, last = (max(row[0] - floor, 0) for row in (rows[0], rows[-1]))
    if last < LEAST_SECONDS:
        return None
    return math.log2(last / max(first, LEAST_SECONDS / SCALES[-1])) / math.log2(SCALES[-1])


def describe(rows, floor):
    exponent = get_exponent(rows, floor)
    words = "".join(f"{row[0] * 1000:9.0f}" for row in rows)
    words += "".join(f"{row[1]:7.0f}" for row in rows)
    words += "    flat" if exponent is None else f"{exponent:8.2f}"
    ends = sorted({row[2] for row in rows if row[2] < 0})
    return words + "".join(f"  ended by signal {-end}" for end in ends)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--backend", type=pathlib.Path, default=HERE / "Bench_Hostile_backend.so")
    parser.add_argument("--only", default="", help="only attacks with this in their name")
    parser.add_argument("--seconds", type=int, default=60, help="of processor time for one run")
    parser.add_argument("--bytes", type=int, default=10**9, help="of memory for one run")
    options = parser.parse_args()
    good = ["list-backends", "--probe", "inspect", "--explain", str(options.backend)]
    floor = min(run(good, options) for _ in range(5))[0]
    print(f"a good file: {floor * 1000:.0f} ms")
    print(f"{'attack':34}{'ms':>9}{'x2':>9}{'x4':>9}{'MB':>7}{'x2':>7}{'x4':>7}{'growth':>8}")
    for attack in list_attacks(options.backend):
        if options.only not in attack.name:
            continue
        rows = [measure(attack, scale, options) for scale in SCALES]
        print(f"{attack.name:34}{describe(rows, floor)}", flush=True)


if __name__ == "__main__":
    main()
