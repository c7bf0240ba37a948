"""Runs programs in turn over many copies of one backend, and prints medians and ratios."""

import pathlib
import statistics
import subprocess
import sys


def find_program(folder, name):
    """Finds a program of this build, or nothing when it was not built."""
    for above in folder.parents:
        path = above / "bin" / name
        if path.exists():
            return path
    return None


def find_armnn_backends():
    """The directory with the peer's reference backend, where Debian puts it."""
    found = sorted(pathlib.Path("/usr/lib").glob("*/armnn*/Arm_CpuRef_backend.so"))
    return found[0].parent if found else None


def make_backends(original, directory, count, prefix, id_in_file=b"Trivial000000"):
    """Writes `count` copies of a backend, each with an id of its own."""
    content = original.read_bytes()
    if content.count(id_in_file) == 0:
        sys.exit(f"{original} does not hold the id {id_in_file.decode()}")
    for index in range(count):
        changed = content.replace(id_in_file, b"Trivial%06d" % index)
        pathlib.Path(directory, f"Bench_{prefix}{index:04}_backend.so").write_bytes(changed)


def median(values):
    return statistics.median(values)


def measure(command, expected):
    """Runs a command once and returns its microseconds."""
    command = [str(word) for word in command]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    words = output.split()
    if int(words[3]) != expected:
        sys.exit(f"{command} found {words[3]} {words[2]}, expected {expected}")
    return float(words[1])


def collect(runs, expected, num_rounds):
    """Runs every command in each round, the first time to warm up, and returns the times."""
    times = {name: [] for name in runs}
    for round_number in range(num_rounds + 1):
        for name, command in runs.items():
            took = measure(command, expected)
            if round_number > 0:
                times[name].append(took)
    return times


def print_table(times, floor_name, unit, microseconds_in_unit):
    """Prints medians, minima and ratios of medians."""
    floor = median(times[floor_name])
    print(f"{'':22}{'median ' + unit:>10}{'min ' + unit:>10}{'ratio':>8}")
    for name, values in times.items():
        print(f"{name:22}{median(values) / microseconds_in_unit:10.2f}"
              f"{min(values) / microseconds_in_unit:10.2f}{median(values) / floor:8.2f}")


def compare(runs, floor_name, num_backends, num_rounds):
    """Runs every command over so many backends, and prints the table."""
    times = collect(runs, num_backends, num_rounds)
    print(f"{num_backends} backends, {num_rounds} rounds, interleaved")
    print_table(times, floor_name, "ms", 1000)
