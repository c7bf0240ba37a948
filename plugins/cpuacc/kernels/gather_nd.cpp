#include "cpu_layers/index_refusal.hpp"
#include "cpu_layers/joined_shape.hpp"
#include "cpu_layers/positions.hpp"
#include "cpu_layers/run_bytes.hpp"
#include "kernels/index_type.hpp"
#include "kernels/kernel_table.hpp"
#include "threads/parallel.hpp"

#include <backplane/api/descriptors/gather_nd.hpp>

#include <algorithm>
#include <utility>

namespace backplane {
namespace cpuacc {
namespace {

struct GatherNdShape {
  PositionAxes axes;
  std::int64_t num_batches = 0;
  std::int64_t positions_in_batch = 0;
  std::int64_t batch_bytes = 0;  // of values
  std::int64_t element_bytes = 0;
  std::size_t slice_bytes = 0;
};

template <typename Index>
class GatherNdKernel : public Kernel {
 public:
  explicit GatherNdKernel(GatherNdShape shape) : shape_(std::move(shape)) {}

  void Run(const KernelRun& run) const override {
    shape_.axes.Check(run.Input<Index>(1), shape_.num_batches * shape_.positions_in_batch);
    if (shape_.slice_bytes == 0) return;
    WithRun(shape_.slice_bytes, [&](auto size) { CopySlices(run, size); });
  }

 private:
  /// So many bytes are worth a thread of their own, with 8 for finding each position.
  static constexpr std::int64_t kGrainBytes = 64 * 1024;

  template <typename Size>
  void CopySlices(const KernelRun& run, Size size) const {
    const std::int64_t per_batch = shape_.positions_in_batch;
    const std::int64_t grain = kGrainBytes / static_cast<std::int64_t>(8 + size.GetBytes()) + 1;
    ParallelFor(run.threads, shape_.num_batches * per_batch, grain,
                [&](std::int64_t begin, std::int64_t end) {
                  while (begin < end) {
                    const std::int64_t batch = begin / per_batch;
                    const std::int64_t batch_end = std::min(end, (batch + 1) * per_batch);
                    CopySlicesOf(run, size, batch, begin, batch_end);
                    begin = batch_end;
                  }
                });
  }

  /// Positions `begin` to `end`, counted through all batches.
  template <typename Size>
  void CopySlicesOf(const KernelRun& run, Size size, std::int64_t batch, std::int64_t begin,
                    std::int64_t end) const {
    const auto* values = run.Input<unsigned char>(0) + batch * shape_.batch_bytes;
    const auto* position = run.Input<Index>(1) + begin * shape_.axes.GetCount();
    auto* output = run.Output<unsigned char>() + begin * static_cast<std::int64_t>(size.GetBytes());
    for (; begin < end; ++begin) {
      CopyRun(output, values + shape_.axes.Find(position) * shape_.element_bytes, size);
      output += size.GetBytes();
      position += shape_.axes.GetCount();
    }
  }

  GatherNdShape shape_;
};

}  // namespace

std::string FindRefusalOfGatherNd(const Layer& layer) {
  Refusal refusal;
  RequireGatherNd(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<const Kernel> MakeGatherNd(KernelMaker& maker) {
  maker.WantAllPlain();
  const std::uint32_t batch_dims = maker.GetNode().GetDescriptor<GatherNdDescriptor>().batch_dims;
  const TensorInfo& values = maker.GetInput(0).info;
  const TensorInfo& indices = maker.GetInput(1).info;
  const std::uint32_t rank = values.shape.rank;
  const auto length = static_cast<std::uint32_t>(indices.shape[indices.shape.rank - 1]);
  const std::uint32_t behind = batch_dims + length;
  GatherNdShape shape = {PositionAxes(values.shape, batch_dims, length)};
  shape.num_batches = CountElements(values.shape, 0, batch_dims);
  shape.positions_in_batch =
      CountElements(indices.shape, batch_dims, indices.shape.rank - 1 - batch_dims);
  shape.element_bytes = GetDataTypeSizeBytes(values.data_type);
  shape.batch_bytes =
      CountElements(values.shape, batch_dims, rank - batch_dims) * shape.element_bytes;
  shape.slice_bytes = static_cast<std::size_t>(CountElements(values.shape, behind, rank - behind) *
                                               shape.element_bytes);
  return WithIndex(indices.data_type, [&](auto index) -> std::unique_ptr<const Kernel> {
    return std::make_unique<GatherNdKernel<decltype(index)>>(shape);
  });
}

}  // namespace cpuacc
}  // namespace backplane
