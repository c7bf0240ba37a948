#include "company/clash.hpp"

namespace backplane::company {

std::vector<std::unique_ptr<ClashRule>> MakeClashRules(Process& process) {
  std::vector<std::unique_ptr<ClashRule>> rules;
  for (const auto make : {MakeProtoRule, MakeStaticTlsRule, MakeReplacementRule, MakeVariablesRule,
                          MakeBindingRule, MakeOpenMpRule, MakeProcessStateRule}) {
    rules.push_back(make(process));
  }
  return rules;
}

std::string DescribeMember(const Member& member) {
  const bool is_brought = !member.candidate.empty() && member.object != nullptr;
  return is_brought ? member.path + " (with " + member.candidate + ")" : member.path;
}

}  // namespace backplane::company
