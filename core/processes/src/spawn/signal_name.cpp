#include "spawn/signal_name.hpp"

#include <cstring>

namespace backplane::spawn {

std::string GetSignalName(int signal) {
  const char* name = sigabbrev_np(signal);
  return name != nullptr ? std::string("SIG") + name : "signal " + std::to_string(signal);
}

}  // namespace backplane::spawn
