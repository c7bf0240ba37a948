#!/usr/bin/env python3
"""Says on which models the passes of CpuAcc change something, and what each gains there.

MODELS are folders that hold a folder for each model, as compare.py takes them. Each model is loaded
with the log level debug, which names the passes that changed it. Then it is run without each of
these, in turns with all passes, and the least times are compared: a gain of 1.10 is a tenth of the
time. Instruction sets are those of the processor, or less (ONEDNN_MAX_CPU_ISA). The table has of
each pass on how many models it changes something, the mean of the gains there, and the greatest.

    build/release/bench/models/passes.py MODELS... [--isa all,AVX2,SSE41] [--only NAME,...]
        [--passes NAME,...]
        [--fires-only] [--threads 1] [--turns 4] [--slice-ms 200] [--markdown FILE]
"""

import argparse
import json
import math
import os
import pathlib
import re
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import interleaved  # noqa: E402: beside this folder

CHANGED = re.compile(r"passes that changed it:(.*)")


def run(model, isa, options, *words):
    """What execute-network writes to its outputs. Null: it does not run the model."""
    environment = dict(os.environ)
    if isa != "all":
        environment["ONEDNN_MAX_CPU_ISA"] = isa
    command = [interleaved.find_program(HERE, "execute-network"), model, "--backends",
               "CpuAcc,CpuRef", "--threads", options.threads, *words]
    if any(model.parent.glob("test_data_set_*")):
        command += ["--test-data", model.parent]
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True,
                          env=environment, check=False)
    # 1: results differ from the data, as those of quantised models may.
    return (done.stdout, done.stderr) if done.returncode in (0, 1) else None


def find_changing(model, isa, options):
    """The passes that change the model, each once. Null: it does not run."""
    written = run(model, isa, options, "--log-level", "debug")
    if written is None:
        return None
    names = " ".join(CHANGED.findall(written[1])).split()
    wanted = options.passes.split(",") if options.passes else names
    return [name for name in dict.fromkeys(names) if name in wanted]


def measure(model, isa, options, count, without=""):
    """The least milliseconds of some runs. Infinite: without this pass it does not run."""
    words = ["--iterations", count, "--warmup", 2, "--format", "json"]
    if without:
        words += ["--option", f"CpuAcc:without_passes={without}"]
    written = run(model, isa, options, *words)
    return json.loads(written[0])["latency_ms"]["min"] if written else math.inf


def measure_gains(model, isa, passes, options):
    """For each pass the time without it as a part of the time with all."""
    once = measure(model, isa, options, 3)
    count = max(3, min(2000, int(options.slice_ms / once)))
    least = {name: math.inf for name in ["", *passes]}
    for _ in range(options.turns):
        for name in least:
            least[name] = min(least[name], measure(model, isa, options, count, name))
    return {name: least[name] / least[""] for name in passes}


def describe(gains):
    """A cell of the table: models, mean, and the greatest with its model."""
    if not gains:
        return "-"
    known = {model: gain for model, gain in gains.items() if gain and math.isfinite(gain)}
    text = str(len(gains))
    if known:
        best = max(known, key=known.get)
        mean = math.exp(statistics.fmean(map(math.log, known.values())))
        text += f"; {mean:.2f}; {known[best]:.2f} ({best})"
    num_needed = sum(gain == math.inf for gain in gains.values())
    return text + (f"; {num_needed} need it" if num_needed else "")


def make_table(gains, isas, names):
    lines = ["| pass | " + " | ".join(isas) + " |", "|---" * (len(isas) + 1) + "|"]
    for name in names:
        cells = [describe(gains[isa].get(name, {})) for isa in isas]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def read_names():
    table = (HERE / "passes.def").read_text()
    return list(dict.fromkeys(re.findall(r"^CPUACC_PASS\((\w+)\)", table, re.MULTILINE)))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", type=pathlib.Path, nargs="+")
    parser.add_argument("--isa", default="all", help="instruction sets, with commas")
    parser.add_argument("--only", help="names of models, with commas")
    parser.add_argument("--passes", help="which passes, with commas")
    parser.add_argument("--fires-only", action="store_true", help="measure no times")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--turns", type=int, default=4)
    parser.add_argument("--slice-ms", type=float, default=200, help="how long each turn lasts")
    parser.add_argument("--markdown", type=pathlib.Path, help="where to write the table")
    options = parser.parse_args()
    isas = options.isa.split(",")
    files = {file.parent.name: file for folder in options.models
             for file in sorted(folder.glob("*/model.onnx"))}
    names = options.only.split(",") if options.only else list(files)
    gains = {isa: {} for isa in isas}
    for isa in isas:
        for model in names:
            passes = find_changing(files[model], isa, options)
            if passes is None:
                print(f"{model}: does not run", file=sys.stderr)
                continue
            of_model = ({name: None for name in passes} if options.fires_only or not passes
                        else measure_gains(files[model], isa, passes, options))
            for name, gain in of_model.items():
                gains[isa].setdefault(name, {})[model] = gain
            told = (f"{name}={gain:.2f}" if gain else name for name, gain in of_model.items())
            print(isa, model, *told, flush=True)
    table = make_table(gains, isas, read_names())
    print(table)
    if options.markdown:
        options.markdown.write_text(table)


if __name__ == "__main__":
    main()
