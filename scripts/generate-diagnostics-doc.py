#!/usr/bin/env python3
"""Writes docs/DIAGNOSTICS.md from the table of diagnostics; with --check, only compares."""

import pathlib
import re
import sys

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


def read_rows():
    """The rows of the table: number, symbolic name, title."""
    pattern = r'^BACKPLANE_DIAGNOSTIC\(\s*(\d+)\s*,\s*\w+,\s*"([^"]+)",\s*"([^"]+)",'
    return re.findall(pattern, TABLE.read_text(), re.MULTILINE)


def make_document():
    lines = [
        "# Diagnostics",
        "",
        "Every diagnostic that Backplane gives, generated from `diagnostics.def` by",
        "`scripts/generate-diagnostics-doc.py`. Numbers and names are never reused. Each message says",
        "what is wrong, what was found and expected, and what to do.",
    ]
    chapter = None
    for number, name, title in read_rows():
        if int(number) // 1000 != chapter:
            chapter = int(number) // 1000
            lines += ["", f"## {CHAPTERS[chapter]}", "", "| id | name | what it means |",
                      "|---|---|---|"]
        lines.append(f"| BP{number} | `{name}` | {title} |")
    return "\n".join(lines) + "\n"


def main():
    document = make_document()
    if "--check" in sys.argv[1:]:
        if not DOCUMENT.exists() or DOCUMENT.read_text() != document:
            sys.exit("docs/DIAGNOSTICS.md is not what the table says; "
                     "run scripts/generate-diagnostics-doc.py")
        return
    DOCUMENT.write_text(document)


if __name__ == "__main__":
    main()
