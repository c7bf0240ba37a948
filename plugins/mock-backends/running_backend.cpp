/// A backend that really runs two kinds of layers on float32: Activation with Relu, and
/// ElementwiseBinary with Add or Mul on equal shapes. Its capabilities count what it has made, so
/// that tests see how often the host asks and when it lets go.
///
/// The row may restrict it to one kind with layers=Activation or layers=ElementwiseBinary, let it
/// make NaN of the last element with result=Nan, or name a deed that each layer does when it runs.

#include "row.hpp"

#include <backplane/api/backend.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>

namespace {

using backplane::mock::kRow;
using backplane::mock::Layers;

std::atomic<int> backends_made{0};
std::atomic<int> live_contexts{0};
std::atomic<int> live_workloads{0};

bool Takes(backplane::LayerType type) {
  const bool is_activation = type == backplane::LayerType::kActivation;
  const bool is_binary = type == backplane::LayerType::kElementwiseBinary;
  return (is_activation && kRow.layers != Layers::kElementwiseBinary) ||
         (is_binary && kRow.layers != Layers::kActivation);
}

/// Why the layer cannot be run, or "".
std::string GetRefusal(const backplane::LayerSupportQuery& query) {
  if (!Takes(query.layer_type)) {
    return std::string("layer type ") + backplane::GetLayerTypeName(query.layer_type) +
           " is not supported by this mock";
  }
  for (std::uint32_t i = 0; i < query.num_inputs; ++i) {
    const backplane::TensorInfo& input = *query.inputs[i];
    if (input.data_type != backplane::DataType::kFloat32) {
      return std::string("data type ") + backplane::GetDataTypeName(input.data_type) +
             " is not supported, only float32";
    }
    if (input.shape != query.outputs[0]->shape) return "broadcasting is not supported";
  }
  if (query.layer_type == backplane::LayerType::kActivation) {
    const auto activation =
        backplane::CopyDescriptor<backplane::ActivationDescriptor>(*query.descriptor);
    return activation.function == backplane::ActivationFunction::kRelu ? ""
                                                                       : "only Relu is supported";
  }
  const auto binary =
      backplane::CopyDescriptor<backplane::ElementwiseBinaryDescriptor>(*query.descriptor);
  const bool is_known = binary.operation == backplane::BinaryOperation::kAdd ||
                        binary.operation == backplane::BinaryOperation::kMul;
  return is_known ? "" : "only Add and Mul are supported";
}

class LayerSupport final : public backplane::ILayerSupport {
 public:
  bool IsLayerSupported(const backplane::LayerSupportQuery& query,
                        std::string& reason) const override {
    const std::string refusal = GetRefusal(query);
    if (refusal.empty()) return true;
    reason = refusal;
    return false;
  }
};

enum class Function { kRelu, kAdd, kMul };

Function GetFunction(const backplane::WorkloadArgs& args) {
  if (args.layer_type == backplane::LayerType::kActivation) return Function::kRelu;
  const auto binary =
      backplane::CopyDescriptor<backplane::ElementwiseBinaryDescriptor>(*args.descriptor);
  return binary.operation == backplane::BinaryOperation::kAdd ? Function::kAdd : Function::kMul;
}

class Workload final : public backplane::IWorkload {
 public:
  Workload(Function function, std::int64_t num_elements)
      : function_(function), num_elements_(num_elements) {
    ++live_workloads;
  }
  ~Workload() override { --live_workloads; }

  backplane::Status Execute(const backplane::ExecuteArgs& args) const override {
    const float* first = args.GetInput(0).Get<float>();
    const float* second = args.GetInput(args.GetNumInputs() - 1).Get<float>();
    float* output = args.GetOutput(0).Get<float>();
    if (first == nullptr || second == nullptr || output == nullptr) {
      return backplane::Status::kInvalidArgument;
    }
    if (kRow.perform != nullptr) kRow.perform(kRow.deed);
    for (std::int64_t i = 0; i < num_elements_; ++i) output[i] = Compute(first[i], second[i]);
    if (kRow.result == backplane::mock::Result::kNan) {
      output[num_elements_ - 1] = std::numeric_limits<float>::quiet_NaN();
    }
    return backplane::Status::kSuccess;
  }

 private:
  float Compute(float first, float second) const {
    if (function_ == Function::kAdd) return first + second;
    if (function_ == Function::kMul) return first * second;
    return std::max(0.0F, first);
  }

  Function function_;
  std::int64_t num_elements_;
};

class WorkloadFactory final : public backplane::IWorkloadFactory {
 public:
  std::unique_ptr<backplane::IWorkload> CreateWorkload(
      const backplane::WorkloadArgs& args) override {
    if (!Takes(args.layer_type)) return nullptr;
    return std::make_unique<Workload>(GetFunction(args), args.outputs[0]->shape.GetNumElements());
  }
};

class Context final : public backplane::IBackendContext {
 public:
  Context() { ++live_contexts; }
  ~Context() override { --live_contexts; }
  backplane::Status OnNetworkEvent(const backplane::NetworkEvent& /*event*/) override {
    return backplane::Status::kSuccess;
  }
};

class RunningBackend final : public backplane::IBackendInternal {
 public:
  RunningBackend() { ++backends_made; }

  const char* GetId() const override { return kRow.name; }

  std::unique_ptr<backplane::IWorkloadFactory> CreateWorkloadFactory(
      const backplane::WorkloadFactoryArgs& /*args*/) const override {
    return std::make_unique<WorkloadFactory>();
  }

  std::unique_ptr<backplane::IBackendContext> CreateBackendContext(
      const backplane::BackendContextArgs& /*args*/) const override {
    return std::make_unique<Context>();
  }

  std::shared_ptr<const backplane::ILayerSupport> GetLayerSupport(
      const backplane::LayerSupportArgs& /*args*/) const override {
    return std::make_shared<LayerSupport>();
  }

  backplane::BackendCapabilities GetCapabilities() const override {
    backplane::BackendCapabilities capabilities = {{"BackendsMade", backends_made.load()},
                                                   {"LiveContexts", live_contexts.load()},
                                                   {"LiveWorkloads", live_workloads.load()}};
    if (kRow.rank != nullptr) capabilities.emplace_back(backplane::kCapabilityRank, *kRow.rank);
    return capabilities;
  }
};

}  // namespace

BACKPLANE_BACKEND(RunningBackend, kRow.name);
