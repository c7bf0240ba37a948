#!/usr/bin/env python3
"""Checks that run_guide.py finds what is wrong with a guide, and nothing else."""

import pathlib
import subprocess
import sys
import tempfile

RUNNER = pathlib.Path(__file__).resolve().parent / "run_guide.py"

# What it is, the guide, and words of the complaint; none: the guide is right.
CASES = [
    ("keeps the shell", "```sh\nname=a\nmkdir d && cd d\n```\n```sh\necho $name; basename $PWD\n```\n"
     "```output\na\nd\n```\n", None),
    ("ellipses", "```sh\nprintf '1\\n2\\nabc\\n'\n```\n```output\n...\na...c\n```\n", None),
    ("right failure", "```sh fails\ntrue\nfalse\n```\n", None),
    ("leaves other blocks alone", "```sh\ntrue\n```\n```c++\nnonsense\n```\n", None),
    ("wrong output", "```sh\necho found\n```\n```output\nexpected\n```\n", "expected\nexpected"),
    ("more than the output", "```sh\necho a; echo b\n```\n```output\na\n```\n", "-- found\na\nb"),
    ("failing step", "```sh\necho why; false; true\n```\n", "this step does not work"),
    ("step that should fail", "```sh fails\ntrue\n```\n", "this must fail"),
    ("no steps", "```shell\ntrue\n```\n", "has no steps"),
    ("output of nothing", "```output\na\n```\n", "without a step"),
]


def main():
    faults = 0
    for name, text, complaint in CASES:
        with tempfile.TemporaryDirectory() as folder:
            guide = pathlib.Path(folder) / "guide.md"
            guide.write_text(text)
            result = subprocess.run([sys.executable, "-B", str(RUNNER), str(guide), folder, "cmake"],
                                    capture_output=True, text=True, check=False)
        output = result.stdout + result.stderr
        is_right = (result.returncode == 0) == (complaint is None) and (complaint or "") in output
        if not is_right:
            faults += 1
            print(f"{name}: exit status {result.returncode}\n{output}")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
