#include "programs/programs.hpp"

#include "library/errors.hpp"
#include "programs/build_program.hpp"

namespace backplane {
namespace opencl {
namespace {

/// Arithmetic is never loosened; kernels are of OpenCL C 1.2.
constexpr char kCommonOptions[] = "-cl-std=CL1.2";

}  // namespace

Programs::Programs(const Device& device, Owned<cl_context> context)
    : device_(device), context_(std::move(context)) {}

Owned<cl_program> Programs::Get(const std::string& source, const std::string& options,
                                const std::string& kernel_cache) {
  const std::lock_guard<std::mutex> lock(mutex_);
  Owned<cl_program>& program = programs_[{source, options}];
  if (program == nullptr) program = Build(source, options, kernel_cache);
  return program;
}

Owned<cl_program> Programs::Build(const std::string& source, const std::string& options,
                                  const std::string& /*kernel_cache*/) const {
  const std::string all = kCommonOptions + (options.empty() ? "" : " " + options);
  return BuildFromText(source, all);
}

Owned<cl_program> Programs::BuildFromText(const std::string& source,
                                          const std::string& options) const {
  cl_int error = CL_SUCCESS;
  const char* text = source.c_str();
  const std::size_t size = source.size();
  auto program = Own(
      device_.library->clCreateProgramWithSource(context_.get(), 1, &text, &size, &error),
      device_.library->clReleaseProgram);
  Check(error, "clCreateProgramWithSource");
  BuildProgram(device_, program.get(), options);
  return program;
}

}  // namespace opencl
}  // namespace backplane
