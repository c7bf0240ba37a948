#!/usr/bin/env python3
"""Makes models that calculate with extents at random, and holds foreseen stages against imports.

    test/fuzz/open_shapes/open_shapes.py [--build build/dev] [--seed 1] [--count 200] [--only 17]

Each model takes a float[N] and cuts a part out of it, whose begin and end are calculated from N by
the operators that exporters write: sums, quotients, rests, comparisons, choices, reals that are
rounded, lists, ranges and tables; and a list of as many numbers as an extent says, which other
operators make of positions, as masks are made. run_open_shapes runs it with lengths on lines, and the same model
loaded for each length. Exit status: 0 all agree, 1 something differs, 77 without python3-onnx.
"""

import argparse
import importlib.util
import pathlib
import random
import re
import subprocess
import sys
import tempfile

if importlib.util.find_spec("onnx") is None:
    print("SKIPPED: this Python has no onnx (apt-get install python3-onnx)")
    sys.exit(77)
import onnx  # noqa: E402
import onnx.helper  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
INT64, FLOAT = onnx.TensorProto.INT64, onnx.TensorProto.FLOAT


class Maker:
    """Nodes on lists of one number, of which the first is N."""

    def __init__(self, rand):
        self.rand, self.nodes, self.initializers = rand, [], []
        self.numbers = [self.add("Shape", "x")]

    def add(self, operator, *inputs, **attributes):
        name = f"t{len(self.nodes)}"
        self.nodes.append(onnx.helper.make_node(operator, list(inputs), [name], **attributes))
        return name

    def keep(self, values, element_type=INT64, dims=None):
        name = f"c{len(self.initializers)}"
        self.initializers.append(onnx.helper.make_tensor(
            name, element_type, [len(values)] if dims is None else dims, values))
        return name

    def number(self):
        return self.rand.choice(self.numbers + self.numbers[-2:])

    def constant(self, least=1, most=40):
        return self.keep([self.rand.randint(least, most)])

    def other(self):
        return self.number() if self.rand.random() < 0.4 else self.constant()

    def calculate(self):
        return self.add(self.rand.choice(("Add", "Sub", "Mul", "Max", "Min")), self.number(),
                        self.other())

    def divide(self):
        return self.add(self.rand.choice(("Div", "Mod")), self.number(), self.constant(2, 24))

    def choose(self):
        operator = self.rand.choice(("Greater", "Less", "Equal", "GreaterOrEqual"))
        is_so = self.add(operator, self.number(), self.other())
        if self.rand.random() < 0.3:
            is_so = self.add("Not", is_so)
        return self.add("Where", is_so, self.other(), self.number())

    def round(self):
        real = self.add("Cast", self.number(), to=FLOAT)
        real = self.add(self.rand.choice(("Mul", "Div", "Add")), real,
                        self.keep([self.rand.choice((0.1, 0.5, 1.5, 3.0))], FLOAT))
        if self.rand.random() < 0.5:
            real = self.add(self.rand.choice(("Floor", "Ceil", "Sqrt", "Abs")), real)
        return self.add("Cast", real, to=INT64)

    def list(self):
        values = self.add("Concat", self.number(), self.other(), self.number(), axis=0)
        if self.rand.random() < 0.5:
            return self.add("Slice", values, *(self.keep([n]) for n in self.rand.choice(
                ((0, 1, 0), (1, 2, 0), (-1, 99, 0), (2, 1, 0, -1)))))
        if self.rand.random() < 0.5:
            return self.add("Gather", values, self.keep([self.rand.randint(-3, 2)]))
        return self.add(self.rand.choice(("ReduceProd", "ReduceMax", "ReduceMin")), values,
                        axes=[0], keepdims=1)

    def range(self):
        """How many numbers there are, or one of them."""
        zero, one = (self.keep([n], dims=[]) for n in (0, self.rand.choice((1, 1, 1, 3, -1))))
        limit = self.add("Squeeze", self.add("Min", self.number(), self.keep([90])))
        numbers = self.add("Range", zero, limit, one)
        return self.add("Shape", numbers)

    def table(self):
        table = self.keep([self.rand.randint(0, 9) for _ in range(80)])
        end = self.add("Max", self.number(), self.keep([1]))
        part = self.add("Slice", table, self.keep([0]), end)
        return self.add("Shape", part)

    def positions(self):
        """0, 1, 2 and so on."""
        zero, one = (self.keep([n], dims=[]) for n in (0, 1))
        limit = self.add("Squeeze", self.add("Min", self.number(), self.keep([90])))
        return self.add("Range", zero, limit, one)

    def change(self, numbers):
        """Other numbers, made of positions."""
        rand = self.rand
        way = rand.randrange(9)
        if way == 0:
            is_so = self.add(rand.choice(("Greater", "Less", "Equal")), numbers, self.other())
            return self.add("Where", is_so, *rand.sample((numbers, self.other()), 2))
        if way == 1:
            return self.add(rand.choice(("Div", "Mod")), numbers, self.constant(2, 24))
        if way == 2:
            operator = rand.choice(("Add", "Sub", "Mul", "Max", "Min"))
            return self.add(operator, *rand.sample((numbers, self.other()), 2))
        if way == 3:
            real = self.add("Mul", self.add("Cast", numbers, to=FLOAT), self.keep([0.3], FLOAT))
            return self.add("Cast", self.add(rand.choice(("Floor", "Ceil")), real), to=INT64)
        if way == 4:
            return self.add("CumSum", self.add("Abs", numbers), self.keep([0], dims=[]))
        if way == 5:
            return self.add("Concat", *rand.sample((numbers, self.other()), 2), axis=0)
        if way == 6:
            return self.add("Tile", numbers, rand.choice((self.keep([2]), self.keep([1]))))
        if way == 7:
            return self.add("Slice", numbers, self.keep([rand.choice((0, 1, -5))]), self.number())
        table = self.keep([rand.randint(0, 9) for _ in range(90)])
        at = self.add("Min", self.add("Abs", numbers), self.keep([89]))
        return self.add("Gather", table, at)

    def data(self):
        numbers = self.positions()
        for _ in range(self.rand.randint(0, 4)):
            numbers = self.change(numbers)
        return numbers

    def of_data(self):
        """One number that such a list has, or how many it has."""
        way = self.rand.randrange(3)
        if way == 0:
            return self.add("Shape", self.data())
        if way == 1:
            return self.add("Gather", self.positions(), self.keep([self.rand.choice((0, -1))]))
        return self.add(self.rand.choice(("ReduceMax", "ReduceMin")), self.data(), axes=[0],
                        keepdims=1)

    def make(self, steps):
        ways = (self.calculate, self.calculate, self.divide, self.choose, self.round, self.list,
                self.range, self.table, self.of_data)
        for _ in range(steps):
            self.numbers.append(self.rand.choice(ways)())
        numbers = self.add("Cast", self.data(), to=FLOAT)
        first = self.add("Slice", "x", self.keep([0]), self.keep([1]))
        self.nodes.append(onnx.helper.make_node("Mul", [numbers, first], ["w"]))
        begin = self.add("Max", self.number(), self.keep([0]))
        end = self.number()
        axes = self.keep([0])
        step = self.keep([self.rand.choice((1, 1, 1, 1, 2, -1))])
        self.nodes.append(onnx.helper.make_node("Slice", ["x", begin, end, axes, step], ["y"]))
        self.nodes.append(onnx.helper.make_node("Slice", ["x", self.keep([0]), begin], ["z"]))
        graph = onnx.helper.make_graph(
            self.nodes, "random",
            [onnx.helper.make_tensor_value_info("x", FLOAT, ["N"])],
            [onnx.helper.make_tensor_value_info(name, FLOAT, [name + "_count"])
             for name in ("y", "z", "w")], self.initializers)
        return onnx.helper.make_model(graph, ir_version=8,
                                      opset_imports=[onnx.helper.make_opsetid("", 17)])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=HERE.parents[2] / "build" / "dev")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--only", type=int, help="the model of this number")
    options = parser.parse_args()
    numbers = range(options.count) if options.only is None else [options.only]
    num_wrong = num_foreseen = 0
    with tempfile.TemporaryDirectory(prefix="backplane-open-shapes-") as scratch:
        for number in numbers:
            rand = random.Random(f"{options.seed}/{number}")
            path = pathlib.Path(scratch) / "model.onnx"
            path.write_bytes(Maker(rand).make(rand.randint(1, 5)).SerializeToString())
            run = subprocess.run(
                [str(options.build / "bin" / "run_open_shapes"), str(path), "90", str(number),
                 "CpuRef", "100"], capture_output=True, text=True, check=False)
            found = re.search(r"(\d+) foreseen", run.stdout)
            num_foreseen += int(found.group(1)) if found else 0
            if run.returncode != 0:
                num_wrong += 1
                print(f"model {number} of seed {options.seed}:\n{run.stdout}{run.stderr}")
    print(f"{len(numbers)} models, {num_foreseen} stages foreseen, {num_wrong} models differ")
    return 1 if num_wrong or num_foreseen == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
