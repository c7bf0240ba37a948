#!/usr/bin/env python3
"""All of the Backend API that a binary depends on. Where fields of structs and tables lie, numbers of
enumerators and constants are read from what g++ writes for debuggers; a program prints defaults of
descriptors and rows of tables; macros, the words of the note and names in comments are read as text.

--record also writes c/layers.h, which says the numbers and descriptors in C.
recorded/ has one file for each released minor version and for each of the draft that the headers name.
The check fails when the headers say anything else: raise BP_API_MINOR in note.h for what is appended,
BP_API_DRAFT for all else, and run this with --record. An older minor version of the same draft, or a
released one, stays true: structs may grow, and what is new says since when it is there.

  record_abi.py ROOT            checks
  record_abi.py ROOT --record   writes the file of a new draft in place of the last one
"""

import difflib
import os
import pathlib
import re
import struct
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
# Prints what debug information does not have: rows, and the bytes of descriptors.
PROGRAM = r"""
#include <cstdio>
#include <new>
using namespace backplane;
template <typename Type>
void PrintBytes(const char* name) {
  alignas(Type) unsigned char bytes[sizeof(Type)] = {};
  new (bytes) Type;
  std::printf("bytes %s ", name);
  for (const unsigned char byte : bytes) std::printf("%02x", byte);
  std::printf("\n");
}
int main() {
#define BACKPLANE_OPERATOR(name, number, major, minor, least_in, most_in, least_out, most_out, type, aliasing, text) \
  std::printf("row LayerType::k" #name ": since %u.%u, %u to %u inputs, %u to %u outputs, " #type ", " #aliasing "\n", \
              major, minor, least_in, most_in, least_out, most_out); \
  PrintBytes<type>(#type);
#define BACKPLANE_CORE_LAYER(...) BACKPLANE_OPERATOR(__VA_ARGS__)
#include <backplane/api/layers.def>
#define BACKPLANE_DATA_TYPE(name, number, size, text, major, minor) \
  std::printf("row DataType::k" #name ": since %u.%u, %u bytes, %u bits, " text "\n", major, minor, size, \
              GetDataTypeSizeBits(DataType::k##name));
#include <backplane/api/data_types.def>
#define BACKPLANE_FUNCTION(interface, function, major, minor) \
  std::printf("row " #interface "::" #function ": since %u.%u\n", major, minor);
#include <backplane/api/functions.def>
#define BACKPLANE_PERMISSION(name, takes, text) std::printf("row Permission::" #name ": " #takes "\n");
#include <backplane/api/permissions.def>
#define BACKPLANE_ADDED_FIELD(type, field, major, minor) \
  std::printf("row " #type "::" #field ": since %u.%u\n", major, minor);
#define BACKPLANE_ADDED_VALUE(type, field, value, major, minor) \
  std::printf("row " #value ": since %u.%u, " #field " of " #type "\n", major, minor);
#include <backplane/api/additions.def>
}
"""
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
    place = re.search(r"= (-?\d\w*)$| at (\d+),", line)
    return name, int(next(filter(None, place.groups())), 0) if place else -1, line


def read_headers(headers):
    """The lines of the record, by type and then by offset or number."""
    debug_information, printed, macros = compile_headers(headers)
    values = {name: bytes.fromhex(text) for name, text in re.findall(r"bytes (\w+) (\w+)\n", printed)}
    lines = Headers(debug_information, values).lines
    lines += set(re.findall(r"row .*", printed))
    lines += [f"constant {name} = {value}" for name, value
              in re.findall(r"#define (BP_(?!API_)\w+) (\"\w+\"|\(?-?\w+\)?)\n", macros)]
    lines += read_note((headers / "backplane/c/note.h").read_text())
    lines += read_names((headers / "backplane/c/backend.h").read_text())
    return sorted(lines, key=get_place)


def read_names(text):
    """Names that only comments and the entry points state."""
    text = re.sub(r"(?m)^#.*", "", text[text.index("#ifndef"):])
    return {f"name backend.h: {name}" for name in re.findall(r'"[\w/:]{2,}"', text)}


def read_note(text):
    """The words of the ABI note in their order, as a struct."""
    words = re.findall(r"(?:\.long |BP_NOTE_WORD\()(\w+)",
                       re.search(r'"\.pushsection \.note\.backplane\.abi(.*?)\.popsection', text, re.S)[1])
    yield f"struct note: {words[1]} bytes grows"
    for place, word in enumerate(words[3:]):
        yield f"field note::{word} at {4 * place}, 4 bytes, word"


def compile_headers(headers):
    """All headers of the Backend API in one program: its debug information, what it prints, and all
    macros."""
    source = "".join(f"#include <{path.relative_to(headers)}>\n"
                     for path in sorted((headers / "backplane/api").glob("*.hpp"))) + PROGRAM
    with tempfile.TemporaryDirectory() as folder:
        made = f"{folder}/headers"
        # What is written from the record is not read for it.
        written = pathlib.Path(folder) / C_HEADER
        written.parent.mkdir(parents=True)
        written.touch()

        def run(*command):
            return subprocess.run(command, input=source, text=True, check=True, stdout=subprocess.PIPE,
                                  env={**os.environ, "LC_ALL": "C"}).stdout
        compiler = ("g++", "-std=c++17", "-x", "c++", "-I", folder, "-I", headers, "-")
        run(*compiler, "-g", "-fno-eliminate-unused-debug-types", "-fno-eliminate-unused-debug-symbols",
            "-o", made)
        return run("readelf", "--debug-dump=info", made), run(made), run(*compiler, "-E", "-dM")


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
    """The types and constants of namespace backplane, as lines of the record. `values` are the bytes of
    descriptors by their names."""

    def __init__(self, text, values):
        self.unit, self.by_offset = read_entries(text)
        self.values, self.lines = values, []
        for space in self.unit.has("namespace"):
            if space.get("name") == "backplane":
                self.add_types(space)
        for entry in self.unit.children:  # those of C
            if entry.tag in TYPES and entry.get("name", "").startswith("bp_"):
                self.add_struct(entry.get("name"), entry)
            elif entry.tag == "enumeration_type":
                for row in entry.has("enumerator"):
                    owner = re.match("BP_[A-Z]+|", row.get("name"))[0]
                    if owner:
                        self.lines.append(f"number {owner}::{row.get('name')} = {row.get('const_value')}")

    def add_types(self, space):
        for entry in space.children:
            name = entry.get("name", "")
            if entry.tag == "variable":
                self.add_constant(name, entry)
            if not name or "<" in name or "declaration" in entry.attributes:
                continue
            if entry.tag == "namespace":
                if name not in ("internal", "c_form"):  # which never cross
                    self.add_types(entry)
            elif entry.tag == "enumeration_type":
                self.add_enumeration(name, entry)
            elif entry.tag in TYPES:
                self.add_struct(name, entry)

    def add_constant(self, name, entry):
        value = entry.get("const_value", "")
        text = re.match(r"\d+ byte block: (.*) 0 *$", value)
        if text and self.get_name(self.get_type(entry)).startswith("char"):
            value = '"' + bytes(int(byte, 16) for byte in text[1].split()).decode() + '"'
        if value and "block" not in value:  # else a struct
            self.lines.append(f"constant {name} = {value}")

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
        grows = " grows" if states_size and name != "BaseDescriptor" or name == "AbiNote" else ""
        self.lines.append(f"struct {name}: {self.get_size(entry)} bytes{grows}")
        for offset, field, kind, size in fields:
            value = self.values.get(name, b"")[offset:offset + size]
            self.lines.append(f"field {name}::{field} at {offset}, {size} bytes, {kind}"
                              + (f" = {to_number(kind, value)}" if value and offset != 0 else ""))

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


def to_number(kind, value):
    """The numbers in the bytes of a field; one for all where all are equal."""
    format = {"float": "f", "double": "d", "int64_t": "q", "char": "b", "RecurrentGate": "Iff"}
    rows = struct.iter_unpack(format.get(re.match(r"\w+", kind)[0], "I"), value)
    numbers = [f"{number:.9g}" for row in rows for number in row]
    return numbers[0] if len(set(numbers)) == 1 else " ".join(numbers)


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
    """Finds what an older version has and the headers have not; growing structs may have more."""
    for line in released:
        if line in lines:
            continue
        struct = re.match(r"struct (\w+): (\d+) bytes grows", line)
        now = [int(m[1]) for m in (re.match(rf"struct {struct[1]}: (\d+) bytes grows", row)
                                   for row in lines) if m] if struct else []
        if not now or now[0] < int(struct[2]):
            yield f"promised, and no longer so: {line}"


def find_ageless(promised, lines, version, header):
    """Finds what no older version has and does not say since when it is there. `header` is the text of
    backend.h, whose comments say it."""
    since = f"since {version[0]}.{version[1]}"
    had = {line.split(":")[0].split()[1] for line in promised if line.startswith(("struct", "number"))}
    of_fields = set(re.findall(r"field \w+Descriptor::\w+ at \d+, \d+ bytes, (\w+)", "\n".join(lines)))
    aged = set(re.findall(rf"row (\w+)::(\w+): {since}\b", "\n".join(lines)))
    for line in lines - promised:
        kind, owner, name = re.match(r"(\w+) (\w+)(?:::(\w+))?", line).groups()
        if kind == "row" and owner != "Permission":
            is_aged = (owner, name) in aged
        elif kind in ("field", "number", "constant") and owner.lower().startswith("bp_"):
            is_aged = kind != "constant" and owner not in had or says_since(header, name or owner, since)
        elif kind == "field" and owner.endswith("Descriptor") or kind == "number" and owner in of_fields:
            is_aged = owner not in had or (owner, name) in aged
        else:
            continue
        if not is_aged:
            yield f'new, and nothing says "{since}": {line}'


def says_since(header, name, since):
    """Whether the comment in front of a declaration, or the one behind it, says so."""
    words = rf"/\*(?:(?!\*/).)*{since}\b(?:(?!\*/).)*\*/"
    return re.search(rf"\n *{words}[^;]*?\b{name}\b|\b{name}\b[^;\n]*;?[ ,]*{words}", header,
                     re.S | re.I) is not None


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
        field = re.match(r"field (\w+)::(\w+) at (\d+), (\d+) bytes, (.*?)(?: = .*)?$", line)
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


def find_promises(recorded, version):
    """The records of other minor versions that stay true: the released ones and those of this draft."""
    for path in sorted(recorded.parent.glob(f"{version[0]}.*.txt")):
        draft = int(re.search(r"-draft(\d+)|$", path.name)[1] or 0)
        if path != recorded and draft in (0, version[2]):
            yield path


def find_changes(recorded, lines, version):
    tool = f"{pathlib.Path(__file__).name} ROOT --record"
    if not recorded.exists():
        yield (f"there is no {recorded.name}, for the version in note.h; expected the record "
               f"of its ABI: run {tool}")
        return
    before = recorded.read_text().splitlines()
    changes = [row for row in difflib.unified_diff(before, lines, n=0, lineterm="")][2:]
    changes = [row for row in changes if not row.startswith("@@")]
    if changes:
        yield from changes
        grows = not list(find_broken_promises(before, set(lines)))
        yield (f"the ABI is not that of {recorded.name}, - recorded, + found; "
               + (f"all of it is new: raise BP_API_MINOR in note.h from {version[1]}" if grows
                  else f"raise BP_API_DRAFT in note.h from {version[2]}") + f", then run {tool}")


def find_other_header(headers, lines):
    """The header in C says the same as those in C++."""
    if (headers / C_HEADER).read_text().splitlines() != list(write_c_header(headers, lines)):
        yield f"{C_HEADER} is not what the record gives; run {pathlib.Path(__file__).name} ROOT --record"


def check(recorded, lines, version, header):
    yield from find_duplicates(lines)
    yield from find_padding(lines)
    yield from find_holes(lines)
    yield from find_changes(recorded, lines, version)
    promises = {path.name: path.read_text().splitlines() for path in find_promises(recorded, version)}
    for name, promised in promises.items():
        for problem in find_broken_promises(promised, set(lines)):
            yield f"{problem} ({name})"
    if promises:
        yield from find_ageless({line for promised in promises.values() for line in promised}, set(lines),
                                version, header)


def find_problems(headers, recorded, lines, version):
    header = (headers / "backplane/c/backend.h").read_text()
    return [*check(recorded, lines, version, header), *find_other_header(headers, lines)]


def record(recorded, lines, version):
    """A draft is recorded once: what was built with it says no more than its number."""
    if recorded.exists() and recorded.read_text().splitlines() != lines:
        return f"{recorded.name} is there and differs; raise BP_API_MINOR or BP_API_DRAFT first"
    recorded.parent.mkdir(exist_ok=True)
    for older in set(recorded.parent.glob("*-draft*.txt")) - set(find_promises(recorded, version)):
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
        refusal = record(recorded, lines, version)
        problems = [refusal] if refusal else []
        if not refusal:
            (headers / C_HEADER).write_text("\n".join(write_c_header(headers, lines)) + "\n")
    else:
        problems = find_problems(headers, recorded, lines, version)
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
