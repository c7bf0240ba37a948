#pragma once

/// C++ that repeats runs of a sample.

#include "harness/samples.hpp"

#include <string>

namespace backplane::check_backend {

/// A whole program, as WriteProgram, in whose `steps` there are also `run()`, which calls Execute
/// with all handles and prints the status, and `show()`, which prints all bytes of the outputs.
std::string WriteRunProgram(const std::string& path, const Sample& sample,
                            const std::string& steps);

/// Sets the code of the case when it is of use.
void SetRunCode(Session& session, const Sample& sample, const std::string& steps);

}  // namespace backplane::check_backend
