#pragma once

#include <string>

namespace backplane::probing {

/// "SIGPIPE", or "signal 64".
std::string GetSignalName(int signal);

}  // namespace backplane::probing
