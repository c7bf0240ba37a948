#!/usr/bin/env python3
"""Builds the example backends in every way that a vendor may build one, and runs each: the bytes of
the results must be the same. A compiler or a library that is not here is told and left out.

  check_builds.py ROOT RUNNER CPUREF_FILE
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile

BACKENDS = {
    "Minimal": ["examples/minimal-backend/minimal_backend.cpp"],
    "Fusing": ["examples/fusing-backend/fusing_backend.cpp", "examples/fusing-backend/compile.cpp",
               "examples/fusing-backend/program.cpp"],
    "OwnMemory": ["examples/own-memory-backend/own_memory_backend.cpp",
                  "examples/own-memory-backend/tensor_handle.cpp"],
}
COMPILERS = ("g++-11", "g++-12", "g++", "clang++-14", "clang++-16", "clang++-19", "clang++")
PLAIN = [f"-std=c++{standard} {level}" for standard in (17, 20)
         for level in ("-O0", "-O2", "-O3", "-O2 -flto")]
SPECIAL = {
    "old strings": "-D_GLIBCXX_USE_CXX11_ABI=0",
    "debug containers": "-D_GLIBCXX_DEBUG",
    "static runtime": "-static-libstdc++ -static-libgcc -s",
    "no RTTI": "-fno-rtti",
    "whole program": "-O2 -flto -fwhole-program-vtables -fvisibility=hidden",
    "libc++": "-stdlib=libc++",
    # With a shared C++ library, what that allocates would be freed by another allocator.
    "private new": "PRIVATE_NEW -static-libstdc++ -static-libgcc",
}
PRIVATE_NEW = """
#include <cstddef>
#include <cstdlib>
#include <new>
void* operator new(std::size_t size) { void* p = std::malloc(size + 64); if (!p) std::abort(); return static_cast<char*>(p) + 64; }
void operator delete(void* p) noexcept { if (p) std::free(static_cast<char*>(p) - 64); }
void operator delete(void* p, std::size_t) noexcept { if (p) std::free(static_cast<char*>(p) - 64); }
"""


def build(root, folder, name, compiler, flags):
    """The text of the compiler when it cannot."""
    sources = [str(root / source) for source in BACKENDS[name]]
    if "PRIVATE_NEW" in flags:
        flags = ["-O2", *(flag for flag in flags if flag != "PRIVATE_NEW")]
        (folder / "new.cpp").write_text(PRIVATE_NEW)
        sources.append(str(folder / "new.cpp"))
    made = subprocess.run(
        [compiler, *(["-std=c++17"] if not any(f.startswith("-std=") for f in flags) else []), *flags,
         "-shared", "-fPIC", "-fvisibility=hidden", f"-I{root}/plugin-api/include",
         f"-Wl,--version-script={root}/cmake/backend_exports.map", *sources,
         "-o", str(folder / f"Example_{name}_backend.so")], capture_output=True, text=True)
    return made.stderr if made.returncode else ""


def run(runner, folder, name, reference):
    made = subprocess.run([runner, str(folder), name, reference], capture_output=True, text=True,
                          timeout=60)
    return made.stdout if made.returncode == 0 else f"failed with {made.returncode}: {made.stderr}"


def can_build(compiler, flags):
    flags = [flag for flag in flags if flag != "PRIVATE_NEW"]
    made = subprocess.run([compiler, *flags, "-shared", "-fPIC", "-x", "c++", "-", "-o", "/dev/null"],
                          input="#include <string>\nstd::string Get() { return \"a\"; }\n", text=True,
                          capture_output=True)
    return made.returncode == 0


def main():
    root, runner, reference = (str(pathlib.Path(word).resolve()) for word in sys.argv[1:4])
    root = pathlib.Path(root)
    compilers = [one for one in COMPILERS if shutil.which(one)]
    print("compilers that are not here:", ", ".join(one for one in COMPILERS if one not in compilers) or "none")
    ways = [(compiler, flags, flags) for compiler in compilers for flags in PLAIN]
    ways += [(compiler, name, flags) for compiler in compilers if compiler in ("g++", "clang++")
             for name, flags in SPECIAL.items()]
    wrong, expected, count = [], {}, 0
    for compiler, way, flags in ways:
        words = flags.split()
        if not can_build(compiler, words):
            print(f"left out: {compiler}, {way}: the compiler does not build with it here")
            continue
        for name in BACKENDS:
            with tempfile.TemporaryDirectory() as place:
                folder = pathlib.Path(place)
                text = build(root, folder, name, compiler, words)
                result = run(runner, folder, name, reference) if not text else f"not built: {text}"
            count += 1
            if expected.setdefault(name, result) != result or "built" in result or "failed" in result:
                wrong.append(f"{name}, {compiler}, {way}: found {result}; expected {expected[name]}")
    print(f"{count} builds of {len(BACKENDS)} backends")
    print("\n".join(wrong))
    return 1 if wrong or not count else 0


if __name__ == "__main__":
    sys.exit(main())
