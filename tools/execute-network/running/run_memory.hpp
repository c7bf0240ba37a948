#pragma once

#include <backplane/onnx/tensor_file.hpp>
#include <backplane/runtime/i_runtime.hpp>

#include "results/output_files.hpp"
#include "tensors/flatten.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace backplane::execute_network {

/// What goes into a run.
struct RunInputs {
  Tensors tensors;                           // in the order of the inputs, empty for others
  std::map<std::string, StageValue> values;  // by name: sequences and optionals
};

/// Memory for the inputs or the outputs of one run, of the runtime: backends in processes of their
/// own use it without a copy too.
class RunMemory {
 public:
  /// For outputs: of these bindings, in their order; filled with zeros.
  /// Errors: those of AllocateTensorMemory.
  RunMemory(IRuntime& runtime, const std::vector<NetworkBinding>& bindings);
  /// For inputs: with these tensors, which are in the order of the bindings. Whether they fit is
  /// for the run to say.
  /// Errors: those of AllocateTensorMemory.
  RunMemory(IRuntime& runtime, const std::vector<NetworkBinding>& bindings,
            const RunInputs& inputs);

  /// For outputs whose shapes a run tells, and the memory of which it allocates.
  static RunMemory ForResults(const std::vector<NetworkBinding>& bindings);

  /// The content of outputs, with a share in the memory, which a further run changes.
  std::vector<OutputValue> MakeValues() const;
  /// A copy of the content as tensors, those of sequences by themselves (Flatten).
  Tensors MakeTensors() const;

  InputTensors GetInputs(MemoryUse use) const;
  OutputTensors GetOutputs(MemoryUse use) const;

 private:
  RunMemory() = default;

  struct Buffer {
    NetworkBinding binding;
    std::shared_ptr<void> data;
    std::shared_ptr<ResultTensor> result = {};  // of outputs whose shapes a run tells
    std::optional<StageValue> value = {};       // of inputs that are sequences or optionals
  };
  std::vector<Buffer> buffers_;
};

}  // namespace backplane::execute_network
