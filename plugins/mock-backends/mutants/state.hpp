#pragma once

#include "device.hpp"
#include "memory/run_state.hpp"
#include "mistake.hpp"

#include <memory>
#include <vector>

namespace mutants {

/// What the workloads of one working memory share. The thread that works behind fences begins with
/// the first of them.
class State final : public backplane::IExecutionState {
 public:
  State(std::shared_ptr<memory_mock::JobBoard> board,
        std::unique_ptr<memory_mock::RunState> of_kernels)
      : board_(std::move(board)), of_kernels_(std::move(of_kernels)) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() override {
    if (Makes(Mistake::kStateEndsDevice)) GetDevice().is_closed = true;
  }

  const memory_mock::RunState& GetOfKernels() const { return *of_kernels_; }

  memory_mock::JobQueue& GetQueue() {
    if (queue_ == nullptr) queue_ = std::make_unique<memory_mock::JobQueue>(board_);
    return *queue_;
  }

  /// How often something has run with fences.
  std::uint32_t num_runs = 0;

  // What the workload that ran last gave, and its fence, for mistakes.
  std::vector<unsigned char> last_result;
  int last_event = -1;

 private:
  const std::shared_ptr<memory_mock::JobBoard> board_;
  const std::unique_ptr<memory_mock::RunState> of_kernels_;
  std::unique_ptr<memory_mock::JobQueue> queue_;  // the last, as its jobs use the others
};

}  // namespace mutants
