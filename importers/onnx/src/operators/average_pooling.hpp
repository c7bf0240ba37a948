#pragma once

#include <backplane/api/descriptors/pooling.hpp>

#include "nodes/node.hpp"

namespace backplane::onnx {

/// Reads the attributes of AveragePool. Errors: as ReadWindow, and kInvalidModel without a kernel.
PoolingDescriptor ReadAveragePooling(Node& node);

}  // namespace backplane::onnx
