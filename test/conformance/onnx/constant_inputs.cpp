#include "constant_inputs.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace backplane::test {
namespace {

using onnx::ImportedModel;
using onnx::NamedTensor;

/// A set of inputs, one bit for each.
using InputSet = std::uint32_t;

constexpr std::size_t kMostInputs = 8;  // that are tried in all combinations

int CountBits(InputSet set) {
  int count = 0;
  for (; set != 0; set &= set - 1) ++count;
  return count;
}

// Small sets first; among those of one size, the ones with the last inputs.
std::vector<InputSet> ListSets(std::size_t num_inputs) {
  std::vector<InputSet> sets;
  for (InputSet set = 1; set < InputSet{1} << num_inputs; ++set) sets.push_back(set);
  std::stable_sort(sets.begin(), sets.end(), [](InputSet a, InputSet b) {
    return CountBits(a) != CountBits(b) ? CountBits(a) < CountBits(b) : a > b;
  });
  return sets;
}

onnx::ImportOptions MakeOptions(const std::vector<NamedTensor>& inputs, InputSet constants) {
  onnx::ImportOptions options;
  for (std::size_t index = 0; index < inputs.size(); ++index) {
    const NamedTensor& input = inputs[index];
    options.input_shapes[input.name] = input.info.shape;
    const bool is_constant = index < kMostInputs && (constants >> index & 1U) != 0;
    if (is_constant) options.constants[input.name] = input;
  }
  return options;
}

std::optional<ImportedModel> TryImport(const std::string& model,
                                       const onnx::ImportOptions& options) {
  try {
    return onnx::ImportModel(model, options);
  } catch (const DiagnosticException&) {
    return {};
  }
}

}  // namespace

ImportedModel ImportForInputs(const std::string& model, const std::vector<NamedTensor>& inputs) {
  try {
    return ImportWithoutConstants(model, inputs);
  } catch (const DiagnosticException& exception) {
    if (exception.GetDiagnostic().code != DiagnosticCode::kDataDependentShape) throw;
    for (const InputSet set : ListSets(std::min(inputs.size(), kMostInputs))) {
      auto imported = TryImport(model, MakeOptions(inputs, set));
      if (imported) return std::move(*imported);
    }
    throw;
  }
}

ImportedModel ImportWithoutConstants(const std::string& model,
                                     const std::vector<NamedTensor>& inputs) {
  return onnx::ImportModel(model, MakeOptions(inputs, 0));
}

ImportedModel ImportWithConstants(const std::string& model,
                                  const std::vector<NamedTensor>& inputs) {
  onnx::ImportOptions options;
  for (const NamedTensor& input : inputs) options.constants[input.name] = input;
  return onnx::ImportModel(model, options);
}

}  // namespace backplane::test
