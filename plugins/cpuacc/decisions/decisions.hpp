#pragma once

/// What was found out by timing while networks were compiled, so that it is found out once.

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace backplane {
namespace cpuacc {

/// Answers by question. A question is one line, and names all that the answer depends on but the
/// machine.
using Answers = std::map<std::string, bool>;

/// Threads: any.
class Decisions {
 public:
  /// Nothing when it has not been decided.
  std::optional<bool> Find(const std::string& question);
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

  /// Adds answers from elsewhere. What is known stays.
  void Add(const Answers& answers);
  Answers GetAll() const;

  /// Counts questions. Those asked from a moment on are those asked since what this returned.
  std::uint64_t GetNumQuestions() const;
  /// The answers to all questions that were asked since, by any thread.
  Answers GetAskedSince(std::uint64_t num_questions) const;

 private:
  struct Answer {
    bool value = false;
    std::uint64_t last_asked = 0;  // the number of the question
  };

  mutable std::mutex mutex_;
  std::map<std::string, Answer> answers_;
  std::uint64_t num_questions_ = 0;
};

/// Those of this process.
Decisions& GetDecisions();

}  // namespace cpuacc
}  // namespace backplane
