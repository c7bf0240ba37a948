#pragma once

#include <backplane/runtime/checks.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <tuple>

namespace backplane::checking {

/// Tells findings apart: the name of a layer or backend, and which part of it.
using FindingKey = std::tuple<RunCheck, std::string, std::uint32_t>;

/// The findings of all runs of one loaded network, whatever plans they took. Each is logged when it
/// is found first.
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

  /// A tensor whose numbers cannot be looked at, by a name of its own.
  bool IsUnchecked(const std::string& tensor) const;
  void AddUnchecked(const std::string& tensor, Diagnostic diagnostic);

  CheckReport GetReport() const;

 private:
  mutable std::mutex mutex_;
  std::map<FindingKey, std::size_t> findings_;
  std::set<std::string> unchecked_;
  CheckReport report_;
};

}  // namespace backplane::checking
