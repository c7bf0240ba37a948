#include "conflicts/clash.hpp"
#include "diagnostics/file_words.hpp"

#include <unordered_map>

namespace backplane::conflicts {
namespace {

/// What candidates were seen to change in the process of their own.
class ProcessStateRule : public ClashRule {
 public:
  std::vector<Clash> Check(const Arrival& arrival) override {
    const Member* other = nullptr;
    std::vector<std::string> names;
    for (const std::string& name : arrival.candidate->changed_state) {
      const auto found = changed_.find(name);
      if (found == changed_.end()) continue;
      if (other == nullptr) other = found->second;
      if (found->second == other) names.push_back(name);
    }
    if (other == nullptr) return {};
    return {{ClashKind::kSameProcessState, other,
             arrival.candidate->path + " and " + other->candidate + " were both seen to change " +
                 diagnostics::JoinSomeWithAnd(names) +
                 ", of which a process has one: the one that is opened later takes away what the "
                 "other set up; expected that a backend leaves it to the application",
             "vendor: leave to the application what belongs to the whole process; operator: try "
             "the two together before they are relied on, or keep one of them"}};
  }

  void Admit(const Arrival& arrival) override {
    for (const std::string& name : arrival.candidate->changed_state) {
      changed_.emplace(name, &arrival.GetFile());
    }
  }

 private:
  std::unordered_map<std::string, const Member*> changed_;
};

}  // namespace

std::unique_ptr<ClashRule> MakeProcessStateRule(Process& /*process*/) {
  return std::make_unique<ProcessStateRule>();
}

}  // namespace backplane::conflicts
