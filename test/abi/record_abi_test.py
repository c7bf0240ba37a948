#!/usr/bin/env python3
"""Changes of the Backend API's headers that the record must see. Argument: the root."""

import pathlib
import shutil
import sys
import tempfile

import record_abi

# Header, what stands there, what takes its place, and what the check must say.
CHANGES = (
    ("api/descriptors/pooling.hpp", "  float p = 2.0F;",
     "  std::uint32_t added = 0;\n  float p = 2.0F;",
     "+field PoolingDescriptor::added at 80, 4 bytes, uint32_t"),
    ("api/descriptors/activation.hpp", "  float alpha", "  std::uint32_t alpha",
     "-field ActivationDescriptor::alpha at 8, 4 bytes, float"),
    ("api/descriptors/depth_to_space.hpp", "kChannelFirst = 2,", "kChannelFirst = 3,",
     "-number DepthOrder::kChannelFirst = 2"),
    ("api/descriptors/depth_to_space.hpp", "kChannelFirst = 2,", "kChannelFirst = 1,",
     "DepthOrder::kChannelFirst has number 1, as kBlockFirst has"),
    ("api/layers.def", "BACKPLANE_OPERATOR(Softmax, 24,", "BACKPLANE_OPERATOR(Softmax, 124,",
     "-number LayerType::kSoftmax = 24"),
    ("c/backend.h", "  const bp_run_info* run;", "  uint64_t added;\n  const bp_run_info* run;",
     "+field bp_run_args::added"),
    ("c/backend.h", "  const void* (*extension)(bp_instance*, const char* id);\n", "",
     "-field bp_backend::extension"),
    ("c/backend.h", "const char *name, *unit, *text; } bp_counter;",
     "const char *name, *unit, *text; uint8_t added; } bp_counter;",
     "bp_counter has 40 bytes and its fields 33"),
    ("c/layers.h", "BP_ARG_OPERATION_MINIMUM = 1", "BP_ARG_OPERATION_MINIMUM = 7",
     "layers.h is not what the record"),
    ("c/note.h", "API_DRAFT ", "API_DRAFT 99", "there is no 1.0-draft99"),
)


def find_missed(root, recorded):
    for header, before, after, expected in CHANGES:
        with tempfile.TemporaryDirectory() as folder:
            headers = pathlib.Path(folder) / "include"
            shutil.copytree(root / "plugin-api/include", headers)
            path = headers / "backplane" / header
            text = path.read_text()
            if text.count(before) != 1:
                yield f"{header} has '{before}' {text.count(before)} times; expected it once"
                continue
            path.write_text(text.replace(before, after))
            version = record_abi.read_version(headers)
            file = recorded.with_name(record_abi.get_record_name(version))
            lines = record_abi.read_headers(headers)
            said = "\n".join([*record_abi.check(file, lines, version),
                              *record_abi.find_other_header(headers, lines)])
            if expected not in said:
                yield f"{header}: expected '{expected}'; found: {said or 'nothing'}"


def find_wrong_records(recorded, lines):
    """Another ABI is not recorded under the same draft."""
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / recorded.name
        shutil.copy(recorded, copy)
        if record_abi.record(copy, lines[1:]) is None or copy.read_text() != recorded.read_text():
            yield "a changed ABI was recorded under the draft that had another"
        (copy.parent / "1.0-draft1.txt").write_text("")
        if record_abi.record(copy, lines) is not None or len(list(copy.parent.iterdir())) != 1:
            yield "the same ABI was not recorded in place of older drafts"


def find_broken_promises_missed(lines):
    """A released struct may grow; everything else stays."""
    released = ["struct SoftmaxDescriptor: 8 bytes grows",
                "struct SoftmaxDescriptor: 400 bytes grows", "struct TensorShape: 64 bytes",
                "number LayerType::kSoftmax = 25"]
    found = list(record_abi.find_broken_promises(released, set(lines)))
    expected = [f"released, and no longer so: {line}" for line in released[1:]]
    if found != expected:
        yield f"expected {expected}; found {found}"


def main():
    root = pathlib.Path(sys.argv[1])
    headers = root / "plugin-api/include"
    version = record_abi.read_version(headers)
    recorded = record_abi.HERE / "recorded" / record_abi.get_record_name(version)
    lines = recorded.read_text().splitlines()
    try:
        problems = list(find_missed(root, recorded))
    except FileNotFoundError as missing:
        print(f"SKIPPED: there is no {missing.filename}")
        return record_abi.SKIPPED
    problems += find_wrong_records(recorded, lines)
    problems += find_broken_promises_missed(lines)
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
