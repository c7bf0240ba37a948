#include "cpu_layers/index_refusal.hpp"
#include "cpu_layers/index_rows.hpp"
#include "cpu_layers/indices.hpp"
#include "cpu_layers/run_bytes.hpp"
#include "kernels/index_type.hpp"
#include "kernels/kernel_table.hpp"

#include <backplane/api/descriptors/gather_elements.hpp>

namespace backplane {
namespace cpuacc {
namespace {

template <typename Index>
class GatherElementsKernel : public Kernel {
 public:
  GatherElementsKernel(const IndexRows& rows, std::size_t element_bytes)
      : rows_(rows), element_bytes_(element_bytes) {}

  void Run(const KernelRun& run) const override {
    const auto* values = run.Input<unsigned char>(0);
    const auto* indices = run.Input<Index>(1);
    auto* output = run.Output<unsigned char>();
    WithRun(element_bytes_, [&](auto size) {
      const auto bytes = static_cast<std::int64_t>(size.GetBytes());
      rows_.ForEach([&](std::int64_t position, std::int64_t value) {
        const std::int64_t index = GetNearestIndex(indices[position], rows_.GetExtent());
        CopyRun(output + position * bytes, values + (value + index * rows_.GetStep()) * bytes,
                size);
      });
    });
  }

 private:
  IndexRows rows_;
  std::size_t element_bytes_;
};

}  // namespace

std::string FindRefusalOfGatherElements(const Layer& layer) {
  Refusal refusal;
  RequireGatherElements(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<const Kernel> MakeGatherElements(KernelMaker& maker) {
  maker.WantAllPlain();
  const TensorInfo& values = maker.GetInput(0).info;
  const TensorInfo& indices = maker.GetInput(1).info;
  const std::uint32_t axis = maker.GetNode().GetDescriptor<GatherElementsDescriptor>().axis;
  const IndexRows rows(values.shape, indices.shape, axis);
  const std::size_t bytes = GetDataTypeSizeBytes(values.data_type);
  return WithIndex(indices.data_type, [&](auto index) -> std::unique_ptr<const Kernel> {
    return std::make_unique<GatherElementsKernel<decltype(index)>>(rows, bytes);
  });
}

}  // namespace cpuacc
}  // namespace backplane
