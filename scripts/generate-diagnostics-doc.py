#!/usr/bin/env python3
"""Writes docs/DIAGNOSTICS.md from the table of diagnostics; with --check, only compares."""

import pathlib
import re
import sys

from def_table import TEXT, join_literals, write_or_check

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = ROOT / "core/host/include/backplane/host/diagnostics.def"
DOCUMENT = ROOT / "docs/DIAGNOSTICS.md"

CHAPTERS = {
    1: "Search paths, names and files",
    2: "File format",
    3: "Entry points and ABI",
    4: "Dependencies and opening",
    5: "Identity, registration and creation",
    6: "Networks and placement",
    7: "Loading networks and running",
    8: "Models",
    9: "Commands, options and logging",
}

INTRODUCTION = """\
# Diagnostics

Every diagnostic that Backplane gives, with its cause and what to do. Generated from
`diagnostics.def` by `scripts/generate-diagnostics-doc.py`. Numbers and names are never reused.
Each message itself says what was found and expected. `PATH` stands for the file that a message
is about, `ID` for the id of a backend. In the JSON of the commands, `help` names the section.
"""

TEXTS = r",\s*".join([TEXT] * 4)
ROW = re.compile(rf"^BACKPLANE_DIAGNOSTIC\(\s*(\d+)\s*,\s*\w+,\s*{TEXTS}\s*\)", re.MULTILINE)
READERS = re.compile(r"(Operator|Vendor|Application developer|Whoever builds Backplane): ")


def read_rows():
    """The rows of the table: number, symbolic name, title, cause, cure."""
    table = TABLE.read_text()
    rows = [(int(number), *map(join_literals, texts)) for number, *texts in ROW.findall(table)]
    expected = len(re.findall(r"^BACKPLANE_DIAGNOSTIC\(", table, re.MULTILINE))
    if len(rows) != expected:
        sys.exit(f"{len(rows)} of the {expected} rows of diagnostics.def can be read; each needs a "
                 "number, a name and four texts: symbolic name, title, cause, cure")
    return rows


def find_incomplete(rows):
    for number, name, title, cause, cure in rows:
        for column, text in (("title", title), ("cause", cause), ("cure", cure)):
            if not text.strip():
                yield f"BP{number} ({name}) has no {column} in diagnostics.def"


def make_cure(cure):
    """A paragraph, or a point for each reader who is addressed."""
    parts = READERS.split(cure)
    lines = [parts[0].strip()] if parts[0].strip() else []
    lines += [f"- {reader}: {text[0].upper()}{text[1:].strip()}"
              for reader, text in zip(parts[1::2], parts[2::2])]
    return lines


def make_anchor(number, name):
    return f"bp{number}-{name}"


def make_chapter(title, rows):
    lines = ["", f"## {title}", "", "| id | name | what it means |", "|---|---|---|"]
    for number, name, meaning, _, _ in rows:
        lines.append(f"| [BP{number}](#{make_anchor(number, name)}) | `{name}` | {meaning} |")
    for number, name, meaning, cause, cure in rows:
        lines += ["", f"### BP{number} {name}", "", f"{meaning[0].upper()}{meaning[1:]}.", "",
                  f"**Cause.** {cause}", "", "**What to do.**", "", *make_cure(cure)]
    return lines


def make_document(rows):
    lines = INTRODUCTION.splitlines()
    for chapter, title in CHAPTERS.items():
        lines += make_chapter(title, [row for row in rows if row[0] // 1000 == chapter])
    return lines


def main():
    rows = read_rows()
    incomplete = list(find_incomplete(rows))
    if incomplete:
        sys.exit("\n".join(incomplete))
    write_or_check(DOCUMENT, make_document(rows), "generate-diagnostics-doc.py")


if __name__ == "__main__":
    main()
