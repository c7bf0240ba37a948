#!/usr/bin/env python3
"""Runs cases as run_open_models does, on ONNX Runtime: onnx_runtime.py NAME."""

import pathlib
import sys

import onnx
import onnx.numpy_helper
import onnxruntime

from results import read_value, write_value


def make_session(model):
    """As the model stands: what optimising changes would be ONNX Runtime's own."""
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4
    return onnxruntime.InferenceSession(model.SerializeToString(), options,
                                        providers=["CPUExecutionProvider"])


def run_case(folder, name):
    model = onnx.load(str(folder / "model.onnx"))
    try:
        session = make_session(model)
    except Exception as refusal:  # it has many kinds of exceptions, and names none
        (folder / f"{name}.txt").write_text(str(refusal))
        return
    for run in sorted(folder.glob("run_*")):
        inputs = {value.name: read_value(run / f"{value.name}.pb", value)
                  for value in model.graph.input}
        try:
            results = session.run(None, inputs)
        except Exception as refusal:
            (run / f"{name}.txt").write_text(str(refusal))
            continue
        (run / name).mkdir()
        for value, result in zip(model.graph.output, results):
            write_value(run / name / f"{value.name}.pb", value, result)


if __name__ == "__main__":
    for line in sys.stdin:
        run_case(pathlib.Path(line.strip()), sys.argv[1])
        print("done", flush=True)
