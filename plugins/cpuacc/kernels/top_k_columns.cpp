#include "kernels/top_k_columns.hpp"

#include "cpu_layers/axis_span.hpp"
#include "cpu_layers/divide_up.hpp"
#include "cpu_layers/transpose_tile.hpp"
#include "simd/simd.hpp"
#include "threads/parallel.hpp"

#include <backplane/api/descriptors/top_k.hpp>

#include <algorithm>
#include <cstring>
#include <limits>

namespace backplane {
namespace cpuacc {
namespace {

struct TopKColumns {
  /// As many columns as the longest vectors have elements, so that none is left empty.
  static constexpr std::int64_t kLeastColumns = 16;
  static constexpr std::int64_t kMostColumns = 64;
  /// Rows of up to so many elements are transposed, and are columns then.
  static constexpr std::int64_t kMostOfRow = 256;
  /// So many elements are worth a thread of their own.
  static constexpr std::int64_t kElementsOfThread = 8192;

  AxisSpan span;
  std::int64_t k;
  Preference preference;
  SelectColumnsFunction select;
};

/// `Element` is an integer as large as an element.
template <typename Element>
class TopKColumnsKernel : public Kernel {
 public:
  explicit TopKColumnsKernel(const TopKColumns& columns)
      : columns_(columns),
        has_rows_(columns.span.inner == 1),
        outer_(has_rows_ ? 1 : columns.span.outer),
        num_lines_(has_rows_ ? columns.span.outer : columns.span.inner) {}

  void Run(const KernelRun& run) const override {
    const std::int64_t most = has_rows_ ? TopKColumns::kLeastColumns : TopKColumns::kMostColumns;
    const std::int64_t num_blocks = DivideUp(num_lines_, most);
    ParallelFor(run.threads, outer_ * num_blocks,
                TopKColumns::kElementsOfThread / (columns_.span.extent * most) + 1,
                [&](std::int64_t begin, std::int64_t end) {
                  for (std::int64_t block = begin; block < end; ++block) {
                    const std::int64_t first = block % num_blocks * most;
                    RunBlock(run, block / num_blocks, first, std::min(most, num_lines_ - first));
                  }
                });
  }

 private:
  void RunBlock(const KernelRun& run, std::int64_t outer, std::int64_t first,
                std::int64_t count) const {
    const std::int64_t extent = columns_.span.extent;
    const auto* x = run.Input<unsigned char>(0) +
                    (outer * extent * num_lines_ + first * GetLineStep(extent)) * kBytes;
    std::int32_t rows[SelectionFunctions::kMostOfColumn * TopKColumns::kMostColumns];
    if (has_rows_) {
      alignas(64) unsigned char
          transposed[TopKColumns::kMostOfRow * TopKColumns::kLeastColumns * kBytes];
      TransposeTile<Element>({extent, kBytes, TopKColumns::kLeastColumns * kBytes},
                             {count, extent * kBytes, kBytes}, x, transposed);
      Select(transposed, {extent, TopKColumns::kLeastColumns, count}, rows);
    } else {
      Select(x, {extent, num_lines_, count}, rows);
    }
    const std::int64_t output = outer * columns_.k * num_lines_ + first * GetLineStep(columns_.k);
    Store(x, rows, count, run.Output<unsigned char>(0) + output * kBytes,
          run.Output<std::int64_t>(1) + output);
  }

  void Select(const unsigned char* x, const Panel& panel, std::int32_t* rows) const {
    columns_.select(x, panel, columns_.preference, columns_.k, rows);
  }

  void Store(const unsigned char* x, const std::int32_t* rows, std::int64_t count,
             unsigned char* values, std::int64_t* indices) const {
    const std::int64_t step = has_rows_ ? 1 : num_lines_;
    for (std::int64_t level = 0; level < columns_.k; ++level, rows += count) {
      for (std::int64_t i = 0; i < count; ++i) {
        const std::int64_t to = level * step + i * GetLineStep(columns_.k);
        const std::int64_t from = rows[i] * step + i * GetLineStep(columns_.span.extent);
        indices[to] = rows[i];
        std::memcpy(values + to * kBytes, x + from * kBytes, sizeof(Element));
      }
    }
  }

  /// From one line to the next, where lines have that length.
  std::int64_t GetLineStep(std::int64_t length) const { return has_rows_ ? length : 1; }

  static constexpr auto kBytes = static_cast<std::int64_t>(sizeof(Element));

  const TopKColumns columns_;
  const bool has_rows_;
  const std::int64_t outer_;
  const std::int64_t num_lines_;  // next to each other
};

bool IsWorthwhile(const AxisSpan& span) {
  if (span.inner >= TopKColumns::kLeastColumns)
    return span.extent <= std::numeric_limits<std::int32_t>::max();
  return span.inner == 1 && span.outer >= TopKColumns::kLeastColumns &&
         span.extent <= TopKColumns::kMostOfRow;
}

}  // namespace

std::unique_ptr<const Kernel> MakeTopKColumns(KernelMaker& maker) {
  const TensorInfo& input = maker.GetInput(0).info;
  const auto descriptor = maker.GetNode().GetDescriptor<TopKDescriptor>();
  auto type = NumberType::kFloat32;
  FindNumberType(input.data_type, &type);
  const TopKColumns columns = {
      MakeAxisSpan(input.shape, descriptor.axis), descriptor.k,
      descriptor.largest != 0 ? Preference::kLargest : Preference::kSmallest,
      GetSimdFunctions().selection.select_columns[static_cast<std::size_t>(type)]};
  if (columns.select == nullptr || descriptor.k < 1 ||
      descriptor.k > SelectionFunctions::kMostOfColumn || !IsWorthwhile(columns.span)) {
    return nullptr;
  }
  if (GetDataTypeSizeBytes(input.data_type) == 1) {
    return std::make_unique<TopKColumnsKernel<std::uint8_t>>(columns);
  }
  return std::make_unique<TopKColumnsKernel<std::uint32_t>>(columns);
}

}  // namespace cpuacc
}  // namespace backplane
