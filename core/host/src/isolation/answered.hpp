// What a backend asked during a call, and how it is answered again in its next process.
#pragma once

#include "messages/message.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace backplane::isolation {

struct Answered {
  messages::Function function = messages::Function::kOpen;
  std::string question;
  std::string answer;
};

/// Answers each question as the same one before, in their order. What was stored compiled is found,
/// so that it is not compiled again.
class AnswerAgain {
 public:
  explicit AnswerAgain(const std::vector<Answered>& answered);

  /// Empty: it is none that was asked before at this place.
  std::string Answer(const messages::Message& question);

  /// Whether all questions were those of before.
  bool IsAsBefore() const { return is_as_before_; }

 private:
  const std::vector<Answered>& answered_;
  std::map<messages::Function, std::size_t> next_;
  std::map<std::string, std::string, std::less<>> compiled_;  // by their keys
  bool is_as_before_ = true;
};

}  // namespace backplane::isolation
