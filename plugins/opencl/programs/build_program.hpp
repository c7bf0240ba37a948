#pragma once

/// Building of one program, and what is told when it fails.

#include "devices/device.hpp"
#include "library/library.hpp"

#include <string>

namespace backplane {
namespace opencl {

/// Compiles and links a program that was made of text or of a binary.
/// Errors: std::runtime_error with the error's name, the options and the compiler's log.
void BuildProgram(const Device& device, cl_program program, const std::string& options);

}  // namespace opencl
}  // namespace backplane
