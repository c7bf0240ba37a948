#!/usr/bin/env python3
"""Measures how far results are from those in float64: of CpuRef, CpuAcc and ONNX Runtime.

What is held against is a copy of each model with floats of 64 bits (widen.py), on CpuRef. Of each
output of floats, the greatest and the root mean square of the differences are taken, as a part of
the greatest element; of several outputs, the worst. MODELS and NAME=FILE are as for compare.py. Of
quantised models a value that is rounded the other way differs by a whole step, whoever computes it.

    build/release/bench/models/accuracy.py MODELS [NAME=FILE...] --library libonnxruntime.so.1
        [--only NAME,...] [--markdown FILE]
"""

import argparse
import pathlib
import sys
import tempfile

import numpy
import onnx

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.path.insert(0, str(HERE.parent))
import compare  # noqa: E402: beside this program
import interleaved  # noqa: E402: in the folder above
import widen  # noqa: E402: beside this program

SIDES = ("CpuRef", "CpuAcc", "ONNX Runtime")


def widen_inputs(inputs):
    """The same numbers in float64."""
    is_float = {name: kind == compare.BFLOAT16 or numpy.issubdtype(array.dtype, numpy.floating)
                for name, (kind, array) in inputs.items()}
    return {name: ("float64", array.astype(numpy.float64)) if is_float[name] else (kind, array)
            for name, (kind, array) in inputs.items()}


def run(program, before, model, behind, inputs, folder):
    """The outputs of one run, or why there are none."""
    words = compare.write_inputs(inputs, folder)
    server = compare.Server([interleaved.find_program(HERE, program), *before, model, *behind,
                             *words])
    outputs = server.get_outputs()
    server.end()
    return outputs


def run_on(backends, model, inputs, folder):
    return run("bench_model_server", [], model, [backends, 1, "", "fixed"], inputs, folder)


def get_errors(outputs, exact):
    """The greatest and the root mean square, of the outputs that are floats."""
    errors = [(0.0, 0.0)]
    for found, expected in zip(outputs, exact, strict=True):
        if expected.dtype != numpy.float64 or expected.size == 0:
            continue
        scale = max(numpy.abs(expected).max(), numpy.finfo(numpy.float64).tiny)
        differences = numpy.abs(found.astype(numpy.float64) - expected) / scale
        errors.append((differences.max(), numpy.sqrt((differences ** 2).mean())))
    return tuple(max(parts) for parts in zip(*errors))


def measure(name, model, options):
    """For each side the errors; nothing for a side that cannot run the model."""
    inputs = compare.read_inputs(model, options.models / name)
    with tempfile.TemporaryDirectory() as folder:
        wide = pathlib.Path(folder, "wide.onnx")
        copy = onnx.load(str(model))
        widen.widen(copy)
        onnx.save(copy, str(wide))
        exact = run_on("CpuRef", wide, widen_inputs(inputs), folder)
        outputs = {
            "CpuRef": run_on("CpuRef", model, inputs, folder),
            "CpuAcc": run_on("CpuAcc,CpuRef", model, inputs, folder),
            "ONNX Runtime": run("bench_onnx_runtime_server", [options.library], model, [1], inputs,
                                folder),
        }
    return {side: get_errors(outputs[side], exact) for side in SIDES}


def make_row(name, errors):
    cells = [f"{part:.0e}" for side in SIDES for part in errors[side]]
    return "| " + " | ".join([name, *cells]) + " |"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", type=pathlib.Path)
    parser.add_argument("more", nargs="*", help="NAME=FILE")
    parser.add_argument("--library", required=True, help="libonnxruntime.so.1")
    parser.add_argument("--only", help="names of models, with commas")
    parser.add_argument("--markdown", type=pathlib.Path, help="where to write the table")
    options = parser.parse_args()
    lines = ["| model | " + " | ".join(f"{side}, greatest | mean" for side in SIDES) + " |",
             "|---" + "|--:" * 2 * len(SIDES) + "|"]
    print("\n".join(lines), flush=True)
    failed = []
    for name, model in compare.find_models(options).items():
        try:
            lines.append(make_row(name, measure(name, model, options)))
            print(lines[-1], flush=True)
        except compare.ServerEnded as error:
            failed.append(f"{name}: {error}")
    if options.markdown:
        options.markdown.write_text("\n".join(lines) + "\n")
    sys.exit("\n".join(failed) or 0)


if __name__ == "__main__":
    main()
