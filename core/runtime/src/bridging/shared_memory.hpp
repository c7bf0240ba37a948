#pragma once

#include "bridging/part_geometry.hpp"
#include "network/bridged_network.hpp"
#include "network/tensor_numbers.hpp"

#include <cstdint>
#include <vector>

namespace backplane {

/// What lies in the memory of the tensors of a network: their views, and the parts that were put
/// there so far.
///
/// Ownership: the network must outlive this, and gets its parts through Add alone.
class SharedMemory {
 public:
  explicit SharedMemory(BridgedNetwork& network);

  /// Puts a tensor into another.
  void Add(OutputSlot part, OutputSlot parent, const PartGeometry& geometry, bool is_sub_tensor);

  std::uint32_t GetNumber(OutputSlot slot) const { return numbers_.Get(slot); }
  const std::vector<LayerId>& GetReaders(OutputSlot slot) const {
    return readers_[numbers_.Get(slot)];
  }

  /// The layers that read a tensor or a view of it; not those that only show it as a view.
  std::vector<LayerId> FindReadersOfBytes(OutputSlot slot) const;

  /// What a view is a view of, else the tensor itself.
  OutputSlot FollowViews(OutputSlot slot) const;

  /// Where a tensor begins in the memory that is planned for it and for what it lies in.
  std::uint64_t GetOffset(OutputSlot slot) const;

  /// What the tensor, its views, and all that is bound to a place inside of it want.
  std::uint64_t FindAlignment(OutputSlot slot) const;

  bool IsPart(OutputSlot slot) const;
  bool IsSubTensor(OutputSlot slot) const;

  /// Whether views or parts of a tensor are bound to a place, as if it was contiguous.
  bool HasBoundInside(OutputSlot slot) const;

 private:
  bool IsShownAsView(LayerId reader) const { return network_.roles[reader] == LayerRole::kView; }

  BridgedNetwork& network_;
  const TensorNumbers numbers_;
  std::vector<std::vector<LayerId>> readers_;            // of each tensor
  std::vector<std::vector<OutputSlot>> bound_parts_in_;  // of each tensor
  std::vector<OutputSlot> parents_;                      // of each part
};

}  // namespace backplane
