#include "onnx_runtime_c.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace backplane::bench {
namespace {

/// Places in the table of functions.
enum Function : int {
  kGetErrorMessage = 2,
  kCreateEnv = 3,
  kCreateSession = 7,
  kRun = 9,
  kCreateSessionOptions = 10,
  kSetIntraOpNumThreads = 24,
  kSessionGetOutputCount = 31,
  kSessionGetOutputName = 37,
  kCreateTensorWithData = 49,
  kGetTensorMutableData = 51,
  kGetTensorElementType = 60,
  kGetDimensionsCount = 61,
  kGetDimensions = 62,
  kGetTensorTypeAndShape = 65,
  kCreateCpuMemoryInfo = 69,
  kGetAllocator = 78,
  kReleaseValue = 96,
};

struct ApiBase {
  const void* const* (*get_api)(std::uint32_t version);
  const char* (*get_version)();
};

constexpr int kErrors = 3;
constexpr int kArena = 1;
constexpr int kDefaultMemory = 0;

struct ElementType {
  const char* name;
  int number;
  std::size_t size_bytes;
};

constexpr ElementType kElementTypes[] = {{"float32", 1, 4},  {"uint8", 2, 1},   {"int8", 3, 1},
                                         {"uint16", 4, 2},   {"int16", 5, 2},   {"int32", 6, 4},
                                         {"int64", 7, 8},    {"bool", 9, 1},    {"float16", 10, 2},
                                         {"float64", 11, 8}, {"uint32", 12, 4}, {"uint64", 13, 8},
                                         {"bfloat16", 16, 2}};

template <typename Condition>
const ElementType& FindElementType(const std::string& wanted, Condition condition) {
  const auto* found = std::find_if(std::begin(kElementTypes), std::end(kElementTypes), condition);
  if (found != std::end(kElementTypes)) return *found;
  throw std::runtime_error("tensors of the element type " + wanted + " are not known");
}

const ElementType& FindElementType(const std::string& name) {
  return FindElementType(name, [&](const ElementType& type) { return name == type.name; });
}

const ElementType& FindElementType(int number) {
  return FindElementType(std::to_string(number),
                         [&](const ElementType& type) { return number == type.number; });
}

const void* const* OpenLibrary(const std::string& path) {
  void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw std::runtime_error(dlerror());
  void* const symbol = dlsym(library, "OrtGetApiBase");
  if (symbol == nullptr) throw std::runtime_error(dlerror());
  const auto get_base = reinterpret_cast<const ApiBase* (*)()>(symbol);
  return get_base()->get_api(1);
}

}  // namespace

template <typename... Parameters, typename... Arguments>
void OnnxRuntimeSession::Call(int function, void* (*)(Parameters...),
                              Arguments... arguments) const {
  const auto call =
      reinterpret_cast<void* (*)(Parameters...)>(const_cast<void*>(functions_[function]));
  void* const status = call(arguments...);
  if (status == nullptr) return;
  const auto get_message = reinterpret_cast<const char* (*)(const void*)>(
      const_cast<void*>(functions_[kGetErrorMessage]));
  throw std::runtime_error(get_message(status));
}

namespace {

// What the functions take; all are given void* for what only the library knows.
void* (*const kOfText)(int, const char*, void**) = nullptr;
void* (*const kOfNothing)(void**) = nullptr;
void* (*const kOfNumber)(void*, int) = nullptr;
void* (*const kOfModel)(void*, const char*, void*, void**) = nullptr;
void* (*const kOfNumbers)(int, int, void**) = nullptr;
void* (*const kOfCount)(void*, std::size_t*) = nullptr;
void* (*const kOfName)(void*, std::size_t, void*, char**) = nullptr;
void* (*const kOfPart)(void*, void**) = nullptr;
void* (*const kOfType)(void*, int*) = nullptr;
void* (*const kOfExtents)(void*, std::int64_t*, std::size_t) = nullptr;
void* (*const kOfTensor)(void*, void*, std::size_t, const std::int64_t*, std::size_t, int,
                         void**) = nullptr;
void* (*const kOfRun)(void*, void*, const char* const*, void* const*, std::size_t,
                      const char* const*, std::size_t, void**) = nullptr;

}  // namespace

OnnxRuntimeSession::OnnxRuntimeSession(const std::string& library, const std::string& model,
                                       int num_threads, std::vector<RawTensor> inputs)
    : functions_(OpenLibrary(library)) {
  void* environment = nullptr;
  void* options = nullptr;
  void* allocator = nullptr;
  Call(kCreateEnv, kOfText, kErrors, "bench", &environment);
  Call(kCreateSessionOptions, kOfNothing, &options);
  Call(kSetIntraOpNumThreads, kOfNumber, options, num_threads);
  Call(kCreateSession, kOfModel, environment, model.c_str(), options, &session_);
  Call(kCreateCpuMemoryInfo, kOfNumbers, kArena, kDefaultMemory, &memory_);
  Call(kGetAllocator, kOfNothing, &allocator);
  SetInputs(std::move(inputs));
  std::size_t num_outputs = 0;
  Call(kSessionGetOutputCount, kOfCount, session_, &num_outputs);
  for (std::size_t index = 0; index < num_outputs; ++index) {
    char* name = nullptr;
    Call(kSessionGetOutputName, kOfName, session_, index, allocator, &name);
    output_names_.push_back(name);
  }
}

void OnnxRuntimeSession::SetInputs(std::vector<RawTensor> inputs) {
  Release(inputs_);
  inputs_.clear();
  input_names_.clear();
  added_names_.clear();
  given_ = std::move(inputs);
  for (RawTensor& input : given_) {
    inputs_.push_back(nullptr);
    input_names_.push_back(input.name.c_str());
    Call(kCreateTensorWithData, kOfTensor, memory_, input.data.data(), input.data.size(),
         input.dims.data(), input.dims.size(), FindElementType(input.type).number, &inputs_.back());
  }
}

void OnnxRuntimeSession::AddInput(const std::string& name, void* output) {
  added_names_.push_back(name);
  input_names_.push_back(added_names_.back().c_str());
  inputs_.push_back(output);
}

void OnnxRuntimeSession::Release(Outputs& outputs) const {
  const auto release =
      reinterpret_cast<void (*)(void*)>(const_cast<void*>(functions_[kReleaseValue]));
  for (void*& output : outputs) {
    if (output != nullptr) release(output);
    output = nullptr;
  }
}

void OnnxRuntimeSession::Run(Outputs& outputs) const {
  void* const no_options = nullptr;
  Call(kRun, kOfRun, session_, no_options, input_names_.data(), inputs_.data(), inputs_.size(),
       output_names_.data(), output_names_.size(), outputs.data());
}

const void* OnnxRuntimeSession::GetData(void* output) const {
  void* data = nullptr;
  Call(kGetTensorMutableData, kOfPart, output, &data);
  return data;
}

RawTensor OnnxRuntimeSession::ReadTensor(void* tensor, const char* name) const {
  void* info = nullptr;
  int number = 0;
  std::size_t rank = 0;
  Call(kGetTensorTypeAndShape, kOfPart, tensor, &info);
  Call(kGetTensorElementType, kOfType, info, &number);
  Call(kGetDimensionsCount, kOfCount, info, &rank);
  std::vector<std::int64_t> dims(rank);
  Call(kGetDimensions, kOfExtents, info, dims.data(), rank);
  const ElementType& type = FindElementType(number);
  std::size_t size_bytes = type.size_bytes;
  for (const std::int64_t dim : dims) size_bytes *= static_cast<std::size_t>(dim);
  const auto* begin = static_cast<const char*>(GetData(tensor));
  return {name, type.name, std::move(dims), {begin, begin + size_bytes}};
}

std::vector<RawTensor> OnnxRuntimeSession::GetOutputs() const {
  Outputs outputs = MakeOutputs();
  Run(outputs);
  std::vector<RawTensor> tensors;
  for (std::size_t index = 0; index < outputs.size(); ++index) {
    tensors.push_back(ReadTensor(outputs[index], output_names_[index]));
  }
  return tensors;
}

}  // namespace backplane::bench
