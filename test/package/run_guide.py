#!/usr/bin/env python3
"""Does what a guide says, step by step: run_guide.py GUIDE BUILD_DIRECTORY CMAKE [CXX_FLAGS]

Every block of the guide that is fenced with ```sh is run, in order and in one shell, which begins in
an empty directory; "```sh fails" must end with a failure, every other with success. An ```output
block behind it is what it prints: "..." stands for any text in a line, and alone for any lines.

Three things are not as a reader does them. The prefix /opt/backplane is a directory of the test. The
build that is installed is that under test, so the commands of NOT_RUN are left out. The compiler
gets CXX_FLAGS, and takes warnings for errors.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

PREFIX = "/opt/backplane"
INSTALL = f"cmake --install backplane/build --prefix {PREFIX}"
NOT_RUN = [
    "backplane/scripts/install-deps.sh",
    "cmake -S backplane -B backplane/build",
    "cmake --build backplane/build --parallel",
]
C_WARNINGS = "-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror"
WARNINGS = f"{C_WARNINGS} -Wold-style-cast"
FENCE = re.compile(r"^```(.*)$")


class Step:
    """A block to run, with what it must print; None: anything."""

    def __init__(self, line, info, text):
        self.line, self.must_fail, self.text = line, info.endswith(" fails"), text
        self.expected = None


def read_blocks(guide):
    """Line number, info string and text of each fenced block."""
    blocks, start = [], None
    lines = guide.read_text().splitlines()
    for number, line in enumerate(lines, 1):
        fence = FENCE.match(line)
        if fence and start is None:
            start = (number, fence[1])
        elif fence:
            blocks.append((start[0], start[1], "\n".join(lines[start[0]:number - 1])))
            start = None
    return blocks


def read_steps(guide):
    steps = []
    for line, info, text in read_blocks(guide):
        if info in ("sh", "sh fails"):
            steps.append(Step(line, info, text))
        elif info == "output":
            if not steps or steps[-1].expected is not None:
                sys.exit(f"{guide}:{line}: an output without a step before it")
            steps[-1].expected = text
    return steps


def substitute(text, build, prefix, cmake):
    """The step as the test runs it."""
    lines = [":" if line in NOT_RUN else line for line in text.splitlines()]
    lines = [f'"{cmake}" --install "{build}" --prefix {PREFIX} >/dev/null' if line == INSTALL
             else line for line in lines]
    return "\n".join(lines).replace(PREFIX, prefix)


def write_script(steps, scratch, substituted):
    """One shell for all steps; each writes its output into a file of its own."""
    script = "set -eu -o pipefail\n"
    for index, step in enumerate(steps):
        script += f'echo {index} >"{scratch}/reached"\n'
        body = f'{substituted[index]}\n'
        if step.must_fail:
            script += (f'set +e\n( set -e\n{body}) >"{scratch}/{index}.out" 2>&1\n'
                       f'[ $? -ne 0 ] || {{ echo "this must fail" >>"{scratch}/{index}.out"; '
                       'exit 1; }\nset -e\n')
        else:
            script += f'{{\n{body}}} >"{scratch}/{index}.out" 2>&1\n'
    path = scratch / "script"
    path.write_text(script)
    return path


def make_pattern(expected):
    """What matches an output as the guide shows it."""
    pattern = ""
    for line in expected.splitlines():
        if line.strip() == "...":
            pattern += r"(?:.*\n)*?"
        else:
            pattern += ".*".join(re.escape(part) for part in line.rstrip().split("...")) + r"[ ]*\n"
    return re.compile(pattern)


def check_outputs(guide, steps, scratch, prefix):
    """Names each step that printed something else."""
    for index, step in enumerate(steps):
        found = (scratch / f"{index}.out").read_text().replace(prefix, PREFIX)
        if step.expected is not None and not make_pattern(step.expected).fullmatch(found):
            yield f"{guide.name}:{step.line}: expected\n{step.expected}\n-- found\n{found}"


def make_environment(scratch, flags):
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith("BACKPLANE_") and name != "LD_LIBRARY_PATH"}
    environment.update(XDG_CACHE_HOME=str(scratch / "cache"), CMAKE_GENERATOR="Ninja",
                       CXXFLAGS=f"{WARNINGS} {flags}".strip(), NO_COLOR="1", COLUMNS="80",
                       CFLAGS=f"{C_WARNINGS} {flags}".strip(), LC_ALL="C.UTF-8",
                       CTEST_OUTPUT_ON_FAILURE="1")
    return environment


def run(guide, build, cmake, flags, scratch):
    steps = read_steps(guide)
    if not steps:
        return [f"{guide} has no steps"]
    prefix = str(scratch / "prefix")
    substituted = [substitute(step.text, build, prefix, cmake) for step in steps]
    work = scratch / "work"
    work.mkdir()
    script = write_script(steps, scratch, substituted)
    result = subprocess.run(["bash", str(script)], cwd=work, stdin=subprocess.DEVNULL,
                            env=make_environment(scratch, flags), check=False)
    if result.returncode != 0:
        index = int((scratch / "reached").read_text())
        output = (scratch / f"{index}.out").read_text()
        return [f"{guide.name}:{steps[index].line}: this step does not work\n"
                f"{substituted[index]}\n-- it printed\n{output}"]
    return list(check_outputs(guide, steps, scratch, prefix))


def main():
    guide, build, cmake = pathlib.Path(sys.argv[1]), os.path.abspath(sys.argv[2]), sys.argv[3]
    flags = sys.argv[4] if len(sys.argv) > 4 else ""
    scratch = pathlib.Path(tempfile.mkdtemp()).resolve()
    try:
        faults = run(guide, build, cmake, flags, scratch)
    finally:
        shutil.rmtree(scratch)
    print("\n\n".join(faults) or f"every step of {guide.name} works as written")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
