#!/usr/bin/env python3
"""Changes that compare_views.py must see, and additions that it must let pass. Arguments: the
libraries."""

import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
COPIED = ("plugin-api/include", "core/host/include", "core/runtime/include",
          "importers/onnx/include", "test/golden/views")
C_HEADER = "plugin-api/include/backplane/c/backend.h"
RUNTIME = "core/runtime/include/backplane/runtime"
# File, what stands there, what takes its place, and what the comparison must say; None: nothing.
BACKEND = (
    (C_HEADER, "total; const char* text; } bp_progress_args;",
     "total; const char* text; uint64_t added; } bp_progress_args;", None),
    (C_HEADER, "} bp_backend;", "  void (*added)(void);\n} bp_backend;", None),
    (C_HEADER, "BP_ACCESS_READ_WRITE = 3 }", "BP_ACCESS_READ_WRITE = 3, BP_ACCESS_ADDED = 4 }",
     None),
    (C_HEADER, "typedef struct bp_pair {", "enum { BP_ADDED = 1 };\ntypedef struct bp_added { int x; "
     "} bp_added;\ntypedef struct bp_pair {", None),
    (C_HEADER, "BP_ACCESS_READ_WRITE = 3 }", "BP_ACCESS_READ_WRITE = 5 }",
     "BP_ACCESS_READ_WRITE' from value '3' to '5'"),
    (C_HEADER, "uint64_t done, total; const", "uint64_t total, done; const",
     "'uint64_t done' offset changed from 64 to 128"),
    (C_HEADER, "  void (*free_context)(bp_context*);", "  void (*added)(void);\n"
     "  void (*free_context)(bp_context*);", "offset changed from 512 to 576"),
    (C_HEADER, "(*save)(const bp_compiled*, const bp_artifact_args*",
     "(*save)(const bp_compiled*, const bp_check_args*", "of 'bp_backend::save' changed"),
    (C_HEADER, "bp_pair { uint32_t input, output; }", "bp_pair { uint32_t output, input; }",
     "'struct bp_pair' changed"),
)
APPLICATIONS = (
    (f"{RUNTIME}/plan_report.hpp", "struct PlanReport {", "struct Added {};\nstruct PlanReport {",
     None),
    (f"{RUNTIME}/plan_report.hpp", "  std::uint64_t num_runs = 0;",
     "  std::uint64_t num_runs = 0;\n  int added = 0;", "'struct backplane::PlanReport' changed"),
    (f"{RUNTIME}/i_runtime.hpp", "  virtual const DeviceSpec& GetDeviceSpec()",
     "  virtual void Added() = 0;\n  virtual const DeviceSpec& GetDeviceSpec()",
     "'class backplane::IRuntime' changed"),
    (f"{RUNTIME}/optimize.hpp", "  kFallBack,", "  kAdded,\n  kFallBack,",
     "'backplane::HintPolicy::kFallBack' from value '0' to '1'"),
    ("test/golden/views/libbackplane-0.1.abi", "name='_ZN9backplane10CutNetwork",
     "name='_ZN9backplane3Old", "Removed function symbol"),
    ("CMakeLists.txt", "VERSION 0.1.", "VERSION 0.2.", "applications-0.2.abi is missing"),
)


def compare(tree, *arguments):
    result = subprocess.run([sys.executable, "-B", tree / "test/golden/compare_views.py", *arguments],
                            text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    return result.returncode, result.stdout


def find_missed(tree, changes, *arguments):
    for name, before, after, expected in changes:
        path = tree / name
        text = path.read_text()
        if text.count(before) != 1:
            yield f"{name} has '{before}' {text.count(before)} times; expected it once"
            continue
        path.write_text(text.replace(before, after))
        code, said = compare(tree, *arguments)
        path.write_text(text)
        if code != (0 if expected is None else 1) or (expected or "") not in said:
            yield f"{after}\nexpected: {expected}\nfound, with exit code {code}: {said}"


def main():
    libraries = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        tree = pathlib.Path(folder)
        for name in COPIED:
            shutil.copytree(ROOT / name, tree / name)
        for name in ("CMakeLists.txt", "test/golden/compare_views.py"):
            shutil.copy(ROOT / name, tree / name)
        code, said = compare(tree, "applications", *libraries)
        if code:
            print(said)
            return code
        missed = [*find_missed(tree, BACKEND, "backend"),
                  *find_missed(tree, APPLICATIONS, "applications", *libraries)]
    print("\n".join(missed))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
