#include "staging/open_bindings.hpp"

#include "tensors/tensor_size.hpp"
#include "tensors/tensor_text.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace backplane::staging {
namespace {

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

[[noreturn]] void ThrowWrong(const std::string& network, std::string why, const char* fix) {
  Diagnostic diagnostic{DiagnosticCode::kWrongTensorBinding};
  diagnostic.subject = {SubjectKind::kNetwork, network};
  diagnostic.what = "the tensors given are not those of network \"" + network + "\"";
  diagnostic.why = std::move(why);
  diagnostic.fix = fix;
  throw DiagnosticException(std::move(diagnostic));
}

/// What is wrong, one after the other.
class Problems {
 public:
  void Add(const std::string& problem) { text_ += (text_.empty() ? "" : "; ") + problem; }
  const std::string& GetText() const { return text_; }

 private:
  std::string text_;
};

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

/// What an input is given. Memory of a tensor is borrowed.
StageValue GetValue(const InputTensor& input) {
  if (input.value != nullptr) return *input.value;
  return MakeStageTensor(input.tensor.info, {std::shared_ptr<const void>(), input.tensor.data});
}

void CheckInput(const OpenBinding& binding, const InputTensor& input, const StageValue& value,
                Problems& problems) {
  const std::string name = NameBinding("input", binding);
  if (input.imported != kNotImported) {
    problems.Add(name + " is an imported tensor, expected memory: shapes are open");
  } else if (!Agrees(binding, value)) {
    problems.Add(name + " is " + DescribeValue(value) + ", expected " + DescribeOpen(binding));
  } else if (const StageValue* const found = FindWithoutData(value)) {
    problems.Add(name + " has no data, expected " + std::to_string(found->info.GetSizeBytes()) +
                 " bytes" + (found == &value ? "" : " for each " + DescribeTensor(found->info)));
  }
}

void CheckOutput(const OpenBinding& binding, const OutputTensor& output, Problems& problems) {
  const std::string name = NameBinding("output", binding);
  const bool has_room = output.data != nullptr || output.result != nullptr;
  if (output.imported != kNotImported) {
    problems.Add(name + " is an imported tensor, expected memory: shapes are open");
  } else if (!has_room && output.size_bytes != 0) {
    problems.Add(name + " has no room, and no ResultTensor that takes memory of the runtime");
  } else if (binding.is_sequence && (output.data != nullptr || output.size_bytes != 0)) {
    problems.Add(name + " has room for a tensor, expected none: it is " + DescribeOpen(binding));
  } else if (!binding.IsTensor() && output.result == nullptr) {
    problems.Add(name + " has no ResultTensor, expected one: it is " + DescribeOpen(binding));
  }
}

/// Open extents with one name are equal.
void CheckNames(const std::vector<OpenBinding>& bindings, const std::vector<GivenInput>& inputs,
                Problems& problems) {
  struct Extent {
    std::string name;
    std::int64_t value;
    std::string where;
  };
  std::vector<Extent> known;
  for (std::size_t i = 0; i < bindings.size(); ++i) {
    if (inputs[i].value.kind != StageValue::Kind::kTensor) continue;
    const TensorShape& shape = inputs[i].value.info.shape;
    for (std::uint32_t axis = 0; axis < shape.rank; ++axis) {
      if (axis >= bindings[i].dim_names.size() || bindings[i].dim_names[axis].empty()) continue;
      if (bindings[i].info.shape[axis] != kOpenExtent) continue;
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

/// Whether a shape is that of any tensor.
bool IsShape(const TensorShape& shape, DataType type) {
  if (shape.rank > kMaxRank) return false;
  const std::int64_t* const end = shape.dims + shape.rank;
  return std::all_of(shape.dims, end, [](std::int64_t extent) { return extent >= 0; }) &&
         ComputeSizeBytes(shape, type);
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

std::shared_ptr<void> CopyData(const StageValue& value, StageMemory& memory) {
  const std::uint64_t size_bytes = value.info.GetSizeBytes();
  std::shared_ptr<void> data = memory.Allocate(size_bytes);
  if (size_bytes != 0) std::memcpy(data.get(), value.data.get(), size_bytes);
  return data;
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

void DeliverOne(const OpenBinding& binding, StageValue& result, const OutputTensor& wanted,
                Problems& problems) {
  if (!IsOfKind(binding, result)) {
    problems.Add(NameBinding("output", binding) + " is " + DescribeValue(result) + ", expected " +
                 DescribeOpen(binding));
    return;
  }
  if (result.kind != StageValue::Kind::kTensor) {
    *wanted.result = ResultTensor();
    wanted.result->value = std::move(result);
    return;
  }
  const std::uint64_t size_bytes = result.info.GetSizeBytes();
  const bool is_allocated = wanted.data == nullptr && wanted.result != nullptr;
  const bool fits = is_allocated || wanted.size_bytes == size_bytes ||
                    (wanted.result != nullptr && wanted.size_bytes > size_bytes);
  if (!fits) {
    problems.Add(NameBinding("output", binding) + " has room for " +
                 std::to_string(wanted.size_bytes) + " bytes, expected " +
                 std::to_string(size_bytes) + " for " + DescribeTensor(result.info));
    return;
  }
  if (wanted.result != nullptr) wanted.result->info = result.info;
  if (is_allocated) {
    // Nobody else writes to it any more.
    wanted.result->data = std::const_pointer_cast<void>(result.data);
  } else if (size_bytes != 0 && wanted.data != result.data.get()) {
    std::memmove(wanted.data, result.data.get(), size_bytes);
  }
  if (binding.IsTensor()) return;
  const std::shared_ptr<const void> room(std::shared_ptr<void>(), wanted.data);
  wanted.result->value = MakeStageTensor(result.info, is_allocated ? result.data : room);
}

}  // namespace

bool Agrees(const OpenBinding& binding, const StageValue& value) {
  if (value.kind == StageValue::Kind::kNone) return binding.is_optional;
  if (!binding.is_sequence) return AgreesAsTensor(binding, value);
  return value.kind == StageValue::Kind::kSequence &&
         std::all_of(value.elements.begin(), value.elements.end(),
                     [&](const StageValue& element) { return AgreesAsTensor(binding, element); });
}

void RequireAnnounced(const std::string& network, const std::vector<OpenBinding>& inputs,
                      const std::vector<StageValue>& values) {
  Problems problems;
  if (values.size() != inputs.size()) {
    problems.Add("shapes for " + std::to_string(values.size()) +
                 " inputs are announced, expected " + std::to_string(inputs.size()));
  }
  for (std::size_t i = 0; i < values.size() && i < inputs.size(); ++i) {
    if (Agrees(inputs[i], values[i])) continue;
    problems.Add(NameBinding("input", inputs[i]) + " is announced as " + DescribeValue(values[i]) +
                 ", expected " + DescribeOpen(inputs[i]));
  }
  if (problems.GetText().empty()) return;
  ThrowWrong(network, problems.GetText(), "announce a shape for each input that agrees with it");
}

OpenBindings TakeBindings(const std::string& network, const std::vector<OpenBinding>& inputs,
                          const std::vector<OpenBinding>& outputs, const InputTensors& given,
                          const OutputTensors& wanted) {
  Problems problems;
  OpenBindings bindings;
  for (const OpenBinding& binding : inputs) {
    const InputTensor* const tensor = FindOnly("input", binding, given, problems);
    if (tensor == nullptr) continue;
    GivenInput input;
    input.value = GetValue(*tensor);
    input.use = tensor->use;
    CheckInput(binding, *tensor, input.value, problems);
    bindings.inputs.push_back(std::move(input));
  }
  FindUnknown("input", inputs.size(), given, problems);
  for (const OpenBinding& binding : outputs) {
    const OutputTensor* const tensor = FindOnly("output", binding, wanted, problems);
    if (tensor == nullptr) continue;
    CheckOutput(binding, *tensor, problems);
    bindings.outputs.push_back({tensor->data, tensor->size_bytes, tensor->use});
  }
  FindUnknown("output", outputs.size(), wanted, problems);
  if (problems.GetText().empty()) CheckNames(inputs, bindings.inputs, problems);
  if (problems.GetText().empty()) return bindings;
  ThrowWrong(network, problems.GetText(),
             "give every input and every output once, as IOptimizedNetwork::GetInputs and "
             "GetOutputs say");
}

StageValue CopyBorrowed(const StageValue& value, StageMemory& memory) {
  StageValue copy = value;
  for (StageValue& element : copy.elements) element = CopyBorrowed(element, memory);
  const bool is_borrowed = value.data != nullptr && value.data.use_count() == 0;
  if (is_borrowed) copy.data = CopyData(value, memory);
  return copy;
}

StageValue CopyShared(const StageValue& value, StageMemory& memory) {
  const bool is_shared = value.data != nullptr && value.data.use_count() > 1;
  if (!is_shared) return CopyBorrowed(value, memory);
  return MakeStageTensor(value.info, CopyData(value, memory));
}

void Deliver(const std::string& network, const std::vector<OpenBinding>& outputs,
             std::vector<StageValue> results, const OutputTensors& wanted) {
  Problems problems;
  for (const OutputTensor& tensor : wanted) {
    DeliverOne(outputs[tensor.id], results[tensor.id], tensor, problems);
  }
  if (problems.GetText().empty()) return;
  ThrowWrong(network, problems.GetText(),
             "give room of that size, or a ResultTensor without room, for which the runtime "
             "allocates memory");
}

}  // namespace backplane::staging
