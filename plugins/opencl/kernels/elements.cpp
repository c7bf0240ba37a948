#include "kernels/elements.hpp"

#include "pointwise/functions.hpp"

#include <limits>

namespace backplane {
namespace opencl {

// vload_half and vstore_half are part of OpenCL 1.2; arithmetic on half is not.
const char* const kElementsSource = R"(
#ifdef STORAGE_HALF
typedef half storage;
#define LOAD(p, i) vload_half((i), (p))
#define STORE(value, p, i) vstore_half((value), (i), (p))
#else
typedef float storage;
#define LOAD(p, i) ((p)[i])
#define STORE(value, p, i) ((p)[i] = (value))
#endif
)";

namespace {

bool IsFloat(DataType data_type) {
  return data_type == DataType::kFloat32 || data_type == DataType::kFloat16;
}

void RequireFloat(const TensorInfo& info, const std::string& name, Refusal& refusal) {
  if (info.quantization.IsQuantized()) {
    refusal.Add(name, " is quantised, which is not supported");
  } else if (!IsFloat(info.data_type)) {
    refusal.Add("data type ", GetDataTypeName(info.data_type), " of ", name,
                " is not supported, only float32 and float16");
  }
}

void RequireFewElements(const TensorInfo& info, const std::string& name, Refusal& refusal) {
  constexpr std::int64_t kMostElements = std::numeric_limits<std::int32_t>::max();
  const std::int64_t count = info.shape.GetNumElements();
  if (count <= kMostElements) return;
  refusal.Add(name, " has ", count, " elements, but kernels count at most ", kMostElements);
}

template <typename Check>
void CheckTensors(const Layer& layer, Refusal& refusal, const Check& check) {
  for (std::uint32_t i = 0; i < layer.num_inputs; ++i) {
    check(layer.Input(i), Text("input ", i), refusal);
  }
  for (std::uint32_t i = 0; i < layer.num_outputs; ++i) {
    check(layer.Output(i), NameOutput(layer, i), refusal);
  }
}

const char* GetTypeInPrograms(DataType data_type) {
  switch (GetElementBytes(data_type)) {
    case 1:
      return data_type == DataType::kInt8 ? "char" : "uchar";
    case 2:
      return data_type == DataType::kFloat16 ? "half" : "short";
    case 4:
      return data_type == DataType::kFloat32 ? "float" : "int";
    default:
      return "long";
  }
}

}  // namespace

const char* const kBiasSource = R"(
#ifdef HAS_BIAS
#define BIAS_PARAMETERS , __global const storage* restrict bias, const int bias_begin
#define BIAS_OF(filter) LOAD(bias, bias_begin + (filter))
#else
#define BIAS_PARAMETERS
#define BIAS_OF(filter) 0.0f
#endif
)";

std::string GetStorageOptions(DataType data_type) {
  return data_type == DataType::kFloat16 ? "-DSTORAGE_HALF" : "";
}

std::uint32_t GetElementBytes(DataType data_type) {
  return static_cast<std::uint32_t>(GetDataTypeSizeBytes(data_type));
}

void RequireFloats(const Layer& layer, Refusal& refusal) {
  CheckTensors(layer, refusal, RequireFloat);
  if (refusal.IsEmpty()) RequireOneRepresentation(layer, refusal);
}

void RequireIntIndices(const Layer& layer, Refusal& refusal) {
  CheckTensors(layer, refusal, RequireFewElements);
}

BufferArgument ReadInput(const Layer& layer, std::uint32_t input) {
  return {BufferArgument::Kind::kInput, input, GetElementBytes(layer.Input(input).data_type)};
}

BufferArgument WriteOutput(const Layer& layer, std::uint32_t output) {
  return {BufferArgument::Kind::kOutput, output, GetElementBytes(layer.Output(output).data_type)};
}

void AppendInts(std::initializer_list<std::int64_t> numbers, std::vector<Argument>& arguments) {
  for (const std::int64_t number : numbers) {
    arguments.emplace_back(static_cast<std::int32_t>(number));
  }
}

std::string MakeEpilogueSource(const Epilogue& epilogue) {
  std::string parameters;
  std::string names;
  for (const Epilogue::Operand& operand : epilogue.operands) {
    parameters += Text(", __global const ", GetTypeInPrograms(operand.data_type), "* ",
                       operand.name, ", const int ", operand.name, "_begin");
    names += Text(", ", operand.name, ", ", operand.name, "_begin");
  }
  for (const Epilogue::Number& number : epilogue.numbers) {
    parameters += Text(", const int ", number.name);
    names += Text(", ", number.name);
  }
  return Text(WriteFunctions(epilogue.statements), "#define FINISH_PARAMETERS ", parameters,
              "\n#define FINISH_ARGUMENTS ", names,
              "\nfloat Finish(float value, long at FINISH_PARAMETERS) {\n", epilogue.statements,
              "\nreturn value;\n}\n");
}

void AppendEpilogueArguments(const Epilogue& epilogue, std::vector<Argument>& arguments) {
  for (const Epilogue::Operand& operand : epilogue.operands) {
    arguments.push_back(BufferArgument{BufferArgument::Kind::kInput, operand.input,
                                       GetElementBytes(operand.data_type)});
  }
  for (const Epilogue::Number& number : epilogue.numbers) arguments.emplace_back(number.value);
}

}  // namespace opencl
}  // namespace backplane
