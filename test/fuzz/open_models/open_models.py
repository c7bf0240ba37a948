#!/usr/bin/env python3
"""Makes random models with open shapes and holds backends against each other.

    test/fuzz/open_models/open_models.py [--build build/dev] [--seed 1] [--count 2000] [--only 17]

Each model has at least two of: local function, If, Loop, Scan, sequence, NonZero (or another node
whose result has a shape that its data decides on), and an output in the memory of an input; all
pairs occur. Each runs five times, with three different shapes, on CpuAcc with CpuRef behind it, on
CpuRef, on CpuRef with memory of its own for each output and no plan that was kept, and on ONNX
Runtime where this Python, or that of --onnx-runtime, has it. The same seed and number are the same
model. What differs is kept, with model, inputs, results and a report. Exit
status: 0 all agree, 1 something differs, 77 without python3-onnx.
"""

import argparse
import collections
import importlib.util
import pathlib
import re
import select
import shutil
import subprocess
import sys
import tempfile

if any(importlib.util.find_spec(name) is None for name in ("onnx", "numpy")):
    print("SKIPPED: this Python has no onnx or no numpy (apt-get install python3-onnx)")
    sys.exit(77)
import cases  # noqa: E402
import results  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
PEER = "OnnxRuntime"


class Worker:
    """A process that runs one case after the other. Another one takes its place when it ends."""

    def __init__(self, name, command, timeout):
        self.name, self.command, self.timeout = name, command, timeout
        self.process = None

    def start(self, folder):
        if self.process is None:
            self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE,
                                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.process.stdin.write(f"{folder}\n".encode())
        self.process.stdin.flush()

    def wait(self, folder):
        """What went wrong with the process; "" when it answered."""
        if select.select([self.process.stdout], [], [], self.timeout)[0]:
            if self.process.stdout.readline() == b"done\n":
                return ""
            words = self.process.stderr.read().decode(errors="replace")
            fate = f"ended with {self.process.wait()}: {words[-600:]}"
        else:
            self.process.kill()
            self.process.wait()
            fate = f"did not end within {self.timeout} s"
        self.process = None
        return fate

    def end(self):
        if self.process is not None:
            self.process.stdin.close()
            self.process.wait()


class Outcome:
    """What one worker made of a case: for each run, outputs or the reason of a refusal."""

    def __init__(self, folder, name, model, fate):
        self.fate, self.runs = fate, []
        whole = folder / f"{name}.txt"
        for run in sorted(folder.glob("run_*")):
            refusal = [path for path in (whole, run / f"{name}.txt") if path.exists()]
            if refusal:
                self.runs.append(refusal[0].read_text().strip())
            elif not (run / name).exists():
                self.runs.append(fate or "has not run")
            else:
                self.runs.append(self._read(run / name, model))

    @staticmethod
    def _read(folder, model):
        try:
            return {value.name: results.read_value(folder / f"{value.name}.pb", value)
                    for value in model.graph.output}
        except (ValueError, OSError) as failure:
            return f"FAULT: its results cannot be read: {failure}"


def is_refusal(run):
    return isinstance(run, str)


def compare_runs(runs, outputs, must_be_refused):
    """In what the runs of several workers, by their names, differ: (what, words) or None."""
    refused = {name: run for name, run in runs.items() if is_refusal(run)}
    own = [name for name in runs if name != PEER]
    for name in own:
        words = refused.get(name, "")
        if words.startswith("FAULT"):
            return f"{name} fails", words
        if must_be_refused and not words:
            return f"{name} takes what is wrong", ""
        # All models that need not be refused are right. Limits of the peer are its own.
        if words and not must_be_refused and PEER not in refused:
            return f"{name} refuses what is right", words
    if 0 < len(refused.keys() & own) < len(own):
        return "only some refuse", next(words for name, words in refused.items() if name in own)
    compared = [name for name in runs if name not in refused]
    for name in compared:
        for value in outputs:
            words = results.misfit(value, runs[name][value.name])
            if words:
                return f"{name} gives a wrong shape", f"output {value.name}: {words}"
    for other in compared[1:]:
        for output, value in runs[compared[0]].items():
            words = results.difference(value, runs[other][output])
            if words:
                return f"{compared[0]} and {other} differ", f"output {output}: {words}"
    return None


def compare(names, outcomes, case):
    """The first difference of a case: (what, words) or None."""
    for name, outcome in zip(names, outcomes):
        if outcome.fate and name != PEER:
            return f"{name} dies", outcome.fate
    for number, runs in enumerate(zip(*(outcome.runs for outcome in outcomes))):
        found = compare_runs(dict(zip(names, runs)), case.outputs, case.must_be_refused)
        if found:
            return found[0], f"run {number}: {found[1]}"
    return None


def shorten(words):
    """Words without names and numbers, so that equal causes count as one."""
    words = re.sub(r'"[^"]*"|\S*/\S*|\S*_\d+|\d+|\[[^\]]*\]', "_", words)
    return " ".join(words.split("\n")[:2])[:300]


def read_options():
    root = HERE.parents[2]
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=root / "build" / "dev")
    parser.add_argument("--onnx-runtime", default=sys.executable, metavar="PYTHON",
                        help="a Python that has onnxruntime and onnx")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--only", type=int, action="append", help="models of these numbers")
    parser.add_argument("--without", default="", help="features to leave out, with commas between")
    parser.add_argument("--keep", type=pathlib.Path, help="a folder for what differs")
    parser.add_argument("--timeout", type=float, default=60, help="seconds for one model")
    return parser.parse_args()


def make_workers(options):
    program = str(options.build / "bin" / "run_open_models")
    workers = [Worker("CpuRefApart", [program, "CpuRefApart", "CpuRef", "apart"], options.timeout),
               Worker("CpuRef", [program, "CpuRef", "CpuRef"], options.timeout),
               Worker("CpuAcc", [program, "CpuAcc", "CpuAcc,CpuRef"], options.timeout)]
    workers = [worker for worker in workers if subprocess.run(
        worker.command, stdin=subprocess.DEVNULL, check=False).returncode == 0]
    has_it = subprocess.run([options.onnx_runtime, "-c", "import onnxruntime, onnx"],
                            capture_output=True, check=False).returncode == 0
    if has_it:
        workers.append(Worker(PEER, [options.onnx_runtime, "-B", str(HERE / "onnx_runtime.py"),
                                     PEER], options.timeout))
    print("held against each other: " + ", ".join(worker.name for worker in workers) + (
        "" if has_it else "; skipped: ONNX Runtime, which this Python does not have"), flush=True)
    return workers


def run_case(case, folder, workers):
    case.write(folder)
    for worker in workers:
        worker.start(folder)
    fates = [worker.wait(folder) for worker in workers]
    outcomes = [Outcome(folder, worker.name, case.model, fate)
                for worker, fate in zip(workers, fates)]
    names = [worker.name for worker in workers]
    return outcomes, compare(names, outcomes, case)


def report(options, number, found, folder):
    """Says what differs, and keeps all that it takes to see it again."""
    command = f"open_models.py --seed {options.seed} --only {number}" + (
        f" --without {options.without}" if options.without else "")
    text = f"model {number}: {found[0]}\n{found[1]}\nagain: {command}\n"
    (folder / "report.txt").write_text(text)
    kept = options.keep / f"{options.seed}_{number}"
    shutil.rmtree(kept, ignore_errors=True)
    shutil.copytree(folder, kept)
    print(f"{text}kept in {kept}\n", flush=True)


def main():
    options = read_options()
    options.keep = options.keep or pathlib.Path(tempfile.gettempdir()) / "backplane-open-models"
    without = [word for word in options.without.split(",") if word]
    workers = make_workers(options)
    features, pairs = collections.Counter(), collections.Counter()
    found_counts, refusals = collections.Counter(), collections.Counter()
    numbers = options.only or range(options.count)
    with tempfile.TemporaryDirectory(prefix="backplane-open-models-") as scratch:
        for number in numbers:
            case = cases.make_case(options.seed, number, without)
            folder = pathlib.Path(scratch) / str(number)
            outcomes, found = run_case(case, folder, workers)
            here = sorted(cases.found_features(case.model, case.rooms))
            features.update(here)
            pairs.update((a, b) for a in here for b in here if a < b)
            for worker, outcome in zip(workers, outcomes):
                refusals.update((worker.name, shorten(run)) for run in outcome.runs
                                if is_refusal(run))
            if found:
                found_counts[found[0], shorten(found[1].split(": ", 1)[-1])] += 1
                report(options, number, found, folder)
            shutil.rmtree(folder)
    for worker in workers:
        worker.end()
    print("features:", dict(features),
          f"{len(pairs)} pairs, each at least {min(pairs.values())} times")
    for (name, words), count in refusals.most_common(30):
        print(f"{count:6} runs refused by {name}: {words}")
    for (what, words), count in found_counts.most_common():
        print(f"{count:6} models: {what}: {words}")
    print(f"{len(numbers)} models, {sum(found_counts.values())} with a difference")
    return 1 if found_counts else 0


if __name__ == "__main__":
    sys.exit(main())
