#include "building/open_descriptors.hpp"

#include "network/layer_error.hpp"
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

[[noreturn]] void ThrowNotClosed(const Layer& layer, const std::string& found,
                                 const std::string& expected) {
  ThrowLayerError(layer, DiagnosticCode::kInvalidDescriptor,
                  "the open extents of its descriptor do not follow from its input",
                  "found " + found + "; expected " + expected,
                  "state the extents, or leave others open");
}

/// One is what is left of the number of elements; several are those of the input, in their order.
void Close(const Layer& layer, const TensorInfo& input, const TensorInfo& open_input,
           ReshapeDescriptor& descriptor) {
  const std::vector<std::uint32_t> axes = FindOpen(descriptor.dims, descriptor.rank);
  const auto from = FindOpen(open_input.shape.dims, open_input.shape.rank);
  if (axes.size() == from.size()) {
    for (std::size_t i = 0; i < axes.size(); ++i) {
      descriptor.dims[axes[i]] = input.shape[from[i]];
    }
    return;
  }
  std::int64_t others = 1;
  for (std::uint32_t axis = 0; axis < std::min(descriptor.rank, kMaxRank); ++axis) {
    if (axis != axes[0]) others *= std::max<std::int64_t>(descriptor.dims[axis], 0);
  }
  const std::int64_t count = input.shape.GetNumElements();
  if (axes.size() != 1 || others == 0 || count % others != 0) {
    ThrowNotClosed(layer,
                   std::to_string(axes.size()) + " open extents, and as input " +
                       DescribeShape(input.shape) + " of which " + std::to_string(from.size()) +
                       " are open",
                   "as many, or one that the number of elements gives");
  }
  descriptor.dims[axes[0]] = count / others;
}

/// An extent of the input stays as it is.
void Close(const Layer& layer, const TensorInfo& input, const TensorInfo& /*open_input*/,
           ExpandDescriptor& descriptor) {
  for (const std::uint32_t axis : FindOpen(descriptor.dims, descriptor.rank)) {
    const std::uint32_t missing = descriptor.rank - std::min(descriptor.rank, input.shape.rank);
    if (axis < missing) {
      ThrowNotClosed(layer, "axis " + std::to_string(axis) + " open, which the input lacks",
                     "an axis of the input");
    }
    descriptor.dims[axis] = input.shape[axis - missing];
  }
}

/// As many as there are from the start on.
void Close(const Layer& layer, const TensorInfo& input, const TensorInfo& /*open_input*/,
           SliceDescriptor& descriptor) {
  for (const std::uint32_t axis : FindOpen(descriptor.extents, input.shape.rank)) {
    const std::int64_t start = descriptor.starts[axis];
    const std::int64_t step = descriptor.steps[axis];
    const std::int64_t extent = input.shape[axis];
    if (step == 0 || start < 0 || start > extent) {
      ThrowNotClosed(layer,
                     "start " + std::to_string(start) + " and step " + std::to_string(step) +
                         " along axis " + std::to_string(axis) + " of " +
                         DescribeShape(input.shape),
                     "a start within it, and a step other than 0");
    }
    const std::int64_t left = step > 0 ? extent - start : std::min(start, extent - 1) + 1;
    const std::int64_t stride = std::abs(step);
    descriptor.extents[axis] = left / stride + (left % stride != 0 ? 1 : 0);
  }
}

/// The scale times the extent of the input, rounded down.
void Close(const Layer& layer, const TensorInfo& input, const TensorInfo& /*open_input*/,
           ResizeDescriptor& descriptor) {
  for (const std::uint32_t axis : FindOpen(descriptor.extents, descriptor.rank)) {
    if (!(descriptor.scales[axis] > 0) || axis >= input.shape.rank) {
      ThrowNotClosed(layer, "axis " + std::to_string(axis) + " open, without a scale",
                     "a scale above 0, or an extent");
    }
    descriptor.extents[axis] = static_cast<std::int64_t>(
        std::floor(descriptor.scales[axis] * static_cast<double>(input.shape[axis])));
  }
}

/// Where the descriptor has the extents of the output.
const std::int64_t* GetExtents(const ReshapeDescriptor& descriptor) {
  return descriptor.dims;
}
const std::int64_t* GetExtents(const ExpandDescriptor& descriptor) {
  return descriptor.dims;
}
const std::int64_t* GetExtents(const SliceDescriptor& descriptor) {
  return descriptor.extents;
}
const std::int64_t* GetExtents(const ResizeDescriptor& descriptor) {
  return descriptor.extents;
}

template <typename Derived>
std::shared_ptr<const BaseDescriptor> CloseAs(const Layer& layer, const TensorInfo& input,
                                              const TensorInfo& open_input) {
  auto descriptor = std::make_shared<Derived>(CopyDescriptor<Derived>(*layer.descriptor));
  if (FindOpen(GetExtents(*descriptor), kMaxRank).empty()) return nullptr;
  Close(layer, input, open_input, *descriptor);
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
