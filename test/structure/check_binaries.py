#!/usr/bin/env python3
"""Checks what the built libraries export and what they and the commands link."""

import argparse
import re
import subprocess
import sys


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def read_dynamic(path):
    """SONAME and needed libraries of a binary."""
    text = run("readelf", "-d", path)
    soname = re.findall(r"\(SONAME\).*\[(.+)\]", text)
    needed = re.findall(r"\(NEEDED\).*\[(.+)\]", text)
    return (soname[0] if soname else ""), needed


def read_exports(path):
    """Demangled names of the dynamic symbols a binary defines, with their types."""
    lines = run("nm", "-DC", "--defined-only", path).splitlines()
    return [tuple(line.split(" ", 2)[1:]) for line in lines]


def check_library(path, name, minor):
    """One SONAME and one version node for each minor version."""
    soname, node = f"{name}.{minor}", f"BACKPLANE_{minor}"
    found, _ = read_dynamic(path)
    if found != soname:
        yield f"{path} has the SONAME '{found}', expected {soname}"
    exports = [name for _, name in read_exports(path)]
    if node not in exports:
        yield f"{path} has no version node {node}"
    for name in exports:
        if name != node and not re.match(
                r"((guard variable|typeinfo|typeinfo name|vtable|VTT) for )?backplane::", name):
            yield f"{path} exports {name}"
        elif name != node and not name.endswith(f"@@{node}"):
            yield f"{path} exports {name} without the version node {node}"


def check_backend(path):
    """Exactly the entry points, nothing that pins it in memory, no library of the host."""
    names = sorted(name for _, name in read_exports(path))
    if names != ["BackendFactory", "GetBackendId", "GetVersion"]:
        yield f"{path} exports {names}"
    if any(kind == "u" for kind, _ in read_exports(path)):
        yield f"{path} has unique symbols"
    _, needed = read_dynamic(path)
    yield from (f"{path} needs {library}" for library in needed if "backplane" in library)


def main():
    parser = argparse.ArgumentParser()
    for option in ("--minor", "--host", "--core", "--backend", "--list-backends"):
        parser.add_argument(option, required=True)
    parser.add_argument("--onnx")
    options = parser.parse_args()
    breaches = [
        *check_library(options.host, "libbackplane-host.so", options.minor),
        *check_library(options.core, "libbackplane.so", options.minor),
        *check_backend(options.backend),
    ]
    if options.onnx:
        breaches += check_library(options.onnx, "libbackplane-onnx.so", options.minor)
    _, needed = read_dynamic(options.list_backends)
    breaches += [f"list-backends needs {library}" for library in needed
                 if library.startswith("libbackplane.so")]
    for breach in breaches:
        print(breach)
    sys.exit(1 if breaches else 0)


if __name__ == "__main__":
    main()
