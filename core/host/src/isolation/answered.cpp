#include "isolation/answered.hpp"

#include <backplane/api/status.hpp>

namespace backplane::isolation {

using messages::Function;

AnswerAgain::AnswerAgain(const std::vector<Answered>& answered) : answered_(answered) {
  for (const Answered& one : answered) {
    if (one.function != Function::kStoreCompiled) continue;
    messages::Reader reader(one.question);
    const std::string key(reader.TakeText());
    compiled_[key] = std::string(reader.TakeText());
  }
}

std::string AnswerAgain::Answer(const messages::Message& question) {
  if (question.function == Function::kLoadCompiled) {
    const auto found = compiled_.find(messages::Reader(question.body).TakeText());
    if (found != compiled_.end()) {
      return messages::Writer().Put(Status::kSuccess).PutText(found->second).Get();
    }
  }
  std::size_t& next = next_[question.function];
  while (next < answered_.size() && answered_[next].function != question.function) ++next;
  return next < answered_.size() ? answered_[next++].answer : std::string();
}

}  // namespace backplane::isolation
