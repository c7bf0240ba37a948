#pragma once

/// What was found out by timing while networks were compiled, so that it is found out once.

#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace backplane {
namespace cpuacc {

/// Answers by question. A question names all that the answer depends on.
///
/// Threads: any.
class Decisions {
 public:
  /// Nothing when it has not been decided.
  std::optional<bool> Find(const std::string& question) const;
  void Keep(const std::string& question, bool answer);

  /// The answer, which `decide()` finds when it is not known.
  template <typename Decide>
  bool Get(const std::string& question, const Decide& decide) {
    const std::optional<bool> known = Find(question);
    if (known) return *known;
    const bool answer = decide();
    Keep(question, answer);
    return answer;
  }

 private:
  mutable std::mutex mutex_;
  std::map<std::string, bool> answers_;
};

/// Those of this process.
Decisions& GetDecisions();

}  // namespace cpuacc
}  // namespace backplane
