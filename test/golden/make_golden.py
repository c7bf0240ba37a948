#!/usr/bin/env python3
"""Makes the golden plugins: examples of backends in C, C++ and Rust, built as a vendor builds them and
kept as binaries. Every later build must list, check and run them, so that a change which breaks a
shipped backend is seen. While the Backend API is a draft, each new draft needs them made anew.

  make_golden.py           makes them, and records the C headers that they were built from
  make_golden.py --check   fails when they have another draft than the headers

It needs g++ 12, clang 14 with libc++-dev and libc++abi-dev, Rust 1.78 or later and abigail-tools:
scripts/install-deps.sh --all installs them. Three are larger than 100 kB:
- Golden_Minimal, 150 kB, contains the C++ interfaces over the table, which the headers compile into
  each backend, with their exceptions.
- Golden_Fusing, 380 kB, contains these and libc++, which is linked in, with the demangler and the
  formatting that its terminate handler names exceptions with.
- Golden_ExampleRust, 320 kB, contains what Rust's standard library needs to say and catch panics:
  formatting, unwinding and backtraces.
"""

import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SCRIPT = "test/golden/make_golden.py"
EXAMPLES = ROOT / "examples"
INCLUDE = ROOT / "plugin-api/include"
# Stripped, without paths of this machine, and with what backplane_add_backend says.
SHARED = ["-shared", "-fPIC", "-Os", "-s", "-fvisibility=hidden", "-ffunction-sections",
          "-fdata-sections", f"-ffile-prefix-map={ROOT}=.", "-I", INCLUDE, "-Wl,--gc-sections",
          f"-Wl,--version-script={ROOT}/cmake/backend_exports.map", "-Wl,-z,noexecstack",
          "-Wl,-z,defs"]
CXX = ["-std=c++17", "-fvisibility-inlines-hidden"]


def run(*command):
    subprocess.run(command, check=True)


def get_file(name):
    return HERE / f"Golden_{name}_backend.so"


def write_manifest(folder, name, header, text):
    path = pathlib.Path(folder) / name
    path.write_text(f"#include <backplane/{header}>\n{text};\n")
    return path


def make_c(folder):
    manifest = write_manifest(folder, "manifest.c", "c/note.h",
                              'BP_MANIFEST("ExampleC", "Golden", "1.0.0", "Apache-2.0", "", 10, "", '
                              '"example/Leaky/1-2")')
    run("gcc", "-std=c11", *SHARED, EXAMPLES / "c-backend/c_backend.c", manifest,
        "-o", get_file("ExampleC"))


def make_cxx(folder, name, rank, compiler, sources):
    manifest = write_manifest(folder, f"{name}.cpp", "api/manifest.hpp",
                              f'BACKPLANE_MANIFEST("{name}", "Golden", "1.0.0", "Apache-2.0", "", '
                              f'{rank})')
    run(*compiler, *CXX, *SHARED, *sorted(sources), manifest, "-o", get_file(name))


def make_rust(folder):
    crate = pathlib.Path(folder) / "crate"
    shutil.copytree(ROOT / "rust/backplane-backend", crate)
    run(sys.executable, "-B", ROOT / "rust/generate_bindings.py", ROOT, crate)
    rustc = ["rustc", "--edition", "2021", "-C", "opt-level=z", "-C", "lto=fat",
             "-C", "codegen-units=1", "-C", "strip=symbols",
             "--remap-path-prefix", f"{ROOT}=.", "--remap-path-prefix", f"{folder}=."]
    library = crate / "libbackplane_backend.rlib"
    run(*rustc, "--crate-type", "rlib", "--crate-name", "backplane_backend", crate / "src/lib.rs",
        "-o", library)
    run(*rustc, "--crate-type", "cdylib", "--crate-name", "example",
        "--extern", f"backplane_backend={library}", EXAMPLES / "rust-backend/src/lib.rs",
        "-o", get_file("ExampleRust"))


def make():
    with tempfile.TemporaryDirectory() as folder:
        make_c(folder)
        make_cxx(folder, "Minimal", 10, ["g++", "-fno-gnu-unique"],
                 EXAMPLES.glob("minimal-backend/minimal_backend.cpp"))
        make_cxx(folder, "Fusing", 20, ["clang++", "-stdlib=libc++", "-static-libstdc++"],
                 set(EXAMPLES.glob("fusing-backend/*.cpp"))
                 - set(EXAMPLES.glob("fusing-backend/*_test.cpp")))
        make_rust(folder)
    run(sys.executable, "-B", HERE / "compare_views.py", "backend", "--record")
    for path in sorted(HERE.glob("*.so")):
        print(f"{path.name}: {path.stat().st_size} bytes")


def read_note(content):
    """The least minor version that a plugin needs, and its draft, from its ABI note."""
    words = content.index(b"Backplane\0\0\0" + struct.pack("<I", 0x4e504b42)) + 16
    _, minor, draft = struct.unpack_from("<3I", content, words)
    return minor, draft


def check():
    """A host takes another draft only where the version of the plugin is older and frozen."""
    text = (INCLUDE / "backplane/c/note.h").read_text()
    minor, draft = (int(re.search(rf"#define BP_API_{word} (\d+)", text)[1])
                    for word in ("MINOR", "DRAFT"))
    for path in sorted(HERE.glob("*.so")):
        found = read_note(path.read_bytes())
        is_frozen = found[0] < minor and found[1] == 0
        if found[1] != draft and not is_frozen:
            yield (f"{path.relative_to(ROOT)} has draft {found[1]} of Backend API 1.{found[0]}, the "
                   f"headers have draft {draft}: run {SCRIPT} and commit what it makes")


def main():
    if sys.argv[1:] == ["--check"]:
        breaches = list(check())
        print("\n".join(breaches))
        return 1 if breaches else 0
    make()
    return 0


if __name__ == "__main__":
    sys.exit(main())
