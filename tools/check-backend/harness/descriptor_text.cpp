#include "harness/descriptor_text.hpp"

#include "comma_list.hpp"

#include <backplane/api/layer_type.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <map>
#include <memory>
#include <utility>

namespace backplane::check_backend {
namespace {

using conformance::StoredTensor;
using conformance::TestLayer;

struct Field {
  const char* descriptor;
  const char* name;
  std::size_t offset;
  std::size_t size_bytes;
  const char* type;  // of one element
};

struct Number {
  const char* type;
  const char* name;
  std::uint32_t value;
};

constexpr Field kFields[] = {
#define BACKPLANE_FIELD(descriptor, name, offset, size_bytes, type) \
  {descriptor, name, offset, size_bytes, type},
#define BACKPLANE_NUMBER(...)
#include "descriptor_fields.inc"
#undef BACKPLANE_FIELD
#undef BACKPLANE_NUMBER
};

constexpr Number kNumbers[] = {
#define BACKPLANE_FIELD(...)
#define BACKPLANE_NUMBER(type, name, value) {type, name, value},
#include "descriptor_fields.inc"
#undef BACKPLANE_FIELD
#undef BACKPLANE_NUMBER
};

const char* GetDescriptorName(LayerType type) {
  switch (type) {
#define BACKPLANE_ROW(name, number, major, minor, min_in, max_in, min_out, max_out, descriptor, \
                      ...)                                                                      \
  case LayerType::k##name:                                                                      \
    return #descriptor;
#define BACKPLANE_OPERATOR(...) BACKPLANE_ROW(__VA_ARGS__)
#define BACKPLANE_CORE_LAYER(...) BACKPLANE_ROW(__VA_ARGS__)
#include <backplane/api/layers.def>
#undef BACKPLANE_OPERATOR
#undef BACKPLANE_CORE_LAYER
#undef BACKPLANE_ROW
    default:
      return "NoDescriptor";
  }
}

template <typename Element>
Element ReadAs(const unsigned char* bytes) {
  Element element{};
  std::memcpy(&element, bytes, sizeof(element));
  return element;
}

std::string ToText(double value) {
  if (std::isnan(value)) return "NAN";
  if (std::isinf(value)) return value > 0 ? "INFINITY" : "-INFINITY";
  char text[40];
  std::snprintf(text, sizeof(text), "%.9g", value);
  return text;
}

std::string WriteEnumerator(const std::string& type, std::uint32_t value) {
  for (const Number& number : kNumbers) {
    if (type == number.type && number.value == value) return type + "::" + number.name;
  }
  return type + "{" + std::to_string(value) + "}";
}

std::size_t GetElementBytes(const std::string& type) {
  if (type == "char") return 1;
  return type == "int64_t" || type == "double" || type == "uint64_t" ? 8 : 4;
}

std::string WriteElement(const std::string& type, const unsigned char* bytes) {
  if (type == "char") return std::to_string(static_cast<int>(*bytes));
  if (type == "int64_t") return std::to_string(ReadAs<std::int64_t>(bytes));
  if (type == "uint64_t") return std::to_string(ReadAs<std::uint64_t>(bytes));
  if (type == "int32_t") return std::to_string(ReadAs<std::int32_t>(bytes));
  if (type == "uint32_t") return std::to_string(ReadAs<std::uint32_t>(bytes));
  if (type == "float") return ToText(static_cast<double>(ReadAs<float>(bytes)));
  if (type == "double") return ToText(ReadAs<double>(bytes));
  return WriteEnumerator(type, ReadAs<std::uint32_t>(bytes));
}

bool IsEnumeration(const std::string& type) {
  return std::any_of(std::begin(kNumbers), std::end(kNumbers),
                     [&](const Number& number) { return type == number.type; });
}

/// Numbers, characters and enumerators; not structs of them.
bool IsOneValue(const std::string& type) {
  static constexpr const char* kTypes[] = {"char",     "int64_t", "uint64_t", "int32_t",
                                           "uint32_t", "float",   "double"};
  const bool is_known = std::any_of(std::begin(kTypes), std::end(kTypes),
                                    [&](const char* known) { return type == known; });
  return is_known || IsEnumeration(type);
}

constexpr char kBytes[] = "bytes ";

std::string WriteBytesOf(const unsigned char* bytes, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    AddToList(text, std::to_string(static_cast<int>(bytes[i])));
  }
  return std::string(kBytes) + "{" + text + "}";
}

/// One value, or "{1, 2, 3}" without what is 0 at the end; of structs "bytes {1, 2, 3}".
std::string WriteField(const Field& field, const unsigned char* bytes) {
  if (!IsOneValue(field.type)) return WriteBytesOf(bytes, field.size_bytes);
  const std::size_t element_bytes = GetElementBytes(field.type);
  std::size_t count = field.size_bytes / element_bytes;
  if (count <= 1) return WriteElement(field.type, bytes);
  const std::vector<unsigned char> zero(element_bytes, 0);
  const auto is_zero = [&](std::size_t i) {
    return std::memcmp(bytes + i * element_bytes, zero.data(), element_bytes) == 0;
  };
  while (count > 0 && is_zero(count - 1)) --count;
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    AddToList(text, WriteElement(field.type, bytes + i * element_bytes));
  }
  return "{" + text + "}";
}

/// Name and value of each field that is not its default.
std::vector<std::pair<std::string, std::string>> ListFields(const TestLayer& layer) {
  std::vector<std::pair<std::string, std::string>> fields;
  const std::string descriptor = GetDescriptorName(layer.type);
  const std::vector<unsigned char> defaults = MakeDefaultDescriptor(layer.type);
  for (const Field& field : kFields) {
    if (descriptor != field.descriptor || std::string(field.name) == "size_bytes") continue;
    const std::size_t end = field.offset + field.size_bytes;
    if (end > layer.descriptor_bytes.size() || end > defaults.size()) continue;
    const unsigned char* const bytes = layer.descriptor_bytes.data() + field.offset;
    if (std::memcmp(bytes, defaults.data() + field.offset, field.size_bytes) == 0) continue;
    fields.emplace_back(field.name, WriteField(field, bytes));
  }
  return fields;
}

std::string ToText(const TensorShape& shape) {
  std::string text;
  for (std::uint32_t axis = 0; axis < shape.rank; ++axis) {
    AddToList(text, std::to_string(shape[axis]));
  }
  return text;
}

template <typename Value>
std::string WriteNumbers(const SharedVector<Value>& values) {
  std::string text;
  for (const Value value : values) AddToList(text, ToText(static_cast<double>(value)));
  return text;
}

std::string DescribeTensors(const std::vector<TensorInfo>& infos) {
  std::string text;
  for (const TensorInfo& info : infos) text += (text.empty() ? "" : "; ") + DescribeTensor(info);
  return text.empty() ? "nothing" : text;
}

std::string WriteDataType(DataType type) {
  return WriteEnumerator("DataType", static_cast<std::uint32_t>(type));
}

std::string WriteInfo(const std::string& name, const TensorInfo& info) {
  std::string text = "  " + name + ".push_back({{" + ToText(info.shape) + "}, " +
                     WriteDataType(info.data_type) + "});\n";
  if (!info.quantization.IsQuantized()) return text;
  text += "  " + name + ".back().quantization.scales = {" + WriteNumbers(info.quantization.scales) +
          "};\n";
  text += "  " + name + ".back().quantization.zero_points = {" +
          WriteNumbers(info.quantization.zero_points) + "};\n";
  text +=
      "  " + name + ".back().quantization.axis = " + std::to_string(info.quantization.axis) + ";\n";
  return text;
}

constexpr char kProgramBegin[] = R"(// With PREFIX for where Backplane is installed:
// c++ -std=c++17 -IPREFIX/include repeat.cpp -LPREFIX/lib -Wl,-rpath,PREFIX/lib -lbackplane-host
#include <backplane/api/descriptors.hpp>
#include <backplane/api/run_arguments.hpp>
#include <backplane/host/dynamic_backend.hpp>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

using namespace backplane;

// A dense tensor in memory of this program.
struct Handle : ITensorHandle {
  Handle(const TensorInfo& info, void* data) {
    view.data = data;
    view.source = MemorySource::kMalloc;
    view.size_bytes = info.GetSizeBytes();
    view.data_type = info.data_type;
    view.rank = info.shape.rank;
    std::int64_t stride = GetDataTypeSizeBytes(info.data_type);
    for (std::uint32_t axis = view.rank; axis-- > 0;) {
      view.dims[axis] = info.shape[axis];
      view.strides_bytes[axis] = stride;
      stride *= info.shape[axis] > 0 ? info.shape[axis] : 1;
    }
  }
  const MemoryView* GetMemoryView() const override { return &view; }
  Status Bind(const MemoryBlock&, std::uint64_t) override { return Status::kUnsupported; }
  Status Map(MemoryAccess, MemoryView*) override { return Status::kUnsupported; }
  Status Unmap() override { return Status::kUnsupported; }
  Status Import(const MemoryView&) override { return Status::kUnsupported; }
  Status Unimport() override { return Status::kUnsupported; }
  Status Export(MemorySource, MemoryView*) override { return Status::kUnsupported; }
  MemoryView view;
};

int main() {
)";

constexpr char kBackendLines[] = R"(  auto backend = library->CreateBackend();
  BackendOptions options{library->GetBackendId(), {}};
  ILogger& logger = *backend.GetOrigin()->logger;
  BackendContextArgs context_args;
  context_args.options = &options;
  context_args.logger = &logger;
  auto context = backend.Share()->CreateBackendContext(context_args);

)";

constexpr char kTensorLines[] = R"(
  std::vector<const TensorInfo*> input_infos;
  std::vector<const TensorInfo*> output_infos;
  std::vector<std::unique_ptr<Handle>> handles;
  std::vector<ITensorHandle*> input_handles;
  std::vector<ITensorHandle*> output_handles;
  std::vector<std::vector<unsigned char>> results;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    input_infos.push_back(&inputs[i]);
    handles.push_back(std::make_unique<Handle>(inputs[i], content[i].data()));
    input_handles.push_back(handles.back().get());
  }
  for (const TensorInfo& info : outputs) {
    output_infos.push_back(&info);
    results.emplace_back(info.GetSizeBytes(), 0xA7);
    handles.push_back(std::make_unique<Handle>(info, results.back().data()));
    output_handles.push_back(handles.back().get());
  }

  LayerSupportArgs support_args;
  support_args.context = context.get();
  std::vector<std::uint8_t> is_constant(inputs.size(), 0);
  LayerSupportQuery query;
)";

constexpr char kMakingLines[] = R"(  query.layer_name = "layer under test";
  query.descriptor = &descriptor;
  query.inputs = input_infos.data();
  query.num_inputs = static_cast<std::uint32_t>(inputs.size());
  query.outputs = output_infos.data();
  query.num_outputs = static_cast<std::uint32_t>(outputs.size());
  query.input_is_constant = is_constant.data();
  std::string reason;
  const bool is_supported =
      backend.Share()->GetLayerSupport(support_args)->IsLayerSupported(query, reason);
  std::printf("supported: %s %s\n", is_supported ? "yes" : "no", reason.c_str());

  WorkloadFactoryArgs factory_args;
  factory_args.options = &options;
  factory_args.logger = &logger;
  factory_args.context = context.get();
  auto factory = backend.Share()->CreateWorkloadFactory(factory_args);
  std::vector<const ConstTensor*> constants(inputs.size(), nullptr);
  WorkloadArgs workload_args;
  workload_args.layer_type = query.layer_type;
  workload_args.layer_name = query.layer_name;
  workload_args.descriptor = &descriptor;
  workload_args.inputs = input_infos.data();
  workload_args.num_inputs = query.num_inputs;
  workload_args.outputs = output_infos.data();
  workload_args.num_outputs = query.num_outputs;
  workload_args.constants = constants.data();
  auto workload = factory->CreateWorkload(workload_args);
  auto state = factory->CreateExecutionState();

)";

std::string WriteBytes(const std::vector<unsigned char>& bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    text += i == 0 ? "" : i % 24 == 0 ? ",\n    " : ",";
    text += std::to_string(bytes[i]);
  }
  return text;
}

/// As C++ has it.
std::string WriteString(const std::string& text) {
  std::string written = "\"";
  for (const char c : text) {
    if (c >= ' ' && c <= '~' && c != '"' && c != '\\' && c != '?') {
      written += c;
      continue;
    }
    char escaped[8];
    std::snprintf(escaped, sizeof(escaped), "\\%03o", static_cast<unsigned char>(c));
    written += escaped;
  }
  return written + '"';
}

}  // namespace

std::vector<unsigned char> MakeDefaultDescriptor(LayerType type) {
  const auto copy = [](const auto& descriptor) {
    std::vector<unsigned char> bytes(sizeof(descriptor));
    std::memcpy(bytes.data(), &descriptor, sizeof(descriptor));
    return bytes;
  };
  switch (type) {
#define BACKPLANE_ROW(name, number, major, minor, min_in, max_in, min_out, max_out, descriptor, \
                      ...)                                                                      \
  case LayerType::k##name:                                                                      \
    return copy(descriptor());
#define BACKPLANE_OPERATOR(...) BACKPLANE_ROW(__VA_ARGS__)
#define BACKPLANE_CORE_LAYER(...) BACKPLANE_ROW(__VA_ARGS__)
#include <backplane/api/layers.def>
#undef BACKPLANE_OPERATOR
#undef BACKPLANE_CORE_LAYER
#undef BACKPLANE_ROW
    default:
      return {};
  }
}

std::vector<TestLayer> ListUnknownValues(const TestLayer& layer) {
  constexpr std::uint32_t kUnknown = 4711;
  std::vector<TestLayer> layers;
  const std::string descriptor = GetDescriptorName(layer.type);
  for (const Field& field : kFields) {
    const bool is_whole = field.offset + sizeof(kUnknown) <= layer.descriptor_bytes.size();
    if (descriptor != field.descriptor || !is_whole || !IsEnumeration(field.type)) continue;
    if (std::string(field.type) == "DataType") continue;  // whose numbers hosts refuse themselves
    layers.push_back(layer);
    std::memcpy(layers.back().descriptor_bytes.data() + field.offset, &kUnknown, sizeof(kUnknown));
  }
  return layers;
}

std::string DescribeTensor(const TensorInfo& info) {
  std::string text = std::string(GetDataTypeName(info.data_type)) + " [" + ToText(info.shape) + "]";
  const QuantizationInfo& quantization = info.quantization;
  if (!quantization.IsQuantized()) return text;
  if (quantization.IsPerAxis()) {
    return text + ", " + std::to_string(quantization.scales.size()) + " scales along axis " +
           std::to_string(quantization.axis);
  }
  text += ", scale " + ToText(static_cast<double>(quantization.scales[0]));
  if (!quantization.zero_points.empty()) {
    text += ", zero point " + std::to_string(quantization.zero_points[0]);
  }
  return text;
}

std::string DescribeLayer(const TestLayer& layer) {
  std::string text = GetLayerTypeName(layer.type);
  std::string fields;
  for (const auto& [name, value] : ListFields(layer)) {
    AddToList(fields, name + " " + value);
  }
  if (!fields.empty()) text += " (" + fields + ")";
  return text + " of " + DescribeTensors(layer.inputs) + " to " + DescribeTensors(layer.outputs);
}

std::string WriteLayerCode(const TestLayer& layer, const std::vector<StoredTensor>& inputs) {
  std::string text = std::string("  ") + GetDescriptorName(layer.type) + " descriptor;\n";
  for (const auto& [name, value] : ListFields(layer)) {
    if (value.rfind(kBytes, 0) == 0) {
      text += "  {\n    const unsigned char bytes[] = " + value.substr(std::strlen(kBytes)) +
              ";\n    std::memcpy(&descriptor." + name + ", bytes, sizeof(bytes));\n  }\n";
      continue;
    }
    const bool is_list = value.front() == '{';
    if (!is_list) {
      text += "  descriptor." + name + " = " + value + ";\n";
      continue;
    }
    text +=
        "  {\n    int i = 0;\n    for (auto element : "
        "std::initializer_list<std::remove_reference_t<decltype(descriptor." +
        name + "[0])>>" + value + ") descriptor." + name + "[i++] = element;\n";
    text += "    for (; i < static_cast<int>(std::size(descriptor." + name +
            ")); ++i) descriptor." + name + "[i] = {};\n  }\n";
  }
  text += "  std::vector<TensorInfo> inputs;\n  std::vector<TensorInfo> outputs;\n";
  for (const TensorInfo& info : layer.inputs) text += WriteInfo("inputs", info);
  for (const TensorInfo& info : layer.outputs) text += WriteInfo("outputs", info);
  text += "  std::vector<std::vector<unsigned char>> content = {\n";
  for (const StoredTensor& input : inputs) text += "    {" + WriteBytes(input.bytes) + "},\n";
  return text + "  };\n";
}

std::string WriteProgram(const std::string& path, const TestLayer& layer,
                         const std::vector<StoredTensor>& inputs, const std::string& steps) {
  std::string text = kProgramBegin;
  text += "  auto library = DynamicBackend::Open(" + WriteString(path) + ");\n";
  text += kBackendLines;
  text += WriteLayerCode(layer, inputs);
  text += kTensorLines;
  text += std::string("  query.layer_type = LayerType::k") + GetLayerTypeName(layer.type) + ";\n";
  text += kMakingLines;
  return text + steps + "  return 0;\n}\n";
}

}  // namespace backplane::check_backend
