#include "graph/inputs.hpp"

#include "diagnostics/throw_diagnostic.hpp"
#include "tensors/data_types.hpp"
#include "tensors/shape.hpp"

#include <algorithm>
#include <set>

namespace backplane::onnx {
namespace {

ModelInput ReadInput(const ::onnx::ValueInfoProto& proto) {
  ModelInput input;
  input.name = proto.name();
  const ::onnx::TypeProto* type = &proto.type();
  if (type->has_optional_type()) {
    input.is_optional = true;
    type = &type->optional_type().elem_type();
  }
  if (type->has_sequence_type()) {
    input.is_sequence = true;
    type = &type->sequence_type().elem_type();
  }
  const auto& tensor = type->tensor_type();
  input.data_type = FromOnnxType(tensor.elem_type());
  input.is_rank_known = tensor.has_shape();
  for (const auto& dim : tensor.shape().dim()) {
    const bool is_stated = dim.has_dim_value() && dim.dim_value() >= 0;
    input.dims.push_back(is_stated ? dim.dim_value() : kOpenExtent);
    input.dim_names.push_back(dim.dim_param());
  }
  return input;
}

bool IsOpen(const ModelInput& input) {
  return !input.IsTensor() || !input.is_rank_known ||
         std::find(input.dims.begin(), input.dims.end(), kOpenExtent) != input.dims.end();
}

std::string GetDimText(const ModelInput& input, std::size_t axis) {
  if (input.dims[axis] != kOpenExtent) return std::to_string(input.dims[axis]);
  return input.dim_names[axis].empty() ? "?" : input.dim_names[axis];
}

// "batchx1x28x28".
std::string DescribeShape(const ModelInput& input) {
  if (!input.is_rank_known) return "any shape";
  if (input.dims.empty()) return "scalar";
  std::string text = GetDimText(input, 0);
  for (std::size_t axis = 1; axis < input.dims.size(); ++axis) {
    text += "x" + GetDimText(input, axis);
  }
  return text;
}

std::string ListOpenDims(const ModelInput& input) {
  std::string text;
  for (std::size_t axis = 0; axis < input.dims.size(); ++axis) {
    if (input.dims[axis] != kOpenExtent) continue;
    text += (text.empty() ? "" : ", ") + std::to_string(axis);
    if (!input.dim_names[axis].empty()) text += " (" + input.dim_names[axis] + ")";
  }
  return text.empty() ? "their number" : text;
}

std::string MakeExample(const ModelInput& input) {
  if (!input.is_rank_known) return "1x3x224x224";
  TensorShape shape;
  for (const std::int64_t dim : input.dims) shape.Append(dim == kOpenExtent ? 1 : dim);
  return ToText(shape);
}

Diagnostic DescribeOpen(const ModelInput& input) {
  return MakeError(DiagnosticCode::kUnknownDimension, {SubjectKind::kTensor, input.name},
                   "the shape of input " + input.name + " is not known",
                   "the model states " + DescribeShape(input) + " and leaves open dimension " +
                       ListOpenDims(input),
                   "give its shape, for example --shape " + input.name + "=" + MakeExample(input) +
                       ", or ImportOptions::input_shapes in code");
}

bool Agrees(const ModelInput& input, const TensorShape& shape) {
  if (!input.is_rank_known) return true;
  if (shape.rank != input.dims.size()) return false;
  for (std::uint32_t axis = 0; axis < shape.rank; ++axis) {
    const bool is_open = input.dims[axis] == kOpenExtent || shape[axis] == kOpenExtent;
    if (!is_open && input.dims[axis] != shape[axis]) return false;
  }
  return true;
}

/// What is left of what the model states where a shape is given instead.
ModelInput Override(const ModelInput& stated, const ImportOptions& options) {
  const auto given = options.input_shapes.find(stated.name);
  if (given == options.input_shapes.end() || !options.may_override_shapes) return stated;
  ModelInput overridden = stated;
  overridden.is_rank_known = false;
  return overridden;
}

/// `given` is "a shape" or "a constant".
[[noreturn]] void RefuseName(const std::string& name, const std::vector<ModelInput>& inputs,
                             const char* given, const std::string& path) {
  std::vector<std::string> names;
  std::string list;
  for (const ModelInput& input : inputs) {
    names.push_back(input.name);
    list += (list.empty() ? "" : ", ") + input.name;
  }
  const std::string suggestion = SuggestNearest(name, names);
  ThrowError(DiagnosticCode::kWrongInput, {SubjectKind::kTensor, name},
             std::string(given) + " is given for the input " + name + ", which does not exist",
             "the inputs of " + path + " are " + list,
             suggestion.empty() ? "give the name of one of those"
                                : suggestion.substr(0, suggestion.size() - 1));
}

void CheckNames(const std::vector<ModelInput>& inputs, const ImportOptions& options,
                const std::string& path) {
  std::set<std::string> known;
  for (const ModelInput& input : inputs) known.insert(input.name);
  for (const auto& [name, shape] : options.input_shapes) {
    if (known.count(name) == 0) RefuseName(name, inputs, "a shape", path);
  }
  for (const auto& [name, tensor] : options.constants) {
    if (known.count(name) == 0) RefuseName(name, inputs, "a constant", path);
  }
}

[[noreturn]] void RefuseConstant(const ModelInput& input, const std::string& why) {
  ThrowError(DiagnosticCode::kWrongInput, {SubjectKind::kTensor, input.name},
             "the constant for input " + input.name + " does not fit", why,
             "give a tensor of that type and shape");
}

void CheckConstant(const ModelInput& input, const NamedTensor& tensor) {
  const TensorInfo& info = tensor.info;
  if (info.data_type != input.data_type || !Agrees(input, info.shape)) {
    RefuseConstant(input, "found " + ToText(info.shape) + " " + GetDataTypeName(info.data_type) +
                              ", the model expects " + DescribeShape(input) + " " +
                              GetDataTypeName(input.data_type));
  }
  const std::vector<std::int64_t> dims(info.shape.dims, info.shape.dims + info.shape.rank);
  const auto size_bytes = ComputeSizeBytes(dims, info.data_type);
  if (!size_bytes || *size_bytes != tensor.data.size()) {
    RefuseConstant(input, "it has " + std::to_string(tensor.data.size()) + " bytes of data; " +
                              ToText(info.shape) + " " + GetDataTypeName(info.data_type) +
                              " needs " + (size_bytes ? std::to_string(*size_bytes) : "more"));
  }
  if (info.data_type != DataType::kBool) return;
  const auto is_no_bool = [](unsigned char byte) { return byte > 1; };
  const auto found = std::find_if(tensor.data.begin(), tensor.data.end(), is_no_bool);
  if (found != tensor.data.end()) {
    RefuseConstant(input, "it has the byte " + std::to_string(*found) + "; a bool is 0 or 1");
  }
}

const NamedTensor* FindConstant(const ModelInput& input, const ImportOptions& options) {
  const auto found = options.constants.find(input.name);
  if (found == options.constants.end()) return nullptr;
  CheckConstant(input, found->second);
  return &found->second;
}

[[noreturn]] void RefuseShape(const ModelInput& input, const TensorShape& shape) {
  ThrowError(DiagnosticCode::kWrongInput, {SubjectKind::kTensor, input.name},
             "input " + input.name + " has the wrong shape",
             "found " + ToText(shape) + ", the model expects " + DescribeShape(input),
             "give a shape that agrees with the model, or allow with "
             "ImportOptions::may_override_shapes that it does not");
}

/// Errors: kWrongInput for a shape that no tensor can have.
void CheckSize(const ModelInput& input) {
  if (!input.IsTensor() || !input.is_rank_known) return;
  if (input.dims.size() > kMaxRank) {
    ThrowError(DiagnosticCode::kWrongInput, {SubjectKind::kTensor, input.name},
               "input " + input.name + " has too many dimensions",
               "found " + std::to_string(input.dims.size()) + "; at most " +
                   std::to_string(kMaxRank) + " are supported",
               "export the model with fewer");
  }
  if (IsOpen(input) || ComputeSizeBytes(input.dims, input.data_type)) return;
  ThrowError(DiagnosticCode::kWrongInput, {SubjectKind::kTensor, input.name},
             "input " + input.name + " is too large",
             "found " + DescribeShape(input) + " " + GetDataTypeName(input.data_type) +
                 "; a size that fits 63 bits is expected",
             "give a smaller shape, or correct the model");
}

/// Takes from a given shape what the model leaves open.
void TakeShape(const TensorShape& shape, ModelInput& input) {
  if (!Agrees(input, shape)) RefuseShape(input, shape);
  if (input.is_rank_known) {
    for (std::uint32_t axis = 0; axis < shape.rank; ++axis) {
      if (shape[axis] != kOpenExtent) input.dims[axis] = shape[axis];
    }
  } else {
    input.is_rank_known = true;
    input.dims.assign(shape.dims, shape.dims + shape.rank);
    input.dim_names.assign(shape.rank, "");
  }
}

/// Errors: kUnknownDimension for inputs that are open.
void RequireKnown(const std::vector<ResolvedInput>& inputs, const std::string& path) {
  std::vector<Diagnostic> open;
  for (const ResolvedInput& input : inputs) {
    if (IsOpen(input.stated)) open.push_back(DescribeOpen(input.stated));
  }
  if (open.empty()) return;
  if (open.size() == 1) throw DiagnosticException(open.front());
  const std::string count = Count(open.size(), "input");
  ThrowError(DiagnosticCode::kUnknownDimension, {SubjectKind::kModel, path},
             "the shapes of " + count + " of " + path + " are not known", "",
             "give the shape of each", std::move(open));
}

void CheckIsSupported(const ModelInput& input) {
  if (input.data_type != DataType::kUndefined) return;
  ThrowError(DiagnosticCode::kWrongInput, {SubjectKind::kTensor, input.name},
             "input " + input.name + " is not supported",
             "it is no tensor of numbers or bool, and no sequence or optional of such; others are "
             "not supported",
             "export the model without it");
}

/// Errors: kWrongInput where the options say something of an input that only tensors have.
void CheckHasNoOptions(const ModelInput& input, const ImportOptions& options) {
  if (input.IsTensor()) return;
  const bool has_shape = options.input_shapes.count(input.name) > 0;
  if (!has_shape && options.constants.count(input.name) == 0) return;
  ThrowError(DiagnosticCode::kWrongInput, {SubjectKind::kTensor, input.name},
             std::string(has_shape ? "a shape" : "a constant") + " is given for the input " +
                 input.name + ", which is " + (input.is_sequence ? "a sequence" : "an optional"),
             "only tensors have that", "leave it out, and give the value when the network runs");
}

/// Errors: kWrongInput for an input that is known only when a network runs.
void CheckIsTensor(const ModelInput& input) {
  if (input.IsTensor()) return;
  ThrowError(DiagnosticCode::kWrongInput, {SubjectKind::kTensor, input.name},
             "input " + input.name + " is " + (input.is_sequence ? "a sequence" : "an optional"),
             "a network whose shapes are fixed takes tensors only",
             "import the model without ImportOptions::must_be_fixed");
}

}  // namespace

std::vector<ModelInput> ListInputs(const ::onnx::GraphProto& graph) {
  std::set<std::string> initialised;
  for (const auto& tensor : graph.initializer()) initialised.insert(tensor.name());
  for (const auto& tensor : graph.sparse_initializer()) initialised.insert(tensor.values().name());
  std::vector<ModelInput> inputs;
  for (const auto& proto : graph.input()) {
    if (initialised.count(proto.name()) == 0) inputs.push_back(ReadInput(proto));
  }
  return inputs;
}

std::vector<ModelInput> ListValues(
    const google::protobuf::RepeatedPtrField<::onnx::ValueInfoProto>& values) {
  std::vector<ModelInput> list;
  for (const auto& value : values) list.push_back(ReadInput(value));
  return list;
}

std::vector<ResolvedInput> ResolveInputs(const std::vector<ModelInput>& inputs,
                                         const ImportOptions& options, const std::string& path) {
  CheckNames(inputs, options, path);
  std::vector<ResolvedInput> resolved;
  resolved.reserve(inputs.size());
  for (const ModelInput& stated : inputs) {
    ModelInput input = Override(stated, options);
    CheckIsSupported(input);
    if (options.must_be_fixed) CheckIsTensor(input);
    CheckHasNoOptions(input, options);
    const NamedTensor* const constant = FindConstant(input, options);
    const auto given = options.input_shapes.find(input.name);
    if (given != options.input_shapes.end()) TakeShape(given->second, input);
    if (constant != nullptr) {
      const TensorShape& shape = constant->info.shape;
      if (!Agrees(input, shape)) {
        RefuseConstant(input, "found " + ToText(shape) + ", the shape given for it is " +
                                  DescribeShape(input));
      }
      input.dims.assign(shape.dims, shape.dims + shape.rank);
      input.is_rank_known = true;
    }
    CheckSize(input);
    resolved.push_back({std::move(input), constant});
  }
  if (options.must_be_fixed) RequireKnown(resolved, path);
  return resolved;
}

}  // namespace backplane::onnx
