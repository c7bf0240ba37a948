#pragma once

#include "graph/bridged_network.hpp"
#include "memory/alias_groups.hpp"
#include "placement/kind_table.hpp"

#include <cstdint>
#include <vector>

namespace backplane {

/// Why memory of the application is copied, from the table copy_reasons.def.
enum class CopyReason : std::uint8_t {
#define BACKPLANE_COPY_REASON(name, text) k##name,
#include "execution/copy_reasons.def"
#undef BACKPLANE_COPY_REASON
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

constexpr std::uint32_t kNoBinding = ~std::uint32_t{0};

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
  bool must_be_shared = false;               // isolated backends read or write it
  bool is_read_at_end = false;               // outputs, other ones, are copied out of its memory
  std::uint32_t in_place_with = kNoBinding;  // the output, or input, that may lie in its memory
  std::vector<BoundMember> members;          // with a reason, empty
};

/// Plans the inputs of a network, and its outputs.
std::vector<PlannedBinding> PlanInputs(const BridgedNetwork& network, const KindTable& table,
                                       const AliasGroups& groups);
std::vector<PlannedBinding> PlanOutputs(const BridgedNetwork& network, const KindTable& table,
                                        const AliasGroups& groups);

/// A tensor that a step may write over one that it reads, as its backend says.
struct OverwrittenTensor {
  std::uint32_t input = 0;
  std::uint32_t output = 0;
};

/// Sets PlannedBinding::in_place_with, where the input is read by that step alone, and both can be
/// imported.
void PlanInPlace(const std::vector<OverwrittenTensor>& tensors, std::vector<PlannedBinding>& inputs,
                 std::vector<PlannedBinding>& outputs);

}  // namespace backplane
