#include "execution/check_bindings.hpp"

#include "tensors/tensor_size.hpp"
#include "tensors/tensor_text.hpp"

#include <algorithm>
#include <utility>

namespace backplane {
namespace {

/// Collects problems, and tells them in one diagnostic.
class Problems {
 public:
  void Add(const std::string& problem) { text_ += (text_.empty() ? "" : "; ") + problem; }
  bool HasNone() const { return text_.empty(); }

  /// Nothing: there are none.
  std::optional<Diagnostic> Describe(const std::string& network, const char* fix) {
    if (text_.empty()) return std::nullopt;
    Diagnostic diagnostic{DiagnosticCode::kWrongTensorBinding};
    diagnostic.subject = {SubjectKind::kNetwork, network};
    diagnostic.what = "the tensors given are not those of network \"" + network + "\"";
    diagnostic.why = std::move(text_);
    diagnostic.fix = fix;
    return diagnostic;
  }

 private:
  std::string text_;
};

std::string NameBinding(const char* kind, const OpenBinding& binding) {
  return std::string(kind) + " " + std::to_string(binding.id) + " (\"" +
         EscapeForDisplay(binding.name) + "\")";
}

ExtentBounds GetBounds(const OpenBinding& binding, std::uint32_t axis) {
  return axis < binding.bounds.size() ? binding.bounds[axis] : ExtentBounds{0, kUnbounded};
}

/// " (2 to 8)".
std::string DescribeBounds(const ExtentBounds& bounds) {
  if (bounds.most != kUnbounded) {
    return " (" + std::to_string(bounds.least) + " to " + std::to_string(bounds.most) + ")";
  }
  return bounds.least <= 0 ? "" : " (" + std::to_string(bounds.least) + " and more)";
}

/// float32 [batch (1 to 8), 3, ?].
std::string DescribeOpenTensor(const OpenBinding& binding) {
  std::string text = std::string(GetDataTypeName(binding.info.data_type)) + " [";
  if (binding.is_rank_open) return text + "any shape]";
  for (std::uint32_t axis = 0; axis < binding.info.shape.rank; ++axis) {
    const std::int64_t extent = binding.info.shape[axis];
    const bool is_named = axis < binding.dim_names.size() && !binding.dim_names[axis].empty();
    text += axis > 0 ? ", " : "";
    if (extent != kOpenExtent) {
      text += std::to_string(extent);
    } else {
      text += is_named ? EscapeForDisplay(binding.dim_names[axis]) : "?";
      text += DescribeBounds(GetBounds(binding, axis));
    }
  }
  return text + "]";
}

std::string DescribeOpen(const OpenBinding& binding) {
  const std::string tensor = DescribeOpenTensor(binding);
  const std::string what = binding.is_sequence ? "a sequence of " + tensor : tensor;
  return binding.is_optional ? what + ", or nothing" : what;
}

std::string DescribeValue(const StageValue& value) {
  if (value.kind == StageValue::Kind::kNone) return "nothing";
  if (value.kind == StageValue::Kind::kTensor) return DescribeTensor(value.info);
  constexpr std::size_t kMostTold = 4;
  std::string text = "a sequence of " + std::to_string(value.elements.size()) + " (";
  for (std::size_t i = 0; i < std::min(value.elements.size(), kMostTold); ++i) {
    text += (i > 0 ? ", " : "") + DescribeValue(value.elements[i]);
  }
  return text + (value.elements.size() > kMostTold ? ", ...)" : ")");
}

/// Of all tensors in it. Null: each has what it should.
const StageValue* FindWithoutData(const StageValue& value) {
  if (value.kind == StageValue::Kind::kTensor) {
    return value.data == nullptr && value.info.GetSizeBytes() != 0 ? &value : nullptr;
  }
  for (const StageValue& element : value.elements) {
    if (const StageValue* const found = FindWithoutData(element)) return found;
  }
  return nullptr;
}

template <typename Tensor>
const Tensor* FindOnly(const char* kind, const OpenBinding& binding,
                       const std::vector<Tensor>& given, Problems& problems) {
  const auto has_id = [&](const Tensor& tensor) { return tensor.id == binding.id; };
  const auto count = std::count_if(given.begin(), given.end(), has_id);
  if (count == 1) return &*std::find_if(given.begin(), given.end(), has_id);
  problems.Add(NameBinding(kind, binding) + " is given " + std::to_string(count) +
               " times, expected once");
  return nullptr;
}

template <typename Tensor>
void FindUnknown(const char* kind, std::size_t count, const std::vector<Tensor>& given,
                 Problems& problems) {
  for (const Tensor& tensor : given) {
    if (tensor.id < count) continue;
    problems.Add(std::string("there is no ") + kind + " " + std::to_string(tensor.id) +
                 ", expected less than " + std::to_string(count));
  }
}

/// "is float32 [3], expected float32 [2]", of a value that does not agree.
std::string DescribeDifference(const OpenBinding& binding, const StageValue& value) {
  const std::string found = DescribeValue(value);
  const std::string expected = DescribeOpen(binding);
  return " is " + found + ", expected " + expected +
         (found == expected ? " with the quantization of the network" : "");
}

/// Whether a shape is that of any tensor.
bool IsShape(const TensorShape& shape, DataType type) {
  if (shape.rank > kMaxRank) return false;
  const std::int64_t* const end = shape.dims + shape.rank;
  return std::all_of(shape.dims, end, [](std::int64_t extent) { return extent >= 0; }) &&
         ComputeSizeBytes(shape, type);
}

/// Whether a tensor can lie at the beginning of memory.
bool FitsMemory(const TensorShape& tensor, const TensorShape& memory) {
  if (tensor.rank != memory.rank) return false;
  return std::equal(tensor.dims, tensor.dims + tensor.rank, memory.dims,
                    [](std::int64_t extent, std::int64_t most) { return extent <= most; });
}

std::string DescribeMemory(const TensorShape& memory) {
  return "memory of shape " + DescribeShape(memory);
}

void CheckMemory(const std::string& name, const InputTensor& input, Problems& problems) {
  const TensorInfo& info = input.tensor.info;
  if (input.memory_shape.rank == 0) return;
  if (input.value != nullptr || input.imported != kNotImported) {
    problems.Add(name + " has a memory_shape, expected one only with a tensor in memory");
  } else if (!IsShape(input.memory_shape, info.data_type) ||
             !FitsMemory(info.shape, input.memory_shape)) {
    problems.Add(name + " lies in " + DescribeMemory(input.memory_shape) +
                 ", expected memory for " + DescribeTensor(info));
  }
}

void CheckMemory(const std::string& name, const OpenBinding& binding, const OutputTensor& output,
                 Problems& problems) {
  if (output.memory_shape.rank == 0) return;
  const DataType type = binding.info.data_type;
  if (!binding.IsTensor() || output.imported != kNotImported || output.result == nullptr ||
      output.data == nullptr) {
    problems.Add(name +
                 " has a memory_shape, expected one only for a tensor with data and a "
                 "ResultTensor");
  } else if (!IsShape(output.memory_shape, type) ||
             ComputeSizeBytes(output.memory_shape, type) != output.size_bytes) {
    problems.Add(name + " has " + std::to_string(output.size_bytes) + " bytes, expected those of " +
                 DescribeMemory(output.memory_shape));
  }
}

void CheckInput(const OpenBinding& binding, const InputTensor& input, const StageValue& value,
                bool may_import, Problems& problems) {
  const std::string name = NameBinding("input", binding);
  CheckMemory(name, input, problems);
  if (input.imported != kNotImported) {
    if (!may_import) {
      problems.Add(name + " is an imported tensor, expected memory: shapes are open");
    }
  } else if (!Agrees(binding, value)) {
    problems.Add(name + DescribeDifference(binding, value));
  } else if (const StageValue* const found = FindWithoutData(value)) {
    problems.Add(name + " has no data, expected " + std::to_string(found->info.GetSizeBytes()) +
                 " bytes" + (found == &value ? "" : " for each " + DescribeTensor(found->info)));
  }
}

bool IsFixed(const OpenBinding& binding) {
  const TensorShape& shape = binding.info.shape;
  return binding.IsTensor() && !binding.is_rank_open &&
         std::find(shape.dims, shape.dims + shape.rank, kOpenExtent) == shape.dims + shape.rank;
}

bool FitsRoom(std::uint64_t size_bytes, const OutputTensor& output) {
  return output.size_bytes == size_bytes ||
         (output.result != nullptr && output.size_bytes > size_bytes);
}

std::string DescribeRoom(const OpenBinding& binding, const OutputTensor& output,
                         const TensorInfo& info) {
  return NameBinding("output", binding) + " has room for " + std::to_string(output.size_bytes) +
         " bytes, expected " + std::to_string(info.GetSizeBytes()) + " bytes for " +
         DescribeTensor(info);
}

/// Looks at what is known before the run.
void CheckOutput(const OpenBinding& binding, const OutputTensor& output, bool may_import,
                 Problems& problems) {
  const std::string name = NameBinding("output", binding);
  const bool is_allocated = output.data == nullptr && output.result != nullptr;
  CheckMemory(name, binding, output, problems);
  if (output.imported != kNotImported) {
    if (!may_import) {
      problems.Add(name + " is an imported tensor, expected memory: shapes are open");
    }
  } else if (IsFixed(binding) && !is_allocated && !FitsRoom(binding.info.GetSizeBytes(), output)) {
    problems.Add(DescribeRoom(binding, output, binding.info));
  } else if (output.data == nullptr && output.result == nullptr && output.size_bytes != 0) {
    const std::string bytes = std::to_string(output.size_bytes);
    problems.Add(name + " has no room, expected " + bytes +
                 " bytes, or a ResultTensor that takes memory of the runtime");
  } else if (binding.is_sequence && (output.data != nullptr || output.size_bytes != 0)) {
    problems.Add(name + " has room for a tensor, expected none: it is " + DescribeOpen(binding));
  } else if (!binding.IsTensor() && output.result == nullptr) {
    problems.Add(name + " has no ResultTensor, expected one: it is " + DescribeOpen(binding));
  }
}

/// Open extents with one name are equal, but for those of tensors that may be empty.
void CheckNames(const std::vector<OpenBinding>& bindings, const std::vector<StageValue>& values,
                Problems& problems) {
  struct Extent {
    std::string name;
    std::int64_t value;
    std::string where;
  };
  std::vector<Extent> known;
  for (std::size_t i = 0; i < bindings.size(); ++i) {
    if (values[i].kind != StageValue::Kind::kTensor) continue;
    const TensorShape& shape = values[i].info.shape;
    for (std::uint32_t axis = 0; axis < shape.rank; ++axis) {
      if (axis >= bindings[i].dim_names.size() || bindings[i].dim_names[axis].empty()) continue;
      if (bindings[i].info.shape[axis] != kOpenExtent) continue;
      if (bindings[i].may_be_empty && shape[axis] == 0) continue;
      const std::string& name = bindings[i].dim_names[axis];
      const auto same = std::find_if(known.begin(), known.end(),
                                     [&](const Extent& extent) { return extent.name == name; });
      const std::string where =
          "axis " + std::to_string(axis) + " of " + NameBinding("input", bindings[i]);
      if (same == known.end()) {
        known.push_back({name, shape[axis], where});
      } else if (same->value != shape[axis]) {
        problems.Add(EscapeForDisplay(name) + " is " + std::to_string(same->value) + " as " +
                     same->where + " and " + std::to_string(shape[axis]) + " as " + where +
                     ", expected the same");
      }
    }
  }
}

bool AgreesAsTensor(const OpenBinding& binding, const StageValue& value) {
  if (value.kind != StageValue::Kind::kTensor) return false;
  const TensorInfo& info = value.info;
  if (!IsShape(info.shape, info.data_type)) return false;
  const TensorInfo& stated = binding.info;
  if (info.data_type != stated.data_type || !(info.quantization == stated.quantization))
    return false;
  if (binding.is_rank_open) return true;
  if (info.shape.rank != stated.shape.rank) return false;
  for (std::uint32_t axis = 0; axis < info.shape.rank; ++axis) {
    const std::int64_t extent = info.shape[axis];
    const ExtentBounds bounds = GetBounds(binding, axis);
    const bool is_open = stated.shape[axis] == kOpenExtent;
    if (is_open ? extent < bounds.least || extent > bounds.most : extent != stated.shape[axis]) {
      return false;
    }
  }
  return true;
}

bool IsOfKind(const OpenBinding& binding, const StageValue& value) {
  if (value.kind == StageValue::Kind::kNone) return binding.is_optional;
  const auto is_tensor = [](const StageValue& element) {
    return element.kind == StageValue::Kind::kTensor;
  };
  return binding.is_sequence
             ? value.kind == StageValue::Kind::kSequence &&
                   std::all_of(value.elements.begin(), value.elements.end(), is_tensor)
             : is_tensor(value);
}

bool HasRoom(const void* data, std::uint64_t size_bytes) {
  return data != nullptr || size_bytes == 0;
}

// There are as many as expected, each with an id of its own that exists: so none is missing.
template <typename Tensors, typename Fits>
bool AreGivenOnce(const Tensors& given, std::size_t expected, std::vector<std::uint8_t>& marks,
                  const Fits& fits) {
  if (given.size() != expected) return false;
  std::fill(marks.begin(), marks.end(), std::uint8_t{0});
  return std::all_of(given.begin(), given.end(), [&](const auto& tensor) {
    if (tensor.id >= expected || marks[tensor.id] != 0) return false;
    marks[tensor.id] = 1;
    return fits(tensor);
  });
}

}  // namespace

bool Agrees(const OpenBinding& binding, const StageValue& value) {
  if (value.kind == StageValue::Kind::kNone) return binding.is_optional;
  if (!binding.is_sequence) return AgreesAsTensor(binding, value);
  return value.kind == StageValue::Kind::kSequence &&
         std::all_of(value.elements.begin(), value.elements.end(),
                     [&](const StageValue& element) { return AgreesAsTensor(binding, element); });
}

StageValue GetGivenValue(const InputTensor& input) {
  if (input.value != nullptr) return *input.value;
  return MakeStageTensor(input.tensor.info, {std::shared_ptr<const void>(), input.tensor.data});
}

bool AreBindingsRight(const ExecutionPlan& plan, const InputTensors& inputs,
                      const OutputTensors& outputs, std::vector<std::uint8_t>& marks) {
  const auto input_fits = [&](const InputTensor& input) {
    if (input.imported != kNotImported) return true;
    if (input.value != nullptr || input.memory_shape.rank != 0) return false;
    const TensorInfo& expected = *plan.tensors[plan.inputs[input.id].tensor].info;
    return input.tensor.info == expected && HasRoom(input.tensor.data, expected.GetSizeBytes());
  };
  const auto output_fits = [&](const OutputTensor& output) {
    if (output.imported != kNotImported) return true;
    const TensorInfo& expected = *plan.tensors[plan.outputs[output.id].tensor].info;
    return output.size_bytes == expected.GetSizeBytes() && HasRoom(output.data, output.size_bytes);
  };
  return AreGivenOnce(inputs, plan.inputs.size(), marks, input_fits) &&
         AreGivenOnce(outputs, plan.outputs.size(), marks, output_fits);
}

std::optional<Diagnostic> FindWrongBindings(const NetworkBindings& network,
                                            const InputTensors& inputs,
                                            const OutputTensors& outputs) {
  Problems problems;
  std::vector<StageValue> values;
  for (const OpenBinding& binding : network.inputs) {
    const InputTensor* const input = FindOnly("input", binding, inputs, problems);
    if (input == nullptr) continue;
    values.push_back(GetGivenValue(*input));
    CheckInput(binding, *input, values.back(), network.may_import, problems);
  }
  FindUnknown("input", network.inputs.size(), inputs, problems);
  for (const OpenBinding& binding : network.outputs) {
    const OutputTensor* const output = FindOnly("output", binding, outputs, problems);
    if (output != nullptr) CheckOutput(binding, *output, network.may_import, problems);
  }
  FindUnknown("output", network.outputs.size(), outputs, problems);
  if (problems.HasNone()) CheckNames(network.inputs, values, problems);
  return problems.Describe(network.network,
                           "give every input and every output once, as "
                           "IOptimizedNetwork::GetInputs and GetOutputs say");
}

std::optional<Diagnostic> FindWrongResults(const NetworkBindings& network,
                                           const std::vector<StageValue>& results,
                                           const OutputTensors& wanted) {
  Problems problems;
  for (const OutputTensor& output : wanted) {
    const OpenBinding& binding = network.outputs[output.id];
    const StageValue& result = results[output.id];
    const bool is_tensor = result.kind == StageValue::Kind::kTensor;
    const bool has_room = output.data != nullptr || output.result == nullptr;
    if (!IsOfKind(binding, result)) {
      problems.Add(NameBinding("output", binding) + " is " + DescribeValue(result) + ", expected " +
                   DescribeOpen(binding));
    } else if (is_tensor && has_room && output.imported == kNotImported &&
               !FitsRoom(result.info.GetSizeBytes(), output)) {
      problems.Add(DescribeRoom(binding, output, result.info));
    }
  }
  return problems.Describe(network.network,
                           "give room of that size, or a ResultTensor without room, for which "
                           "the runtime allocates memory");
}

std::optional<Diagnostic> FindTooLarge(const NetworkBindings& network, const OutputTensor& output,
                                       const TensorInfo& result) {
  if (FitsMemory(result.shape, output.memory_shape)) return std::nullopt;
  Problems problems;
  problems.Add(NameBinding("output", network.outputs[output.id]) + " has " +
               DescribeMemory(output.memory_shape) + ", expected memory for " +
               DescribeTensor(result));
  return problems.Describe(network.network, "give memory of which no extent is less");
}

std::optional<Diagnostic> FindWrongAnnounced(const NetworkBindings& network,
                                             const std::vector<StageValue>& values) {
  Problems problems;
  if (values.size() != network.inputs.size()) {
    problems.Add("shapes for " + std::to_string(values.size()) +
                 " inputs are announced, expected " + std::to_string(network.inputs.size()));
  }
  for (std::size_t i = 0; i < values.size() && i < network.inputs.size(); ++i) {
    if (Agrees(network.inputs[i], values[i])) continue;
    problems.Add(NameBinding("input", network.inputs[i]) + " is announced as " +
                 DescribeValue(values[i]) + ", expected " + DescribeOpen(network.inputs[i]));
  }
  return problems.Describe(network.network, "announce a shape for each input that agrees with it");
}

}  // namespace backplane
