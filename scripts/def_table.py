"""What the scripts share that make a document of a table of C++ macros."""

import re
import sys

LITERAL = r'"(?:[^"\\]|\\.)*"'
# One text, of adjacent string literals.
TEXT = rf"({LITERAL}(?:\s*{LITERAL})*)"


def join_literals(text):
    """The text that adjacent C++ string literals make."""
    return "".join(re.sub(r"\\(.)", r"\1", part[1:-1]) for part in re.findall(LITERAL, text))


def write_or_check(document, lines, script):
    """Writes the document; with --check as argument of the program, only compares."""
    text = "\n".join(lines) + "\n"
    if "--check" not in sys.argv[1:]:
        document.write_text(text)
    elif not document.exists() or document.read_text() != text:
        sys.exit(f"docs/{document.name} is not what the table says; run scripts/{script}")
