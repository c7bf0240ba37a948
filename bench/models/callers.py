#!/usr/bin/env python3
"""How long single runs take when several threads call, beside ONNX Runtime's C library.

Both sides are a process that loads the model on one thread and runs it on others, 1, 2, 4 and 8
of them, with and without a process beside it that keeps a processor busy; they take turns.

    build/release/bench/models/callers.py MODELS --library libonnxruntime.so.1
        [--only NAME,...] [--threads 2] [--shapes open] [--callers 1,2,4,8] [--busy 0,1]
"""

import argparse
import pathlib
import sys
import time

import numpy

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import compare  # noqa: E402: beside this file

HEADINGS = ("model", "busy", "callers", "", "p50 ms", "p99 ms", "p99.9 ms", "runs/s",
            "processor ms a run")


def measure(servers, callers, options):
    """For each server the times of all runs, runs per second, and processor time for each."""
    count = {}
    for name, server in servers.items():
        once = min(server.run(3)["us"])
        count[name] = max(2, int(options.slice_ms * 1000 / once / callers))
    results = {name: [] for name in servers}
    for _ in range(options.rounds):
        for name, server in servers.items():
            time.sleep(options.pause_ms / 1000)
            results[name].append(server.run(count[name], callers))
    return results


def make_cells(answers):
    times = numpy.concatenate([answer["us"] for answer in answers]) / 1000
    seconds = sum(answer["seconds"] for answer in answers)
    processor = sum(answer["processor_seconds"] for answer in answers)
    return [f"{value:.3g}" for value in (*numpy.percentile(times, (50, 99, 99.9)),
                                         len(times) / seconds, processor * 1000 / len(times))]


def measure_model(name, model, options):
    servers = compare.start_servers(name, model, options.threads, options)
    for busy in (int(word) for word in options.busy.split(",")):
        for callers in (int(word) for word in options.callers.split(",")):
            with compare.run_beside(busy):
                results = measure(servers, callers, options)
            for side, answers in results.items():
                yield [name, str(busy), str(callers), side, *make_cells(answers)]
    compare.end(servers)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", type=pathlib.Path)
    parser.add_argument("--library", required=True, help="libonnxruntime.so.1")
    parser.add_argument("--backends", default="CpuAcc,CpuRef")
    parser.add_argument("--threads", type=int, default=2)
    compare.add_shapes(parser)
    parser.add_argument("--callers", default="1,2,4,8")
    parser.add_argument("--busy", default="0,1")
    parser.add_argument("--only", help="names of models, with commas")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--slice-ms", type=float, default=500)
    parser.add_argument("--pause-ms", type=float, default=100)
    options = parser.parse_args()
    options.more = []
    print("| " + " | ".join(HEADINGS) + " |\n|" + "---|" * len(HEADINGS))
    for name, model in compare.find_models(options).items():
        for row in measure_model(name, model, options):
            print("| " + " | ".join(row) + " |", flush=True)


if __name__ == "__main__":
    try:
        main()
    except compare.ServerEnded as error:
        sys.exit(str(error))
