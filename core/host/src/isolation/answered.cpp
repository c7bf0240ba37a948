#include "isolation/answered.hpp"

#include <backplane/api/status.hpp>
#include <backplane/api/subgraph_view.hpp>

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
  if (next < answered_.size() && answered_[next].question == question.body) {
    return answered_[next++].answer;
  }
  is_as_before_ = false;
  return messages::Writer().Put(Status::kFailure).Put(LayerId{0}).Get();
}

}  // namespace backplane::isolation
