#pragma once

/// Layer support and workloads of the recording mock: Activation as Relu, and ElementwiseBinary as
/// Add, on float32 tensors of equal shapes.

#include "recorder.hpp"

#include <unistd.h>

#include <algorithm>

namespace recording_mock {

class LayerSupport final : public backplane::ILayerSupport {
 public:
  bool IsLayerSupported(const backplane::LayerSupportQuery& query,
                        std::string& reason) const override {
    const bool is_supported = query.layer_type == backplane::LayerType::kActivation ||
                              query.layer_type == backplane::LayerType::kElementwiseBinary;
    if (!is_supported) reason = "only Activation and ElementwiseBinary are supported";
    return is_supported;
  }
};

class Workload final : public backplane::IWorkload {
 public:
  Workload(const Failure& failure, int wait_for) : failure_(failure), wait_for_(wait_for) {
    Record("Workload");
  }
  ~Workload() override { Record("~Workload"); }

  backplane::Status Execute(const backplane::ExecuteArgs& args) const override {
    Record("Execute");
    char byte = 0;
    if (wait_for_ >= 0 && read(wait_for_, &byte, 1) != 1) return backplane::Status::kFailure;
    if (failure_.IsAt("Execute")) return backplane::Status::kTimeout;
    auto* results = args.GetOutput(0).Get<float>();
    const std::uint64_t count = args.GetOutput(0).GetView()->num_bytes / sizeof(float);
    for (std::uint64_t i = 0; i < count; ++i) {
      const float first = args.GetInput(0).Get<float>()[i];
      results[i] = args.GetNumInputs() == 1 ? std::max(first, 0.0F)
                                            : first + args.GetInput(1).Get<float>()[i];
    }
    return backplane::Status::kSuccess;
  }

 private:
  Failure failure_;
  int wait_for_;
};

class WorkloadFactory final : public backplane::IWorkloadFactory {
 public:
  explicit WorkloadFactory(const backplane::BackendOptions& options) : failure_(options) {
    for (const backplane::BackendOption& option : options.options) {
      if (option.name == "WaitFor") wait_for_ = static_cast<int>(option.value.int_value);
    }
  }

  std::unique_ptr<backplane::IWorkload> CreateWorkload(
      const backplane::WorkloadArgs& /*args*/) override {
    if (failure_.IsAt("CreateWorkload")) return nullptr;
    return std::make_unique<Workload>(failure_, wait_for_);
  }

 private:
  Failure failure_;
  int wait_for_ = -1;
};

}  // namespace recording_mock
