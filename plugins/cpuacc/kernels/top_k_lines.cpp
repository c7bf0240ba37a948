#include "kernels/top_k_lines.hpp"

#include "cpu_layers/axis_span.hpp"
#include "cpu_layers/divide_up.hpp"
#include "cpu_layers/transpose_tile.hpp"
#include "simd/simd.hpp"
#include "threads/parallel.hpp"

#include <backplane/api/descriptors/top_k.hpp>

#include <algorithm>
#include <functional>

namespace backplane {
namespace cpuacc {
namespace {

/// Keeps the best k. Where there are few, sorting them takes less than telling them apart.
template <typename Number>
void KeepBest(std::int64_t k, CandidateList<Number>& list) {
  constexpr std::int64_t kFew = 16;
  if (list.count <= k) return;
  Number* begin = list.candidates;
  if (k <= kFew) {
    std::partial_sort(begin, begin + k, begin + list.count, std::greater<>());
  } else {
    std::nth_element(begin, begin + k - 1, begin + list.count, std::greater<>());
  }
  list.count = k;
  list.threshold = begin[k - 1];
}

/// Goes once along each line and collects what is better than the k-th best so far. Whenever there
/// is no more room, the best k are kept, which takes as long as collecting them did: all in all
/// time grows with the extent, whatever the elements are.
template <typename Element, typename Number>
class TopKLinesKernel : public Kernel {
 public:
  TopKLinesKernel(const AxisSpan& span, const TopKDescriptor& descriptor,
                  const LineFunctions<Number>& functions, int num_threads)
      : span_(span),
        k_(descriptor.k),
        preference_(descriptor.largest != 0 ? Preference::kLargest : Preference::kSmallest),
        functions_(functions),
        num_columns_(std::min(span.inner, kMostColumns)),
        blocks_of_inner_(DivideUp(span.inner, kMostColumns)),
        capacity_(std::min(span.extent, 2 * (descriptor.k + SelectionFunctions::kMostAtOnce))),
        num_pieces_(std::min<std::int64_t>(num_threads, CountBlocks())) {}

  std::uint64_t GetScratchBytes() const override {
    return static_cast<std::uint64_t>(num_pieces_ * GetPieceBytes());
  }

  void Run(const KernelRun& run) const override {
    if (k_ == 0) return;
    const std::int64_t grain = kElementsOfThread / (span_.extent * num_columns_ + 1) + 1;
    ParallelForPieces(run.threads.AtMost(static_cast<int>(num_pieces_)), CountBlocks(), grain,
                      [&](std::int64_t piece, std::int64_t begin, std::int64_t end) {
                        unsigned char* scratch =
                            run.GetScratch<unsigned char>() + piece * GetPieceBytes();
                        for (std::int64_t block = begin; block < end; ++block)
                          RunBlock(run, block, scratch);
                      });
  }

 private:
  /// Lines next to each other that are copied together, so that memory is read as it lies.
  static constexpr std::int64_t kMostColumns = 16;
  /// So many elements are worth a thread of their own.
  static constexpr std::int64_t kElementsOfThread = 8192;
  static constexpr std::int64_t kAlignment = 64;

  std::int64_t CountBlocks() const { return span_.outer * blocks_of_inner_; }

  std::int64_t GetCandidateBytes() const {
    return DivideUp(capacity_ * static_cast<std::int64_t>(sizeof(Number)), kAlignment) * kAlignment;
  }
  std::int64_t GetPieceBytes() const {
    if (span_.inner == 1) return GetCandidateBytes();
    const auto line_bytes = span_.extent * static_cast<std::int64_t>(sizeof(Element));
    return GetCandidateBytes() + DivideUp(num_columns_ * line_bytes, kAlignment) * kAlignment;
  }

  void RunBlock(const KernelRun& run, std::int64_t block, unsigned char* scratch) const {
    const std::int64_t outer = block / blocks_of_inner_;
    const std::int64_t first = block % blocks_of_inner_ * kMostColumns;
    const std::int64_t num_columns = std::min(kMostColumns, span_.inner - first);
    const Element* lines = run.Input<Element>(0) + outer * span_.extent * span_.inner + first;
    auto* candidates = reinterpret_cast<Number*>(scratch);
    if (span_.inner > 1) {
      lines = CopyColumns(lines, num_columns, scratch + GetCandidateBytes());
    }
    for (std::int64_t column = 0; column < num_columns; ++column, lines += span_.extent) {
      FindBest(lines, candidates);
      const std::int64_t output = outer * k_ * span_.inner + first + column;
      Store(lines, candidates, run.Output<Element>(0) + output,
            run.Output<std::int64_t>(1) + output);
    }
  }

  /// Copies columns so that each is dense.
  const Element* CopyColumns(const Element* from, std::int64_t num_columns,
                             unsigned char* to) const {
    constexpr std::int64_t kRowsAtOnce = 128;
    constexpr auto kBytes = static_cast<std::int64_t>(sizeof(Element));
    for (std::int64_t row = 0; row < span_.extent; row += kRowsAtOnce) {
      const std::int64_t num_rows = std::min(kRowsAtOnce, span_.extent - row);
      TransposeTile<Element>(
          {num_columns, kBytes, span_.extent * kBytes}, {num_rows, span_.inner * kBytes, kBytes},
          reinterpret_cast<const unsigned char*>(from + row * span_.inner), to + row * kBytes);
    }
    return reinterpret_cast<const Element*>(to);
  }

  /// The best candidates of a line, sorted.
  void FindBest(const Element* line, Number* candidates) const {
    CandidateList<Number> list = {candidates, 0, capacity_};
    functions_.collect_first(line, capacity_, preference_, list);
    for (std::int64_t begin = capacity_; begin < span_.extent;) {
      KeepBest(k_, list);
      begin = functions_.collect_better(line, begin, span_.extent, preference_, list);
    }
    KeepBest(k_, list);
    std::sort(candidates, candidates + k_, std::greater<>());
  }

  void Store(const Element* line, const Number* candidates, Element* values,
             std::int64_t* indices) const {
    for (std::int64_t i = 0; i < k_; ++i) {
      const std::int64_t index = SelectionFunctions::GetIndex(candidates[i]);
      indices[i * span_.inner] = index;
      values[i * span_.inner] = line[index];
    }
  }

  const AxisSpan span_;
  const std::int64_t k_;
  const Preference preference_;
  const LineFunctions<Number>& functions_;
  const std::int64_t num_columns_;
  const std::int64_t blocks_of_inner_;
  const std::int64_t capacity_;  // of candidates
  const std::int64_t num_pieces_;
};

template <typename Element, typename Number>
std::unique_ptr<const Kernel> MakeTopKOf(KernelMaker& maker,
                                         const LineFunctions<Number>& functions) {
  const auto descriptor = maker.GetNode().GetDescriptor<TopKDescriptor>();
  return std::make_unique<TopKLinesKernel<Element, Number>>(
      MakeAxisSpan(maker.GetInput(0).info.shape, descriptor.axis), descriptor, functions,
      maker.GetNumThreads());
}

}  // namespace

std::unique_ptr<const Kernel> MakeTopKLines(KernelMaker& maker) {
  const SelectionFunctions& functions = GetSimdFunctions().selection;
  switch (maker.GetInput(0).info.data_type) {
    case DataType::kInt32:
      return MakeTopKOf<std::int32_t>(maker, functions.of_int32);
    case DataType::kInt64:
      return MakeTopKOf<std::int64_t>(maker, functions.of_int64);
    case DataType::kUInt8:
      return MakeTopKOf<std::uint8_t>(maker, functions.of_uint8);
    case DataType::kInt8:
      return MakeTopKOf<std::int8_t>(maker, functions.of_int8);
    default:
      return MakeTopKOf<float>(maker, functions.of_float32);
  }
}

}  // namespace cpuacc
}  // namespace backplane
