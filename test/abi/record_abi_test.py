#!/usr/bin/env python3
"""Changes of the Backend API's headers that the record must see. Argument: the root."""

import concurrent.futures
import os
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
    ("api/descriptors/pooling.hpp", "float p = 2.0F", "float p = 3.0F",
     "+field PoolingDescriptor::p at 80, 4 bytes, float = 3"),
    ("api/descriptors/recurrent.hpp", "kMaxDirections = 2", "kMaxDirections = 3",
     "-constant kMaxDirections = 2"),
    ("api/descriptors/depth_to_space.hpp", "kChannelFirst = 2,", "kChannelFirst = 3,",
     "-number DepthOrder::kChannelFirst = 2"),
    ("api/descriptors/depth_to_space.hpp", "kChannelFirst = 2,", "kChannelFirst = 1,",
     "DepthOrder::kChannelFirst has number 1, as kBlockFirst has"),
    ("api/layers.def", "BACKPLANE_OPERATOR(Softmax, 24,", "BACKPLANE_OPERATOR(Softmax, 124,",
     "-number LayerType::kSoftmax = 24"),
    ("api/layers.def", "Softmax, 24, 1, 0, 1, 1, 1, 1,", "Softmax, 24, 1, 0, 1, 2, 1, 1,",
     "+row LayerType::kSoftmax: since 1.0, 1 to 2 inputs"),
    ("api/layers.def", "Softmax, 24, 1, 0, 1, 1, 1, 1,", "Softmax, 24, 1, 1, 1, 1, 1, 1,",
     "+row LayerType::kSoftmax: since 1.1"),
    ("api/layers.def", "Softmax, 24, 1, 0, 1, 1, 1, 1, SoftmaxDescriptor, kInPlace",
     "Softmax, 24, 1, 0, 1, 1, 1, 1, SoftmaxDescriptor, kNone", "1 to 1 outputs, SoftmaxDescriptor, kNone"),
    ("api/layers.def", "Softmax, 24, 1, 0, 1, 1, 1, 1, SoftmaxDescriptor",
     "Softmax, 24, 1, 0, 1, 1, 1, 1, HardmaxDescriptor", "1 to 1 outputs, HardmaxDescriptor, kInPlace"),
    ("api/functions.def", "(IWorkload, Execute, 1, 0)", "(IWorkload, Execute, 1, 1)",
     "-row IWorkload::Execute: since 1.0"),
    ("api/data_types.def", "(Int16, 7, 2,", "(Int16, 7, 4,",
     "-row DataType::kInt16: since 1.0, 2 bytes, 16 bits, int16"),
    ("api/narrow_types.hpp", "    case DataType::kFloat4E2M1FN:\n      return 4;",
     "      return 4;\n    case DataType::kFloat4E2M1FN:\n      return 6;",
     "+row DataType::kFloat4E2M1FN: since 1.0, 1 bytes, 6 bits"),
    ("api/backend_options.hpp", '"ComputeRate"', '"Rate"', '-constant kCapabilityComputeRate = "ComputeRate"'),
    ("api/tensor_handle_factory_registry.hpp", "Backplane/Host/Memory", "Backplane/Core/Memory",
     '-constant kHostTensorHandleFactoryId = "Backplane/Host/Memory"'),
    ("api/permissions.def", "(read, TakesPathOrOrigin,", "(read, TakesPath,",
     "-row Permission::read: TakesPathOrOrigin"),
    ("c/backend.h", "  const bp_run_info* run;", "  uint64_t added;\n  const bp_run_info* run;",
     "+field bp_run_args::added"),
    ("c/backend.h", "  const void* (*extension)(bp_instance*, const char* id);\n", "",
     "-field bp_backend::extension"),
    ("c/backend.h",
     "  uint32_t (*log_level)(const bp_log*);\n  void (*log)(const bp_log*, uint32_t level, const char* line);",
     "  void (*log)(const bp_log*, uint32_t level, const char* line);\n  uint32_t (*log_level)(const bp_log*);",
     "+field bp_host::log_level at 32"),
    ("c/backend.h", "(*progress)(bp_offer*, const bp_progress_args*)", "(*progress)(bp_offer*, bp_progress_args*)",
     "+field bp_host::progress at 176, 8 bytes, void function(bp_offer*, bp_progress_args*)*"),
    ("c/backend.h", "const char *name, *unit, *text; } bp_counter;",
     "const char *name, *unit, *text; uint8_t added; } bp_counter;",
     "bp_counter has 40 bytes and its fields 33"),
    ("c/backend.h", "BP_STATUS_BUSY = 7", "BP_STATUS_BUSY = 17", "-number BP_STATUS::BP_STATUS_BUSY = 7"),
    ("c/backend.h", "BP_ANY_NUMBER UINT32_MAX", "BP_ANY_NUMBER 0", "-constant BP_ANY_NUMBER = UINT32_MAX"),
    ("c/backend.h", '"SizedInRun"', '"SizedLate"', '-constant BP_CAPABILITY_SIZED_IN_RUN = "SizedInRun"'),
    ("c/backend.h", '"cache_folder"', '"cache"', '-name backend.h: "cache_folder"'),
    ("c/layers.h", "BP_ARG_OPERATION_MINIMUM = 1", "BP_ARG_OPERATION_MINIMUM = 7",
     "layers.h is not what the record"),
    ("c/note.h", "    BP_NOTE_WORD(BP_API_MAJOR)\n    BP_NOTE_WORD(BP_NEEDS_MINOR)",
     "    BP_NOTE_WORD(BP_NEEDS_MINOR)\n    BP_NOTE_WORD(BP_API_MAJOR)", "+field note::BP_API_MAJOR at 8"),
    ("c/note.h", "API_DRAFT ", "API_DRAFT 99", "there is no 1.0-draft99"),
)

# The same of the next minor version, where the record of this one is a promise.
NEXT_CHANGES = (
    ("c/backend.h", "  uint64_t binding; ", "  uint64_t changed; ",
     "promised, and no longer so: field bp_run_args::binding"),
    ("c/backend.h", "} bp_run_args;",
     "  uint64_t first; /* since 1.1 */\n  uint64_t added; /* 0: none */\n} bp_run_args;",
     'new, and nothing says "since 1.1": field bp_run_args::added'),
    ("c/backend.h", "BP_OPERATOR_IMPURE = 1 }", "BP_OPERATOR_IMPURE = 1, BP_OPERATOR_ADDED = 2 }",
     'new, and nothing says "since 1.1": number BP_OPERATOR::BP_OPERATOR_ADDED = 2'),
    ("c/backend.h", "#define BP_NO_TIMEOUT", '#define BP_CAPABILITY_ADDED "Added"\n#define BP_NO_TIMEOUT',
     'new, and nothing says "since 1.1": constant BP_CAPABILITY_ADDED'),
    ("api/descriptors/depth_to_space.hpp", "kChannelFirst = 2,", "kChannelFirst = 2,\n  kAdded = 3,",
     'new, and nothing says "since 1.1": number DepthOrder::kAdded = 3'),
    ("api/descriptors/hardmax.hpp", "};\nBACKPLANE_CHECK_DESCRIPTOR(HardmaxDescriptor, axis)",
     "  float added = 1.0F;\n};\nBACKPLANE_CHECK_DESCRIPTOR(HardmaxDescriptor, added)",
     'new, and nothing says "since 1.1": field HardmaxDescriptor::added'),
    ("api/data_types.def", "BACKPLANE_DATA_TYPE(Bool,",
     'BACKPLANE_DATA_TYPE(Added, 99, 1, "added", 1, 0)\nBACKPLANE_DATA_TYPE(Bool,',
     'new, and nothing says "since 1.1": row DataType::kAdded: since 1.0'),
)


def change(headers, header, before, after):
    """Makes a change; returns what is wrong with it, or nothing."""
    path = headers / "backplane" / header
    text = path.read_text()
    if text.count(before) != 1:
        return f"{header} has '{before}' {text.count(before)} times; expected it once"
    path.write_text(text.replace(before, after))
    return ""


def find_missed(root, recorded, row, is_next):
    """Finds what the check does not say of a change, to this version or to the next minor one."""
    header, before, after, expected = row
    with tempfile.TemporaryDirectory() as folder:
        headers = pathlib.Path(folder) / "include"
        shutil.copytree(root / "plugin-api/include", headers)
        wrong = change(headers, header, before, after)
        if is_next:
            minor = record_abi.read_version(headers)[1]
            wrong = wrong or change(headers, "c/note.h", f"API_MINOR {minor}\n", f"API_MINOR {minor + 1}\n")
        if wrong:
            return [wrong]
        version = record_abi.read_version(headers)
        file = recorded.with_name(record_abi.get_record_name(version))
        said = "\n".join(record_abi.find_problems(headers, file, record_abi.read_headers(headers), version))
        return [] if expected in said else [f"{header}: expected '{expected}'; found: {said or 'nothing'}"]


def find_wrong_records(recorded, lines, version):
    """Another ABI is not recorded under the same draft, and those of the same draft stay."""
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / recorded.name
        shutil.copy(recorded, copy)
        if record_abi.record(copy, lines[1:], version) is None or copy.read_text() != recorded.read_text():
            yield "a changed ABI was recorded under the draft that had another"
        major, minor, draft = version
        for stays in ((major, minor + 1, draft), (major, minor + 2, 0)):
            copy.with_name(record_abi.get_record_name(stays)).write_text("")
        copy.with_name(record_abi.get_record_name((major, minor, draft + 1))).write_text("")
        if record_abi.record(copy, lines, version) is not None or len(list(copy.parent.iterdir())) != 3:
            yield "the same ABI was not recorded in place of other drafts"


def find_broken_promises_missed(lines):
    """A released struct may grow; everything else stays."""
    released = ["struct SoftmaxDescriptor: 8 bytes grows",
                "struct SoftmaxDescriptor: 400 bytes grows", "struct TensorShape: 64 bytes",
                "number LayerType::kSoftmax = 25"]
    found = list(record_abi.find_broken_promises(released, set(lines)))
    expected = [f"promised, and no longer so: {line}" for line in released[1:]]
    if found != expected:
        yield f"expected {expected}; found {found}"


def main():
    root = pathlib.Path(sys.argv[1])
    headers = root / "plugin-api/include"
    version = record_abi.read_version(headers)
    recorded = record_abi.HERE / "recorded" / record_abi.get_record_name(version)
    lines = recorded.read_text().splitlines()
    rows = [*((row, False) for row in CHANGES), *((row, True) for row in NEXT_CHANGES)]
    try:
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            found = pool.map(lambda row: find_missed(root, recorded, *row), rows)
            problems = [problem for some in found for problem in some]
    except FileNotFoundError as missing:
        print(f"SKIPPED: there is no {missing.filename}")
        return record_abi.SKIPPED
    problems += find_wrong_records(recorded, lines, version)
    problems += find_broken_promises_missed(lines)
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
