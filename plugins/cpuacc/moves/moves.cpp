#include "moves/moves.hpp"

#include "threads/parallel.hpp"

#include <algorithm>
#include <utility>

namespace backplane {
namespace cpuacc {
namespace {

/// A thread is worth starting for so many bytes.
constexpr std::int64_t kBytesPerThread = 128 * 1024;

class MovesKernel : public Kernel {
 public:
  explicit MovesKernel(std::vector<Move> moves) : moves_(std::move(moves)) {}

  void Run(const KernelRun& run) const override {
    for (const Move& move : moves_) {
      RunCopy(move.copy, run.inputs[move.input], run.outputs[move.output], run.threads);
    }
  }

 private:
  std::vector<Move> moves_;
};

}  // namespace

void RunCopy(const StridedCopy& copy, const void* from, void* to, const Threads& threads) {
  const std::int64_t grain =
      std::max<std::int64_t>(1, kBytesPerThread / std::max<std::int64_t>(1, copy.GetPartBytes()));
  ParallelFor(threads, copy.CountParts(), grain,
              [&](std::int64_t begin, std::int64_t end) { copy.RunParts(from, to, begin, end); });
}

std::unique_ptr<const Kernel> MakeMoves(std::vector<Move> moves) {
  return std::make_unique<MovesKernel>(std::move(moves));
}

std::unique_ptr<const Kernel> MakeMove(const StridedCopy& copy) {
  return MakeMoves({{copy}});
}

}  // namespace cpuacc
}  // namespace backplane
