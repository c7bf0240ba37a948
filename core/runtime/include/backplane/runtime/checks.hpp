#pragma once

/// What is looked at around every layer of a run when it is asked for, and what was found.

#include <backplane/api/layer_type.hpp>
#include <backplane/host/diagnostic.hpp>
#include <backplane/runtime/export.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace backplane {

/// From the table checks.def. Values are single bits, so that they combine into flags.
enum class RunCheck : std::uint32_t {
#define BACKPLANE_CHECK(name, bit, ...) k##name = bit,
#include <backplane/runtime/checks.def>
#undef BACKPLANE_CHECK
};

/// Bits of RunCheck, combined by or.
using CheckFlags = std::uint32_t;

constexpr CheckFlags ToFlags(RunCheck check) {
  return static_cast<CheckFlags>(check);
}

constexpr CheckFlags kNoChecks = 0;
constexpr CheckFlags kAllChecks = 0
#define BACKPLANE_CHECK(name, bit, ...) | bit
#include <backplane/runtime/checks.def>
#undef BACKPLANE_CHECK
    ;

/// Every check, in the order of the table. [any thread]
BACKPLANE_RUNTIME_API std::vector<RunCheck> GetAllChecks();

/// "numbers". Static storage. [any thread]
BACKPLANE_RUNTIME_API const char* GetCheckName(RunCheck check);

/// Something that a check found. Told once, however often it happens.
struct CheckFinding {
  RunCheck check = RunCheck::kNumbers;
  std::string layer;  // its name, or "#3"; "" when it was found beside all layers
  LayerType type = LayerType::kUndefined;
  std::string backend_id;  // "" for the core
  /// kNonFiniteOutput or kThreadStateChanged. A note: the operator gives this for such inputs by
  /// its definition, so that it may be right.
  Diagnostic diagnostic;
  std::uint64_t num_runs = 0;  // in which it was found
};

/// What the checks of one loaded network found until now.
struct CheckReport {
  CheckFlags checks = kNoChecks;  // those that are on
  std::uint64_t num_runs = 0;     // that were checked, those that failed included
  std::vector<CheckFinding> findings;
  /// Tensors whose numbers could not be looked at, each once: kTensorUnchecked, notes. What a layer
  /// makes from them is not told.
  std::vector<Diagnostic> unchecked;
};

}  // namespace backplane
