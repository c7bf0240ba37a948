#pragma once

/// Which numbers of descriptors are extents, so that they follow the extents of tensors when a
/// compiled sub-graph is resized.

#include <backplane/api/descriptors.hpp>
#include <backplane/api/layer_type.hpp>

#include <cstdint>

namespace backplane {

/// Calls `visit` with a std::int64_t& for each of them: extents of outputs, where a part begins,
/// how many elements there are and how often they are repeated. Numbers that the layer does not
/// use are visited too, and are 0 or 1. `descriptor` is of the type that layers.def states for
/// `type`, and as these headers know it.
template <typename Visit>
void VisitExtents(LayerType type, BaseDescriptor& descriptor, const Visit& visit) {
  const auto visit_all = [&](auto& numbers) {
    for (std::int64_t& number : numbers) visit(number);
  };
  switch (type) {
    case LayerType::kReshape:
      return visit_all(static_cast<ReshapeDescriptor&>(descriptor).dims);
    case LayerType::kExpand:
      return visit_all(static_cast<ExpandDescriptor&>(descriptor).dims);
    case LayerType::kFill:
      return visit_all(static_cast<FillDescriptor&>(descriptor).dims);
    case LayerType::kSlice:
      visit_all(static_cast<SliceDescriptor&>(descriptor).starts);
      return visit_all(static_cast<SliceDescriptor&>(descriptor).extents);
    case LayerType::kSplit:
      return visit_all(static_cast<SplitDescriptor&>(descriptor).extents);
    case LayerType::kResize:
      return visit_all(static_cast<ResizeDescriptor&>(descriptor).extents);
    case LayerType::kRange:
      visit(static_cast<RangeDescriptor&>(descriptor).count);
      return;
    case LayerType::kTile:
      return visit_all(static_cast<TileDescriptor&>(descriptor).repeats);
    default:
      return;
  }
}

}  // namespace backplane
