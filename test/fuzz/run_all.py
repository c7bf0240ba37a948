#!/usr/bin/env python3
"""Takes a good backend, all its truncations and many corruptions through the whole.

    test/fuzz/run_all.py [--build build/dev] [--probe child] [--corruptions 20000]

The mutants stand in directories, some hundred in each. list-backends must end by itself, in time,
with one of its exit statuses, and say of every mutant what became of it and why; so must a runtime
that is created over the same directory, when --runtime is given. Prints how many mutants got which
verdict. Exit status: 0 all held, 1 something did not; its directory is kept.
"""

import argparse
import collections
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

USABLE = {"loaded", "inspected"}


class Broken(Exception):
    """A promise that was not kept."""


def run(command, directory, timeout):
    """Runs a command that must end by itself and in time. Nothing is kept of it."""
    environment = dict(os.environ, XDG_CACHE_HOME=str(directory / "cache"))
    try:
        done = subprocess.run(command, capture_output=True, timeout=timeout, check=False,
                              env=environment)
    except subprocess.TimeoutExpired as too_late:
        raise Broken(f"{command[0]} did not end within {timeout} s") from too_late
    if done.returncode < 0:
        raise Broken(f"{command[0]} was ended by signal {-done.returncode}")
    return done


def check_list_backends(options, directory, mutants, counts):
    """Every mutant has a verdict, with a reason unless it is usable."""
    command = [str(options.build / "bin" / "list-backends"), "--format", "json", "--probe",
               options.probe, str(directory)]
    done = run(command, directory, options.timeout)
    if done.returncode not in (0, 1, 2):
        raise Broken(f"list-backends ended with {done.returncode}: {done.stderr.decode()[:400]}")
    report = json.loads(done.stdout.decode())
    found = {pathlib.Path(row["path"]).name: row for row in report["candidates"]}
    for name in mutants:
        if name not in found:
            raise Broken(f"{name} is not in the report")
        row = found[name]
        reasons = row["diagnostics"]
        if row["status"] not in USABLE and not reasons:
            raise Broken(f"{name} is {row['status']} without a reason")
        for reason in reasons:
            if not (reason["code"] and reason["what"]):
                raise Broken(f"{name}: a reason without code or words")
        code = reasons[0]["code"] if reasons else "-"
        counts["list-backends", row["status"], code] += 1


def check_runtime(options, directory, mutants, counts):
    """A runtime is created over the directory, and has a verdict for every mutant."""
    done = run([str(options.build / "bin" / "fuzz_create_runtime"), str(directory)],
               directory, options.timeout)
    if done.returncode != 0:
        raise Broken(f"creating a runtime ended with {done.returncode}: "
                     f"{done.stderr.decode()[:400]}")
    verdicts = {}
    for line in done.stdout.decode().splitlines():
        words = line.split(" ", 2)
        if len(words) == 3 and words[2].startswith(str(directory)):
            verdicts[pathlib.Path(words[2]).name] = words[:2]
    if verdicts.get(options.neighbour.name, [""])[0] != "loaded":
        raise Broken(f"the runtime did not load {options.neighbour.name}, which is good")
    for name in mutants:
        if name not in verdicts:
            raise Broken(f"{name} is not in the report of the runtime")
        counts["runtime", verdicts[name][0], verdicts[name][1]] += 1


def check_batch(options, kind, first, count, counts):
    """Makes some mutants and checks them. Returns how many there were."""
    directory = pathlib.Path(tempfile.mkdtemp(prefix="backplane-fuzz-"))
    subprocess.run([str(options.build / "bin" / "corrupt_backend"), kind, str(options.backend),
                    str(directory), str(first), str(count)], check=True)
    good = options.backend.read_bytes()
    mutants = sorted(p.name for p in directory.iterdir() if p.read_bytes() != good)
    # A good one among them, which they must not spoil.
    shutil.copy(options.neighbour, directory)
    try:
        check_list_backends(options, directory, mutants, counts)
        if options.runtime:
            check_runtime(options, directory, mutants, counts)
    except (Broken, ValueError, KeyError) as breach:
        print(f"{kind} from {first}: {breach!r}; the mutants are in {directory}")
        return None
    shutil.rmtree(directory)
    return len(mutants)


def read_options():
    root = pathlib.Path(__file__).resolve().parents[2]
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=root / "build" / "dev")
    parser.add_argument("--backend", type=pathlib.Path, help="default: the mock backend ValidA")
    parser.add_argument("--neighbour", type=pathlib.Path,
                        help="a good backend of another id, which stands in every directory; "
                        "default: the mock backend ValidB")
    parser.add_argument("--probe", default="child", help="as for list-backends")
    parser.add_argument("--runtime", action="store_true", help="also create a runtime")
    parser.add_argument("--corruptions", type=int, default=20000)
    parser.add_argument("--batch", type=int, default=500, help="mutants in one directory")
    parser.add_argument("--timeout", type=float, default=300, help="seconds for one command")
    options = parser.parse_args()
    if options.backend is None:
        options.backend = options.build / "mock-backends/valid-a/Mock_ValidA_backend.so"
    if options.neighbour is None:
        options.neighbour = options.build / "mock-backends/valid-b/Mock_ValidB_backend.so"
    return options


def main():
    options = read_options()
    output = subprocess.run([str(options.build / "bin" / "corrupt_backend"), "truncations",
                             str(options.backend)], check=True, capture_output=True).stdout
    counts = collections.Counter()
    total = 0
    num_broken = 0
    for kind, number in (("truncations", int(output)), ("corruptions", options.corruptions)):
        for first in range(0, number, options.batch):
            done = check_batch(options, kind, first, min(options.batch, number - first), counts)
            total += done or 0
            num_broken += done is None
    for (where, status, code), count in sorted(counts.items(), key=lambda row: (row[0][0], -row[1])):
        print(f"{count:7}  {where:14} {status:12} {code}")
    print(f"{total} mutants of {options.backend}, probe {options.probe}: "
          f"{num_broken} directories in which something broke")
    return 1 if num_broken else 0


if __name__ == "__main__":
    sys.exit(main())
