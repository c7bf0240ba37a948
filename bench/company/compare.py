#!/usr/bin/env python3
"""What judging backends beside each other costs, for 1, 20, 200 and 400 good ones.

Run it from the build tree:

    build/release/bench/company/compare.py [--rounds 41]
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import interleaved  # noqa: E402: beside this folder


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=41)
    options = parser.parse_args()
    program = interleaved.find_program(HERE, "bench_company")
    for count in (1, 20, 200, 400):
        with tempfile.TemporaryDirectory() as scratch:
            backends = pathlib.Path(scratch, "backends")
            nothing = pathlib.Path(scratch, "nothing")
            backends.mkdir()
            nothing.mkdir()
            interleaved.make_backends(HERE.parent / "create_runtime" / "Bench_Trivial_backend.so",
                                      backends, count, "T")
            subprocess.run([program, backends, nothing, str(options.rounds)], check=True)


if __name__ == "__main__":
    main()
