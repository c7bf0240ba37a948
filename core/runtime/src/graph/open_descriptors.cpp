#include "graph/open_shapes.hpp"

#include "graph/layer_error.hpp"
#include "tensors/tensor_text.hpp"

#include <backplane/api/descriptors/expand.hpp>
#include <backplane/api/descriptors/reshape.hpp>
#include <backplane/api/descriptors/resize.hpp>
#include <backplane/api/descriptors/slice.hpp>
#include <backplane/runtime/i_network.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace backplane {
namespace {

/// The axes with kOpenExtent.
std::vector<std::uint32_t> FindOpen(const std::int64_t* extents, std::uint32_t rank) {
  std::vector<std::uint32_t> axes;
  for (std::uint32_t axis = 0; axis < std::min(rank, kMaxRank); ++axis) {
    if (extents[axis] == kOpenExtent) axes.push_back(axis);
  }
  return axes;
}

/// A layer some extents of whose output are open, and its first input.
struct OpenOutput {
  const Layer& layer;
  const TensorInfo& input;
  const TensorInfo& open_input;
  const std::vector<std::uint32_t>& axes;  // that are open
};

[[noreturn]] void ThrowNotClosed(const Layer& layer, const std::string& found,
                                 const std::string& expected) {
  ThrowLayerError(layer, DiagnosticCode::kInvalidDescriptor,
                  "the open extents of its descriptor do not follow from its input",
                  "found " + found + "; expected " + expected,
                  "state the extents, or leave others open");
}

/// The product of the extents that are stated; 0 also for one that is too large.
std::int64_t MultiplyKnown(const ReshapeDescriptor& descriptor) {
  std::int64_t product = 1;
  for (std::uint32_t axis = 0; axis < std::min(descriptor.rank, kMaxRank); ++axis) {
    const std::int64_t extent = descriptor.dims[axis];
    if (extent == kOpenExtent) continue;
    if (extent < 0 || __builtin_mul_overflow(product, extent, &product)) return 0;
  }
  return product;
}

/// One is what is left of the number of elements, where these say it; several are those of the
/// input, in their order.
void Close(const OpenOutput& output, ReshapeDescriptor& descriptor) {
  const auto& [layer, input, open_input, axes] = output;
  const auto from = FindOpen(open_input.shape.dims, open_input.shape.rank);
  const std::int64_t others = MultiplyKnown(descriptor);
  const std::int64_t count = input.shape.GetNumElements();
  if (axes.size() == 1 && others != 0 && count % others == 0) {
    descriptor.dims[axes[0]] = count / others;
    return;
  }
  if (axes.size() != from.size() || (axes.size() == 1 && others != 0)) {
    ThrowNotClosed(layer,
                   std::to_string(axes.size()) + " open extents, and as input " +
                       DescribeShape(input.shape) + " of which " + std::to_string(from.size()) +
                       " are open",
                   "as many, or one that the number of elements gives");
  }
  for (std::size_t i = 0; i < axes.size(); ++i) descriptor.dims[axes[i]] = input.shape[from[i]];
}

/// An extent of the input stays as it is.
void Close(const OpenOutput& output, ExpandDescriptor& descriptor) {
  const TensorInfo& input = output.input;
  for (const std::uint32_t axis : output.axes) {
    const std::uint32_t missing = descriptor.rank - std::min(descriptor.rank, input.shape.rank);
    if (axis < missing) {
      ThrowNotClosed(output.layer, "axis " + std::to_string(axis) + " open, which the input lacks",
                     "an axis of the input");
    }
    descriptor.dims[axis] = input.shape[axis - missing];
  }
}

/// As many as there are from the start on.
void Close(const OpenOutput& output, SliceDescriptor& descriptor) {
  const TensorInfo& input = output.input;
  for (const std::uint32_t axis : output.axes) {
    const std::int64_t start = descriptor.starts[axis];
    const std::int64_t step = descriptor.steps[axis];
    const std::int64_t extent = input.shape[axis];
    if (step == 0 || start < 0 || start > extent || (step < 0 && start == extent)) {
      ThrowNotClosed(output.layer,
                     "start " + std::to_string(start) + " and step " + std::to_string(step) +
                         " along axis " + std::to_string(axis) + " of " +
                         DescribeShape(input.shape),
                     "a start within it, and a step other than 0");
    }
    const auto left = static_cast<std::uint64_t>(step > 0 ? extent - start : start + 1);
    // That of the least step, which has no positive one, too.
    const std::uint64_t stride = step > 0 ? static_cast<std::uint64_t>(step)
                                          : std::uint64_t{0} - static_cast<std::uint64_t>(step);
    descriptor.extents[axis] =
        static_cast<std::int64_t>(left / stride + (left % stride != 0 ? 1 : 0));
  }
}

/// As doubles tell extents apart.
constexpr double kMostResized = 9007199254740992.0;

/// The scale times the extent of the input, rounded down.
void Close(const OpenOutput& output, ResizeDescriptor& descriptor) {
  const TensorInfo& input = output.input;
  for (const std::uint32_t axis : output.axes) {
    if (!(descriptor.scales[axis] > 0) || axis >= input.shape.rank) {
      ThrowNotClosed(output.layer, "axis " + std::to_string(axis) + " open, without a scale",
                     "a scale above 0, or an extent");
    }
    const double extent =
        std::floor(descriptor.scales[axis] * static_cast<double>(input.shape[axis]));
    if (!(extent < kMostResized)) {
      ThrowNotClosed(output.layer,
                     "scale " + std::to_string(descriptor.scales[axis]) + " along axis " +
                         std::to_string(axis) + " of " + DescribeShape(input.shape),
                     "one that leads to an extent below 2^53");
    }
    descriptor.extents[axis] = static_cast<std::int64_t>(extent);
  }
}

/// The axes of the output that a descriptor leaves open.
std::vector<std::uint32_t> FindOpen(const ReshapeDescriptor& descriptor, const TensorInfo&) {
  return FindOpen(descriptor.dims, descriptor.rank);
}
std::vector<std::uint32_t> FindOpen(const ExpandDescriptor& descriptor, const TensorInfo&) {
  return FindOpen(descriptor.dims, descriptor.rank);
}
std::vector<std::uint32_t> FindOpen(const SliceDescriptor& descriptor, const TensorInfo& input) {
  return FindOpen(descriptor.extents, input.shape.rank);
}
std::vector<std::uint32_t> FindOpen(const ResizeDescriptor& descriptor, const TensorInfo&) {
  return FindOpen(descriptor.extents, descriptor.rank);
}

template <typename Derived>
std::shared_ptr<const BaseDescriptor> CloseAs(const Layer& layer, const TensorInfo& input,
                                              const TensorInfo& open_input) {
  auto descriptor = std::make_shared<Derived>(CopyDescriptor<Derived>(*layer.descriptor));
  const std::vector<std::uint32_t> axes = FindOpen(*descriptor, input);
  if (axes.empty()) return nullptr;
  Close({layer, input, open_input, axes}, *descriptor);
  return descriptor;
}

}  // namespace

std::shared_ptr<const BaseDescriptor> CloseDescriptor(const Layer& layer, const TensorInfo& input,
                                                      const TensorInfo& open_input) {
  switch (layer.type) {
    case LayerType::kReshape:
      return CloseAs<ReshapeDescriptor>(layer, input, open_input);
    case LayerType::kExpand:
      return CloseAs<ExpandDescriptor>(layer, input, open_input);
    case LayerType::kSlice:
      return CloseAs<SliceDescriptor>(layer, input, open_input);
    case LayerType::kResize:
      return CloseAs<ResizeDescriptor>(layer, input, open_input);
    default:
      return nullptr;
  }
}

}  // namespace backplane
