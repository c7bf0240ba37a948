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
    const backplane::MemoryView& output = *args.outputs[0]->GetMemoryView();
    auto* results = static_cast<float*>(output.data);
    for (std::uint64_t i = 0; i < output.size_bytes / sizeof(float); ++i) {
      const float first = GetElement(*args.inputs[0], i);
      results[i] =
          args.num_inputs == 1 ? std::max(first, 0.0F) : first + GetElement(*args.inputs[1], i);
    }
    return backplane::Status::kSuccess;
  }

 private:
  static float GetElement(const backplane::ITensorHandle& handle, std::uint64_t index) {
    return static_cast<const float*>(handle.GetMemoryView()->data)[index];
  }

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
