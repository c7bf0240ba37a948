#!/usr/bin/env python3
"""Makes headers of the next minor version of the Backend API from today's: there are one operator, one
data type, one status, one field and one value of a descriptor, one field of what a run gets, one
function of the backend's table and one word of the note more.

  newer_headers.py ROOT FOLDER   writes those that change below FOLDER
"""

import pathlib
import re
import sys

# Header, what stands there, and what takes its place; MINOR stands for the new version.
CHANGES = (
    ("c/note.h", "    BP_NOTE_WORD(BP_NOTE_SANITIZERS)\n",
     "    BP_NOTE_WORD(BP_NOTE_SANITIZERS)\n    BP_NOTE_WORD(7)\n"),
    ("c/note.h", ".long 28\\n", ".long 32\\n"),
    ("api/abi_note.hpp", "  std::uint32_t sanitizers;", "  std::uint32_t sanitizers, added;"),
    ("api/abi_note.hpp", "sizeof(AbiNote) == 28", "sizeof(AbiNote) == 32"),
    ("api/abi_note.hpp", "BP_NOTE_SANITIZERS};", "BP_NOTE_SANITIZERS, 7};"),
    ("c/backend.h", "} bp_backend;", """
  /* Says ADDED. Null: says nothing. Since 1.MINOR. [any thread] */
  bp_status (*added)(bp_instance*, bp_error*);
} bp_backend;"""),
    ("c/backend.h", "} bp_run_args;", "  uint64_t added; /* 0: as before; since 1.MINOR */\n} bp_run_args;"),
    ("c/backend.h", "  BP_STATUS_BUSY = 7, ",
     "  BP_STATUS_ADDED = 999, /* since 1.MINOR */\n  BP_STATUS_BUSY = 7, "),
    ("api/statuses.def", "BACKPLANE_STATUS(Busy, ",
     "BACKPLANE_STATUS(Added, 999, \"added\")\nBACKPLANE_STATUS(Busy, "),
    ("api/c_table.hpp", "  table.in_place = InPlace;", """  table.in_place = InPlace;
  table.added = [](bp_instance*, bp_error*) { return ToC(Status::kAdded); };
  table.run = [](const bp_workload* workload, const bp_run_args* args, bp_error* error) {
    const bool is_new = *static_cast<const float*>(args->inputs[0].view->data) == 999.0F;
    return is_new ? ToC(Status::kAdded) : Run(workload, args, error);
  };"""),
    ("api/data_types.def", "BACKPLANE_DATA_TYPE(Bool, ",
     "BACKPLANE_DATA_TYPE(Added, 24, 1, \"added\", 1, MINOR)\nBACKPLANE_DATA_TYPE(Bool, "),
    ("api/layers.def", "BACKPLANE_OPERATOR(Activation, ",
     "BACKPLANE_OPERATOR(Added, 999, 1, MINOR, 1, 1, 1, 1, ActivationDescriptor, kNone,\n"
     "    \"Is new.\")\nBACKPLANE_OPERATOR(Activation, "),
    ("api/additions.def", "// There are none yet.\n",
     "BACKPLANE_ADDED_FIELD(ActivationDescriptor, gamma, 1, MINOR)\n"
     "BACKPLANE_ADDED_VALUE(ActivationDescriptor, function, ActivationFunction::kAdded, 1, MINOR)\n"),
    ("api/descriptors/activation.hpp", "(ActivationDescriptor, beta)", "(ActivationDescriptor, gamma)"),
    ("api/descriptors/activation.hpp", "  float beta = 1.0F;", "  float beta = 1.0F;\n  float gamma = 1.0F;"),
    ("api/descriptors/activation.hpp", "  kLinear = 19,", "  kLinear = 19,\n  kAdded = 999,"),
)


def replace(name, text, before, after):
    """A text with a part in place of another one, which it must have once."""
    if text.count(before) != 1:
        sys.exit(f"{name} has '{before}' {text.count(before)} times; expected it once")
    return text.replace(before, after)


def read_minor(headers):
    return int(re.search(r"#define BP_API_MINOR (\d+)", (headers / "c/note.h").read_text())[1])


def make_newer(headers):
    """The texts of the headers that change, by their names; all are those in the folder `headers`."""
    minor = read_minor(headers)
    texts = {"c/note.h": replace("c/note.h", (headers / "c/note.h").read_text(), f"API_MINOR {minor}\n",
                                 f"API_MINOR {minor + 1}\n")}
    for name, before, after in CHANGES:
        text = texts.get(name) or (headers / name).read_text()
        texts[name] = replace(name, text, before, after.replace("1.MINOR", f"1.{minor + 1}")
                              .replace("1, MINOR", f"1, {minor + 1}"))
    return texts


def main():
    headers = pathlib.Path(sys.argv[1]) / "plugin-api/include/backplane"
    for name, text in make_newer(headers).items():
        made = pathlib.Path(sys.argv[2]) / "backplane" / name
        made.parent.mkdir(parents=True, exist_ok=True)
        if not made.exists() or made.read_text() != text:
            made.write_text(text)


if __name__ == "__main__":
    main()
