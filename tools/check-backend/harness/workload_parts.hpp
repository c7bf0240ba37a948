#pragma once

#include "conformance/test_layer.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace backplane::check_backend {

/// What CreateWorkload is lent for a layer without constants.
class WorkloadParts {
 public:
  /// Borrows the layer. Its tensors are of these kinds.
  explicit WorkloadParts(const conformance::TestLayer& layer,
                         std::string input_kind = kHostTensorHandleFactoryId,
                         std::string output_kind = kHostTensorHandleFactoryId)
      : input_kind_(std::move(input_kind)),
        output_kind_(std::move(output_kind)),
        inputs_(conformance::GetPointers(layer.inputs)),
        outputs_(conformance::GetPointers(layer.outputs)),
        constants_(layer.inputs.size(), nullptr),
        input_factories_(layer.inputs.size(), input_kind_.c_str()),
        output_factories_(layer.outputs.size(), output_kind_.c_str()),
        layer_(layer) {}
  WorkloadParts(const WorkloadParts&) = delete;
  WorkloadParts& operator=(const WorkloadParts&) = delete;

  void Fill(WorkloadArgs& args) const {
    args.layer_type = layer_.type;
    args.layer_name = "layer under test";
    args.descriptor = layer_.GetDescriptor();
    args.inputs = inputs_.data();
    args.outputs = outputs_.data();
    args.num_inputs = static_cast<std::uint32_t>(inputs_.size());
    args.num_outputs = static_cast<std::uint32_t>(outputs_.size());
    args.constants = constants_.data();
    args.input_factories = input_factories_.data();
    args.output_factories = output_factories_.data();
  }

 private:
  const std::string input_kind_;
  const std::string output_kind_;
  std::vector<const TensorInfo*> inputs_;
  std::vector<const TensorInfo*> outputs_;
  std::vector<const ConstTensor*> constants_;
  std::vector<const char*> input_factories_;
  std::vector<const char*> output_factories_;
  const conformance::TestLayer& layer_;
};

}  // namespace backplane::check_backend
