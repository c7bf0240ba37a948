#pragma once

#include "tensors/memory_budget.hpp"
#include "values/i_layer_observer.hpp"

#include <backplane/reference/kernel.hpp>
#include <backplane/runtime/i_network.hpp>

#include <memory>
#include <vector>

namespace backplane::onnx {

/// Which elements of its inputs a node needs.
enum class FoldedInputs {
  kShapes,  // none
  kParts,   // no more than it makes
  kValues   // all
};

/// Computes each layer of a network by its reference kernel when it is added.
class Evaluation final : public ILayerObserver {
 public:
  /// Both must outlive this object.
  Evaluation(const INetwork& network, MemoryBudget& budget, FoldedInputs inputs)
      : network_(network), budget_(budget), inputs_(inputs) {}

  void SeeConstant(LayerId layer, const std::shared_ptr<const void>& data) override;
  /// Errors: NotFolded when there is no kernel for the layer, and when a result, or what is read
  /// for it, is more than the budget allows; InvalidArgumentException for elements that the layer
  /// cannot have.
  void SeeOperator(LayerId id, LayerType type, const BaseDescriptor& descriptor,
                   const std::vector<OutputSlot>& inputs) override;

  /// Null: the tensor has no elements, or is an input.
  std::shared_ptr<const void> Find(OutputSlot slot) const;

 private:
  using Data = std::vector<std::shared_ptr<const void>>;  // of the outputs of one layer

  void Keep(LayerId layer, Data data);
  void CountReading(const reference::Layer& layer);

  const INetwork& network_;
  MemoryBudget& budget_;
  const FoldedInputs inputs_;
  std::vector<Data> data_;  // by layers
};

}  // namespace backplane::onnx
