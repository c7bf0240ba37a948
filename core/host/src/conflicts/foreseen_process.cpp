#include "conflicts/conflict_judge.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace backplane::conflicts {

ForeseenProcess::ForeseenProcess(HostProcess host, Foresight foresight)
    : process_(std::move(host), foresight), rules_(MakeClashRules(process_)) {}

std::vector<Clash> ForeseenProcess::Check(const Candidate& candidate,
                                          std::shared_ptr<const FileAccount> account,
                                          FileIdentity identity) {
  arrival_ = process_.Foresee(candidate, std::move(account), identity);
  std::vector<Clash> clashes;
  for (const std::unique_ptr<ClashRule>& rule : rules_) {
    std::vector<Clash> found = rule->Check(*arrival_);
    std::move(found.begin(), found.end(), std::back_inserter(clashes));
  }
  return clashes;
}

void ForeseenProcess::Admit() {
  process_.Admit(*arrival_);
  for (const std::unique_ptr<ClashRule>& rule : rules_) rule->Admit(*arrival_);
}

}  // namespace backplane::conflicts
