#!/usr/bin/env python3
"""Compares what binaries see of the project with what was recorded in views/, by libabigail's abidiff.

  compare_views.py backend [--record]
      The C headers, as the golden plugins were built from them: structs, tables and numbers. Structs
      that state their size may grow at their end. make_golden.py records them.
  compare_views.py applications LIBRARY... [--record]
      What applications see in a minor version: the types of the public headers, without those of the
      standard library, and what the libraries export. Either may be added to, and changes in nothing.
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
VIEWS = ROOT / "test/golden/views"
API = ROOT / "plugin-api/include"
PUBLIC = [ROOT / part / "include" for part in ("core/host", "core/runtime", "importers/onnx")]
WRITE = ["abidw", "--no-corpus-path", "--no-comp-dir-path", "--no-show-locs", "--no-elf-needed",
         "--no-parameter-names", "--type-id-style", "hash"]
COMPARE = ["abidiff", "--leaf-changes-only", "--no-show-locs", "--no-added-syms"]
SKIPPED = 77


def run(*command, **options):
    return subprocess.run(command, check=True, text=True, **options)


def write_source(includes, types):
    """A variable for each type, so that the debug information has all of them."""
    lines = [f"#include <{path}>" for path in includes]
    lines += [f"const {name}* seen_{re.sub(r'::', '_', name)};" for name in types]
    return "\n".join(lines) + "\n"


def make_backend_view(folder):
    names = ["backplane/c/backend.h", "backplane/c/layers.h"]
    text = "".join((API / name).read_text() for name in names)
    structs = re.findall(r"^(?:typedef )?struct (bp_\w+) \{", text, re.MULTILINE)
    # Enumerations have no names; each is that of its first number.
    numbers = re.findall(r"\benum \{\s*(?:/\*.*?\*/\s*)?(BP_\w+)", text)
    source = write_source(names, sorted(set(structs)))
    for name in numbers:
        source += f"struct of_{name} {{ decltype({name}) number; }};\n"
        source += f"const of_{name}* seen_{name};\n"
    made = f"{folder}/view.so"
    run("g++", "-std=c++17", "-g", "-shared", "-fPIC", "-I", API, "-x", "c++", "-", "-o", made,
        input=source)
    return made


def find_types(header):
    """The classes and enumerations of a header with their namespaces; templates are left out."""
    # Namespaces that only declare what is defined elsewhere.
    text = re.sub(r"^namespace \w+ \{\n((class|struct) \w+;\n)+\}\n", "", header.read_text(),
                  flags=re.MULTILINE)
    space, last = "", ""
    for line in text.splitlines():
        begin = re.match(r"namespace ([\w:]+) \{$", line)
        end = re.match(r"\}  // namespace ([\w:]+)$", line)
        kind = re.match(r"(?:class|struct|enum class)(?: [A-Z_]+)? (\w+)\b.*[^;]$", line)
        if begin:
            space += f"{begin[1]}::"
        elif end:
            space = space[:-len(f"{end[1]}::")]
        elif kind and space and not last.startswith("template"):
            yield space + kind[1]
        last = line


def make_applications_view(folder):
    headers = [(top, path) for top in PUBLIC for path in sorted(top.rglob("*.hpp"))]
    source = write_source([path.relative_to(top) for top, path in headers],
                          sorted({name for _, path in headers for name in find_types(path)}))
    includes = [word for top in (API, *PUBLIC) for word in ("-I", top)]
    text = run("g++", "-std=c++17", "-E", *includes, "-x", "c++", "-", input=source,
               stdout=subprocess.PIPE).stdout
    # The compiler describes what the source itself defines: let the public headers be that.
    text = re.sub(rf'^# (\d+) "(<stdin>|{ROOT}/(core|importers)/[^"]*)"', r'# \1 "view.cpp"', text,
                  flags=re.MULTILINE)
    made = f"{folder}/view.so"
    source = pathlib.Path(folder) / "view.cpp"
    source.write_text(text)
    run("g++", "-std=c++17", "-g", "-femit-struct-debug-detailed=ord:base,gen:none",
        "-femit-class-debug-always", "-shared", "-fPIC", "-x", "c++-cpp-output", source, "-o", made)
    return made


def strip_library(library, folder):
    """The library without debug information, which depends on the build."""
    made = f"{folder}/{pathlib.Path(library).name}"
    run("strip", "-o", made, library)
    return made


def record(view, recorded):
    text = run(*WRITE, view, stdout=subprocess.PIPE).stdout
    recorded.parent.mkdir(exist_ok=True)
    # Indentation and the usual visibility say nothing.
    recorded.write_text(re.sub(r"^ +| visibility='default'", "", text, flags=re.MULTILINE))


def is_appended(change):
    """Whether a struct that states its size has become longer at its end, and nothing else."""
    lines = change.splitlines()
    name = re.match(r"'struct (\w+)' changed:$", lines[0])
    size = re.match(r"  type size changed from (\d+) to \d+ \(in bits\)$", "".join(lines[1:2]))
    if not name or not size:
        return False
    text = (API / "backplane/c/backend.h").read_text() + (API / "backplane/c/layers.h").read_text()
    if not re.search(rf"struct {name[1]} \{{[^}}]*?\buint32_t size_bytes\b", text):
        return False
    fields = [re.search(r"', at offset (\d+) \(in bits\)$", line) for line in lines[3:]]
    return bool(re.match(r"  \d+ data member insertions?:$", "".join(lines[2:3]))) and all(
        field and int(field[1]) >= int(size[1]) for field in fields)


def compare(view, recorded, may_grow):
    """Returns the changes that abidiff reports and that are not allowed."""
    if not recorded.exists():
        return [f"{recorded.relative_to(ROOT)} is missing"]
    result = subprocess.run([*COMPARE, recorded, view], text=True, stdout=subprocess.PIPE,
                            check=False)
    if result.returncode & 3:
        return [f"abidiff failed with exit code {result.returncode}"]
    report = re.sub(r"^.* summary: .*\n", "", result.stdout, flags=re.MULTILINE)
    changes = [change for change in re.split(r"\n(?=\S)", report) if change.strip()]
    if result.returncode and not changes:
        return [result.stdout]
    return [change for change in changes if not (may_grow and is_appended(change))]


def get_minor():
    return re.search(r"^project\(Backplane VERSION (\d+\.\d+)",
                     (ROOT / "CMakeLists.txt").read_text(), re.MULTILINE)[1]


def make_views(of, libraries, folder):
    """Each view, and where it is recorded."""
    if of == "backend":
        yield make_backend_view(folder), VIEWS / "backend.abi"
        return
    yield make_applications_view(folder), VIEWS / f"applications-{get_minor()}.abi"
    for library in libraries:
        stripped = strip_library(library, folder)
        yield stripped, VIEWS / f"{pathlib.Path(library).name.split('.so')[0]}-{get_minor()}.abi"


def get_advice(of, arguments):
    if of == "backend":
        return ("Golden plugins see something else than they were built from. Before the freeze: raise "
                "BP_API_DRAFT and run test/golden/make_golden.py. After it: take the change back.")
    return (f"A program that was built against {get_minor()} sees something else. Before its release: run "
            f"test/golden/compare_views.py {' '.join(arguments)} --record. After it: raise the minor "
            "version in CMakeLists.txt, and record that.")


def main():
    is_record = sys.argv[-1] == "--record"
    arguments = sys.argv[1:-1] if is_record else sys.argv[1:]
    of, libraries = arguments[0], arguments[1:]
    if not shutil.which("abidiff"):
        print("skipped: abidiff is not installed; scripts/install-deps.sh --all installs it")
        return SKIPPED
    breaches = []
    with tempfile.TemporaryDirectory() as folder:
        views = list(make_views(of, libraries, folder))
        if is_record:
            for old in VIEWS.glob("backend.abi" if of == "backend" else "*-*.abi"):
                old.unlink()
        for view, recorded in views:
            if is_record:
                record(view, recorded)
            else:
                breaches += compare(view, recorded, of == "backend")
    if breaches:
        print("\n".join([*breaches, get_advice(of, arguments)]))
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main())
