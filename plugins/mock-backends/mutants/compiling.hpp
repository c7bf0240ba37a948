#pragma once

/// Sub-graphs: three layers that follow each other become one PreCompiled layer, which runs the
/// kernels of the three one after the other.

#include "layer.hpp"
#include "memory/kernel_work.hpp"

#include <backplane/api/subgraph_view.hpp>
#include <cpuref/workload_factory.hpp>

#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace mutants {

/// Threads: any. Nothing changes once it is made.
class Compiled final : public backplane::IPreCompiledObject,
                       public std::enable_shared_from_this<Compiled> {
 public:
  /// Errors: std::invalid_argument for a layer that no kernel takes.
  Compiled(const backplane::OptimizeSubgraphArgs& args, const backplane::SubgraphView& part);

  Compiled(const Compiled&) = delete;
  Compiled& operator=(const Compiled&) = delete;
  ~Compiled() noexcept override = default;

  void Run(const memory_mock::Tensors& inputs, const memory_mock::Tensors& outputs) const;

  /// Not with other constants.
  std::shared_ptr<const backplane::IPreCompiledObject> Resize(
      const backplane::ResizeArgs& args) const override;

  /// A run reads its inputs before it writes.
  std::vector<backplane::InPlacePair> GetInPlacePairs() const override;

  /// That the plan came from the cache, for a mistake.
  void MarkAsLoaded() { is_loaded_ = true; }

 private:
  using Slot = std::pair<backplane::LayerId, std::uint32_t>;

  struct Step {
    backplane::LayerType type = backplane::LayerType::kUndefined;
    std::vector<std::uint64_t> descriptor;  // its bytes
    std::shared_ptr<const backplane::IWorkload> kernel;
    std::vector<std::size_t> inputs;  // numbers of values
    std::vector<std::size_t> outputs;
  };
  struct Value {
    backplane::TensorInfo info;
    std::vector<unsigned char> content;  // of a constant
    const void* borrowed = nullptr;      // likewise, for a mistake
    std::uint64_t offset = 0;            // in the memory of a run
  };

  Compiled() = default;
  void MakeKernel(Step& step) const;
  void PlaceValues();
  std::size_t AddValue(const backplane::TensorInfo& info);
  std::size_t AddConstant(const backplane::ConstTensor& constant);
  std::size_t FindInput(const backplane::LayerView& layer, std::uint32_t index);
  void AddStep(const backplane::LayerView& layer);
  std::size_t FindOutput(std::size_t index) const;

  const std::unique_ptr<backplane::IWorkloadFactory> kernels_ =
      std::make_unique<backplane::cpuref::WorkloadFactory>();
  std::map<Slot, std::size_t> made_;
  std::vector<Value> values_;
  std::vector<std::size_t> inputs_;
  std::vector<std::size_t> outputs_;
  std::vector<Step> steps_;
  std::uint64_t num_bytes_ = 0;
  bool is_loaded_ = false;
};

class CompiledWork final : public memory_mock::Work {
 public:
  explicit CompiledWork(std::shared_ptr<const backplane::IPreCompiledObject> compiled)
      : compiled_(std::move(compiled)) {}

  void Run(const memory_mock::Tensors& inputs, const memory_mock::Tensors& outputs,
           const memory_mock::RunState* /*state*/) const override {
    static_cast<const Compiled&>(*compiled_).Run(inputs, outputs);
  }

 private:
  const std::shared_ptr<const backplane::IPreCompiledObject> compiled_;
};

backplane::OptimizationViews Compile(const backplane::OptimizeSubgraphArgs& args);

}  // namespace mutants
