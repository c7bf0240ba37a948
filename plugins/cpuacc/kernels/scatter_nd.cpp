#include "cpu_layers/joined_shape.hpp"
#include "cpu_layers/positions.hpp"
#include "cpu_layers/run_bytes.hpp"
#include "cpu_layers/scatter_refusal.hpp"
#include "kernels/index_type.hpp"
#include "kernels/kernel_table.hpp"
#include "kernels/scatter.hpp"

#include <backplane/api/descriptors/scatter_nd.hpp>

#include <utility>

namespace backplane {
namespace cpuacc {
namespace {

struct ScatterNdShape {
  PositionAxes axes;
  std::int64_t num_positions = 0;
  std::int64_t element_bytes = 0;
  std::size_t slice_bytes = 0;
  std::uint64_t size_bytes = 0;
};

template <typename Index>
class ScatterNdKernel : public Kernel {
 public:
  explicit ScatterNdKernel(ScatterNdShape shape) : shape_(std::move(shape)) {}

  bool MayOverwriteInput() const override { return true; }

  void Run(const KernelRun& run) const override {
    shape_.axes.Check(run.Input<Index>(1), shape_.num_positions);
    if (shape_.size_bytes == 0) return;
    CopyValues(run, shape_.size_bytes);
    WithRun(shape_.slice_bytes, [&](auto size) { Replace(run, size); });
  }

 private:
  template <typename Size>
  void Replace(const KernelRun& run, Size size) const {
    const auto* position = run.Input<Index>(1);
    const auto* update = run.Input<unsigned char>(2);
    for (std::int64_t i = 0; i < shape_.num_positions; ++i) {
      const std::int64_t offset = shape_.axes.Find(position) * shape_.element_bytes;
      CopyRun(run.Output<unsigned char>() + offset, update, size);
      position += shape_.axes.GetCount();
      update += size.GetBytes();
    }
  }

  ScatterNdShape shape_;
};

}  // namespace

std::string FindRefusalOfScatterNd(const Layer& layer) {
  Refusal refusal;
  const TensorShape& indices = layer.Input(1).shape;
  const std::int64_t length = indices.rank == 0 ? 0 : indices[indices.rank - 1];
  RequireReplacement(
      layer, layer.GetDescriptor<ScatterNdDescriptor>().reduction,
      [&](std::uint32_t axis) { return axis >= length && indices.rank == length + 1; }, refusal);
  RequireScatterNd(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<const Kernel> MakeScatterNd(KernelMaker& maker) {
  maker.WantAllPlain();
  const TensorInfo& values = maker.GetInput(0).info;
  const TensorInfo& indices = maker.GetInput(1).info;
  const std::uint32_t rank = values.shape.rank;
  const auto length = static_cast<std::uint32_t>(indices.shape[indices.shape.rank - 1]);
  ScatterNdShape shape = {PositionAxes(values.shape, 0, length)};
  shape.num_positions = CountElements(indices.shape, 0, indices.shape.rank - 1);
  shape.element_bytes = GetDataTypeSizeBytes(values.data_type);
  shape.slice_bytes = static_cast<std::size_t>(CountElements(values.shape, length, rank - length) *
                                               shape.element_bytes);
  shape.size_bytes = values.GetSizeBytes();
  return WithIndex(indices.data_type, [&](auto index) -> std::unique_ptr<const Kernel> {
    return std::make_unique<ScatterNdKernel<decltype(index)>>(shape);
  });
}

}  // namespace cpuacc
}  // namespace backplane
