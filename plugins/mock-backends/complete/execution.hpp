#pragma once

/// The running side of the complete mock: it copies its first input to its first output.

#include <backplane/api/backend.hpp>

#include <cstring>

namespace complete_mock {

/// The token of the fences that this backend's workloads give.
constexpr std::uint64_t kFenceToken = 7;

class LayerSupport final : public backplane::ILayerSupport {
 public:
  bool IsLayerSupported(const backplane::LayerSupportQuery& query,
                        std::string& reason) const override {
    if (query.layer_type == backplane::LayerType::kReshape) return true;
    reason = "only Reshape is supported by this mock";
    return false;
  }
};

struct ExecutionState final : backplane::IExecutionState {
  int runs = 0;
};

class Workload final : public backplane::IWorkload {
 public:
  backplane::Status Execute(const backplane::ExecuteArgs& args) const override {
    const backplane::MemoryView* input = args.inputs[0]->GetMemoryView();
    const backplane::MemoryView* output = args.outputs[0]->GetMemoryView();
    if (input == nullptr || output == nullptr) return backplane::Status::kInvalidArgument;
    std::memcpy(output->data, input->data, input->size_bytes);
    if (args.state != nullptr) ++static_cast<ExecutionState*>(args.state)->runs;
    if (args.completion != nullptr) {
      args.completion->kind = backplane::FenceKind::kOpaque;
      args.completion->token = kFenceToken;
    }
    return backplane::Status::kSuccess;
  }
};

class WorkloadFactory final : public backplane::IWorkloadFactory {
 public:
  std::unique_ptr<backplane::IWorkload> CreateWorkload(
      const backplane::WorkloadArgs& args) override {
    if (args.layer_type != backplane::LayerType::kReshape) return nullptr;
    return std::make_unique<Workload>();
  }
  std::unique_ptr<backplane::IExecutionState> CreateExecutionState() override {
    return std::make_unique<ExecutionState>();
  }
  backplane::Status WaitForFence(const backplane::FenceView& fence,
                                 std::uint64_t /*timeout_ns*/) override {
    return fence.token == kFenceToken ? backplane::Status::kSuccess
                                      : backplane::Status::kInvalidArgument;
  }
};

}  // namespace complete_mock
