/// A backend in C++ that has an operator of its own, and nothing else: numbers below 0 times a
/// slope.

#include <backplane/api/backend.hpp>
#include <backplane/api/custom_layer.hpp>
#include <backplane/api/permissions.hpp>

#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using backplane::BaseDescriptor;
using backplane::CustomDescriptor;
using backplane::DataType;
using backplane::Status;

constexpr char kId[] = "CppLeaky";

/// The only attribute.
float ReadSlope(const BaseDescriptor& descriptor) {
  const auto custom = backplane::CopyDescriptor<CustomDescriptor>(descriptor);
  return static_cast<float>(backplane::GetAttribute(custom, "slope", 0.01).float_value);
}

class Leaky final : public backplane::IWorkload {
 public:
  Leaky(float slope, const backplane::TensorShape& shape)
      : slope_(slope), count_(shape.GetNumElements()) {}

  Status Execute(const backplane::ExecuteArgs& args) const override {
    const auto* const x = args.GetInput(0).GetDense<float>();
    auto* const y = args.GetOutput(0).GetDense<float>();
    if (count_ != 0 && (x == nullptr || y == nullptr)) return Status::kInvalidArgument;
    for (std::int64_t i = 0; i < count_; ++i) y[i] = x[i] < 0 ? slope_ * x[i] : x[i];
    return Status::kSuccess;
  }

 private:
  const float slope_;
  const std::int64_t count_;
};

class Factory final : public backplane::IWorkloadFactory {
 public:
  std::unique_ptr<backplane::IWorkload> CreateWorkload(
      const backplane::WorkloadArgs& args) override {
    return std::make_unique<Leaky>(ReadSlope(*args.descriptor), args.outputs[0]->shape);
  }
};

class LayerSupport final : public backplane::ILayerSupport {
 public:
  bool IsLayerSupported(const backplane::LayerSupportQuery& query,
                        std::string& reason) const override {
    if (query.layer_type == backplane::LayerType::kCustom && query.num_inputs == 1 &&
        query.inputs[0]->data_type == DataType::kFloat32) {
      return true;
    }
    reason = "only example/Leaky of one float32 tensor is supported";
    return false;
  }
};

backplane::OperatorTensor MakeTensor(const std::vector<float>& values) {
  backplane::OperatorTensor tensor;
  tensor.info = {{static_cast<std::int64_t>(values.size())}, DataType::kFloat32};
  tensor.bytes.resize(values.size() * sizeof(float));
  std::memcpy(tensor.bytes.data(), values.data(), tensor.bytes.size());
  return tensor;
}

class LeakyBackend final : public backplane::IBackendInternal {
 public:
  const char* GetId() const override { return kId; }
  std::unique_ptr<backplane::IWorkloadFactory> CreateWorkloadFactory(
      const backplane::WorkloadFactoryArgs& /*args*/) const override {
    return std::make_unique<Factory>();
  }
  std::shared_ptr<const backplane::ILayerSupport> GetLayerSupport(
      const backplane::LayerSupportArgs& /*args*/) const override {
    return std::make_shared<LayerSupport>();
  }
  std::vector<backplane::OperatorDeclaration> GetOperators() const override {
    backplane::OperatorDeclaration leaky;
    leaky.domain = "example";
    leaky.type = "Leaky";
    leaky.text = "Numbers below 0 times a slope.";
    leaky.version_to = 2;
    leaky.inputs = {{"x", {DataType::kFloat32}}};
    leaky.outputs = {{"y", {DataType::kFloat32}}};
    backplane::OptionSchema slope;
    slope.name = "slope";
    slope.type = backplane::OptionType::kFloat;
    slope.default_value = backplane::OptionValue(0.01);
    slope.text = "What numbers below 0 are multiplied with.";
    leaky.attributes = {slope};
    return {leaky};
  }
  std::vector<backplane::OperatorCase> GetOperatorCases() const override {
    backplane::OperatorCase halved;
    halved.name = "half of what is below 0";
    halved.domain = "example";
    halved.type = "Leaky";
    halved.attributes = {{"slope", 0.5}};
    halved.inputs = {MakeTensor({-2, 3})};
    halved.outputs = {MakeTensor({-1, 3})};
    return {halved};
  }
  std::vector<backplane::TensorInfo> InferOutputs(const backplane::InferArgs& args) const override {
    if (args.num_inputs != 1) throw std::invalid_argument("Leaky has one input");
    return {*args.inputs[0]};
  }
};

}  // namespace

BACKPLANE_BACKEND(LeakyBackend, kId);
BACKPLANE_MANIFEST_WITH("CppLeaky", "Example Works", "1.0.0", "MIT", "", 0, "",
                        "example/Leaky/1-2");
