#include "programs/programs.hpp"

#include "library/errors.hpp"
#include "programs/build_program.hpp"

#include <exception>
#include <utility>

namespace backplane {
namespace opencl {
namespace {

/// Arithmetic is never loosened; kernels are of OpenCL C 1.2.
constexpr char kCommonOptions[] = "-cl-std=CL1.2";

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
