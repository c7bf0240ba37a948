#!/usr/bin/env python3
"""Loads a model with OpenVINO's CPU plugin, and runs it as compare.py tells it.

It is compare.py's third side, and answers as serve.hpp has it. It needs OpenVINO's Python package.

    openvino_server.py MODEL THREADS fixed|open NAME=TYPE:DIMS:FILE...
"""

import json
import pathlib
import resource
import sys
import threading
import time

import numpy
import openvino


def read_inputs(words):
    inputs = {}
    for word in words:
        name, _, rest = word.partition("=")
        kind, dims, file = rest.split(":", 2)
        shape = [int(extent) for extent in dims.split("x")] if dims else []
        stored = openvino.Type.bf16 if kind == "bfloat16" else openvino.Type(numpy.dtype(kind))
        tensor = openvino.Tensor(stored, openvino.Shape(shape))
        data = numpy.frombuffer(pathlib.Path(file).read_bytes(), numpy.uint8)
        tensor.data.reshape(-1).view(numpy.uint8)[:] = data
        inputs[name] = tensor
    return inputs


def compile_model(path, threads, shapes, inputs):
    """With float32 as the model has it: by itself OpenVINO computes it in bfloat16 on some."""
    core = openvino.Core()
    model = core.read_model(path)
    if shapes == "fixed":
        model.reshape({name: list(tensor.shape) for name, tensor in inputs.items()})
    return core.compile_model(model, "CPU", {
        "INFERENCE_NUM_THREADS": threads, "NUM_STREAMS": 1, "PERFORMANCE_HINT": "LATENCY",
        "INFERENCE_PRECISION_HINT": "f32"})


def get_peak_mb():
    for line in pathlib.Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return float(line.split()[1]) * 1024 / 1e6
    raise RuntimeError("/proc/self/status has no VmHWM")


def get_processor_seconds():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def tell(answer):
    print(json.dumps(answer), flush=True)


class Server:
    """The compiled model, with a request for each client."""

    def __init__(self, compiled, inputs):
        self.compiled = compiled
        self.inputs = inputs
        self.requests = []

    def get_requests(self, count):
        while len(self.requests) < count:
            request = self.compiled.create_infer_request()
            for name, tensor in self.inputs.items():
                request.set_tensor(name, tensor)
            self.requests.append(request)
        return self.requests[:count]

    @staticmethod
    def run(request, count, times):
        for _ in range(count):
            begin = time.perf_counter()
            request.infer()
            times.append((time.perf_counter() - begin) * 1e6)

    def answer_run(self, count, clients):
        times = [[] for _ in range(clients)]
        threads = [threading.Thread(target=self.run, args=(request, count, of_client))
                   for request, of_client in zip(self.get_requests(clients), times)]
        processor_begin = get_processor_seconds()
        begin = time.perf_counter()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        tell({"seconds": time.perf_counter() - begin,
              "processor_seconds": get_processor_seconds() - processor_begin,
              "us": [one for of_client in times for one in of_client]})

    def answer_write(self, folder):
        request = self.get_requests(1)[0]
        request.infer()
        outputs = []
        for index, output in enumerate(self.compiled.outputs):
            array = numpy.ascontiguousarray(request.get_tensor(output).data)
            pathlib.Path(folder, f"{index}.bin").write_bytes(array.tobytes())
            outputs.append({"type": array.dtype.name, "dims": list(array.shape)})
        tell({"outputs": outputs})


def main():
    path, threads, shapes, *words = sys.argv[1:]
    inputs = read_inputs(words)
    begin = time.perf_counter()
    server = Server(compile_model(path, int(threads), shapes, inputs), inputs)
    load_ms = (time.perf_counter() - begin) * 1e3
    server.run(server.get_requests(1)[0], 1, [])
    tell({"load_ms": load_ms, "peak_mb": get_peak_mb()})
    for line in sys.stdin:
        request, _, rest = line.strip().partition(" ")
        if request == "run":
            server.answer_run(*(int(word) for word in rest.split()))
        elif request == "write":
            server.answer_write(rest)
        else:
            raise ValueError(f"neither run nor write: {request}")


if __name__ == "__main__":
    main()
