#pragma once

#include "graph/bridged_network.hpp"
#include "graph/tensor_numbers.hpp"
#include "placement/joint.hpp"

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

  /// Whether a tensor or a view of it is an output of the network, or imported by another kind.
  bool IsReadByOutput(OutputSlot slot) const { return GetTraits(slot).is_read_by_output; }
  bool IsReadByImport(OutputSlot slot) const { return GetTraits(slot).is_read_by_import; }

  /// What a view is a view of, else the tensor itself.
  OutputSlot FollowViews(OutputSlot slot) const { return shown_[numbers_.Get(slot)]; }

  /// Where a tensor begins in the memory that is planned for it and for what it lies in.
  std::uint64_t GetOffset(OutputSlot slot) const;

  /// What the tensor, its views, and all that is bound to a place inside of it want.
  std::uint64_t FindAlignment(OutputSlot slot) const { return alignments_[numbers_.Get(slot)]; }

  bool IsPart(OutputSlot slot) const {
    return network_.part_of_tensor[numbers_.Get(slot)] != kNoPart;
  }
  bool IsSubTensor(OutputSlot slot) const {
    return FindSubTensor(network_, numbers_.Get(slot)) != nullptr;
  }

  /// Whether views or parts of a tensor are bound to a place, as if it was contiguous.
  bool HasBoundInside(OutputSlot slot) const { return GetTraits(slot).has_bound_inside; }

 private:
  static constexpr std::uint32_t kNowhere = 0xffffffffU;

  // Where a tensor lies: inside of another, or for itself at 0.
  struct Inside {
    std::uint32_t tensor = 0;
    std::uint64_t offset_bytes = 0;
  };
  struct Traits {
    bool is_read_by_output = false;
    bool is_read_by_import = false;
    bool has_bound_inside = false;
  };

  bool IsShownAsView(LayerId reader) const { return network_.roles[reader] == LayerRole::kView; }
  const Traits& GetTraits(OutputSlot slot) const { return traits_[numbers_.Get(slot)]; }
  void AddView(const Layer& layer);
  void FindWhoReadsBytes();
  void BindInside(std::uint32_t tensor, std::uint32_t parent);

  BridgedNetwork& network_;
  const TensorNumbers numbers_;
  // Of each tensor:
  std::vector<std::vector<LayerId>> readers_;
  std::vector<OutputSlot> shown_;
  mutable std::vector<Inside> inside_;
  std::vector<std::uint32_t> bound_in_;  // what it is a view or a bound part of
  std::vector<std::uint64_t> alignments_;
  std::vector<Traits> traits_;
};

}  // namespace backplane
