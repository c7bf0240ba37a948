#!/usr/bin/env python3
"""Writes the bindings of the Rust crate to the C headers of the Backend API.

  generate_bindings.py ROOT CRATE

src/sys.rs has every type of backend.h, src/layers.rs numbers and descriptors of layers.h. The programs
layout/layout.c and layout/layout.rs print the size of each struct and the offset of each field; a test
compares them.
"""

import pathlib
import re
import sys

NUMBERS = {"uint32_t": "u32", "int32_t": "i32", "uint64_t": "u64", "int64_t": "i64", "uint8_t": "u8",
           "double": "f64", "float": "f32", "char": "c_char", "void": "c_void"}
KEYWORDS = {"type", "move", "in", "fn", "box", "where"}
WIDE = ("BP_MEMORY_", "BP_TENSOR_")  # bits of uint64_t
SYS_HEAD = """// Written by generate_bindings.py from backplane/c/backend.h, which says what each is.
use std::ffi::{c_char, c_void, CStr};
"""
LAYERS_HEAD = """//! Numbers and descriptors of the layers. Written by generate_bindings.py from backplane/c/layers.h.
//!
//! A number of an enumeration is a `u32`, because a newer host may have numbers that are not here.
//! Ranks are at most 8.
use crate::Descriptor;
use std::ffi::c_char;
"""


def read(path):
    text = re.sub(r"\\\n", "", path.read_text())
    return re.sub(r"(?m)^#(?!define).*$", "", text)


def strip(text):
    return re.sub(r"/\*.*?\*/", "", text, flags=re.S)


def to_rust(base, stars):
    """The type of a declaration: its words, and what stands between the stars."""
    is_const = "const" in base.split()
    name = re.sub(r"\b(const|struct)\b", "", base).strip()
    rust = NUMBERS.get(name, name)
    for star in stars:
        rust = f"*{'const' if is_const else 'mut'} {rust}"
        is_const = "const" in star
    return rust


def read_parameters(text):
    for parameter in text.split(","):
        parameter = parameter.strip()
        if parameter != "void":
            base, stars = re.match(r"((?:const |struct )*\w+)((?: *\*(?: *const)?)*)", parameter).groups()
            yield to_rust(base, re.findall(r"\*(?: *const)?", stars))


def read_fields(body, wraps):
    """Name and type of each field; functions are Option where they may be null."""
    for declaration in filter(None, (part.strip() for part in strip(body).split(";"))):
        declaration = " ".join(declaration.split())
        function = re.match(r"(.+?)\(\*(\w+)\)\((.*)\)$", declaration)
        if function:
            base, stars = re.match(r"((?:const )?\w+)((?: *\*)*)", function[1]).groups()
            result = to_rust(base, re.findall(r"\*", stars))
            result = "" if result == "c_void" else f" -> {result}"
            rust = f"unsafe extern \"C\" fn({', '.join(read_parameters(function[3]))}){result}"
            yield function[2], f"Option<{rust}>" if wraps else rust
            continue
        base, names = re.match(r"((?:const |struct )*\w+)(.*)", declaration).groups()
        for name in names.split(","):
            stars = re.findall(r"\*(?: *const)?", name)
            name = re.sub(r"\*(?: *const\b)?", "", name).strip()
            length = re.search(r"\[(\d+)\]", name)
            rust = to_rust(base, stars)
            name = re.sub(r"\[.*", "", name)
            yield name, f"[{rust}; {length[1]}]" if length else rust


def read_structs(text):
    """Name and fields of each struct that has a body, in order."""
    text = re.sub(r"static inline.*?\n}\n", "", text, flags=re.S)
    for name, body, plain, plain_body in re.findall(
            r"typedef struct (\w+) \{(.*?)\} \w+;|^struct (\w+) \{(.*?)^\};", text, re.S | re.M):
        yield name or plain, list(read_fields(body or plain_body, (name or plain) != "bp_host"))


def escape(name):
    return f"r#{name}" if name in KEYWORDS else name


def write_struct(name, fields):
    lines = ["#[repr(C)]", "#[derive(Clone, Copy)]", f"pub struct {name} {{"]
    return lines + [f"    pub {escape(field)}: {rust}," for field, rust in fields] + ["}"]


def write_sys(backend, note, structs):
    lines = SYS_HEAD.splitlines() + ["pub type bp_status = i32;"]
    known = {name for name, _ in structs}
    for name in re.findall(r"typedef struct (\w+) \w+;", backend):
        if name not in known:
            lines += ["#[repr(C)]", f"pub struct {name} {{", "    _opaque: [u8; 0],", "}"]
    for body in re.findall(r"enum \{(.*?)\};", strip(backend), re.S):
        for name, number in re.findall(r"(\w+) = (\d+)", body):
            rust = "i32" if name.startswith("BP_STATUS_") else "u64" if name.startswith(WIDE) else "u32"
            lines.append(f"pub const {name}: {rust} = {number};")
    for name, text in re.findall(r'#define (BP_CAPABILITY_\w+) ("\w+")', backend):
        lines.append(f"pub const {name}: &CStr = c{text};")
    for name in ("BP_API_MAJOR", "BP_API_MINOR", "BP_API_DRAFT"):
        number = re.search(rf"#define {name} (\d+)", note)[1]
        lines.append(f"pub const {name}: u32 = {number};")
    for name, fields in structs:
        lines += write_struct(name, fields)
    return lines


def words(name):
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def pascal(name):
    return "".join(part.capitalize() for part in name.split("_"))


def make_doc(comment, name, references):
    """The comment of the header, with the names that it has here."""
    def refer(match):
        module = references.get(match[0].rstrip(".").rstrip("_") + "_")
        return f"[`{module}`]" if module else match[0]
    text = re.sub(r"BP_[A-Z0-9_]+_\.\.\.", refer, comment.strip()) if comment.strip() else f"`{name}`."
    # Brackets of shapes are no links.
    return re.sub(r"\[(?!`)", r"\\[", text)


def write_enumerations(layers, documentation):
    lines, references = [], {}
    enumerations = re.findall(r"enum \{ /\* (\w+) \*/(.*?)\};", layers, re.S)
    for name, body in enumerations:
        rows = re.findall(r"(BP_\w+) = (\d+),(?: /\* (.*?) \*/)?", body)
        prefix = "BP_LAYER_" if name == "LayerType" else f"BP_{words(name).upper()}_"
        references[prefix] = words(name)
        lines += [f"/// The numbers of `{name}`.", f"pub mod {words(name)} {{"]
        for row, number, comment in rows:
            assert row.startswith(prefix), (row, prefix)
            if name == "LayerType":
                comment = documentation.get(int(number), "")
            short = row[len(prefix):]
            lines += [f"    /// {make_doc(comment, short, {})}", f"    pub const {short}: u32 = {number};"]
        lines.append("}")
    return lines, references


def read_table(table):
    """Number, descriptor and documentation of each row of layers.def."""
    for number, descriptor, texts in re.findall(
            r"^BACKPLANE_\w+\(\w+, (\d+), [^\"]*?(\w+Descriptor), \w+,((?:\s*\"[^\"]*\")+)\)", table, re.M):
        yield int(number), descriptor, "".join(re.findall(r'"([^"]*)"', texts))


def write_data_types(table):
    """Names and sizes."""
    yield "/// Number, name and bytes of an element of each data type."
    yield "pub const DATA_TYPES: &[(u32, &str, u64)] = &["
    for number, size, text in re.findall(r"^BACKPLANE_DATA_TYPE\(\w+, (\d+), (\d+), (\"\w+\")", table, re.M):
        yield f"    ({number}, {text}, {size}),"
    yield "];"


def write_layers(layers, table, data_types):
    rows = list(read_table(table))
    lines, references = write_enumerations(layers, {row[0]: row[2] for row in rows})
    made = LAYERS_HEAD.splitlines() + lines + list(write_data_types(data_types))
    for name, body in re.findall(r"typedef struct bp_(\w+) \{(.*?)\} \w+;", layers, re.S):
        rust = pascal(name)
        numbers = [number for number, descriptor, _ in rows if descriptor.lower() == rust.lower()]
        of_layers = "; ".join(text.rstrip(".") for number, _, text in rows if number in numbers)
        made += [f"/// {make_doc(of_layers, rust, {})}.", "#[repr(C)]", "#[derive(Clone, Copy, Debug)]",
                 f"pub struct {rust} {{"]
        comments = dict(re.findall(r"(\w+)(?:\[\d+\])?; /\* (.*?) \*/", body))
        for field, kind in read_fields(body, True):
            if field == "size_bytes":
                made.append("    pub(crate) size_bytes: u32,")
                continue
            kind = re.sub(r"bp_(\w+)", lambda match: pascal(match[1]), kind)
            made += [f"    /// {make_doc(comments.get(field, ''), field, references)}",
                     f"    pub {escape(field)}: {kind},"]
        made.append("}")
        if name.endswith("_descriptor"):
            made += [f"unsafe impl Descriptor for {rust} {{",
                     f"    const LAYERS: &'static [u32] = &{numbers};", "}"]
    return made


def write_layouts(structs, layers):
    """A program in each language that prints sizes and offsets."""
    c = ["#include <backplane/c/backend.h>", "#include <stdio.h>", "int main(void) {"]
    rust = ["use backplane_backend::{layers, sys};", "use std::mem::{offset_of, size_of};", "fn main() {"]
    entries = [(name, f"sys::{name}", fields) for name, fields in structs]
    for name, body in re.findall(r"typedef struct (bp_\w+) \{(.*?)\} \w+;", layers, re.S):
        fields = [field for field in read_fields(body, True) if field[0] != "size_bytes"]
        entries.append((name, f"layers::{pascal(name[3:])}", fields))
    for name, path, fields in entries:
        c.append(f'  printf("{name} %zu\\n", sizeof({name}));')
        rust.append(f'    println!("{name} {{}}", size_of::<{path}>());')
        for field, _ in fields:
            c.append(f'  printf("{name}.{field} %zu\\n", offsetof({name}, {field}));')
            rust.append(f'    println!("{name}.{field} {{}}", offset_of!({path}, {escape(field)}));')
    return c + ["  return 0;", "}"], rust + ["}"]


def main():
    root, crate = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    headers = root / "plugin-api/include/backplane"
    backend, layers = read(headers / "c/backend.h"), read(headers / "c/layers.h")
    structs = list(read_structs(backend))
    layout_c, layout_rust = write_layouts(structs, layers)
    files = {"src/sys.rs": write_sys(backend, read(headers / "c/note.h"), structs),
             "src/layers.rs": write_layers(layers, (headers / "api/layers.def").read_text(),
                                           (headers / "api/data_types.def").read_text()),
             "layout/layout.c": layout_c, "layout/layout.rs": layout_rust}
    for name, lines in files.items():
        (crate / name).parent.mkdir(parents=True, exist_ok=True)
        (crate / name).write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
