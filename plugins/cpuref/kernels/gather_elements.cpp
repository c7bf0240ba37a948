#include "cpu_layers/index_refusal.hpp"
#include "cpu_layers/indices.hpp"
#include "elements/converting_kernel.hpp"
#include "kernel.hpp"
#include "kernels/index_rows.hpp"
#include "kernels/run_bytes.hpp"

#include <backplane/api/descriptors/gather_elements.hpp>

#include <cstring>

namespace backplane {
namespace cpuref {
namespace {

class GatherElementsKernel : public Kernel {
 public:
  explicit GatherElementsKernel(const Layer& layer)
      : rows_(layer.Input(0).shape, layer.Input(1).shape,
              layer.GetDescriptor<GatherElementsDescriptor>().axis),
        element_bytes_(GetDataTypeSizeBytes(layer.Output().data_type)) {}

  void Run(const RunTensors& tensors) const override {
    WithRunBytes(element_bytes_, [&](auto size) { CopyElements(tensors, size); });
  }

 private:
  template <typename Size>
  void CopyElements(const RunTensors& tensors, Size size) const {
    const auto* values = tensors.Input<unsigned char>(0);
    const auto* indices = tensors.Input<std::int64_t>(1);
    auto* output = tensors.Output<unsigned char>();
    const std::int64_t step = rows_.GetStep();
    const std::int64_t row_step = rows_.GetRowStep();
    rows_.VisitRows([&](std::int64_t value, std::int64_t first, std::int64_t length) {
      for (std::int64_t i = 0; i < length; ++i) {
        const std::int64_t index = GetNearestIndex(indices[first + i], rows_.GetExtent());
        const std::int64_t from = value + index * step + i * row_step;
        std::memcpy(output + static_cast<std::size_t>(first + i) * size(),
                    values + static_cast<std::size_t>(from) * size(), size());
      }
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

}  // namespace cpuref
}  // namespace backplane
