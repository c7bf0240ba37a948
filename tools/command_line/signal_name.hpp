#pragma once

#include <string>

namespace backplane::command_line {

/// "SIGPIPE", or "signal 64".
std::string GetSignalName(int signal);

}  // namespace backplane::command_line
