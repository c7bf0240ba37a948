#include "cpu_layers/index_refusal.hpp"
#include "cpu_layers/index_rows.hpp"
#include "cpu_layers/indices.hpp"
#include "cpu_layers/run_bytes.hpp"
#include "elements/converting_kernel.hpp"
#include "kernel.hpp"

#include <backplane/api/descriptors/gather_elements.hpp>

#include <cstring>

namespace backplane {
namespace reference {
namespace {

class GatherElementsKernel : public Kernel {
 public:
  explicit GatherElementsKernel(const Layer& layer)
      : rows_(layer.Input(0).shape, layer.Input(1).shape,
              layer.GetDescriptor<GatherElementsDescriptor>().axis),
        element_bytes_(GetDataTypeSizeBytes(layer.Output().data_type)) {}

  void Run(const RunTensors& tensors) const override {
    CheckIndices(tensors.Input<std::int64_t>(1), rows_.GetNumIndices(), rows_.GetExtent());
    WithRun(element_bytes_, [&](auto size) { CopyElements(tensors, size); });
  }

 private:
  template <typename Size>
  void CopyElements(const RunTensors& tensors, Size size) const {
    const auto* values = tensors.Input<unsigned char>(0);
    const auto* indices = tensors.Input<std::int64_t>(1);
    auto* output = tensors.Output<unsigned char>();
    const std::size_t bytes = size.GetBytes();
    rows_.ForEach([&](std::int64_t position, std::int64_t value) {
      const std::int64_t from =
          value + GetIndex(indices[position], rows_.GetExtent()) * rows_.GetStep();
      CopyRun(output + static_cast<std::size_t>(position) * bytes,
              values + static_cast<std::size_t>(from) * bytes, size);
    });
  }

  const IndexRows rows_;
  const std::size_t element_bytes_;
};

}  // namespace

std::string FindRefusalOfGatherElements(const Layer& layer) {
  Refusal refusal;
  RequireGatherElements(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeGatherElements(const Layer& layer) {
  return WithConvertedInputs(layer, {1}, std::make_unique<GatherElementsKernel>(layer));
}

}  // namespace reference
}  // namespace backplane
