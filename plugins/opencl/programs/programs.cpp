#include "programs/programs.hpp"

#include "devices/device.hpp"
#include "library/errors.hpp"
#include "library/library.hpp"
#include "library/process_state.hpp"

#include <algorithm>
#include <exception>
#include <stdexcept>
#include <string>
#include <utility>

namespace backplane {
namespace opencl {
namespace {

/// Arithmetic is never loosened; kernels are of OpenCL C 1.2.
constexpr char kCommonOptions[] = "-cl-std=CL1.2";

/// A diagnostic holds so much of a log; compilers put the first error first.
constexpr std::size_t kMostLogBytes = 4000;

std::string ReadLog(const Device& device, cl_program program) {
  std::size_t size = 0;
  const auto ask = [&](std::size_t room, void* text, std::size_t* needed) {
    return device.library->clGetProgramBuildInfo(program, device.id, CL_PROGRAM_BUILD_LOG, room,
                                                 text, needed);
  };
  if (ask(0, nullptr, &size) != CL_SUCCESS || size == 0) return "";
  std::string log(size, '\0');
  if (ask(size, log.data(), nullptr) != CL_SUCCESS) return "";
  log.erase(std::find(log.begin(), log.end(), '\0'), log.end());
  log.erase(log.find_last_not_of(" \n\r\t") + 1);
  return log.substr(0, kMostLogBytes);
}

/// Compiles and links a program that was made of text or of a binary.
/// Errors: std::runtime_error with the error's name, the options and the compiler's log.
void BuildProgram(const Device& device, cl_program program, const std::string& options) {
  const ProcessState process_state;
  const cl_int error =
      device.library->clBuildProgram(program, 1, &device.id, options.c_str(), nullptr, nullptr);
  if (error == CL_SUCCESS) return;
  const std::string log = ReadLog(device, program);
  throw std::runtime_error(
      "clBuildProgram with options \"" + options + "\" on \"" + device.name +
      "\" failed: " + DescribeError(error) +
      (log.empty() ? "; the compiler gave no log" : "; the compiler's log: " + log));
}

}  // namespace

Programs::Programs(const Device& device, Owned<cl_context> context, ILogger* logger)
    : device_(device), context_(std::move(context)), logger_(logger) {}

Owned<cl_program> Programs::Get(const std::string& source, const std::string& options,
                                const std::string& kernel_cache, ICompiledSubgraphCache* cache) {
  const std::lock_guard<std::mutex> lock(mutex_);
  Owned<cl_program>& program = programs_[{source, options}];
  if (program != nullptr) return program;
  const std::string all = kCommonOptions + (options.empty() ? "" : " " + options);
  const auto kept = FindKept(MakeProgramKey(device_, source, all), kernel_cache, cache);
  program = Build(source, all, kept.get());
  return program;
}

bool Programs::Has(const std::string& source, const std::string& options) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = programs_.find({source, options});
  return found != programs_.end() && found->second != nullptr;
}

std::unique_ptr<const IKeptProgram> Programs::FindKept(std::string key,
                                                       const std::string& kernel_cache,
                                                       ICompiledSubgraphCache* cache) const {
  if (!kernel_cache.empty()) {
    return std::make_unique<KeptProgram>(kernel_cache, std::move(key), logger_);
  }
  return cache != nullptr ? MakeCachedProgram(*cache, std::move(key), logger_) : nullptr;
}

Owned<cl_program> Programs::Build(const std::string& source, const std::string& options,
                                  const IKeptProgram* kept) const {
  if (kept == nullptr) return BuildFromText(source, options);
  if (const auto binary = kept->Load()) {
    try {
      if (IsWholeBinary(*binary)) return BuildFromBinary(*binary, options);
      kept->Reject("it has no program in it");
    } catch (const std::exception& error) {
      kept->Reject(error.what());
    }
  }
  auto program = BuildFromText(source, options);
  const std::string binary = GetBinary(program.get());
  if (IsWholeBinary(binary)) kept->Store(binary);
  return program;
}

Owned<cl_program> Programs::BuildFromBinary(const std::string& binary,
                                            const std::string& options) const {
  cl_int error = CL_SUCCESS;
  cl_int of_binary = CL_SUCCESS;
  const auto* data = reinterpret_cast<const unsigned char*>(binary.data());
  const std::size_t size = binary.size();
  auto program = Own(device_.library->clCreateProgramWithBinary(context_.get(), 1, &device_.id,
                                                                &size, &data, &of_binary, &error),
                     device_.library->clReleaseProgram);
  Check(error, "clCreateProgramWithBinary");
  Check(of_binary, "clCreateProgramWithBinary");
  BuildProgram(device_, program.get(), options);
  return program;
}

std::string Programs::GetBinary(cl_program program) const {
  // The context has one device, and so has the program.
  std::size_t size = 0;
  const Library& library = *device_.library;
  if (library.clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof(size), &size, nullptr) !=
      CL_SUCCESS) {
    return "";
  }
  std::string binary(size, '\0');
  auto* data = reinterpret_cast<unsigned char*>(binary.data());
  const cl_int error =
      library.clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof(data), &data, nullptr);
  return error == CL_SUCCESS ? binary : "";
}

Owned<cl_program> Programs::BuildFromText(const std::string& source,
                                          const std::string& options) const {
  cl_int error = CL_SUCCESS;
  const char* text = source.c_str();
  const std::size_t size = source.size();
  auto program =
      Own(device_.library->clCreateProgramWithSource(context_.get(), 1, &text, &size, &error),
          device_.library->clReleaseProgram);
  Check(error, "clCreateProgramWithSource");
  BuildProgram(device_, program.get(), options);
  return program;
}

}  // namespace opencl
}  // namespace backplane
