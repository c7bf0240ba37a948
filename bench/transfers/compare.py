#!/usr/bin/env python3
"""Shows what networks on several backends copy in one run, as a table in Markdown.

Beside our plan stands the least that is possible; the last lines are the time that the choice
takes. Fails when our plan moves more than the least, or when results are not to the bit those of
the reference backend. Run it from the build tree, with a folder that holds a folder for each model:

    build/release/bench/transfers/compare.py [MODELS]
"""

import argparse
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import interleaved  # noqa: E402: beside this folder

HEADS = ["network", "backends", "cut", "ours", "concats, reshapes", "ours, bytes in all",
         "least possible"]
NUM_WORDS = 3  # columns that are no figures


def show(count, size):
    """Writes how often something is moved, and how many bytes that is."""
    return f"{count}: {int(size):,}" if int(count) else "0"


def show_copies(fields):
    """Writes the copies between kinds of memory, and those with the application."""
    return f"{show(*fields[0:2])} + {show(*fields[2:4])}"


def sum_ours(fields):
    """Adds what our plan moves, concats and reshapes included."""
    return sum(int(fields[at]) for at in (5, 7, 9))


def make_cells(fields):
    """Makes the cells of the table from a line of the program."""
    return [fields[1], fields[2].replace("Mock", ""), fields[3], show_copies(fields[4:8]),
            show(*fields[8:10]), f"{sum_ours(fields):,}", f"{int(fields[10]):,}"]


def find_faults(fields):
    """Says what is wrong with a line of the program."""
    row = f"{fields[1]} on {fields[2]}"
    if sum_ours(fields) != int(fields[10]):
        yield f"{row}: {sum_ours(fields):,} bytes are moved, and {int(fields[10]):,} would do"
    if fields[11] != "same":
        yield f"{row}: the results are not those of CpuRef"


def print_row(cells):
    print(f"| {' | '.join(cells)} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="?", default="")
    options = parser.parse_args()
    program = interleaved.find_program(HERE, "bench_transfers")
    run = subprocess.run([program, options.models], capture_output=True, text=True)
    lines = [line.split("|") for line in run.stdout.splitlines()]
    rows = [line[1:] for line in lines if line[0] == "row"]
    print_row(HEADS)
    print("|---" * NUM_WORDS + "|--:" * (len(HEADS) - NUM_WORDS) + "|")
    for row in rows:
        print_row(make_cells(row))
    print()
    missing = sorted({row[0] for row in rows if row[0] != row[1]})
    if missing:
        print(f"The network that is made here stands for models not found: {', '.join(missing)}\n")
    for _, name, layers, milliseconds, microseconds in (one for one in lines if one[0] == "time"):
        print(f"{name}, {layers} layers: {milliseconds} ms, {microseconds} us for each layer")
    faults = [fault for row in rows for fault in find_faults(row)]
    print("\n".join(faults) or "Nothing is moved that need not be.", file=sys.stderr)
    sys.exit(run.stderr or (1 if faults else run.returncode))


if __name__ == "__main__":
    main()
