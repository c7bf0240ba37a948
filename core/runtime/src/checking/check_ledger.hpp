#pragma once

#include <backplane/runtime/checks.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <tuple>

namespace backplane::checking {

/// What makes two findings the same: a step or a backend, and what of it.
using FindingKey = std::tuple<RunCheck, std::uint32_t, std::uint32_t>;

/// What was found in all runs of one network. Each finding is logged when it is found first.
///
/// Threads: any.
class CheckLedger {
 public:
  explicit CheckLedger(CheckFlags checks) { report_.checks = checks; }

  void CountRun();

  /// Counts one that is known; else false.
  bool Count(const FindingKey& key);
  /// When two threads add one at once, it is there once.
  void Add(const FindingKey& key, CheckFinding finding);

  /// A tensor of the plan whose numbers cannot be looked at.
  bool IsUnchecked(std::uint32_t tensor) const;
  void AddUnchecked(std::uint32_t tensor, Diagnostic diagnostic);

  CheckReport GetReport() const;

 private:
  mutable std::mutex mutex_;
  std::map<FindingKey, std::size_t> findings_;
  std::set<std::uint32_t> unchecked_;
  CheckReport report_;
};

}  // namespace backplane::checking
