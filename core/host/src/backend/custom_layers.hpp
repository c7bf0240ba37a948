// Layers as backends get them, and those of operators that a backend declares.
#pragma once

#include "backend/instance.hpp"

#include <backplane/api/c_values.hpp>
#include <backplane/api/custom_layer.hpp>
#include <backplane/api/i_layer_support.hpp>
#include <backplane/api/layer_type.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace backplane::backend {

/// The descriptor of a layer as C has it: of a custom one, without what the host keeps for itself.
class CDescriptor {
 public:
  /// Null: the descriptor, of a layer that has none.
  CDescriptor(LayerType type, const BaseDescriptor* descriptor);
  CDescriptor(const CDescriptor&) = delete;
  CDescriptor& operator=(const CDescriptor&) = delete;

  const void* Get() const { return descriptor_; }

 private:
  bp_custom_descriptor custom_{};
  const void* descriptor_;
};

/// A layer in C, without constants. It points into what it was made from, and into itself.
struct CLayer {
  CLayer(LayerType type, const char* name, const BaseDescriptor* of_type,
         const TensorInfo* const* input_infos, std::uint32_t num_inputs,
         const TensorInfo* const* output_infos, std::uint32_t num_outputs)
      : inputs(input_infos, num_inputs),
        outputs(output_infos, num_outputs),
        descriptor(type, of_type) {
    layer.type = static_cast<std::uint32_t>(type);
    layer.name = name;
    layer.descriptor = descriptor.Get();
    layer.inputs = inputs.Get();
    layer.outputs = outputs.Get();
    layer.num_inputs = num_inputs;
    layer.num_outputs = num_outputs;
  }
  CLayer(const CLayer&) = delete;
  CLayer& operator=(const CLayer&) = delete;

  c_form::CInfos inputs;
  c_form::CInfos outputs;
  CDescriptor descriptor;
  bp_layer layer = c_form::Make<bp_layer>();
};

/// The operators that a backend has of its own, and the cases that it states for them.
/// Errors: DiagnosticException.
std::vector<OperatorDeclaration> GetOperators(const Instance& instance, const Scope& scope);
std::vector<OperatorCase> GetOperatorCases(const Instance& instance, const Scope& scope);

/// The least and the greatest number of tensors that slots stand for; BP_ANY_NUMBER: no bound.
std::pair<std::uint32_t, std::uint32_t> GetArity(const std::vector<OperatorSlot>& slots);

/// "2", "1 to 3", "1 or more".
std::string DescribeCount(std::uint32_t least, std::uint32_t most);

/// Why a custom layer is none of the operators that a backend declares: its version, its inputs and
/// outputs, or its attributes; "" when it is one.
std::string FindUndeclared(const std::vector<OperatorDeclaration>& operators,
                           const LayerSupportQuery& query);

/// How the outputs that the backend infers differ from those of the layer; "" when they do not.
/// Errors: DiagnosticException.
std::string FindOtherOutputs(const Instance& instance, const bp_layer_args& args);

}  // namespace backplane::backend
