#include <backplane/runtime/network_source.hpp>

#include "loading/stage_values.hpp"

#include <cstddef>
#include <utility>

namespace backplane {
namespace {

using Values = std::vector<StageValue>;

class SequenceMap final : public IStageOperation {
 public:
  SequenceMap(std::string description, std::shared_ptr<const INetworkSource> body,
              std::uint32_t num_mapped)
      : description_(std::move(description)), body_(std::move(body)), num_mapped_(num_mapped) {}

  const std::string& GetDescription() const override { return description_; }

  Values Run(const Values& inputs, IStageRunner& runner) const override {
    loading::RequireCount(*this, "inputs", inputs.size(), num_mapped_);
    const std::size_t num_rounds = CountRounds(inputs);
    std::vector<Values> collected(body_->GetOutputs().size());
    for (std::size_t round = 0; round < num_rounds; ++round) {
      runner.RequireGoingOn();
      Values given;
      for (std::size_t i = 0; i < inputs.size(); ++i) {
        const bool is_mapped = i < num_mapped_ && IsSequence(inputs[i]);
        given.push_back(is_mapped ? inputs[i].elements[round] : inputs[i]);
      }
      Values results = runner.RunNetwork(body_, std::move(given));
      loading::RequireCount(*this, "results of its body", results.size(), collected.size());
      for (std::size_t i = 0; i < collected.size(); ++i) {
        collected[i].push_back(std::move(results[i]));
      }
    }
    Values sequences;
    for (Values& elements : collected) sequences.push_back(MakeStageSequence(std::move(elements)));
    return sequences;
  }

 private:
  static bool IsSequence(const StageValue& value) {
    return value.kind == StageValue::Kind::kSequence;
  }

  std::size_t CountRounds(const Values& inputs) const {
    if (num_mapped_ == 0 || !IsSequence(inputs[0])) {
      loading::ThrowStageError(*this, "found no sequence as its first input; expected one");
    }
    const std::size_t num_rounds = inputs[0].elements.size();
    for (std::size_t i = 1; i < num_mapped_; ++i) {
      if (!IsSequence(inputs[i]) || inputs[i].elements.size() == num_rounds) continue;
      loading::ThrowStageError(*this, "found a sequence of " +
                                          std::to_string(inputs[i].elements.size()) + " as input " +
                                          std::to_string(i) + "; expected " +
                                          std::to_string(num_rounds) + " as its first input has");
    }
    return num_rounds;
  }

  const std::string description_;
  const std::shared_ptr<const INetworkSource> body_;
  const std::uint32_t num_mapped_;
};

}  // namespace

std::shared_ptr<const IStageOperation> MakeSequenceMap(std::string description,
                                                       std::shared_ptr<const INetworkSource> body,
                                                       std::uint32_t num_mapped) {
  return std::make_shared<SequenceMap>(std::move(description), std::move(body), num_mapped);
}

}  // namespace backplane
