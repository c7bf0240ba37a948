#pragma once

/// What can be wrong with a model that parses: wrong names, numbers and references.

#include <onnx/onnx_pb.h>

#include <functional>
#include <string>
#include <vector>

namespace backplane::fuzz {

struct ModelMutation {
  std::string name;
  std::function<void(::onnx::ModelProto&)> apply;
};

/// All that can be done to this model; each is meant for a copy of it. None for a model without
/// inputs, nodes or outputs.
std::vector<ModelMutation> MakeMutations(const ::onnx::ModelProto& model);

}  // namespace backplane::fuzz
