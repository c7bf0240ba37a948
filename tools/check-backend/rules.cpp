#include "rules.hpp"

#include <array>
#include <cstdio>

namespace backplane::check_backend {

#define BACKPLANE_FILE_RULE(...)
#define BACKPLANE_RULE(number, name, ...) void Check##name(Session& session);
#include "rules.def"
#undef BACKPLANE_FILE_RULE
#undef BACKPLANE_RULE

const char* GetFamilyName(RuleFamily family) {
  constexpr std::array<const char*, 9> kNames = {
      "file", "identity", "answers", "memory", "life", "threads", "cost", "fences", "sub-graphs"};
  return kNames.at(static_cast<std::size_t>(family));
}

const std::vector<Rule>& GetRules() {
  static const std::vector<Rule> kRules = {
#define BACKPLANE_FILE_RULE(number, name, kind, title, done, contract) \
  {number, #name, RuleFamily::kFile, RuleKind::kind, title, done, contract, nullptr},
#define BACKPLANE_RULE(number, name, family, kind, title, done, contract) \
  {number, #name, RuleFamily::family, RuleKind::kind, title, done, contract, &Check##name},
#include "rules.def"
#undef BACKPLANE_FILE_RULE
#undef BACKPLANE_RULE
  };
  return kRules;
}

std::string GetRuleId(const Rule& rule) {
  char text[16];
  std::snprintf(text, sizeof(text), "BC%04u", static_cast<unsigned>(rule.number));
  return text;
}

const Rule* FindRule(const std::string& id) {
  for (const Rule& rule : GetRules()) {
    if (GetRuleId(rule) == id) return &rule;
  }
  return nullptr;
}

}  // namespace backplane::check_backend
