#include "conflicts/clash.hpp"

namespace backplane::conflicts {

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
  if (!is_brought) return member.path;
  switch (member.coming) {
    case Coming::kAtOnce:
      break;
    case Coming::kLater:
      return member.path + " (which " + member.candidate + " opens when it runs)";
    case Coming::kPerhaps:
      return member.path + " (which " + member.candidate + " may open when it runs)";
  }
  return member.path + " (with " + member.candidate + ")";
}

}  // namespace backplane::conflicts
