#pragma once

#include "graph/graph.hpp"

#include <backplane/api/descriptor.hpp>
#include <backplane/api/tensor_info.hpp>

#include <memory>

namespace backplane {

/// The descriptor of a layer some extents of whose output it leaves open, with those that follow
/// from its first input: `input` as it is, `open_input` with kOpenExtent where it is open. Null: it
/// leaves none open.
/// Errors: DiagnosticException with kInvalidDescriptor where they do not follow.
std::shared_ptr<const BaseDescriptor> CloseDescriptor(const Layer& layer, const TensorInfo& input,
                                                      const TensorInfo& open_input);

}  // namespace backplane
