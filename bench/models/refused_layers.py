#!/usr/bin/env python3
"""Lists the layers that a backend refuses over folders of models, by layer type and reason.

Each folder holds a folder for each model, with model.onnx and folders test_data_set_N, which give
the shapes of its inputs. CpuRef runs what is refused. A model that does not run is named with its
message, and one whose results differ from its test data, too.

    build/release/bench/models/refused_layers.py MODELS... [--backend CpuAcc]
"""

import argparse
import collections
import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import interleaved  # noqa: E402: beside this folder


def execute(model, backend):
    """The report of execute-network, its exit code, and what it said of failures."""
    command = [interleaved.find_program(HERE, "execute-network"), model, "--backends",
               f"{backend},CpuRef", "--iterations", "1", "--warmup", "0", "--format", "json"]
    if any(model.parent.glob("test_data_set_*")):
        command += ["--test-data", model.parent]
    run = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    return json.loads(run.stdout or "{}"), run.returncode, run.stderr


def find_reasons(report, backend):
    """Layer type, layer and reason of each refusal, without those of the same layer that repeat."""
    for layer in report["placement"]:
        for refusal in layer["refusals"]:
            if refusal["backend"] == backend:
                yield layer["type"], layer["layer"], refusal["reason"]


def print_list(refused):
    """The most frequent first, each with the models that have it and one of its layers."""
    order = sorted(refused.items(), key=lambda entry: -len(entry[1]))
    for (layer_type, reason), places in order:
        models = sorted({model for model, _ in places})
        print(f"{len(places):5} {layer_type}: {reason}")
        print(f"      in {len(models)}: {', '.join(models[:6])}{', ...' if models[6:] else ''}; "
              f"as {places[0][1]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="+", type=pathlib.Path)
    parser.add_argument("--backend", default="CpuAcc")
    options = parser.parse_args()
    files = [file for folder in options.models for file in sorted(folder.glob("*/model.onnx"))]
    refused = collections.defaultdict(list)
    num_layers = 0
    failures = 0
    for file in files:
        report, code, errors = execute(file, options.backend)
        if code != 0:
            failures += 1
            print(f"{file}: " + (" ".join(errors.split())[:300] or "its results differ"))
        if "placement" not in report:
            continue
        num_layers += len(report["placement"])
        for layer_type, layer, reason in find_reasons(report, options.backend):
            refused[layer_type, reason].append((file.parent.name, layer))
    print_list(refused)
    print(f"{options.backend} refuses {sum(map(len, refused.values()))} of {num_layers} layers of "
          f"{len(files)} models; {failures} failed")
    sys.exit(1 if failures or not files else 0)


if __name__ == "__main__":
    main()
