#pragma once

#include "bridging/kind_table.hpp"
#include "memory/alias_groups.hpp"
#include "network/bridged_network.hpp"

#include <cstdint>
#include <vector>

namespace backplane {

/// Why memory of the application is copied.
enum class CopyReason : std::uint8_t {
  kNone,           // it is not
  kAsked,          // MemoryUse::kCopy
  kNoImport,       // its kind of tensor memory imports no memory of the CPU
  kPadded,         // its kind wants padding
  kNotComputed,    // an output that is an input or a constant of the network
  kBorrowed,       // an output that lies in memory of another kind
  kPart,           // an output that lies inside of another tensor
  kTwoOutputs,     // an output that is another output too
  kMisaligned,     // the memory given
  kOverlapping,    // the memory given, with that of another input or output
  kNotShared,      // the memory given cannot be seen by an isolated backend
  kImportRefused,  // by the handle
  kBetweenStages,  // an output that no stage writes into the memory given
};

/// For reports. Static storage.
const char* GetReasonText(CopyReason reason);

/// A tensor that lies in the memory of an input or output.
struct BoundMember {
  std::uint32_t tensor = 0;
  std::uint64_t offset_bytes = 0;
  const TensorPart* sub_tensor = nullptr;  // follows its parent, which comes before it; or null
  std::vector<std::uint32_t> operands;     // of the plan that are this tensor
  std::vector<std::uint32_t> outputs;      // of the network that are copied out of it
};

/// How an input or output of a network meets memory of the application.
struct PlannedBinding {
  std::uint32_t tensor = 0;               // that is read or written
  CopyReason reason = CopyReason::kNone;  // kNone: its memory can be imported
  KindIndex kind = kNoKind;
  MemorySourceFlags import_sources = 0;  // that its handles import
  MemoryRequirements requirements;       // of memory to be imported
  MemoryAccess access = MemoryAccess::kRead;
  // What is copied lies in memory beside the handle, which imports it: mapping it is a question to
  // another process.
  bool is_staged = false;
  bool must_be_shared = false;       // isolated backends read or write it
  bool is_read_at_end = false;       // outputs, other ones, are copied out of its memory
  std::vector<BoundMember> members;  // with a reason, empty
};

/// Plans the inputs of a network, and its outputs.
std::vector<PlannedBinding> PlanInputs(const BridgedNetwork& network, const KindTable& table,
                                       const AliasGroups& groups);
std::vector<PlannedBinding> PlanOutputs(const BridgedNetwork& network, const KindTable& table,
                                        const AliasGroups& groups);

}  // namespace backplane
