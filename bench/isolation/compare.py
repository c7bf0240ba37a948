#!/usr/bin/env python3
"""Compares backends in processes of their own with the same backends in the program's process.

Four tables: what a sub-graph costs more, on one small layer; whole models, as
bench/models/compare.py measures them, with one and two threads; how long it takes until a model
runs again when the backend's process has been killed; and the time and memory of a network with
many constants. MODELS holds a folder for each model.

    build/release/bench/isolation/compare.py MODELS [NAME=FILE...] [--backends CpuAcc,CpuRef]
        [--threads 1,2] [--only NAME,...] [--rounds N] [--markdown FILE]
"""

import argparse
import pathlib
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
sys.path.insert(0, str(HERE.parent / "models"))
import compare as models  # noqa: E402: in the folder beside this one
import interleaved  # noqa: E402: beside this folder

VARIABLE = "BACKPLANE_ISOLATE_BACKENDS"


def compare_subgraph(options):
    """The microseconds of one layer of four elements, both ways."""
    chain = (interleaved.find_program(HERE, "bench_chain"), 1, 4, 1)
    runs = {"in the process": chain, "isolated": ("env", f"{VARIABLE}=CpuRef", *chain)}
    times = interleaved.collect(runs, 1, options.chain_rounds)
    inside, outside = (interleaved.median(values) for values in times.values())
    return (f"One layer of 4 elements: {inside:.2f} us in the process, {outside:.2f} us isolated: "
            f"{outside - inside:.2f} us for a sub-graph.\n")


def compare_model(name, model, threads, options):
    """One row of the table of models."""
    with tempfile.TemporaryDirectory() as folder:
        words = models.write_inputs(models.read_inputs(model, options.models / name), folder)
        command = [interleaved.find_program(HERE, "bench_model_server"), model, options.backends,
                   threads, "", "fixed", *words]
        servers = {"inside": models.Server(command),
                   "isolated": models.Server(command, environment={VARIABLE: options.backends})}
        results = models.measure(servers, options)
        for server in servers.values():
            server.end()
    least = {side: min(result["us"]) for side, result in results.items()}
    middle = {side: statistics.median(result["us"]) for side, result in results.items()}
    rates = {side: [max(values) for values in result["per_second"].values()]
             for side, result in results.items()}
    return (name, str(threads), f"{least['inside'] / 1000:.3g}", f"{least['isolated'] / 1000:.3g}",
            f"{least['isolated'] / least['inside']:.3f}",
            f"{middle['isolated'] / middle['inside']:.3f}",
            *(f"{outside / inside:.3f}" for inside, outside in zip(*rates.values())),
            f"{servers['inside'].ready['load_ms']:.0f}",
            f"{servers['isolated'].ready['load_ms']:.0f}")


HEADINGS = ("model", "threads", "ms", "isolated, ms", "ratio of minima", "of medians",
            "throughput, 1 client", "2 clients", "load ms", "isolated, load ms")


def compare_models(options):
    lines = ["| " + " | ".join(HEADINGS) + " |", "|---" + "|--:" * (len(HEADINGS) - 1) + "|"]
    for name, model in models.find_models(options).items():
        for threads in (int(word) for word in options.threads.split(",")):
            lines.append("| " + " | ".join(compare_model(name, model, threads, options)) + " |")
            print(lines[-1], flush=True)
    return "\n".join(lines) + "\n"


def measure_restarts(name, options):
    """How long a killed process takes to be back with a model."""
    model = models.find_models(options).get(name)
    if model is None:
        return f"Restarts are not measured, as no model is called {name}: see --restart-model.\n"
    backend = options.backends.split(",")[0]
    run = subprocess.run([str(interleaved.find_program(HERE, "bench_restart")), str(model), backend,
                          str(options.restarts)], capture_output=True, text=True, check=True)
    times = [float(word) for word in run.stdout.split()]
    return (f"{name} on {backend} again after its process was killed: median "
            f"{statistics.median(times):.1f} ms, at most {max(times):.1f} ms, {len(times)} times.\n")


def measure_constants(options):
    """Time and memory of a network of so many GiB of weights, inside and isolated."""
    backend = options.backends.split(",")[0]
    program = str(interleaved.find_program(HERE, "bench_isolated_constants"))
    lines = [f"{options.constants_gib} GiB of weights on {backend}:",
             "| where | network | load ms | first run ms | peak MiB |", "|---|---|--:|--:|--:|"]
    for where, given in (("inside", "kept"), ("inside", "given"), ("isolated", "kept"),
                         ("isolated", "given")):
        run = subprocess.run([program, backend, str(options.constants_gib), where, given],
                             capture_output=True, text=True, check=True)
        lines.append("| " + " | ".join((where, given, *run.stdout.split())) + " |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", type=pathlib.Path)
    parser.add_argument("more", nargs="*", help="NAME=FILE")
    parser.add_argument("--backends", default="CpuAcc,CpuRef")
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--only", help="names of models, with commas")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--chain-rounds", type=int, default=9)
    parser.add_argument("--slice-ms", type=float, default=200, help="how long each turn lasts")
    parser.add_argument("--pause-ms", type=float, default=100,
                        help="how long nobody runs before each turn")
    parser.add_argument("--restarts", type=int, default=20, help="how often a process is killed")
    parser.add_argument("--restart-model", default="mnist_cnn_8")
    parser.add_argument("--constants-gib", type=float, default=4)
    parser.add_argument("--markdown", type=pathlib.Path, help="where to write the tables")
    options = parser.parse_args()
    parts = [compare_subgraph(options)]
    print(parts[-1], flush=True)
    parts.append(measure_constants(options))
    print(parts[-1], flush=True)
    wanted, options.only = options.only, None
    parts.append(measure_restarts(options.restart_model, options))
    print(parts[-1], flush=True)
    options.only = wanted
    parts.append(compare_models(options))
    if options.markdown:
        options.markdown.write_text("\n".join(parts))


if __name__ == "__main__":
    main()
