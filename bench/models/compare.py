#!/usr/bin/env python3
"""Compares whole models with ONNX Runtime's CPU provider: latency, load time, memory, throughput.

MODELS holds a folder for each model, with model.onnx and, if there are any, folders
test_data_set_N, the first of which gives the inputs; others get random numbers. Models that are
made, and lie elsewhere, are given as NAME=FILE. Both sides are a process that keeps the model
loaded; they run in turns, with a pause before each, because threads go on looking for work for a
while. The ratio of the minima and that of the medians are printed.
ONNX Runtime is npm's onnxruntime-node (npm install onnxruntime-node@1.30.0), in the folder
--onnx-runtime.

    build/release/bench/models/compare.py MODELS [NAME=FILE...] --onnx-runtime DIR
        [--threads 1,2] [--only NAME,...] [--pause-ms N] [--busy N] [--json FILE] [--markdown FILE]
        [--summary FILE] [--chart FILE.svg]
"""

import argparse
import contextlib
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import numpy
import onnx
import onnx.numpy_helper

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import chart  # noqa: E402: beside this folder
import interleaved  # noqa: E402: beside this folder


def make_random(value, generator):
    """Data for an input; open dimensions are 1."""
    tensor = value.type.tensor_type
    shape = [dim.dim_value if dim.dim_value > 0 else 1 for dim in tensor.shape.dim]
    dtype = onnx.mapping.TENSOR_TYPE_TO_NP_TYPE[tensor.elem_type]
    if numpy.issubdtype(dtype, numpy.floating):
        return generator.standard_normal(shape).astype(dtype)
    return generator.integers(0, 7, shape).astype(dtype)


def read_inputs(model, data):
    """The names and arrays of the inputs."""
    graph = onnx.load(str(model), load_external_data=False).graph
    constants = {constant.name for constant in graph.initializer}
    values = [value for value in graph.input if value.name not in constants]
    generator = numpy.random.default_rng(0)
    inputs = {}
    for index, value in enumerate(values):
        file = data / "test_data_set_0" / f"input_{index}.pb"
        if file.exists():
            tensor = onnx.TensorProto.FromString(file.read_bytes())
            inputs[value.name] = onnx.numpy_helper.to_array(tensor)
        else:
            inputs[value.name] = make_random(value, generator)
    return inputs


def write_inputs(inputs, folder):
    """The words that both servers take."""
    words = []
    for index, (name, array) in enumerate(inputs.items()):
        file = pathlib.Path(folder, f"{index}.bin")
        file.write_bytes(numpy.ascontiguousarray(array).tobytes())
        dims = "x".join(str(extent) for extent in array.shape)
        words.append(f"{name}={array.dtype.name}:{dims}:{file}")
    return words


class Server:
    """A process that has loaded a model and runs it as it is told."""

    def __init__(self, command, folder=None, environment=None):
        self.process = subprocess.Popen(
            [str(word) for word in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            text=True, cwd=folder, env={**os.environ, **(environment or {})})
        self.ready = self.read()

    def read(self):
        line = self.process.stdout.readline()
        if not line:
            sys.exit(f"{self.process.args} ended with {self.process.wait()}")
        return json.loads(line)

    def run(self, count, clients=1):
        print(count, clients, file=self.process.stdin, flush=True)
        return self.read()

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def measure(servers, options):
    """For each server: the microseconds of all runs, and runs per second with 1 and 2 clients."""
    count = {}
    for name, server in servers.items():
        once = min(server.run(3)["us"])
        count[name] = max(1, min(2000, int(options.slice_ms * 1000 / once)))
    results = {name: {"us": [], "per_second": {1: [], 2: []}} for name in servers}

    def take_turn(name, *how):
        time.sleep(options.pause_ms / 1000)
        return servers[name].run(*how)

    for _ in range(options.rounds):
        for name in servers:
            results[name]["us"] += take_turn(name, count[name])["us"]
    for _ in range(max(1, options.rounds // 3)):
        for clients in (1, 2):
            for name in servers:
                answer = take_turn(name, 4 * count[name], clients)
                results[name]["per_second"][clients].append(len(answer["us"]) / answer["seconds"])
    return results


def compare(name, model, threads, options):
    """One row of the table."""
    with tempfile.TemporaryDirectory() as folder:
        words = write_inputs(read_inputs(model, options.models / name), folder)
        program = interleaved.find_program(HERE, "bench_model_server")
        servers = {
            "ours": Server([program, model, options.backends, threads, *words]),
            "peer": Server(["node", HERE / "onnx_runtime_server.cjs", model.resolve(), threads,
                            *words], options.onnx_runtime),
        }
        results = measure(servers, options)
        for server in servers.values():
            server.end()
    row = {"model": name, "threads": threads}
    for side, result in results.items():
        row[side] = {
            "min_us": min(result["us"]), "median_us": statistics.median(result["us"]),
            "per_second": [max(values) for values in result["per_second"].values()],
            **servers[side].ready}
    row["ratio_min"] = row["ours"]["min_us"] / row["peer"]["min_us"]
    row["ratio_median"] = row["ours"]["median_us"] / row["peer"]["median_us"]
    return row


HEADINGS = ("model", "threads", "ms", "ORT ms", "ratio of minima", "of medians", "load ms",
            "ORT load ms", "peak MB", "ORT peak MB", "runs/s, 1 client", "ORT", "2 clients", "ORT")


def get_cells(row):
    ours, peer = row["ours"], row["peer"]
    return (row["model"], str(row["threads"]), f"{ours['min_us'] / 1000:.3g}",
            f"{peer['min_us'] / 1000:.3g}", f"{row['ratio_min']:.2f}",
            f"{row['ratio_median']:.2f}", f"{ours['load_ms']:.0f}", f"{peer['load_ms']:.0f}",
            f"{ours['peak_mb']:.0f}", f"{peer['peak_mb']:.0f}",
            *(f"{rate:.0f}" for rates in zip(ours["per_second"], peer["per_second"])
              for rate in rates))


def get_mean(rows, key):
    return math.exp(statistics.fmean(math.log(row[key]) for row in rows))


def make_table(rows):
    lines = ["| " + " | ".join(HEADINGS) + " |", "|---" + "|--:" * (len(HEADINGS) - 1) + "|"]
    lines += ["| " + " | ".join(get_cells(row)) + " |" for row in rows]
    for threads in sorted({row["threads"] for row in rows}):
        of_threads = [row for row in rows if row["threads"] == threads]
        lines.append(f"\nGeometric mean of the ratios with {threads} thread(s): "
                     f"{get_mean(of_threads, 'ratio_min'):.2f} of the minima, "
                     f"{get_mean(of_threads, 'ratio_median'):.2f} of the medians.")
    return "\n".join(lines) + "\n"


def make_summary(rows):
    """One line for each model: the times with each number of threads."""
    threads = sorted({row["threads"] for row in rows})
    headings = ["model"]
    for count in threads:
        name = f"{count} thread{'s' if count > 1 else ''}"
        headings += [f"{name}, ms", "ONNX Runtime, ms", "ratio"]
    lines = ["| " + " | ".join(headings) + " |", "|---" + "|--:" * (len(headings) - 1) + "|"]
    for model in dict.fromkeys(row["model"] for row in rows):
        cells = [model]
        for row in sorted((row for row in rows if row["model"] == model),
                          key=lambda row: row["threads"]):
            cells += [f"{row['ours']['min_us'] / 1000:.3g}", f"{row['peer']['min_us'] / 1000:.3g}",
                      f"{row['ratio_min']:.2f}"]
        lines.append("| " + " | ".join(cells) + " |")
    means = [f"{get_mean([row for row in rows if row['threads'] == count], 'ratio_min'):.2f}"
             for count in threads]
    lines.append("| geometric mean | " + " | ".join(f"| | {mean}" for mean in means) + " |")
    return "\n".join(lines) + "\n"


def find_models(options):
    files = {path.parent.name: path for path in sorted(options.models.glob("*/model.onnx"))}
    for word in options.more:
        name, _, file = word.partition("=")
        files[name] = pathlib.Path(file)
    wanted = options.only.split(",") if options.only else list(files)
    return {name: files[name] for name in wanted}


@contextlib.contextmanager
def run_beside(count):
    """So many processes that do nothing but keep a processor busy."""
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for process in busy:
            process.kill()
            process.wait()


def compare_all(options):
    rows = []
    for name, model in find_models(options).items():
        for threads in (int(word) for word in options.threads.split(",")):
            with run_beside(options.busy):
                rows.append(compare(name, model, threads, options))
            print("  ".join(f"{cell:>9}" for cell in get_cells(rows[-1])), flush=True)
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", type=pathlib.Path)
    parser.add_argument("more", nargs="*", help="NAME=FILE")
    parser.add_argument("--onnx-runtime", type=pathlib.Path, default=".",
                        help="the folder with node_modules")
    parser.add_argument("--backends", default="CpuAcc,CpuRef")
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--only", help="names of models, with commas")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--slice-ms", type=float, default=200, help="how long each turn lasts")
    parser.add_argument("--pause-ms", type=float, default=100,
                        help="how long nobody runs before each turn")
    parser.add_argument("--busy", type=int, default=0,
                        help="how many processes keep the processors busy beside both")
    parser.add_argument("--json", type=pathlib.Path, help="where to write what was measured")
    parser.add_argument("--from-json", type=pathlib.Path, help="measure nothing, take this")
    parser.add_argument("--markdown", type=pathlib.Path, help="where to write the table")
    parser.add_argument("--summary", type=pathlib.Path, help="where to write the short table")
    parser.add_argument("--chart", type=pathlib.Path, help="where to draw the ratios, as SVG")
    options = parser.parse_args()
    rows = (json.loads(options.from_json.read_text()) if options.from_json
            else compare_all(options))
    table = make_table(rows)
    print(table)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1))
    if options.markdown:
        options.markdown.write_text(table)
    if options.summary:
        options.summary.write_text(make_summary(rows))
    if options.chart:
        options.chart.write_text(chart.draw_ratios(rows))


if __name__ == "__main__":
    main()
