#pragma once

/// The running side of the complete mock: it copies its first input to its first output.

#include "watched.hpp"

#include <cstring>

namespace complete_mock {

/// The token of the fences that this backend's workloads give.
constexpr std::uint64_t kFenceToken = 7;

class LayerSupport final : public Watched<backplane::ILayerSupport> {
 public:
  bool IsLayerSupported(const backplane::LayerSupportQuery& query,
                        std::string& reason) const override {
    Pass("ILayerSupport::IsLayerSupported");
    if (query.layer_type == backplane::LayerType::kReshape) return true;
    reason = "only Reshape is supported by this mock";
    return false;
  }
};

struct ExecutionState final : Watched<backplane::IExecutionState> {
  int runs = 0;
};

class Workload final : public Watched<backplane::IWorkload> {
 public:
  backplane::Status Execute(const backplane::ExecuteArgs& args) const override {
    Pass("IWorkload::Execute");
    const bp_view* input = args.GetInput(0).GetView();
    const bp_view* output = args.GetOutput(0).GetView();
    if (input == nullptr || output == nullptr) return backplane::Status::kInvalidArgument;
    // In place, both are the same memory.
    std::memmove(output->data, input->data, input->num_bytes);
    if (args.GetState() != nullptr) ++static_cast<ExecutionState*>(args.GetState())->runs;
    if (backplane::FenceView* const completion = args.GetCompletion()) {
      completion->kind = backplane::FenceKind::kOpaque;
      completion->token = kFenceToken;
    }
    return backplane::Status::kSuccess;
  }
};

class WorkloadFactory final : public Watched<backplane::IWorkloadFactory> {
 public:
  std::unique_ptr<backplane::IWorkload> CreateWorkload(
      const backplane::WorkloadArgs& args) override {
    Pass("IWorkloadFactory::CreateWorkload");
    const bool is_known = args.layer_type == backplane::LayerType::kReshape ||
                          args.layer_type == backplane::LayerType::kPreCompiled;
    if (!is_known) return nullptr;
    return std::make_unique<Workload>();
  }
  std::unique_ptr<backplane::IExecutionState> CreateExecutionState() override {
    Pass("IWorkloadFactory::CreateExecutionState");
    return std::make_unique<ExecutionState>();
  }
  std::uint64_t GetConstantBytes() const override {
    Pass("IWorkloadFactory::GetConstantBytes");
    return 48;
  }
  backplane::Status WaitForFence(const backplane::FenceView& fence,
                                 std::uint64_t /*timeout_ns*/) override {
    Pass("IWorkloadFactory::WaitForFence");
    return fence.token == kFenceToken ? backplane::Status::kSuccess
                                      : backplane::Status::kInvalidArgument;
  }
};

}  // namespace complete_mock
