#include "decisions/decisions.hpp"

namespace backplane {
namespace cpuacc {

std::optional<bool> Decisions::Find(const std::string& question) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = answers_.find(question);
  if (found == answers_.end()) return {};
  found->second.last_asked = ++num_questions_;
  return found->second.value;
}

void Decisions::Keep(const std::string& question, bool answer) {
  const std::lock_guard<std::mutex> lock(mutex_);
  answers_[question] = {answer, ++num_questions_};
}

void Decisions::Add(const Answers& answers) {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const auto& [question, value] : answers) answers_.insert({question, {value, 0}});
}

Answers Decisions::GetAll() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  Answers answers;
  for (const auto& [question, answer] : answers_) answers[question] = answer.value;
  return answers;
}

std::uint64_t Decisions::GetNumQuestions() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return num_questions_;
}

Answers Decisions::GetAskedSince(std::uint64_t num_questions) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  Answers answers;
  for (const auto& [question, answer] : answers_) {
    if (answer.last_asked > num_questions) answers[question] = answer.value;
  }
  return answers;
}

Decisions& GetDecisions() {
  static Decisions decisions;
  return decisions;
}

}  // namespace cpuacc
}  // namespace backplane
