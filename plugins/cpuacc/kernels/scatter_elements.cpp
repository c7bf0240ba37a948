#include "cpu_layers/index_rows.hpp"
#include "cpu_layers/indices.hpp"
#include "cpu_layers/run_bytes.hpp"
#include "cpu_layers/scatter_refusal.hpp"
#include "kernels/index_type.hpp"
#include "kernels/kernel_table.hpp"
#include "kernels/scatter.hpp"

namespace backplane {
namespace cpuacc {
namespace {

template <typename Index>
class ScatterElementsKernel : public Kernel {
 public:
  ScatterElementsKernel(const IndexRows& rows, const TensorInfo& info)
      : rows_(rows),
        size_bytes_(info.GetSizeBytes()),
        element_bytes_(GetDataTypeSizeBytes(info.data_type)) {}

  bool MayOverwriteInput() const override { return true; }

  void Run(const KernelRun& run) const override {
    CheckIndices(run.Input<Index>(1), rows_.GetNumIndices(), rows_.GetExtent());
    if (size_bytes_ == 0) return;
    CopyValues(run, size_bytes_);
    WithRun(element_bytes_, [&](auto size) { Replace(run, size); });
  }

 private:
  template <typename Size>
  void Replace(const KernelRun& run, Size size) const {
    const auto* indices = run.Input<Index>(1);
    const auto* updates = run.Input<unsigned char>(2);
    auto* output = run.Output<unsigned char>();
    const auto bytes = static_cast<std::int64_t>(size.GetBytes());
    rows_.ForEach([&](std::int64_t position, std::int64_t value) {
      const std::int64_t index = GetIndex(indices[position], rows_.GetExtent());
      CopyRun(output + (value + index * rows_.GetStep()) * bytes, updates + position * bytes, size);
    });
  }

  IndexRows rows_;
  std::uint64_t size_bytes_;
  std::size_t element_bytes_;
};

}  // namespace

std::string FindRefusalOfScatterElements(const Layer& layer) {
  Refusal refusal;
  const auto descriptor = layer.GetDescriptor<ScatterElementsDescriptor>();
  RequireReplacement(
      layer, descriptor.reduction, [&](std::uint32_t axis) { return axis != descriptor.axis; },
      refusal);
  RequireScatterElements(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<const Kernel> MakeScatterElements(KernelMaker& maker) {
  maker.WantAllPlain();
  const TensorInfo& values = maker.GetInput(0).info;
  const TensorInfo& indices = maker.GetInput(1).info;
  const std::uint32_t axis = maker.GetNode().GetDescriptor<ScatterElementsDescriptor>().axis;
  const IndexRows rows(values.shape, indices.shape, axis);
  return WithIndex(indices.data_type, [&](auto index) -> std::unique_ptr<const Kernel> {
    return std::make_unique<ScatterElementsKernel<decltype(index)>>(rows, values);
  });
}

}  // namespace cpuacc
}  // namespace backplane
