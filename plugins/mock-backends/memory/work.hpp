#pragma once

/// What a workload does with its tensors once they are opened.

#include "computation.hpp"
#include "run_state.hpp"

#include <backplane/api/i_workload_factory.hpp>

namespace memory_mock {

using Tensors = std::vector<Elements>;

/// Threads: any; several at once, each with a state of its own.
class Work {
 public:
  virtual ~Work() = default;

  /// Null: `state` of work that needs nothing of it.
  virtual void Run(const Tensors& inputs, const Tensors& outputs, const RunState* state) const = 0;

  /// What it needs of RunState::GetOperandMemory.
  virtual std::uint64_t GetOperandBytes() const { return 0; }
};

/// Computes by itself, wherever the tensors lie.
class OwnWork final : public Work {
 public:
  explicit OwnWork(const backplane::WorkloadArgs& args)
      : computation_(GetComputation(args.layer_type, *args.descriptor)) {
    const bool is_split = computation_.function == Function::kSplit;
    const backplane::TensorShape& whole = (is_split ? args.inputs : args.outputs)[0]->shape;
    for (std::uint32_t i = 0; i < computation_.axis; ++i) num_rows_ *= whole[i];
  }

  void Run(const Tensors& inputs, const Tensors& outputs,
           const RunState* /*state*/) const override {
    Compute(computation_, inputs, outputs, num_rows_);
  }

 private:
  const Computation computation_;
  std::int64_t num_rows_ = 1;  // of what is joined or taken apart
};

}  // namespace memory_mock
