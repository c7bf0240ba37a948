#pragma once

/// Parts of a tensor along one axis, which Concat joins and Split takes apart.

#include "cpu_layers/strided_copy.hpp"
#include "layout/layout_axes.hpp"

#include <cstdint>
#include <vector>

namespace backplane {
namespace cpuacc {

struct LaidTensor {
  const TensorInfo& info;
  const Layout& layout;
};

/// Where along an axis of the whole a part begins.
struct PartOfAxis {
  std::uint32_t axis;
  std::int64_t begin;
};

enum class PartIs : std::uint32_t { kRead, kWritten };

/// Whether the parts, one behind the other along the axis, can have layouts like that of the whole.
bool CanCut(const TensorInfo& whole, const Layout& layout, const std::vector<TensorInfo>& parts,
            std::uint32_t axis);

/// The copy of a part, prepared. The layouts are alike.
cpu_layers::StridedCopy MakePartCopy(const LaidTensor& whole, const LaidTensor& part,
                                     const PartOfAxis& place, PartIs direction);

}  // namespace cpuacc
}  // namespace backplane
