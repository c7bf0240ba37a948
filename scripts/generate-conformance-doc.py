#!/usr/bin/env python3
"""Writes docs/CONFORMANCE.md from the table of rules; with --check, only compares."""

import pathlib
import re
import sys

from def_table import TEXT, join_literals, write_or_check

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = ROOT / "tools/check-backend/rules.def"
HEADERS = ROOT / "plugin-api/include/backplane/api"
DOCUMENT = ROOT / "docs/CONFORMANCE.md"

CHAPTERS = {
    1: ("File", "What the host reads in the file, before any rule runs its code."),
    2: ("Identity", "What the backend says of itself."),
    3: ("Answers", "One layer at a time: what the backend says of it, and what it computes."),
    4: ("Memory", "Tensors, constants, and the kinds of tensor memory that the backend registers."),
    5: ("Life", "Objects that are made, used and destroyed in every order that is allowed."),
    6: ("Threads", "Several at once."),
    7: ("Cost", "What a backend leaves behind, and what it changes in the process."),
    8: ("Fences", "Work that has not finished. Only for backends with the capability `Fences`."),
    9: ("Sub-graphs", "Whole networks, as a runtime places and runs them."),
}

INTRODUCTION = """\
# Conformance

What `check-backend` holds the file of a backend against: each rule of the contract between
backends and hosts that can be seen from outside. Generated from `rules.def` by
`scripts/generate-conformance-doc.py`. Numbers and names are never reused; there is no BC0428.

A rule that a backend **must** keep decides the verdict. One that it **should** keep is advice, for
those who ship the file. `check-backend FILE --rule BC0301 --seed 7` applies one rule alone, and
prints C++ that repeats what was found. How the command is called:
[backend-developer-guide.md](backend-developer-guide.md).
"""

ROW = re.compile(r"^BACKPLANE_(?:FILE_)?RULE\(\s*(\d+)\s*,\s*(\w+)\s*,\s*(?:k\w+\s*,\s*)?"
                 rf"(kMust|kShould)\s*,\s*{TEXT}\s*,\s*{TEXT}\s*,\s*{TEXT}\s*\)", re.MULTILINE)


def read_rows():
    """The rows of the table: number, name, kind, title, what is done, where it is demanded."""
    table = TABLE.read_text()
    rows = [(int(number), name, kind, *map(join_literals, texts))
            for number, name, kind, *texts in ROW.findall(table)]
    expected = len(re.findall(r"^BACKPLANE_(?:FILE_)?RULE\(", table, re.MULTILINE))
    if len(rows) != expected:
        sys.exit(f"{len(rows)} of the {expected} rows of rules.def can be read; each needs a number, "
                 "a name, a family unless it is of the file, a kind and three texts")
    return rows


def find_faults(rows):
    numbers = [row[0] for row in rows]
    names = [row[1] for row in rows]
    if numbers != sorted(set(numbers)):
        yield "the numbers in rules.def do not grow"
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield f"two rules in rules.def are called {name}"
    known = {f"BC{number:04}" for number in numbers}
    for header in sorted(HEADERS.rglob("*.hpp")):
        for rule in re.findall(r"BC\d{4}", header.read_text()):
            if rule not in known:
                yield f"{header.relative_to(ROOT)} names {rule}, which rules.def does not have"


def make_chapter(title, text, rows):
    lines = ["", f"## {title}", "", text, "", "| rule | | what is demanded |", "|---|---|---|"]
    for number, _, kind, demanded, _, _ in rows:
        lines.append(f"| [BC{number:04}](#bc{number:04}) | {kind[1:].lower()} | {demanded} |")
    for number, _, kind, demanded, done, contract in rows:
        lines += ["", f"### BC{number:04}", "", demanded, "", f"**What is done.** {done}", "",
                  f"**Where it is demanded.** {contract}"]
    return lines


def make_document(rows):
    lines = INTRODUCTION.splitlines()
    for chapter, (title, text) in CHAPTERS.items():
        chosen = [row for row in rows if row[0] // 100 == chapter]
        if chosen:
            lines += make_chapter(title, text, chosen)
    return lines


def main():
    rows = read_rows()
    faults = list(find_faults(rows))
    if faults:
        sys.exit("\n".join(faults))
    write_or_check(DOCUMENT, make_document(rows), "generate-conformance-doc.py")


if __name__ == "__main__":
    main()
