#pragma once

#include "company/host_process.hpp"
#include "probing/probe_request.hpp"

#include <vector>

namespace backplane::joint_run {

/// Whose process a HostProcess describes.
enum class WhoseProcess {
  kThis,
  kOther,  // as it is when it has started
};

/// The libraries that a program has beside those of the probe, which are those of this library, in
/// the order in which they were opened.
std::vector<probing::ProgramLibrary> ListProgramLibraries(const company::HostProcess& host,
                                                          WhoseProcess process);

}  // namespace backplane::joint_run
