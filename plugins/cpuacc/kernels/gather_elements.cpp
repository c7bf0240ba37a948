#include "cpu_layers/index_refusal.hpp"
#include "cpu_layers/index_rows.hpp"
#include "cpu_layers/indices.hpp"
#include "cpu_layers/run_bytes.hpp"
#include "kernels/index_type.hpp"
#include "kernels/kernel_table.hpp"
#include "threads/parallel.hpp"

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
    CheckIndices(run.Input<Index>(1), rows_.GetNumIndices(), rows_.GetExtent());
    WithRun(element_bytes_, [&](auto size) {
      ParallelFor(run.threads, rows_.GetNumRows(),
                  kElementsOfThread / (rows_.GetRowLength() + 1) + 1,
                  [&](std::int64_t begin, std::int64_t end) { GatherRows(run, size, begin, end); });
    });
  }

 private:
  /// So many elements are worth a thread of their own.
  static constexpr std::int64_t kElementsOfThread = 8192;

  template <typename Size>
  void GatherRows(const KernelRun& run, Size size, std::int64_t begin, std::int64_t end) const {
    const std::int64_t length = rows_.GetRowLength();
    const std::int64_t extent = rows_.GetExtent();
    const auto bytes = static_cast<std::int64_t>(size.GetBytes());
    const std::int64_t step = rows_.GetStep() * bytes;
    const std::int64_t row_step = rows_.GetRowStep() * bytes;
    rows_.ForEachRow(begin, end, [&](std::int64_t first, std::int64_t value) {
      const auto* values = run.Input<unsigned char>(0) + value * bytes;
      const auto* indices = run.Input<Index>(1) + first;
      auto* output = run.Output<unsigned char>() + first * bytes;
      for (std::int64_t i = 0; i < length; ++i) {
        const std::int64_t index = GetIndex(indices[i], extent);
        CopyRun(output + i * bytes, values + index * step + i * row_step, size);
      }
    });
  }

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
