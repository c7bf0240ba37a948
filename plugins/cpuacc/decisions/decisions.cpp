#include "decisions/decisions.hpp"

namespace backplane {
namespace cpuacc {

std::optional<bool> Decisions::Find(const std::string& question) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = answers_.find(question);
  if (found == answers_.end()) return {};
  return found->second;
}

void Decisions::Keep(const std::string& question, bool answer) {
  const std::lock_guard<std::mutex> lock(mutex_);
  answers_[question] = answer;
}

Decisions& GetDecisions() {
  static Decisions decisions;
  return decisions;
}

}  // namespace cpuacc
}  // namespace backplane
