#pragma once

/// What users can set, per runtime and per network.

#include "library/library.hpp"

#include <backplane/api/backend_options.hpp>

#include <string>
#include <vector>

namespace backplane {
namespace opencl {

enum class MemoryChoice {
  kAuto,         // host-visible where the device shares the memory of the CPU
  kDevice,       // in memory of the device's own alone
  kHostVisible,  // where the CPU can map it
};

enum class Precision {
  kAny,      // float32, and float16 where tensors have it
  kFloat32,  // layers of float16 are refused
};

enum class QueuePriority { kDefault, kLow, kMedium, kHigh };

struct Options {
  std::string library = kDefaultLibrary;
  std::string platform;  // index or part of the name; empty: any
  std::string device;    // index or part of the name; empty: the best
  MemoryChoice memory = MemoryChoice::kAuto;
  Precision precision = Precision::kAny;
  QueuePriority queue_priority = QueuePriority::kDefault;
  bool profiling = true;     // device times in timelines
  bool fuse = true;          // sub-graphs become one workload
  std::string kernel_cache;  // folder; empty: built kernels are not kept
};

/// The options with their types, values and texts.
std::vector<OptionSchema> GetSchemas();

/// What the host has checked against the schemas; what is not given is as in `defaults`.
Options ReadOptions(const BackendOptions& options, const Options& defaults = {});

}  // namespace opencl
}  // namespace backplane
