#include "quantised/byte_weights.hpp"

#include "cpu_layers/divide_up.hpp"
#include "cpu_layers/scales.hpp"
#include "memory/aligned_memory.hpp"
#include "quantised/quantised_types.hpp"
#include "simd/simd.hpp"
#include "threads/parallel.hpp"

#include <backplane/api/descriptors/batch_mat_mul.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace backplane {
namespace cpuacc {
namespace {

/// Elements that stand in one byte, in halves, lie so far apart in groups: in the same place of
/// two.
constexpr std::int64_t kGroup = 4;

/// In front of packed panels.
struct PackedHead {
  bool are_halves = false;
  bool are_groups = false;  // as RoundedRows says
  bool has_one_zero_point = false;
};

/// Panels of bytes, of halves where all fit, and behind them their scales and zero points. Bytes of
/// int8 are packed as uint8 that are 128 greater; halves, as what they are above the least of their
/// block, or of all where that is enough.
class PackedBytes {
 public:
  /// `may_round`: they lie in groups where there is a function for them.
  PackedBytes(const GraphTensor& matrix, const ByteMatrixShape& shape, bool may_round)
      : matrix_(matrix),
        shape_(shape),
        bytes_(static_cast<const std::uint8_t*>(matrix.content.get())),
        flip_(static_cast<std::uint8_t>(GetSignBit(matrix.info))),
        step_(shape.is_transposed ? 1 : shape.columns),
        column_step_(shape.is_transposed ? shape.inner : 1),
        least_(FindLeast()),
        head_(MakeHead(may_round)),
        panel_bytes_(CountPanelBytes(shape, AreHalves())) {}

  std::shared_ptr<const void> Pack() const {
    const std::int64_t num_floats =
        CountScales() + (head_.has_one_zero_point ? kPanelColumns : CountScales());
    const std::uint64_t float_bytes = static_cast<std::uint64_t>(num_floats) * sizeof(float);
    std::shared_ptr<void> packed = AllocateAligned(kHeadBytes + CountBytes() + float_bytes);
    new (packed.get()) PackedHead(head_);
    auto* to = static_cast<std::uint8_t*>(packed.get()) + kHeadBytes;
    for (std::int64_t panel = 0; panel < CountPanels(); ++panel) {
      const std::int64_t first = panel * kPanelColumns;
      if (AreHalves()) {
        PackHalves(first, to + panel * panel_bytes_);
      } else {
        PackPanel(first, to + panel * panel_bytes_);
      }
    }
    auto* scales = reinterpret_cast<float*>(to + CountBytes());
    PackScales(scales, scales + CountScales());
    return packed;
  }

  /// Where they lie in what Pack gave. True: in groups.
  static bool Find(const void* packed, const ByteMatrixShape& shape, ByteWeights& product) {
    const auto& head = *static_cast<const PackedHead*>(packed);
    product.are_halves = head.are_halves;
    product.b = static_cast<const std::uint8_t*>(packed) + kHeadBytes;
    product.scales =
        reinterpret_cast<const float*>(product.b + CountBytes(shape, product.are_halves));
    product.zero_points = product.scales + CountScales(shape);
    product.zero_point_step = head.has_one_zero_point ? 0 : kPanelColumns;
    return head.are_groups;
  }

 private:
  static constexpr std::uint64_t kHeadBytes = 64;

  static std::int64_t CountPanels(const ByteMatrixShape& shape) {
    return cpu_layers::DivideUp(shape.columns, kPanelColumns);
  }
  static std::int64_t CountPanelBytes(const ByteMatrixShape& shape, bool are_halves) {
    return shape.inner / (are_halves ? 2 : 1) * kPanelColumns;
  }
  static std::uint64_t CountBytes(const ByteMatrixShape& shape, bool are_halves) {
    return RoundUp(
        static_cast<std::uint64_t>(CountPanels(shape) * CountPanelBytes(shape, are_halves)));
  }
  static std::int64_t CountScales(const ByteMatrixShape& shape) {
    return CountPanels(shape) * (shape.inner / shape.block) * kPanelColumns;
  }

  bool AreHalves() const { return !least_.empty(); }

  PackedHead MakeHead(bool may_round) const {
    const ProductFunctions& functions = GetSimdFunctions().products;
    const auto is_first = [&](std::size_t i) {
      return least_[i] == least_[0] &&
             cpu_layers::GetZeroPoint(matrix_.info, i) == cpu_layers::GetZeroPoint(matrix_.info, 0);
    };
    PackedHead head;
    head.are_halves = AreHalves();
    head.are_groups = may_round && shape_.block % (2 * kGroup) == 0 &&
                      (head.are_halves ? functions.multiply_rounded_halves
                                       : functions.multiply_rounded_bytes) != nullptr;
    head.has_one_zero_point = head.are_halves;
    for (std::size_t i = 0; i < least_.size() && head.has_one_zero_point; ++i) {
      head.has_one_zero_point = is_first(i);
    }
    return head;
  }

  /// Of each block of each column; empty where those of some block are too far from each other.
  std::vector<std::uint8_t> FindLeast() const {
    constexpr int kMostHalf = 15;
    std::uint8_t least_of_all = 255;
    std::uint8_t most_of_all = 0;
    std::vector<std::uint8_t> least;
    if (shape_.block % 2 != 0) return least;
    least.reserve(static_cast<std::size_t>(shape_.columns * CountBlocks()));
    for (std::int64_t column = 0; column < shape_.columns; ++column) {
      for (std::int64_t block = 0; block < CountBlocks(); ++block) {
        const auto [low, high] = FindRange(GetBlock(column, block));
        if (high - low > kMostHalf) return {};
        least.push_back(low);
        least_of_all = std::min(least_of_all, low);
        most_of_all = std::max(most_of_all, high);
      }
    }
    if (most_of_all - least_of_all <= kMostHalf)
      std::fill(least.begin(), least.end(), least_of_all);
    return least;
  }

  const std::uint8_t* GetBlock(std::int64_t column, std::int64_t block) const {
    return bytes_ + column * column_step_ + block * shape_.block * step_;
  }

  std::pair<std::uint8_t, std::uint8_t> FindRange(const std::uint8_t* block) const {
    const auto find = [block, flip = flip_, count = shape_.block](auto step) {
      std::uint8_t low = 255;
      std::uint8_t high = 0;
      for (std::int64_t i = 0; i < count; ++i) {
        const auto byte = static_cast<std::uint8_t>(block[i * step] ^ flip);
        low = std::min(low, byte);
        high = std::max(high, byte);
      }
      return std::pair(low, high);
    };
    // With a step that it knows, the compiler finds many at once.
    return step_ == 1 ? find(std::integral_constant<std::int64_t, 1>()) : find(step_);
  }

  std::int64_t CountPanels() const { return CountPanels(shape_); }
  std::uint64_t CountBytes() const { return CountBytes(shape_, AreHalves()); }
  std::int64_t CountBlocks() const { return shape_.inner / shape_.block; }
  std::int64_t CountScales() const { return CountScales(shape_); }
  std::int64_t CountColumns(std::int64_t first) const {
    return std::min(kPanelColumns, shape_.columns - first);
  }
  std::int64_t GetGroup() const { return head_.are_groups ? kGroup : 1; }
  /// The byte of the first column that is number `index` of each column.
  std::int64_t GetPlace(std::int64_t index) const {
    const std::int64_t group = GetGroup();
    return index / group * group * kPanelColumns + index % group;
  }
  std::size_t GetScaleIndex(std::int64_t column, std::int64_t block) const {
    return static_cast<std::size_t>(column * CountBlocks() + block);
  }

  /// Columns that are not there are 0.
  void PackPanel(std::int64_t first, std::uint8_t* to) const {
    const std::int64_t count = CountColumns(first);
    const std::uint8_t* from = GetBlock(first, 0);
    if (count < kPanelColumns) std::fill_n(to, panel_bytes_, std::uint8_t{0});
    const std::int64_t group = GetGroup();
    for (std::int64_t i = 0; i < shape_.inner; ++i, from += step_) {
      std::uint8_t* const place = to + GetPlace(i);
      for (std::int64_t column = 0; column < count; ++column) {
        place[column * group] = static_cast<std::uint8_t>(from[column * column_step_] ^ flip_);
      }
    }
  }

  void PackHalves(std::int64_t first, std::uint8_t* to) const {
    const std::int64_t count = CountColumns(first);
    if (count < kPanelColumns) std::fill_n(to, panel_bytes_, std::uint8_t{0});
    const std::int64_t group = GetGroup();
    for (std::int64_t block = 0; block < CountBlocks(); ++block) {
      std::uint8_t least[kPanelColumns] = {};
      for (std::int64_t column = 0; column < count; ++column) {
        least[column] = least_[GetScaleIndex(first + column, block)];
      }
      const std::uint8_t* const from = GetBlock(first, block);
      for (std::int64_t i = 0; i < shape_.block / 2; ++i) {
        const std::uint8_t* const low = from + (i / group * group + i) * step_;
        std::uint8_t* const place = to + GetPlace(block * shape_.block / 2 + i);
        for (std::int64_t column = 0; column < count; ++column) {
          const std::uint8_t* const at = low + column * column_step_;
          place[column * group] =
              static_cast<std::uint8_t>(((at[0] ^ flip_) - least[column]) |
                                        ((at[group * step_] ^ flip_) - least[column]) << 4);
        }
      }
    }
  }

  void PackScales(float* scales, float* zero_points) const {
    std::fill_n(scales, CountScales(), 0.0F);
    std::fill_n(zero_points, head_.has_one_zero_point ? kPanelColumns : CountScales(), 0.0F);
    for (std::int64_t column = 0; column < shape_.columns; ++column) {
      for (std::int64_t block = 0; block < CountBlocks(); ++block) {
        const std::int64_t to = (column / kPanelColumns * CountBlocks() + block) * kPanelColumns +
                                column % kPanelColumns;
        const std::size_t from = GetScaleIndex(column, block);
        const int least = AreHalves() ? least_[from] : 0;
        scales[to] = cpu_layers::GetScale(matrix_.info, from);
        zero_points[head_.has_one_zero_point ? column % kPanelColumns : to] =
            static_cast<float>(cpu_layers::GetZeroPoint(matrix_.info, from) + flip_ - least);
      }
    }
  }

  const GraphTensor& matrix_;
  const ByteMatrixShape shape_;
  const std::uint8_t* const bytes_;
  const std::uint8_t flip_;
  const std::int64_t step_;
  const std::int64_t column_step_;
  const std::vector<std::uint8_t> least_;  // empty: bytes are no halves
  const PackedHead head_;
  const std::int64_t panel_bytes_;
};

/// Where the model allows it, rows are rounded, and each block is a sum of integers.
class RoundedWeightKernel : public Kernel {
 public:
  RoundedWeightKernel(const ByteWeights& product, std::shared_ptr<const void> packed)
      : product_(product),
        packed_(std::move(packed)),
        num_blocks_(product.rows * (product.inner / product.block)),
        multiply_(product.are_halves ? functions_.multiply_rounded_halves
                                     : functions_.multiply_rounded_bytes) {}

  std::uint64_t GetScratchBytes() const override {
    return 2 * CountFloatBytes() + static_cast<std::uint64_t>(product_.rows * product_.inner);
  }

  void Run(const KernelRun& run) const override {
    constexpr std::int64_t kBlocksOfThread = 512;
    constexpr std::int64_t kProductsOfThread = std::int64_t{1} << 18;
    ByteWeights product = product_;
    product.a = run.Input<float>(0);
    product.result = run.Output<float>();
    RoundedRows rows;
    rows.scales = run.GetScratch<float>();
    rows.sums = rows.scales + num_blocks_;
    rows.a = reinterpret_cast<std::int8_t*>(rows.sums + num_blocks_);
    ParallelFor(run.threads, num_blocks_, kBlocksOfThread,
                [&](std::int64_t begin, std::int64_t end) {
                  functions_.round_rows(product, begin, end, rows);
                });
    const std::int64_t num_panels = cpu_layers::DivideUp(product.columns, kPanelColumns);
    const std::int64_t of_panel = product.rows * product.inner * kPanelColumns;
    ParallelFor(
        run.threads, num_panels, kProductsOfThread / of_panel + 1,
        [&](std::int64_t begin, std::int64_t end) { multiply_(product, rows, begin, end); });
  }

 private:
  std::uint64_t CountFloatBytes() const {
    return static_cast<std::uint64_t>(num_blocks_) * sizeof(float);
  }

  const ByteWeights product_;
  const std::shared_ptr<const void> packed_;
  const std::int64_t num_blocks_;
  const ProductFunctions& functions_ = GetSimdFunctions().products;
  const MultiplyRounded multiply_;
};

/// Few rows read the bytes. With more of them, some panels after the other become floats first.
class ByteWeightKernel : public Kernel {
 public:
  ByteWeightKernel(const ByteWeights& product, std::shared_ptr<const void> packed, int num_threads)
      : product_(product),
        packed_(std::move(packed)),
        num_threads_(num_threads),
        num_panels_(cpu_layers::DivideUp(product.columns, kPanelColumns)) {}

  std::uint64_t GetScratchBytes() const override {
    const std::int64_t num_floats =
        ReadsBytes() ? product_.rows * CountBlocks() : num_threads_ * CountWidened();
    return static_cast<std::uint64_t>(num_floats) * sizeof(float);
  }

  void Run(const KernelRun& run) const override {
    ByteWeights product = product_;
    product.a = run.Input<float>(0);
    product.result = run.Output<float>();
    if (ReadsBytes()) return RunFewRows(run, product);
    const Threads threads = run.threads.AtMost(num_threads_);
    ParallelForPieces(threads, cpu_layers::DivideUp(num_panels_, kPanelsAtOnce), 1,
                      [&](std::int64_t piece, std::int64_t begin, std::int64_t end) {
                        float* floats = run.GetScratch<float>() + piece * CountWidened();
                        for (; begin < end && !threads.AreStopped(); ++begin) {
                          Multiply(product, begin, floats);
                        }
                      });
  }

 private:
  static constexpr std::int64_t kPanelsAtOnce = 4;

  bool ReadsBytes() const { return product_.rows <= kMostByteWeightRows; }

  void RunFewRows(const KernelRun& run, ByteWeights& product) const {
    constexpr std::int64_t kProductsOfThread = std::int64_t{1} << 16;
    auto* sums = run.GetScratch<float>();
    for (std::int64_t block = 0; block < product.rows * CountBlocks(); ++block) {
      const float* const a = product.a + block * product.block;
      sums[block] = 0.0F;
      for (std::int64_t i = 0; i < product.block; ++i) sums[block] += a[i];
    }
    product.sums = sums;
    ParallelFor(run.threads, num_panels_, kProductsOfThread / CountOfPanel() + 1,
                [&](std::int64_t begin, std::int64_t end) {
                  functions_.multiply_byte_weights(product, begin, end);
                });
  }

  /// One group of panels.
  void Multiply(const ByteWeights& weights, std::int64_t group, float* floats) const {
    const std::int64_t begin = group * kPanelsAtOnce;
    const std::int64_t end = std::min(begin + kPanelsAtOnce, num_panels_);
    const std::int64_t first = begin * kPanelColumns;
    for (std::int64_t panel = begin; panel < end; ++panel) {
      functions_.widen_byte_weights(weights, panel, floats + (panel - begin) * CountOfPanel());
    }
    Product product;
    product.rows = weights.rows;
    product.inner = weights.inner;
    product.columns = std::min(end * kPanelColumns, weights.columns) - first;
    product.a = weights.a;
    product.a_row_step = weights.a_row_step;
    product.a_inner_step = 1;
    product.b = floats;
    product.b_inner_step = kPanelColumns;
    product.b_panel_step = CountOfPanel();
    product.b_last = floats + product.columns / kPanelColumns * CountOfPanel();
    product.result = weights.result + first;
    product.result_row_step = weights.result_row_step;
    functions_.multiply(product);
  }

  std::int64_t CountBlocks() const { return product_.inner / product_.block; }
  std::int64_t CountOfPanel() const { return product_.inner * kPanelColumns; }
  std::int64_t CountWidened() const { return kPanelsAtOnce * CountOfPanel(); }

  const ByteWeights product_;
  const std::shared_ptr<const void> packed_;
  const int num_threads_;
  const std::int64_t num_panels_;
  const ProductFunctions& functions_ = GetSimdFunctions().products;
};

}  // namespace

ByteMatrixShape FindByteMatrix(const TensorInfo& matrix, std::int64_t inner, std::int64_t columns,
                               bool is_transposed) {
  const QuantizationInfo& quantization = matrix.quantization;
  const auto num_scales = static_cast<std::int64_t>(quantization.scales.size());
  if (matrix.shape.rank != 2 || matrix.shape.GetNumElements() != inner * columns) return {};
  if (!quantization.IsPerAxis()) return {inner, columns, inner, is_transposed};
  const bool is_first = quantization.axis == 0;
  if (!is_transposed) {
    return is_first || num_scales != columns ? ByteMatrixShape()
                                             : ByteMatrixShape{inner, columns, inner, false};
  }
  // Rows of the tensor are parts of columns.
  if (!is_first || num_scales % columns != 0) return {};
  return {inner, columns, matrix.shape[1], true};
}

std::unique_ptr<const Kernel> MakeByteWeightProduct(KernelMaker& maker) {
  const TensorShape& rows = maker.GetInput(0).info.shape;
  const TensorShape& result = maker.GetOutput().info.shape;
  const auto descriptor = maker.GetNode().GetDescriptor<BatchMatMulDescriptor>();
  const ByteMatrixShape shape =
      FindByteMatrix(maker.GetInput(1).info, rows[rows.rank - 1], result[result.rank - 1],
                     descriptor.transpose_b == 1);
  maker.WantPlain(0);
  ByteWeights product;
  product.rows = rows.GetNumElements() / shape.inner;
  product.inner = shape.inner;
  product.columns = shape.columns;
  product.block = shape.block;
  product.a_row_step = shape.inner;
  product.result_row_step = shape.columns;
  const bool may_round = maker.GetOptions().rounding && descriptor.rounded_block == shape.block;
  const std::string order = shape.is_transposed ? " by columns" : " by rows";
  const auto packed = maker.PackTogether(
      {1},
      "byte weights of " + std::to_string(shape.columns) + order + (may_round ? " rounded" : ""),
      [&] { return PackedBytes(maker.GetInput(1), shape, may_round).Pack(); });
  if (PackedBytes::Find(packed.get(), shape, product)) {
    return std::make_unique<RoundedWeightKernel>(product, packed);
  }
  return std::make_unique<ByteWeightKernel>(product, packed, maker.GetNumThreads());
}

}  // namespace cpuacc
}  // namespace backplane
