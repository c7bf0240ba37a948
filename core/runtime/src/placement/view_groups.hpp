#pragma once

#include "graph/graph.hpp"
#include "graph/tensor_numbers.hpp"
#include "placement/tensor_kind.hpp"

#include <cstdint>
#include <vector>

namespace backplane {

/// Stands for the application among the readers of a tensor.
constexpr std::uint32_t kOfApplication = 0xfffffffeU;

/// One tensor of a group: the bytes of the owner, under its own shape.
struct GroupMember {
  OutputSlot slot;
  std::uint32_t source = 0;  // the member that it is a view of; the owner is its own
  LayerId view_layer = 0;    // the layer that makes it, when it is a view
};

/// All layers of one backend that read one member, or one output of the application.
struct GroupReader {
  std::uint32_t member = 0;
  std::uint32_t backend = 0;  // or kOfApplication
  std::vector<LayerId> layers;
  KindIndex kind =
      kNoKind;  // it must read in memory of this kind's own; kNoKind: in any it can use
};

/// A tensor with its views, and who reads them.
struct ViewGroup {
  std::vector<GroupMember> members;  // the owner first
  std::vector<GroupReader> readers;
  bool is_constant = false;
};

/// The groups of a graph, and which one each tensor is in.
struct ViewGroups {
  std::vector<ViewGroup> groups;               // in the order of their owners
  std::vector<std::uint32_t> group_of_tensor;  // numbered as by TensorNumbers
  std::vector<std::uint32_t> member_of_tensor;
};

/// Whether the output of a layer can be its input under another shape.
bool IsView(const Layer& layer);

ViewGroups FindViewGroups(const Graph& graph, const TensorNumbers& numbers,
                          const std::vector<std::uint32_t>& backend_of_layer);

}  // namespace backplane
