#!/usr/bin/env python3
"""Compares whole models with ONNX Runtime's CPU provider, and with OpenVINO's if that is asked for:
results, time, load, memory.

MODELS holds a folder for each model, with model.onnx and, if there are any, folders
test_data_set_N, the first of which gives the inputs; others get random numbers. Models that are
made, and lie elsewhere, are given as NAME=FILE. Each side is a process that keeps the model
loaded; they run in turns, with a pause before each, because threads go on looking for work for a
while. Printed are the ratios of the least and of the median times, of the processor time of the
turn that took least, which other work on the machine disturbs less, and the greatest difference of
the results, as a part of the greatest element of each output. Of quantised models, results differ
by steps that add up. exported/make_models.py makes models.
ONNX Runtime's C library is libonnxruntime.so.1, which npm's onnxruntime-node has
(npm install onnxruntime-node@1.30.0). --openvino needs the package openvino of this Python. The
ratio to the better of the two leaves out one whose results are others.

    build/release/bench/models/compare.py MODELS [NAME=FILE...] --library libonnxruntime.so.1
        [--openvino] [--threads 1,2] [--shapes open] [--only NAME,...] [--pause-ms N] [--busy N] [--json FILE]
        [--markdown FILE] [--summary FILE] [--chart FILE.svg]
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
import onnx.helper
import onnx.numpy_helper

RATIOS = {"ratio_min": "min_us", "ratio_median": "median_us", "ratio_processor": "processor_us",
          "ratio_load": "load_ms", "ratio_peak": "peak_mb"}
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import chart  # noqa: E402: beside this folder
import interleaved  # noqa: E402: beside this folder


MOST_DIFFERENCE = 0.15  # of results that are the same but for quantisation and rounding
BFLOAT16 = "bfloat16"  # NumPy has none; onnx's arrays of it are float32


def get_dtype(elem_type):
    """The NumPy type of an ONNX type, whichever release of onnx is here."""
    get = getattr(onnx.helper, "tensor_dtype_to_np_dtype", None)
    return get(elem_type) if get else onnx.mapping.TENSOR_TYPE_TO_NP_TYPE[elem_type]


def make_random(value, generator):
    """Data for an input; open dimensions are 1."""
    tensor = value.type.tensor_type
    shape = [dim.dim_value if dim.dim_value > 0 else 1 for dim in tensor.shape.dim]
    dtype = get_dtype(tensor.elem_type)
    if numpy.issubdtype(dtype, numpy.floating):
        return generator.standard_normal(shape).astype(dtype)
    return generator.integers(0, 7, shape).astype(dtype)


def read_inputs(model, data):
    """The names of the inputs, and of each the type and the array."""
    graph = onnx.load(str(model), load_external_data=False).graph
    constants = {constant.name for constant in graph.initializer}
    values = [value for value in graph.input if value.name not in constants]
    generator = numpy.random.default_rng(0)
    inputs = {}
    for index, value in enumerate(values):
        file = data / "test_data_set_0" / f"input_{index}.pb"
        if file.exists():
            tensor = onnx.TensorProto.FromString(file.read_bytes())
            array = onnx.numpy_helper.to_array(tensor)
        else:
            array = make_random(value, generator)
        is_bfloat16 = value.type.tensor_type.elem_type == onnx.TensorProto.BFLOAT16
        inputs[value.name] = (BFLOAT16 if is_bfloat16 else array.dtype.name, array)
    return inputs


def get_bytes(kind, array):
    if kind == BFLOAT16:
        array = (array.astype(numpy.float32).view(numpy.uint32) >> 16).astype(numpy.uint16)
    return numpy.ascontiguousarray(array).tobytes()


def get_array(kind, data):
    if kind == BFLOAT16:
        return (numpy.frombuffer(data, numpy.uint16).astype(numpy.uint32) << 16).view(numpy.float32)
    return numpy.frombuffer(data, kind)


def write_inputs(inputs, folder):
    """The words that both servers take."""
    words = []
    for index, (name, (kind, array)) in enumerate(inputs.items()):
        file = pathlib.Path(folder, f"{index}.bin")
        file.write_bytes(get_bytes(kind, array))
        dims = "x".join(str(extent) for extent in array.shape)
        words.append(f"{name}={kind}:{dims}:{file}")
    return words


class ServerEnded(Exception):
    """A process that should have answered has ended."""


class Server:
    """A process that has loaded a model and runs it as it is told."""

    def __init__(self, command, environment=None):
        self.process = subprocess.Popen(
            [str(word) for word in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            text=True, env={**os.environ, **(environment or {})})
        self.ready = self.read()

    def read(self):
        line = self.process.stdout.readline()
        if not line:
            raise ServerEnded(f"{self.process.args} ended with {self.process.wait()}")
        return json.loads(line)

    def run(self, count, clients=1):
        print("run", count, clients, file=self.process.stdin, flush=True)
        return self.read()

    def get_outputs(self):
        """The arrays of one run."""
        with tempfile.TemporaryDirectory() as folder:
            print("write", folder, file=self.process.stdin, flush=True)
            return [get_array(output["type"], pathlib.Path(folder, f"{index}.bin").read_bytes())
                    .reshape(output["dims"]) for index, output in enumerate(self.read()["outputs"])]

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def measure(servers, options):
    """For each server: the microseconds of all runs, processor time for each turn's, and runs per
    second with 1 and 2 clients."""
    count = {}
    for name, server in servers.items():
        once = min(server.run(3)["us"])
        count[name] = max(1, min(2000, int(options.slice_ms * 1000 / once)))
    results = {name: {"us": [], "processor_us": [], "per_second": {1: [], 2: []}} for name in servers}

    def take_turn(name, *how):
        time.sleep(options.pause_ms / 1000)
        return servers[name].run(*how)

    for _ in range(options.rounds):
        for name in servers:
            answer = take_turn(name, count[name])
            results[name]["us"] += answer["us"]
            results[name]["processor_us"].append(answer["processor_seconds"] * 1e6 / count[name])
    for _ in range(max(1, options.rounds // 3)):
        for clients in (1, 2):
            for name in servers:
                answer = take_turn(name, 4 * count[name], clients)
                results[name]["per_second"][clients].append(len(answer["us"]) / answer["seconds"])
    return results


def get_difference(ours, peer):
    """The greatest difference in any output, as a part of the output's greatest element."""
    greatest = 0.0
    for mine, theirs in zip(ours, peer, strict=True):
        if mine.shape != theirs.shape or mine.dtype != theirs.dtype:
            return math.inf
        mine, theirs = mine.astype(numpy.float64), theirs.astype(numpy.float64)
        differs = ~((mine == theirs) | (numpy.isnan(mine) & numpy.isnan(theirs)))
        if differs.any():
            scale = max(numpy.abs(theirs[numpy.isfinite(theirs)]).max(initial=0), 1e-30)
            part = float(numpy.abs(mine[differs] - theirs[differs]).max() / scale)
            greatest = max(greatest, math.inf if math.isnan(part) else part)
    return greatest


def start_servers(name, model, threads, options, cache="", with_openvino=False):
    """All sides with the same inputs; they have read them when they are ready. `cache` is a
    directory for what backends compile."""
    with tempfile.TemporaryDirectory() as folder:
        words = write_inputs(read_inputs(model, options.models / name), folder)
        find = interleaved.find_program
        servers = {
            "ours": Server([find(HERE, "bench_model_server"), model, options.backends, threads,
                            cache, options.shapes, *words]),
            "peer": Server([find(HERE, "bench_onnx_runtime_server"), options.library, model,
                            threads, *words]),
        }
        if with_openvino:
            try:
                servers["openvino"] = Server([sys.executable, HERE / "openvino_server.py", model,
                                              threads, options.shapes, *words])
            except ServerEnded:
                print(f"{name}: OpenVINO does not run it", file=sys.stderr)
        return servers


def end(servers):
    for server in servers.values():
        server.end()


def measure_loads(servers, name, model, threads, options):
    """The least load time of each side; these servers have loaded once. Ours also with what the
    first of these loads has kept."""
    loads = {side: [server.ready["load_ms"]] for side, server in servers.items()}
    loads["cached"] = []
    with tempfile.TemporaryDirectory() as cache:
        end(start_servers(name, model, threads, options, cache))
        for _ in range(options.loads):
            for kind, kept in (("ours", ""), ("cached", cache)):
                others = start_servers(name, model, threads, options, kept, options.openvino)
                end(others)
                for side, server in others.items():
                    loads[kind if side == "ours" else side].append(server.ready["load_ms"])
    return {kind: min(values) for kind, values in loads.items()}


def compare(name, model, threads, options):
    """One row of the table."""
    servers = start_servers(name, model, threads, options, with_openvino=options.openvino)
    loads = measure_loads(servers, name, model, threads, options)
    outputs = {side: server.get_outputs() for side, server in servers.items()}
    differences = {side: get_difference(outputs["ours"], outputs[side]) for side in outputs}
    results = measure(servers, options)
    end(servers)
    row = {"model": name, "threads": threads, "difference": differences["peer"]}
    for side, result in results.items():
        row[side] = {
            "min_us": min(result["us"]), "median_us": statistics.median(result["us"]),
            "processor_us": min(result["processor_us"]),
            "per_second": [max(values) for values in result["per_second"].values()],
            "load_ms": loads[side], "peak_mb": servers[side].ready["peak_mb"],
            "difference": differences[side]}
    for ratio, key in RATIOS.items():
        row[ratio] = row["ours"][key] / row["peer"][key]
    row["ratio_better"] = row["ours"]["min_us"] / min(
        row[side]["min_us"] for side in ("peer", "openvino")
        if side == "peer" or differences.get(side, math.inf) <= MOST_DIFFERENCE)
    row["cached_load_ms"] = loads["cached"]
    row["ratio_cached_load"] = loads["cached"] / row["peer"]["load_ms"]
    return row


HEADINGS = ("model", "threads", "ms", "ORT ms", "ratio of minima", "of medians",
            "of processor time", "load ms", "from cache", "ORT load ms", "peak MB", "ORT peak MB",
            "runs/s, 1 client", "ORT", "2 clients", "ORT", "difference")
OPENVINO_HEADINGS = ("OpenVINO ms", "ratio to the better", "OpenVINO load ms", "OpenVINO peak MB",
                     "difference from OpenVINO")


def get_cells(row):
    ours, peer = row["ours"], row["peer"]
    return (row["model"], str(row["threads"]), f"{ours['min_us'] / 1000:.3g}",
            f"{peer['min_us'] / 1000:.3g}",
            *(f"{row[ratio]:.2f}" for ratio in ("ratio_min", "ratio_median", "ratio_processor")),
            f"{ours['load_ms']:.0f}", f"{row['cached_load_ms']:.0f}", f"{peer['load_ms']:.0f}",
            f"{ours['peak_mb']:.0f}", f"{peer['peak_mb']:.0f}",
            *(f"{rate:.0f}" for rates in zip(ours["per_second"], peer["per_second"])
              for rate in rates), f"{row['difference']:.0e}")


def get_openvino_cells(row):
    if "openvino" not in row:
        return ("-", f"{row['ratio_better']:.2f}", "-", "-", "-")
    side = row["openvino"]
    return (f"{side['min_us'] / 1000:.3g}", f"{row['ratio_better']:.2f}", f"{side['load_ms']:.0f}",
            f"{side['peak_mb']:.0f}", f"{side['difference']:.0e}")


def get_mean(rows, key):
    return math.exp(statistics.fmean(math.log(row[key]) for row in rows))


def make_table(rows):
    has_openvino = any("openvino" in row for row in rows)
    headings = HEADINGS + (OPENVINO_HEADINGS if has_openvino else ())
    lines = ["| " + " | ".join(headings) + " |", "|---" + "|--:" * (len(headings) - 1) + "|"]
    for row in rows:
        cells = get_cells(row) + (get_openvino_cells(row) if has_openvino else ())
        lines.append("| " + " | ".join(cells) + " |")
    for threads in sorted({row["threads"] for row in rows}):
        of_threads = [row for row in rows if row["threads"] == threads]
        slower = sum(row["ratio_min"] > 1 for row in of_threads)
        lines.append(f"\nGeometric means of the ratios with {threads} thread(s): "
                     f"{get_mean(of_threads, 'ratio_min'):.2f} of the minima, "
                     f"{get_mean(of_threads, 'ratio_median'):.2f} of the medians, "
                     f"{get_mean(of_threads, 'ratio_processor'):.2f} of processor time, "
                     f"{get_mean(of_threads, 'ratio_load'):.2f} of loading, "
                     f"{get_mean(of_threads, 'ratio_cached_load'):.2f} of loading what is kept, "
                     f"{get_mean(of_threads, 'ratio_peak'):.2f} of peak memory; "
                     f"{slower} of {len(of_threads)} minima above 1.")
        if has_openvino:
            lines.append(f"Of the better of ONNX Runtime and OpenVINO: "
                         f"{get_mean(of_threads, 'ratio_better'):.2f} of the minima, "
                         f"{sum(row['ratio_better'] > 1.05 for row in of_threads)} above 1.05.")
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


def add_shapes(parser):
    parser.add_argument("--shapes", choices=("fixed", "open"), default="fixed",
                        help="whether ours knows dimensions that a model leaves open when it is "
                        "loaded, or in each run")


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
            cells = get_cells(rows[-1]) + get_openvino_cells(rows[-1]) * options.openvino
            print("  ".join(f"{cell:>9}" for cell in cells), flush=True)
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", type=pathlib.Path)
    parser.add_argument("more", nargs="*", help="NAME=FILE")
    parser.add_argument("--library", help="libonnxruntime.so.1")
    parser.add_argument("--openvino", action="store_true", help="a third side")
    parser.add_argument("--backends", default="CpuAcc,CpuRef")
    parser.add_argument("--threads", default="1,2")
    add_shapes(parser)
    parser.add_argument("--only", help="names of models, with commas")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--slice-ms", type=float, default=200, help="how long each turn lasts")
    parser.add_argument("--loads", type=int, default=3, help="how often each side loads a model")
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
    if not options.library and not options.from_json:
        parser.error("--library is needed: libonnxruntime.so.1 of npm's onnxruntime-node")
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
    try:
        main()
    except ServerEnded as error:
        sys.exit(str(error))
