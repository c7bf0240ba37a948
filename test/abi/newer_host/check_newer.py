#!/usr/bin/env python3
"""A simulated next minor version of the Backend API and this one, with each other's backends in C, C++
and Rust. The host of the next version is built from this source with newer headers. What it must say is
in EXPECTED.

  check_newer.py ROOT FOLDER RUN_NEWER RUSTC CMAKE [OPTION...]   RUSTC "": there is none; OPTIONs are those
                                                                 of the build that this is a test of
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

import newer_headers
from newer_headers import replace

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import record_abi  # noqa: E402

RUNS = "run: 2 -1 7 8 -5 0.5"
UNKNOWN = "status: .*999, a number that is no status"
SINCE = "exists since Backend API {next}, but the backend was built with {now}"
OLD = ("loaded", RUNS, "function: not asked", f"layer: .*Added {SINCE}", f"type: .*data type added {SINCE}",
       f"field: .*field gamma .* {SINCE}")
# The examples refuse layers and types that are not theirs, with words of their own.
NEW = ("loaded", RUNS, "status: .*added", "function: added", "layer: (?!.*exists since)", "type: (?!.*exists since)",
       "field: taken")
TOO_NEW = ("refused: .*BP3104.*needs Backend API {next}, but this host implements {now}",)
# Way of building: whether with the newer headers, the minors that are needed and known, and what a host
# of this version and one of the next version say.
EXPECTED = (
    ("with the headers of this version", False, 0, 0, ("loaded", RUNS), OLD),
    ("with newer headers alone", True, 0, 0, ("loaded", RUNS, UNKNOWN), OLD),
    ("to know the next version", True, 0, 1, ("loaded", RUNS, UNKNOWN), NEW),
    ("to need the next version", True, 1, 1, TOO_NEW, NEW),
)
C_ADDED = """static bp_status added(bp_instance* instance, bp_error* error) {
  (void)instance;
  (void)error;
  return BP_STATUS_ADDED;
}

static const bp_backend kBackend = {
"""
RUST_ADDED = """
unsafe extern "C" fn added(_: *mut bp_instance, _: *mut bp_error) -> bp_status {
    BP_STATUS_ADDED
}
unsafe extern "C" fn run_newer<B: Backend>(
    workload: *const bp_workload, args: *const bp_run_args, error: *mut bp_error,
) -> bp_status {
    let first = unsafe { (*(*(*args).inputs).view).data as *const f32 };
    if unsafe { *first } == 999.0 { BP_STATUS_ADDED } else { unsafe { run::<B>(workload, args, error) } }
}
"""


def run(*command):
    made = subprocess.run([str(word) for word in command], text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    if made.returncode != 0:
        sys.exit(f"{' '.join(str(word) for word in command)}: {made.stdout}")
    return made.stdout


def write(path, text):
    """Leaves a file alone that has the text, so that nothing is built again for it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def make_headers(root, headers):
    """Writes all headers of the next version; returns what the record says against them."""
    source = root / "plugin-api/include"
    newer = newer_headers.make_newer(source / "backplane")
    for path in filter(pathlib.Path.is_file, source.rglob("*")):
        name = str(path.relative_to(source / "backplane"))
        if name != "c/layers.h":
            write(headers / "backplane" / name, newer.get(name) or path.read_text())
    lines = record_abi.read_headers(headers)
    write(headers / record_abi.C_HEADER, "\n".join(record_abi.write_c_header(headers, lines)) + "\n")
    version = record_abi.read_version(headers)
    recorded = record_abi.HERE / "recorded" / record_abi.get_record_name(version)
    found = record_abi.find_problems(headers, recorded, lines, version)
    return [problem for problem in found if not problem.startswith(f"there is no {recorded.name}")]


def build_host(root, folder, headers, cmake, options):
    # The operators that move elements take the new type, too.
    types = "core/runtime/src/graph/type_set.hpp"
    write(folder / "overlay/graph/type_set.hpp",
          replace(types, (root / types).read_text(), "TypeSet{DataType::kInt4,",
                  "TypeSet{DataType::kAdded, DataType::kInt4,"))
    run(cmake, "-S", root, "-B", folder / "host", "-G", "Ninja", *options,
        "-DCMAKE_COMPILE_WARNING_AS_ERROR=OFF",  # the sources do not name what is new in every switch
        f"-DCMAKE_PROJECT_INCLUDE={pathlib.Path(__file__).with_name('newer_project.cmake')}",
        f"-DBACKPLANE_NEWER_HEADERS={headers};{folder}/overlay", "-DBACKPLANE_BUILD_TESTS=OFF",
        "-DBACKPLANE_BUILD_ONNX=OFF", "-DBACKPLANE_BUILD_BENCH=OFF", "-DBACKPLANE_BUILD_EXAMPLES=OFF")
    run(cmake, "--build", folder / "host", "--target", "run_newer", "backplane-probe", "backplane-worker")
    return folder / "host/bin/run_newer"


def build_c(root, folder, headers, is_newer, minors):
    name = "examples/c-backend/c_backend.c"
    text = (root / name).read_text()
    if is_newer:
        text = replace(name, text, "static const bp_backend kBackend = {\n", C_ADDED)
        text = replace(name, text, ".id = \"ExampleC\",", ".id = \"ExampleC\", .added = added,")
        text = replace(name, text, "  if (args->num_waits != 0)\n",
                       "  if (BP_HAS(bp_run_args, args, added) && args->added != 0) return BP_STATUS_ADDED;\n"
                       "  if (*(const float*)args->inputs[0].view->data == 999) return BP_STATUS_ADDED;\n"
                       "  if (args->num_waits != 0)\n")
    (folder / "c_backend.c").write_text(text)
    run("cc", "-std=c11", "-O1", "-shared", "-fPIC", "-fvisibility=hidden", *minors, "-I", headers,
        folder / "c_backend.c", "-o", folder / "Example_C_backend.so")


def build_cpp(root, folder, headers, _, minors):
    run("c++", "-std=c++17", "-O1", "-shared", "-fPIC", "-fvisibility=hidden", *minors, "-I", headers,
        f"-Wl,--version-script={root}/cmake/backend_exports.map",
        root / "examples/minimal-backend/minimal_backend.cpp", "-o", folder / "Example_Cpp_backend.so")


def build_rust(root, folder, headers, is_newer, minors, rustc):
    crate = folder / "crate"
    shutil.copytree(root / "rust/backplane-backend", crate)
    if is_newer:
        needs, knows = (word.split("=")[1] for word in minors)
        for name, *changes in (
                ("table.rs", ("needs_minor: 0,", f"needs_minor: {needs},"),
                 ("knows_minor: 0,", f"knows_minor: {knows},"), ("in_place: Some(in_place::<B>),\n", "in_place: Some(in_place::<B>),\n        added: Some(added),\n"),
                 ("run: Some(run::<B>)", "run: Some(run_newer::<B>)"), ("// ---- Objects\n", RUST_ADDED)),
                ("export.rs", (".long 28", ".long 32"),
                 ('".long 0",\n            ".long {draft}",\n            ".long 0",\n',
                  f'".long {needs}",\n            ".long {{draft}}",\n            ".long {knows}",\n'),
                 ('".long {pointer_bits}",\n            ".long 0",\n',
                  '".long {pointer_bits}",\n            ".long 0",\n            ".long 7",\n'))):
            text = (crate / "src" / name).read_text()
            for before, after in changes:
                text = replace(name, text, before, after)
            (crate / "src" / name).write_text(text)
    run(sys.executable, "-B", root / "rust/generate_bindings.py", headers.parent.parent, crate)
    library = folder / "libbackplane_backend.rlib"
    run(rustc, "--edition", "2021", "--crate-type", "rlib", "--crate-name", "backplane_backend",
        crate / "src/lib.rs", "-o", library)
    run(rustc, "--edition", "2021", "--crate-type", "cdylib", "--crate-name", "example",
        root / "examples/rust-backend/src/lib.rs", "--extern", f"backplane_backend={library}",
        "-o", folder / "Example_Rust_backend.so")


def find_differences(text, expected, versions):
    for pattern in (pattern.format(**versions) for pattern in expected):
        if not re.search(rf"(?m)^{pattern}", text):
            yield f"expected '{pattern}'; found:\n{text}"


def main():
    os.environ["XDG_CACHE_HOME"] = sys.argv[2]  # verdicts on the files here
    root, folder, runner = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
    rustc, cmake, options = sys.argv[4], sys.argv[5], sys.argv[6:]
    newer = folder / "newer/plugin-api/include"
    wrong = make_headers(root, newer)
    hosts = {"this version": runner, "the next version": build_host(root, folder, newer, cmake, options)}
    minor = newer_headers.read_minor(root / "plugin-api/include/backplane")
    versions = {"now": f"1.{minor}", "next": f"1.{minor + 1}"}
    languages = {"C": build_c, "C++": build_cpp}
    if rustc:
        languages["Rust"] = lambda *words: build_rust(*words, rustc)
    else:
        print("left out: backends in Rust; Rust 1.78 or later is not installed")
    count = 0
    for way, is_newer, needs, knows, *expected in EXPECTED:
        for language, build in languages.items():
            place = folder / "backends" / f"{language}-{needs}{knows}{is_newer}"
            shutil.rmtree(place, ignore_errors=True)
            place.mkdir(parents=True)
            minors = [f"-DBP_NEEDS_MINOR={minor + needs}", f"-DBP_KNOWS_MINOR={minor + knows}"]
            build(root, place, newer if is_newer else root / "plugin-api/include", is_newer, minors)
            for (host, program), lines in zip(hosts.items(), expected):
                for how in ("at-once", "isolated", "at-first-use"):
                    said = run(program, place, how)
                    wrong += [f"a backend in {language}, built {way}, in a host of {host}, {how}: {problem}"
                              for problem in find_differences(said, lines, versions)]
                    count += 1
    print(f"{count} runs of a backend in a host")
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
