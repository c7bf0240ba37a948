#pragma once

#include <string>

namespace backplane::spawn {

/// "SIGPIPE", or "signal 64".
std::string GetSignalName(int signal);

}  // namespace backplane::spawn
