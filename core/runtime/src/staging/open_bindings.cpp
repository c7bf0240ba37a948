#include "staging/open_bindings.hpp"

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

/// float32 [batch, 3, ?].
std::string DescribeOpen(const OpenBinding& binding) {
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
    }
  }
  return text + "]";
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

void CheckInput(const OpenBinding& binding, const InputTensor& tensor, Problems& problems) {
  const std::string name = NameBinding("input", binding);
  const TensorInfo& info = tensor.tensor.info;
  if (tensor.imported != kNotImported) {
    problems.Add(name + " is an imported tensor, expected memory: shapes are open");
  } else if (!Agrees(binding, info)) {
    problems.Add(name + " is " + DescribeTensor(info) + ", expected " + DescribeOpen(binding));
  } else if (tensor.tensor.data == nullptr && info.GetSizeBytes() != 0) {
    problems.Add(name + " has no data, expected " + std::to_string(info.GetSizeBytes()) + " bytes");
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

}  // namespace

bool Agrees(const OpenBinding& binding, const TensorInfo& info) {
  const TensorInfo& stated = binding.info;
  if (info.data_type != stated.data_type || !(info.quantization == stated.quantization))
    return false;
  if (binding.is_rank_open) return true;
  if (info.shape.rank != stated.shape.rank) return false;
  for (std::uint32_t axis = 0; axis < info.shape.rank; ++axis) {
    const bool is_open = stated.shape[axis] == kOpenExtent;
    if (info.shape[axis] < 0 || (!is_open && info.shape[axis] != stated.shape[axis])) return false;
  }
  return true;
}

void RequireAnnounced(const std::string& network, const std::vector<OpenBinding>& inputs,
                      const std::vector<StageValue>& values) {
  Problems problems;
  if (values.size() != inputs.size()) {
    problems.Add("shapes for " + std::to_string(values.size()) +
                 " inputs are announced, expected " + std::to_string(inputs.size()));
  }
  for (std::size_t i = 0; i < values.size() && i < inputs.size(); ++i) {
    if (Agrees(inputs[i], values[i].info)) continue;
    problems.Add(NameBinding("input", inputs[i]) + " is announced as " +
                 DescribeTensor(values[i].info) + ", expected " + DescribeOpen(inputs[i]));
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
    CheckInput(binding, *tensor, problems);
    GivenInput input;
    input.value = MakeStageTensor(
        tensor->tensor.info, {std::shared_ptr<const void>(), tensor->tensor.data});  // borrowed
    input.use = tensor->use;
    bindings.inputs.push_back(std::move(input));
  }
  FindUnknown("input", inputs.size(), given, problems);
  for (const OpenBinding& binding : outputs) {
    const OutputTensor* const tensor = FindOnly("output", binding, wanted, problems);
    if (tensor == nullptr) continue;
    const bool has_room = tensor->data != nullptr || tensor->result != nullptr;
    if (tensor->imported != kNotImported) {
      problems.Add(NameBinding("output", binding) +
                   " is an imported tensor, expected memory: shapes are open");
    } else if (!has_room && tensor->size_bytes != 0) {
      problems.Add(NameBinding("output", binding) +
                   " has no room, and no ResultTensor that takes "
                   "memory of the runtime");
    }
    bindings.outputs.push_back({tensor->data, tensor->size_bytes, tensor->use});
  }
  FindUnknown("output", outputs.size(), wanted, problems);
  if (problems.GetText().empty()) CheckNames(inputs, bindings.inputs, problems);
  if (problems.GetText().empty()) return bindings;
  ThrowWrong(network, problems.GetText(),
             "give every input and every output once, as IOptimizedNetwork::GetInputs and "
             "GetOutputs say");
}

StageValue Copy(const StageValue& value, StageMemory& memory) {
  StageValue copy = value;
  const std::uint64_t size_bytes = value.info.GetSizeBytes();
  const std::shared_ptr<void> data = memory.Allocate(size_bytes);
  if (size_bytes != 0) std::memcpy(data.get(), value.data.get(), size_bytes);
  copy.data = data;
  return copy;
}

void Deliver(const std::string& network, const std::vector<OpenBinding>& outputs,
             std::vector<StageValue> results, const OutputTensors& wanted) {
  Problems problems;
  for (const OutputTensor& tensor : wanted) {
    const OpenBinding& binding = outputs[tensor.id];
    StageValue& result = results[tensor.id];
    if (result.kind != StageValue::Kind::kTensor) {
      problems.Add(NameBinding("output", binding) + " is no tensor");
      continue;
    }
    const std::uint64_t size_bytes = result.info.GetSizeBytes();
    const bool is_allocated = tensor.data == nullptr && tensor.result != nullptr;
    const bool fits = is_allocated || tensor.size_bytes == size_bytes ||
                      (tensor.result != nullptr && tensor.size_bytes > size_bytes);
    if (!fits) {
      problems.Add(NameBinding("output", binding) + " has room for " +
                   std::to_string(tensor.size_bytes) + " bytes, expected " +
                   std::to_string(size_bytes) + " for " + DescribeTensor(result.info));
      continue;
    }
    if (tensor.result != nullptr) tensor.result->info = result.info;
    if (is_allocated) {
      // Nobody else writes to it any more.
      tensor.result->data = std::const_pointer_cast<void>(result.data);
    } else if (size_bytes != 0 && tensor.data != result.data.get()) {
      std::memmove(tensor.data, result.data.get(), size_bytes);
    }
  }
  if (problems.GetText().empty()) return;
  ThrowWrong(network, problems.GetText(),
             "give room of that size, or a ResultTensor without room, for which the runtime "
             "allocates memory");
}

}  // namespace backplane::staging
