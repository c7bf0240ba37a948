// A whole backend in one file: ReLU, and the sum of two tensors, of float32. To begin one of your
// own, copy this folder, rename it, and put your kernels where the two loops are.

#include <backplane/api/backend.hpp>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>

namespace {

using namespace backplane;

constexpr char kId[] = "Minimal";

/// Above 0, and so asked before backends that state none when a network names no backend.
constexpr int kRank = 10;

/// Why this backend cannot run a layer; empty when it can. Asked when layers are placed, and again
/// when workloads are made, so that the two never disagree.
std::string FindRefusal(LayerType type, const BaseDescriptor& descriptor,
                        const TensorInfo* const* inputs, std::uint32_t num_inputs) {
  if (type == LayerType::kActivation) {
    const auto function = CopyDescriptor<ActivationDescriptor>(descriptor).function;
    if (function != ActivationFunction::kRelu) {
      return "activation function " + std::to_string(static_cast<std::uint32_t>(function)) +
             " is not supported, only Relu (1)";
    }
  } else if (type == LayerType::kElementwiseBinary) {
    const auto operation = CopyDescriptor<ElementwiseBinaryDescriptor>(descriptor).operation;
    if (operation != BinaryOperation::kAdd) {
      return "operation " + std::to_string(static_cast<std::uint32_t>(operation)) +
             " is not supported, only Add (1)";
    }
    if (inputs[0]->shape != inputs[1]->shape) {
      return "the inputs have different shapes, but broadcasting is not supported";
    }
  } else {
    return std::string("layer type ") + GetLayerTypeName(type) +
           " is not supported, only Activation and ElementwiseBinary";
  }
  for (std::uint32_t index = 0; index < num_inputs; ++index) {
    if (inputs[index]->data_type == DataType::kFloat32) continue;
    return std::string("data type ") + GetDataTypeName(inputs[index]->data_type) +
           " is not supported, only float32";
  }
  return "";
}

/// Either operator. Holds what is known before a run, and never changes: several runs may use it at
/// once, each with its own tensors.
class Workload final : public IWorkload {
 public:
  Workload(LayerType type, std::int64_t num_elements) : type_(type), num_elements_(num_elements) {}

  Status Execute(const ExecuteArgs& args) const override {
    if (args.GetNumWaitFences() != 0) return Status::kUnsupported;
    if (num_elements_ == 0) return Status::kSuccess;
    const float* a = args.GetInput(0).GetDense<float>();
    const float* b = args.GetInput(args.GetNumInputs() - 1).GetDense<float>();
    float* result = args.GetOutput(0).GetDense<float>();
    if (a == nullptr || b == nullptr || result == nullptr) return Status::kInvalidArgument;
    if (type_ == LayerType::kActivation) {
      for (std::int64_t i = 0; i < num_elements_; ++i) result[i] = a[i] < 0.0F ? 0.0F : a[i];
    } else {
      for (std::int64_t i = 0; i < num_elements_; ++i) result[i] = a[i] + b[i];
    }
    return Status::kSuccess;
  }

 private:
  const LayerType type_;
  const std::int64_t num_elements_;
};

class WorkloadFactory final : public IWorkloadFactory {
 public:
  std::unique_ptr<IWorkload> CreateWorkload(const WorkloadArgs& args) override {
    const std::string refusal =
        FindRefusal(args.layer_type, *args.descriptor, args.inputs, args.num_inputs);
    if (!refusal.empty()) throw std::invalid_argument(refusal);
    return std::make_unique<Workload>(args.layer_type, args.outputs[0]->shape.GetNumElements());
  }
};

class LayerSupport final : public ILayerSupport {
 public:
  bool IsLayerSupported(const LayerSupportQuery& query, std::string& reason) const override {
    const std::string refusal =
        FindRefusal(query.layer_type, *query.descriptor, query.inputs, query.num_inputs);
    if (refusal.empty()) return true;
    reason = refusal;
    return false;
  }
};

class Backend final : public IBackendInternal {
 public:
  const char* GetId() const override { return kId; }

  std::unique_ptr<IWorkloadFactory> CreateWorkloadFactory(
      const WorkloadFactoryArgs& /*args*/) const override {
    return std::make_unique<WorkloadFactory>();
  }

  std::shared_ptr<const ILayerSupport> GetLayerSupport(
      const LayerSupportArgs& /*args*/) const override {
    return std::make_shared<LayerSupport>();
  }

  BackendCapabilities GetCapabilities() const override {
    return {{kCapabilityRank, kRank}, {kCapabilityInPlace, true}};
  }
};

}  // namespace

BACKPLANE_BACKEND(Backend, kId);
