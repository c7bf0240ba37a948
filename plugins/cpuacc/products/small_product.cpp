#include "cpu_layers/divide_up.hpp"
#include "layout/batch_offset.hpp"
#include "layout/layout.hpp"
#include "memory/aligned_memory.hpp"
#include "products/matrix_problem.hpp"
#include "products/packed_panels.hpp"
#include "simd/simd.hpp"
#include "threads/parallel.hpp"

#include <algorithm>

namespace backplane {
namespace cpuacc {
namespace {

/// Fewer products than these are not worth a thread.
constexpr std::int64_t kProductsOfThread = std::int64_t{1} << 16;

std::int64_t CountPanels(std::int64_t columns) {
  return cpu_layers::DivideUp(columns, kPanelColumns);
}

class SmallProductKernel : public Kernel {
 public:
  /// `packed` is the second operand, when it is constant.
  SmallProductKernel(const MatrixProblem& problem, PackedPanels packed, std::uint32_t bias_input,
                     int num_threads)
      : problem_(problem),
        packed_(std::move(packed)),
        bias_input_(bias_input),
        num_threads_(num_threads),
        num_batches_(problem.CountBatches()),
        has_panels_(problem.b.column == 1) {}

  std::uint64_t GetScratchBytes() const override {
    if (packed_.content) return 0;
    const bool in_parallel = num_batches_ >= num_threads_;
    return GetPackedElements() * sizeof(float) *
           static_cast<std::uint64_t>(in_parallel ? num_threads_ : 1);
  }

  void Run(const KernelRun& run) const override {
    const std::int64_t products = problem_.rows * problem_.inner * problem_.columns;
    if (num_batches_ >= num_threads_ && num_batches_ > 1) {
      ParallelForPieces(run.threads.AtMost(num_threads_), num_batches_,
                        std::max<std::int64_t>(1, kProductsOfThread / products),
                        [&](std::int64_t piece, std::int64_t begin, std::int64_t end) {
                          float* scratch = run.GetScratch<float>();
                          if (!packed_.content)
                            scratch += GetPackedElements() * static_cast<std::uint64_t>(piece);
                          for (auto batch = begin; batch < end && !run.threads.AreStopped();
                               ++batch) {
                            const Product product = Prepare(run, batch, scratch);
                            functions_.multiply(product);
                          }
                        });
      return;
    }
    for (std::int64_t batch = 0; batch < num_batches_; ++batch) {
      RunInParallel(Prepare(run, batch, run.GetScratch<float>()), run.threads);
    }
  }

 private:
  /// All panels, or only the last, when the others can be read as they lie.
  std::uint64_t GetPackedElements() const {
    const bool has_rest = problem_.columns % kPanelColumns != 0;
    const std::int64_t panels = has_panels_ ? (has_rest ? 1 : 0) : CountPanels(problem_.columns);
    return static_cast<std::uint64_t>(panels * problem_.inner * kPanelColumns);
  }

  /// The product of one batch; packs what has to be.
  Product Prepare(const KernelRun& run, std::int64_t batch, float* scratch) const {
    Product product;
    product.rows = problem_.rows;
    product.inner = problem_.inner;
    product.columns = problem_.columns;
    product.a = run.Input<float>(0) + FindOffset(problem_.a, batch);
    product.a_row_step = problem_.a.row;
    product.a_inner_step = problem_.a.column;
    if (bias_input_ != kNoOperand) product.bias = run.Input<float>(bias_input_);
    product.result = run.Output<float>() + batch * problem_.rows * problem_.columns;
    product.result_row_step = problem_.columns;
    if (packed_.content) {
      SetPanels(packed_.content.get(), packed_.type, product);
    } else {
      SetSecond(run.Input<float>(1) + FindOffset(problem_.b, batch), scratch, product);
    }
    return product;
  }

  void SetPanels(const void* panels, DataType type, Product& product) const {
    product.b_type = type;
    product.b = panels;
    product.b_inner_step = kPanelColumns;
    product.b_panel_step = problem_.inner * kPanelColumns;
    product.b_last = SkipPanels(product, problem_.columns / kPanelColumns);
  }

  static const void* SkipPanels(const Product& product, std::int64_t count) {
    return static_cast<const unsigned char*>(product.b) +
           count * product.b_panel_step * GetDataTypeSizeBytes(product.b_type);
  }

  void SetSecond(const float* b, float* scratch, Product& product) const {
    const PanelSource all = {b, problem_.b.row, problem_.b.column, problem_.inner,
                             problem_.columns};
    if (!has_panels_) {
      functions_.pack(all, scratch);
      return SetPanels(scratch, DataType::kFloat32, product);
    }
    const std::int64_t rest = problem_.columns % kPanelColumns;
    product.b = b;
    product.b_inner_step = problem_.b.row;
    product.b_panel_step = kPanelColumns;
    product.b_last = scratch;
    if (rest == 0) return;
    PanelSource last = all;
    last.b += problem_.columns - rest;
    last.columns = rest;
    functions_.pack(last, scratch);
  }

  std::int64_t FindOffset(const MatrixSteps& steps, std::int64_t batch) const {
    return FindBatchOffset(static_cast<std::uint32_t>(problem_.batch.size()), problem_.batch,
                           steps.batch, batch);
  }

  /// By rows, or by panels when there are few rows or reading the matrix is what takes long.
  void RunInParallel(const Product& product, const Threads& threads) const {
    constexpr std::int64_t kProductsUntilStopped = std::int64_t{1} << 24;
    const std::int64_t products = product.rows * product.inner * product.columns;
    if (products < 2 * kProductsOfThread) return functions_.multiply(product);
    constexpr std::int64_t kLeastRows = 6;  // of a thread
    const bool shares_panels = packed_.content && problem_.IsWide();
    if (product.rows > 2 * kLeastRows && !shares_panels) {
      const std::int64_t most =
          std::max(kLeastRows, kProductsUntilStopped / (product.inner * product.columns));
      ParallelFor(threads, product.rows, kLeastRows, [&](std::int64_t begin, std::int64_t end) {
        UntilStopped(threads, begin, end, most, [&](std::int64_t first, std::int64_t last) {
          MultiplyRows(product, first, last);
        });
      });
      return;
    }
    const std::int64_t most =
        kProductsUntilStopped / (product.rows * product.inner * kPanelColumns) + 1;
    ParallelFor(
        threads, CountPanels(product.columns), 1, [&](std::int64_t begin, std::int64_t end) {
          UntilStopped(threads, begin, end, most, [&](std::int64_t first, std::int64_t last) {
            MultiplyPanels(product, first, last);
          });
        });
  }

  void MultiplyRows(const Product& product, std::int64_t begin, std::int64_t end) const {
    Product part = product;
    part.rows = end - begin;
    part.a += begin * product.a_row_step;
    part.result += begin * product.result_row_step;
    functions_.multiply(part);
  }

  void MultiplyPanels(const Product& product, std::int64_t begin, std::int64_t end) const {
    Product part = product;
    const std::int64_t first = begin * kPanelColumns;
    part.columns = std::min(product.columns, end * kPanelColumns) - first;
    part.b = SkipPanels(product, begin);
    if (part.bias != nullptr) part.bias += first;
    part.result += first;
    functions_.multiply(part);
  }

  const MatrixProblem problem_;
  const PackedPanels packed_;
  const std::uint32_t bias_input_;
  const int num_threads_;
  const std::int64_t num_batches_;
  const bool has_panels_;
  const ProductFunctions& functions_ = GetSimdFunctions().products;
};

}  // namespace

std::unique_ptr<const Kernel> MakeSmallProduct(KernelMaker& maker, const MatrixProblem& problem,
                                               std::uint32_t bias_input) {
  PackedPanels packed;
  if (maker.GetInput(1).IsConstant() && problem.HasOneMatrix()) {
    packed = PackPanels(maker, problem);
  }
  if (bias_input != kNoOperand) maker.WantPlain(bias_input);
  return std::make_unique<SmallProductKernel>(problem, std::move(packed), bias_input,
                                              maker.GetNumThreads());
}

}  // namespace cpuacc
}  // namespace backplane
