#!/usr/bin/env python3
"""Runs every model of a folder on CpuRef: is the result right, how long does a run take, and an import.

MODELS holds a folder for each model, with model.onnx and folders test_data_set_N. Models that are
made, and lie elsewhere, are given as NAME=FILE; their test data is that of the folder NAME. The
import is a process of its own, which says how much memory it needed at most.

    build/release/bench/models/run.py MODELS [NAME=FILE...] [--backends CpuRef] [--iterations 9]
"""

import argparse
import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import interleaved  # noqa: E402: beside this folder


def execute(model, data, options):
    """The JSON of execute-network, and whether all that was compared agreed."""
    command = [interleaved.find_program(HERE, "execute-network"), model, "--backends",
               options.backends, "--iterations", str(options.iterations), "--warmup", "1",
               "--format", "json"]
    if any(data.glob("test_data_set_*")):
        command += ["--test-data", data]
    run = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    return (json.loads(run.stdout) if run.stdout else None), run.returncode, run.stderr


def measure_import(model):
    """What bench_import_model prints of one import."""
    program = interleaved.find_program(HERE, "bench_import_model")
    run = subprocess.run([str(program), str(model)], capture_output=True, text=True)
    return run.stdout.strip() or "its import alone fails: " + run.stderr.strip()


def find_models(options):
    files = {path.parent.name: path for path in sorted(options.models.glob("*/model.onnx"))}
    for word in options.more:
        name, _, file = word.partition("=")
        files[name] = pathlib.Path(file)
    return files


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", type=pathlib.Path)
    parser.add_argument("more", nargs="*", help="NAME=FILE")
    parser.add_argument("--backends", default="CpuRef")
    parser.add_argument("--iterations", type=int, default=9)
    options = parser.parse_args()
    failures = 0
    for name, model in find_models(options).items():
        report, code, errors = execute(model, options.models / name, options)
        if report is None or code > 1:
            print(f"{name:28}{errors.strip().splitlines()[:1]}")
            failures += 1
            continue
        compared = [output["ok"] for output in report["outputs"] if output.get("ok") is not None]
        latency = report["latency_ms"]
        agreed = f"{sum(compared)} of {len(compared)}" if compared else "nothing"
        print(f"{name:28}{latency['median']:10.3f} ms median{latency['min']:10.3f} min   "
              f"{agreed} compared agree   {measure_import(model)}")
        failures += code
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
