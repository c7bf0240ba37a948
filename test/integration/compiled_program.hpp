#pragma once

#include <backplane/api/i_backend_internal.hpp>

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace backplane {

/// A compiled part of a network: its layers with all they need, by value.
class CompiledProgram final : public IPreCompiledObject {
 public:
  struct Step {
    LayerType type;
    std::string name;
    std::vector<std::uint32_t> descriptor;  // its bytes
    std::vector<std::uint32_t> inputs;      // tensors
    std::vector<std::uint32_t> outputs;     // tensors
  };
  struct Tensor {
    TensorInfo info;
    std::vector<std::uint64_t> content;  // of constants; room for the bytes
    bool is_constant = false;
  };

  /// Copies the layers of a part from the reader.
  CompiledProgram(const OptimizeSubgraphArgs& args, const SubgraphView& part,
                  std::vector<InPlacePair> in_place);

  std::vector<InPlacePair> GetInPlacePairs() const override { return in_place_; }

  const std::vector<Step>& GetSteps() const { return steps_; }
  const std::deque<Tensor>& GetTensors() const { return tensors_; }
  const std::vector<std::uint32_t>& GetInputs() const { return inputs_; }
  const std::vector<std::uint32_t>& GetOutputs() const { return outputs_; }

 private:
  std::uint32_t FindTensor(OutputSlot slot, const TensorInfo& info, const ConstTensor* content);

  std::vector<Step> steps_;
  std::deque<Tensor> tensors_;
  std::map<std::pair<LayerId, std::uint32_t>, std::uint32_t> numbers_;
  std::vector<std::uint32_t> inputs_;
  std::vector<std::uint32_t> outputs_;
  std::vector<InPlacePair> in_place_;
};

/// Makes the workload that runs a program with workloads of `factory`.
std::unique_ptr<IWorkload> MakeProgramWorkload(std::shared_ptr<const CompiledProgram> program,
                                               IWorkloadFactory& factory);

}  // namespace backplane
