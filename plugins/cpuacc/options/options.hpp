#pragma once

/// What users can set, per network.

#include "threads/processors.hpp"

#include <backplane/api/backend_options.hpp>

#include <string>
#include <vector>

namespace backplane {
namespace cpuacc {

enum class Winograd {
  kAuto,  // where it is faster when timed
  kOff,
  kOn,  // wherever it is possible
};

struct Options {
  int num_threads = 0;    // 0: one for each of `processors`, or that this process may use
  Processors processors;  // on which helpers run; empty: where whoever starts them may run
  bool fast_math = false;
  bool rounding = true;  // of rows to int8, where the model allows it
  Winograd winograd = Winograd::kAuto;
  std::string cache_directory;  // empty: nothing is kept in files of the backend's own
  std::string without_passes;   // for FindPasses
};

/// The options with their types, ranges and texts.
std::vector<OptionSchema> GetSchemas();

/// What the host has checked against the schemas.
/// Errors: as ReadProcessors.
Options ReadOptions(const BackendOptions& options);

/// The number of threads that these options mean on this machine.
int CountThreads(const Options& options);

}  // namespace cpuacc
}  // namespace backplane
