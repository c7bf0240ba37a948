#pragma once

#include <backplane/api/tensor_info.hpp>
#include <backplane/runtime/memory_report.hpp>
#include <backplane/runtime/placement.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace backplane {

/// One stage of a plan.
struct StageReport {
  Placement placement;  // of its network; without layers when it has none
  MemoryReport memory;
  std::vector<std::string> operations;  // that the core runs behind it: node "a" (NonZero)
  /// Its network was placed as one before it that differs in extents alone: backends were not asked
  /// again, and resized what they had compiled.
  bool is_resized = false;
  /// The backend for which it was placed anew: it could not resize what it had compiled for a stage
  /// that differs in extents alone, or did not take a layer with these. "": there was none.
  /// Since: 0.1
  std::string not_resized_by;
  /// The source of the network was not asked for it: its extents follow from those of others.
  /// Since: 0.1
  bool is_foreseen = false;
};

/// What was made of a network with open extents for inputs of certain shapes.
struct PlanReport {
  /// The network, or one within it, as a branch or the body of a loop is. Since: 0.1
  std::string network;
  bool is_within = false;                 // it is one within. Since: 0.1
  std::vector<TensorShape> input_shapes;  // in the order of its inputs
  std::uint64_t num_runs = 0;
  std::uint64_t size_bytes = 0;     // of memory that goes with it, about: without constants
  std::vector<StageReport> stages;  // that do something, in the order in which they run
};

}  // namespace backplane
