#include "programs/build_program.hpp"

#include "library/errors.hpp"
#include "library/process_state.hpp"

#include <algorithm>
#include <stdexcept>

namespace backplane {
namespace opencl {
namespace {

/// As much of a log as a diagnostic holds; compilers put the first error first.
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

}  // namespace

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

}  // namespace opencl
}  // namespace backplane
