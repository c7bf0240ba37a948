#include "cpu_layers/divide_up.hpp"
#include "cpu_layers/index_refusal.hpp"
#include "cpu_layers/indices.hpp"
#include "cpu_layers/joined_shape.hpp"
#include "cpu_layers/run_bytes.hpp"
#include "kernels/index_type.hpp"
#include "kernels/kernel_table.hpp"
#include "threads/parallel.hpp"

#include <backplane/api/descriptors/gather.hpp>

#include <algorithm>
#include <cstring>

namespace backplane {
namespace cpuacc {
namespace {

constexpr std::int64_t kGrainBytes = 64 * 1024;

struct GatherShape {
  std::int64_t num_rows;     // combinations of indices in front of the axis
  std::int64_t extent;       // of the axis
  std::int64_t num_indices;  // that are gathered from each row
  std::size_t run_bytes;     // behind the axis
};

template <typename Index, typename Run>
void GatherRuns(const GatherShape& shape, const KernelRun& run, Run size) {
  const auto* values = run.Input<unsigned char>(0);
  const auto* indices = run.Input<Index>(1);
  auto* output = run.Output<unsigned char>();
  const auto bytes = static_cast<std::int64_t>(size.GetBytes());
  const auto gather = [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin / shape.num_indices; begin < end; ++row) {
      const std::int64_t row_end = std::min(end, (row + 1) * shape.num_indices);
      const unsigned char* source = values + row * shape.extent * bytes;
      for (std::int64_t i = begin - row * shape.num_indices; begin < row_end; ++begin, ++i) {
        CopyRun(output + begin * bytes, source + GetIndex(indices[i], shape.extent) * bytes, size);
      }
    }
  };
  const std::int64_t grain = kGrainBytes / std::max<std::int64_t>(bytes, 1) + 1;
  ParallelFor(run.threads, shape.num_rows * shape.num_indices, grain, gather);
}

/// Long runs in parts, so that threads share few of them.
template <typename Index>
void GatherParts(const GatherShape& shape, const KernelRun& run) {
  const auto bytes = static_cast<std::int64_t>(shape.run_bytes);
  const std::int64_t num_parts = DivideUp(bytes, kGrainBytes);
  const auto* values = run.Input<unsigned char>(0);
  const auto* indices = run.Input<Index>(1);
  auto* output = run.Output<unsigned char>();
  const auto copy_parts = [&](std::int64_t begin, std::int64_t end) {
    for (; begin < end; ++begin) {
      const std::int64_t to = begin / num_parts;
      const std::int64_t index = GetIndex(indices[to % shape.num_indices], shape.extent);
      const std::int64_t from = to / shape.num_indices * shape.extent + index;
      const std::int64_t offset = begin % num_parts * kGrainBytes;
      std::memcpy(output + to * bytes + offset, values + from * bytes + offset,
                  static_cast<std::size_t>(std::min(kGrainBytes, bytes - offset)));
    }
  };
  ParallelFor(run.threads, shape.num_rows * shape.num_indices * num_parts, 1, copy_parts);
}

template <typename Index>
class GatherKernel : public Kernel {
 public:
  explicit GatherKernel(const GatherShape& shape) : shape_(shape) {}

  void Run(const KernelRun& run) const override {
    CheckIndices(run.Input<Index>(1), shape_.num_indices, shape_.extent);
    if (shape_.run_bytes == 0) return;
    if (shape_.run_bytes > static_cast<std::size_t>(kGrainBytes)) {
      return GatherParts<Index>(shape_, run);
    }
    WithRun(shape_.run_bytes, [&](auto size) { GatherRuns<Index>(shape_, run, size); });
  }

 private:
  GatherShape shape_;
};

}  // namespace

std::string FindRefusalOfGather(const Layer& layer) {
  Refusal refusal;
  RequireGather(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<const Kernel> MakeGather(KernelMaker& maker) {
  maker.WantAllPlain();
  const std::uint32_t axis = maker.GetNode().GetDescriptor<GatherDescriptor>().axis;
  const TensorInfo& values = maker.GetInput(0).info;
  const TensorInfo& indices = maker.GetInput(1).info;
  GatherShape shape;
  shape.num_rows = CountElements(values.shape, 0, axis);
  shape.extent = values.shape[axis];
  shape.num_indices = indices.shape.GetNumElements();
  shape.run_bytes = static_cast<std::size_t>(
                        CountElements(values.shape, axis + 1, values.shape.rank - axis - 1)) *
                    GetDataTypeSizeBytes(values.data_type);
  return WithIndex(indices.data_type, [&](auto index) -> std::unique_ptr<const Kernel> {
    return std::make_unique<GatherKernel<decltype(index)>>(shape);
  });
}

}  // namespace cpuacc
}  // namespace backplane
