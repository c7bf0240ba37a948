#!/usr/bin/env python3
"""Takes every file of bench/hostile through list-backends, with little memory and time.

    test/fuzz/hostile_files.py [--tools build/dev/bin] [--backend FILE]

Each file must get its verdict, in the words below, from a process that ends by itself. What costs
more than linear time or copies without bound needs many times what is given here.
"""

import argparse
import pathlib
import resource
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench" / "hostile"))
import file_attacks  # noqa: E402: found by the line above

MOST_SECONDS = 10  # of processor time
MOST_BYTES = 1 << 30  # of addresses, most of which are those of the libraries

# What must be said of each; of the files that are only large, that nothing keeps them back.
WORDS = {
    "long export names": "bytes in the name of a symbol, more than any backend needs",
    "names within the limit": "inspected",
    "unique names": "found unique symbols (STB_GNU_UNIQUE): unique_",
    "one hash chain": "symbols in one chain of its hash table, more than any backend needs",
    "many needed versions": "inspected",
    "long needed versions": "bytes in the name of a symbol version, more than any backend needs",
    "many sections": "is a shared object but not a backend",
    "relocations in segments": "inspected",
    "relocations in too many segments": "segments, more than any backend needs",
    "undefined symbols": "needs 50000 symbols that nothing defines",
    "doubling names": "needs 100 symbols that nothing defines",
    "many places": "needs libhostile0.so, libhostile1.so",
    "too many places": "places where its libraries would have to be looked for, more than any",
    "origins": "needs libhostile0.so, libhostile1.so",
    "many sonames": "bytes in the name of a library, more than any backend needs",
    "many needed": "bytes in the name of a library, more than any backend needs",
    "many notes": "inspected",
    "broken notes": "has an ABI note that cannot be read",
    "notes in many segments": "bytes of notes, more than any backend needs",
}


def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS + 1))
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))


def find_fault(attack, tools):
    """What is wrong with how an attack was borne; empty when nothing is."""
    with tempfile.TemporaryDirectory() as folder:
        command = attack.make(1, pathlib.Path(folder))
        done = subprocess.run([tools / command[0], *command[1:]], capture_output=True, check=False,
                              preexec_fn=limit)
    output = done.stdout.decode(errors="replace")
    if done.returncode not in (0, 1, 2):
        return f"ended with {done.returncode}: {done.stderr.decode(errors='replace')[:400]}"
    if WORDS[attack.name] not in " ".join(output.split()):
        return f"expected the words: {WORDS[attack.name]}\n{output[:2000]}"
    return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tools", type=pathlib.Path, default=ROOT / "build/dev/bin")
    parser.add_argument("--backend", type=pathlib.Path, required=True)
    options = parser.parse_args()
    attacks = file_attacks.list_attacks(options.backend)
    faults = {attack.name: find_fault(attack, options.tools) for attack in attacks}
    for name, fault in faults.items():
        if fault:
            print(f"{name}: {fault}")
    print(f"{len(faults)} files, {sum(map(bool, faults.values()))} faults")
    sys.exit(any(faults.values()))


if __name__ == "__main__":
    main()
