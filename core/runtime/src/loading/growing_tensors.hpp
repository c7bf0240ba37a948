#pragma once

#include "graph/graph.hpp"

#include <backplane/runtime/network_source.hpp>

#include <memory>
#include <string>
#include <vector>

namespace backplane::loading {

/// An input that lies at the beginning of larger memory, and an output that is given the same
/// memory: a cache that grows.
struct GrowingTensor {
  LayerBindingId input = 0;
  LayerBindingId output = 0;
  TensorShape memory;
};

inline bool operator==(const GrowingTensor& a, const GrowingTensor& b) {
  return a.input == b.input && a.output == b.output && a.memory == b.memory;
}

/// Thrown for a network whose tensors cannot grow where they lie.
struct CannotGrow {
  bool is_of_shapes = false;  // with other shapes it may
};

/// A source whose networks take the whole memory of growing tensors in place of the input, and give
/// all of it as the output, which is the input with more behind it along one axis: a backend that
/// may write the output over the input writes that alone. What lies behind the output in the memory
/// stays.
class GrowingSource final : public INetworkSource {
 public:
  GrowingSource(std::shared_ptr<const INetworkSource> source, std::vector<GrowingTensor> tensors)
      : source_(std::move(source)), tensors_(std::move(tensors)) {}

  const std::vector<GrowingTensor>& GetTensors() const { return tensors_; }

  const std::string& GetName() const override { return source_->GetName(); }
  std::vector<OpenBinding> GetInputs() const override { return source_->GetInputs(); }
  std::vector<OpenBinding> GetOutputs() const override { return source_->GetOutputs(); }

  /// `inputs` have the shapes of the tensors, not of their memory.
  /// Errors: as INetworkSource; CannotGrow when the network has more than one stage, a tensor and
  /// its memory do not differ along one axis alone, or no Concat appends to the input.
  NetworkStage MakeFirstStage(const std::vector<StageValue>& inputs) const override;

 private:
  const std::shared_ptr<const INetworkSource> source_;
  const std::vector<GrowingTensor> tensors_;
};

/// The shapes of the outputs of a stage within the memory of growing tensors: Plan's
/// shapes_in_memory. `graph`: of its network. Empty: the source is no GrowingSource.
std::vector<TensorShape> FindShapesInMemory(const INetworkSource& source, const NetworkStage& stage,
                                            const Graph& graph);

}  // namespace backplane::loading
