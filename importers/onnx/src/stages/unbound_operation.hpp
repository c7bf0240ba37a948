#pragma once

#include <backplane/runtime/network_source.hpp>

#include <memory>
#include <string>
#include <vector>

namespace backplane::onnx {

/// An operation, and the names of all that it takes: tensors, constants, "" for what is absent.
struct UnboundOperation {
  std::shared_ptr<const IStageOperation> operation;
  std::vector<std::string> inputs;
};

}  // namespace backplane::onnx
