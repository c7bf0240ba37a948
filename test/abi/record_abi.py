#!/usr/bin/env python3
"""What of the Backend API the compiler fixes: where fields of structs and tables lie, and the numbers
of enumerators, read from what g++ writes for debuggers.

--record also writes c/layers.h, which says the numbers and descriptors in C.
recorded/ has one file, of the draft that the headers name, and from the first release on one for
each minor version. The check fails when the headers say anything else: then raise
BP_API_DRAFT in note.h and run this with --record.

  record_abi.py ROOT            checks
  record_abi.py ROOT --record   writes the file of a new draft in place of the last one
"""

import difflib
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
C_HEADER = "backplane/c/layers.h"
# What each side has for itself, and what programs have that backends are linked into.
HELPERS = ("EinsumLabels", "EinsumParser", "LayerTypeInfo", "StaticEntryPoints")
# What backend.h has, and what C has no use for.
C_WRITTEN = ("Status", "FenceKind", "MemorySource", "MemoryAccess", "TensorLayout", "OptionType",
             "ProfilingState", "NetworkEventKind", "LayerAliasing", "BaseDescriptor", "NoDescriptor",
             "CustomDescriptor")
C_TYPES = {name: name for name in ("uint32_t", "int32_t", "int64_t", "uint64_t", "uint8_t", "float",
                                   "double", "char")}
C_HEAD = """/* Numbers and descriptors of the Backend API in C. Written by test/abi/record_abi.py --record from
   the headers in ../api, which say more of each: the same numbers, the same bytes.

   A descriptor begins with its size, and may become longer at its end. Ranks are at most 8. */
#ifndef BACKPLANE_C_LAYERS_H
#define BACKPLANE_C_LAYERS_H
#include <stdint.h>

/* True where a struct has the size that the host knows; fails to compile elsewhere. */
#define BP_SIZE(type, size) typedef char type##_has_its_size[sizeof(type) == (size) ? 1 : -1]
""".splitlines()
TYPES = ("structure_type", "class_type", "union_type")
SKIPPED = 77


class Entry:
    """An entry of the debug information."""

    def __init__(self, tag):
        self.tag, self.attributes, self.children = tag, {}, []

    def get(self, name, default=None):
        return self.attributes.get(name, default)

    def has(self, tag):
        return [child for child in self.children if child.tag == tag]


def get_place(line):
    name = re.match(r"\w+ (\w+)", line)[1]
    place = re.search(r"= (-?\w+)$| at (\d+),", line)
    return name, int(next(filter(None, place.groups())), 0) if place else -1, line


def read_headers(headers):
    """The lines of the record, by type and then by offset or number."""
    return sorted(Headers(compile_headers(headers)).lines, key=get_place)


def compile_headers(headers):
    """All headers of the Backend API in one object; the text of its debug information."""
    source = "".join(f"#include <{path.relative_to(headers)}>\n"
                     for path in sorted((headers / "backplane/api").glob("*.hpp")))
    with tempfile.TemporaryDirectory() as folder:
        made = f"{folder}/headers.o"
        # What is written from the record is not read for it.
        written = pathlib.Path(folder) / C_HEADER
        written.parent.mkdir(parents=True)
        written.touch()
        subprocess.run(["g++", "-std=c++17", "-g", "-fno-eliminate-unused-debug-types", "-x", "c++",
                        "-I", folder, "-I", headers, "-c", "-", "-o", made], input=source, text=True, check=True)
        return subprocess.run(["readelf", "--debug-dump=info", made], text=True,
                              check=True, capture_output=True, env={"LC_ALL": "C"}).stdout


def read_entries(text):
    """The outermost entry, and all by their offsets."""
    by_offset, path = {}, []
    for line in text.splitlines():
        begin = re.match(r" <(\d+)><(\w+)>: Abbrev Number: \d+ \(DW_TAG_(\w+)\)", line)
        if begin:
            entry = by_offset[int(begin[2], 16)] = Entry(begin[3])
            del path[int(begin[1]):]
            if path:
                path[-1].children.append(entry)
            path.append(entry)
            continue
        attribute = re.match(r"    <\w+>   DW_AT_(\w+)\s*: (.*?)\s*$", line)
        if attribute and path:
            value = re.sub(r"^\((?:alt )?indirect (?:line )?string.*?\): ", "", attribute[2])
            path[-1].attributes[attribute[1]] = value
    return next(entry for entry in by_offset.values() if entry.tag == "compile_unit"), by_offset


class Headers:
    """The types of namespace backplane, as lines of the record."""

    def __init__(self, text):
        self.unit, self.by_offset = read_entries(text)
        self.lines = []
        for space in self.unit.has("namespace"):
            if space.get("name") == "backplane":
                self.add_types(space)
        for entry in self.unit.children:  # those of C
            if entry.tag in TYPES and entry.get("name", "").startswith("bp_"):
                self.add_struct(entry.get("name"), entry)

    def add_types(self, space):
        for entry in space.children:
            name = entry.get("name", "")
            if not name or "<" in name or "declaration" in entry.attributes:
                continue
            if entry.tag == "namespace":
                if name != "internal":  # which never crosses
                    self.add_types(entry)
            elif entry.tag == "enumeration_type":
                self.add_enumeration(name, entry)
            elif entry.tag in TYPES:
                self.add_struct(name, entry)

    def add_enumeration(self, name, entry):
        for row in entry.has("enumerator"):
            self.lines.append(f"number {name}::{row.get('name')} = {row.get('const_value')}")

    def add_struct(self, name, entry):
        # Only these cross; the classes of C++ are compiled into each side.
        crosses = (name.startswith("bp_") or name.endswith("Descriptor")
                   or name in ("AbiNote", "RecurrentGate"))
        if not crosses:
            return
        fields = sorted(self.get_fields(entry, 0))
        if not fields:
            return
        states_size = fields[0][:2] == (0, "size_bytes") and fields[0][3] == 4
        grows = " grows" if states_size and name != "BaseDescriptor" else ""
        self.lines.append(f"struct {name}: {self.get_size(entry)} bytes{grows}")
        for offset, field, kind, size in fields:
            self.lines.append(f"field {name}::{field} at {offset}, {size} bytes, {kind}")

    def get_fields(self, entry, begin):
        for base in entry.has("inheritance"):
            location = base.get("data_member_location", "0")
            if location.isdigit():
                yield from self.get_fields(self.get_type(base), begin + int(location))
        for field in entry.has("member"):
            if "data_member_location" in field.attributes:
                kind = self.get_type(field)
                yield (begin + int(field.get("data_member_location")), field.get("name", ""),
                       self.get_name(kind), self.get_size(kind))

    def get_signature(self, function):
        parameters = [self.get_name(self.get_type(p)) for p in function.has("formal_parameter")
                      if "artificial" not in p.attributes]
        return (f"{self.get_name(self.get_type(function))} {function.get('name')}"
                f"({', '.join(parameters)})")

    def get_type(self, entry):
        reference = entry.get("type")
        return self.by_offset[int(reference.strip("<>"), 16)] if reference else None

    def get_size(self, kind):
        if kind.tag in ("typedef", "const_type", "volatile_type"):
            return self.get_size(self.get_type(kind))
        if kind.tag == "array_type":
            return self.get_size(self.get_type(kind)) * self.get_count(kind)
        return int(kind.get("byte_size", 8), 0)

    @staticmethod
    def get_count(array):
        count = 1
        for bounds in array.has("subrange_type"):
            count *= int(bounds.get("upper_bound"), 0) + 1
        return count

    def get_name(self, kind):
        if kind is None:
            return "void"
        marks = {"pointer_type": "*", "reference_type": "&", "rvalue_reference_type": "&&",
                 "const_type": " const", "volatile_type": " volatile"}
        if kind.tag in marks:
            return self.get_name(self.get_type(kind)) + marks[kind.tag]
        if kind.tag == "array_type":
            return f"{self.get_name(self.get_type(kind))}[{self.get_count(kind)}]"
        if kind.tag == "subroutine_type":
            return self.get_signature(kind).replace("None", "function")
        return kind.get("name", kind.tag).replace(" >", ">")


def find_duplicates(lines):
    """Numbers that two enumerators have."""
    seen = {}
    for line in lines:
        number = re.match(r"number (\w+)::(\w+) = (.*)", line)
        if number and seen.setdefault((number[1], number[3]), number[2]) != number[2]:
            yield (f"{number[1]}::{number[2]} has number {number[3]}, as "
                   f"{seen[number[1], number[3]]} has; give it one that was never used")


def find_padding(lines):
    """Growing structs that end with padding: an appended field would lie inside the old size."""
    ends = {}
    for line in lines:
        field = re.match(r"field (\w+)::\w+ at (\d+), (\d+) bytes", line)
        if field:
            ends[field[1]] = max(ends.get(field[1], 0), int(field[2]) + int(field[3]))
    for line in lines:
        struct = re.match(r"struct (\w+): (\d+) bytes grows", line)
        if struct and ends[struct[1]] != int(struct[2]):
            yield (f"{struct[1]} has {struct[2]} bytes and its last field ends at "
                   f"{ends[struct[1]]}; growing structs end without padding: add a reserved field")


def find_holes(lines):
    """Structs of C with padding, which options of a compiler could take out."""
    sums, sizes = {}, {}
    for line in lines:
        struct = re.match(r"struct (bp_\w+): (\d+) bytes", line)
        field = re.match(r"field (bp_\w+)::\w+ at \d+, (\d+) bytes", line)
        if struct:
            sizes[struct[1]] = int(struct[2])
        elif field:
            sums[field[1]] = sums.get(field[1], 0) + int(field[2])
    for name, size in sizes.items():
        if sums.get(name) != size:
            yield f"{name} has {size} bytes and its fields {sums.get(name)}; give it reserved words"


def find_broken_promises(released, lines):
    """What a released minor version has and the headers have not; growing structs may have more."""
    for line in released:
        if line in lines:
            continue
        struct = re.match(r"struct (\w+): (\d+) bytes grows", line)
        now = [int(m[1]) for m in (re.match(rf"struct {struct[1]}: (\d+) bytes grows", row)
                                   for row in lines) if m] if struct else []
        if not now or now[0] < int(struct[2]):
            yield f"released, and no longer so: {line}"


def to_snake(name):
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


def read_comments(headers):
    """The comment beside each enumerator and field, by the type and its name."""
    comments = {}
    for path in sorted((headers / "backplane/api").rglob("*.hpp")):
        owner = ""
        for line in path.read_text().splitlines():
            begin = re.match(r"(?:enum class|struct) (?:\[\[\w+\]\] )?(\w+)", line)
            member = re.match(r"\s+.*?(\w+)(?:\[.*\])?(?: = .*?| \{\})?[,;]\s+// (.*)$", line)
            owner = begin[1] if begin else owner
            if member:
                comments[owner, member[1]] = member[2]
    return comments


def write_numbers(lines, comments):
    """The enumerators, under the names that C gives them."""
    owner = None
    for line in lines:
        number = re.match(r"number (\w+)::k(\w+) = (-?\w+)", line)
        if not number or number[1] in C_WRITTEN:
            continue
        if owner != number[1]:
            yield from ([] if owner is None else ["};"])
            owner = number[1]
            yield f"enum {{ /* {owner} */"
        comment = comments.get((owner, "k" + number[2]))
        name = f"BP_{to_snake(owner)}_{to_snake(number[2])}".upper().replace("BP_LAYER_TYPE", "BP_LAYER")
        yield f"  {name} = {number[3]}," + (f" /* {comment} */" if comment else "")
    yield "};"


def write_structs(lines, comments):
    """The descriptors: the same bytes as those of C++."""
    structs = {}
    for line in lines:
        struct = re.match(r"struct (\w+): (\d+) bytes", line)
        field = re.match(r"field (\w+)::(\w+) at (\d+), (\d+) bytes, (.*)", line)
        if struct and (struct[1].endswith("Descriptor") or struct[1] == "RecurrentGate"):
            structs[struct[1]] = (int(struct[2]), [])
        elif field and field[1] in structs:
            structs[field[1]][1].append((field[2], field[5]))
    structs = {name: row for name, row in structs.items() if name not in C_WRITTEN}
    for name, (size, fields) in sorted(structs.items(), key=lambda row: row[0] != "RecurrentGate"):
        made = "bp_" + to_snake(name)
        yield f"typedef struct {made} {{"
        for field, kind in fields:
            base, extents = re.match(r"(\w+(?:\*| const)*)((?:\[\d+\])*)$", kind).groups()
            comment = comments.get((name, field))
            if base not in C_TYPES:
                comment = comment or f"BP_{to_snake(base).upper()}_..."
            base = C_TYPES.get(base, "bp_recurrent_gate" if base == "RecurrentGate" else "uint32_t")
            yield f"  {base} {field}{extents};" + (f" /* {comment} */" if comment else "")
        yield f"}} {made};"
        yield f"BP_SIZE({made}, {size});"


def write_c_header(headers, lines):
    """layers.h: what the tables of the Backend API name, in C."""
    comments = read_comments(headers)
    yield from C_HEAD
    yield from write_numbers(lines, comments)
    yield from write_structs(lines, comments)
    yield "#endif"


def read_version(headers):
    text = (headers / "backplane/c/note.h").read_text()
    return tuple(int(re.search(rf"#define BP_API_{word} (\d+)", text)[1])
                 for word in ("MAJOR", "MINOR", "DRAFT"))


def get_record_name(version):
    major, minor, draft = version
    return f"{major}.{minor}-draft{draft}.txt" if draft else f"{major}.{minor}.txt"


def find_changes(recorded, lines, version):
    if not recorded.exists():
        yield (f"there is no {recorded.name}, for the version in note.h; expected the record "
               f"of its ABI: run {pathlib.Path(__file__).name} ROOT --record")
        return
    changes = [row for row in difflib.unified_diff(recorded.read_text().splitlines(), lines, n=0,
                                                   lineterm="")][2:]
    changes = [row for row in changes if not row.startswith("@@")]
    if changes:
        yield from changes
        yield (f"the ABI is not that of {recorded.name}, - recorded, + found; raise "
               f"BP_API_DRAFT in note.h from {version[2]}, then run "
               f"{pathlib.Path(__file__).name} ROOT --record")


def find_other_header(headers, lines):
    """The header in C says the same as those in C++."""
    if (headers / C_HEADER).read_text().splitlines() != list(write_c_header(headers, lines)):
        yield f"{C_HEADER} is not what the record gives; run {pathlib.Path(__file__).name} ROOT --record"


def check(recorded, lines, version):
    yield from find_duplicates(lines)
    yield from find_padding(lines)
    yield from find_holes(lines)
    yield from find_changes(recorded, lines, version)
    for released in sorted(recorded.parent.glob(f"{version[0]}.*.txt")):
        if "-draft" not in released.name and released != recorded:
            for promise in find_broken_promises(released.read_text().splitlines(), set(lines)):
                yield f"{promise} ({released.name})"


def record(recorded, lines):
    """A draft is recorded once: what was built with it says no more than its number."""
    if recorded.exists() and recorded.read_text().splitlines() != lines:
        return f"{recorded.name} is there and differs; raise BP_API_DRAFT first"
    recorded.parent.mkdir(exist_ok=True)
    for older in recorded.parent.glob("*-draft*.txt"):
        older.unlink()
    recorded.write_text("\n".join(lines) + "\n")
    return None


def main():
    root = pathlib.Path(sys.argv[1])
    headers = root / "plugin-api/include"
    try:
        lines = read_headers(headers)
    except FileNotFoundError as missing:
        print(f"SKIPPED: there is no {missing.filename}")
        return SKIPPED
    version = read_version(headers)
    recorded = HERE / "recorded" / get_record_name(version)
    if "--record" in sys.argv[2:]:
        refusal = record(recorded, lines)
        problems = [refusal] if refusal else []
        if not refusal:
            (headers / C_HEADER).write_text("\n".join(write_c_header(headers, lines)) + "\n")
    else:
        problems = [*check(recorded, lines, version), *find_other_header(headers, lines)]
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
