#pragma once

/// What a backend is held against, from the table rules.def.

#include <cstdint>
#include <string>
#include <vector>

namespace backplane::check_backend {

class Session;

/// What the backend may not do, or what would be better for whoever ships it.
enum class RuleKind { kMust, kShould };

enum class RuleFamily {
  kFile,       // read by the host, without the backend's code
  kIdentity,   // what it says of itself
  kAnswers,    // one layer at a time, in every data type
  kMemory,     // tensors, constants, and kinds of tensor memory
  kLife,       // objects made and destroyed in every order that is allowed
  kThreads,    // several at once
  kCost,       // what is left behind, and what is changed in the process
  kFences,     // work that has not finished
  kSubgraphs,  // whole networks
};

/// "answers". Static storage.
const char* GetFamilyName(RuleFamily family);

struct Rule {
  std::uint16_t number;
  const char* name;  // of the function that holds a backend against it, without "Check"
  RuleFamily family;
  RuleKind kind;
  const char* title;     // what is demanded
  const char* done;      // what is done to find out
  const char* contract;  // where it is demanded
  /// Null: the host finds out when it reads the file.
  void (*check)(Session& session);
};

/// All rules, by number.
const std::vector<Rule>& GetRules();

/// "BC0301".
std::string GetRuleId(const Rule& rule);

/// Null: no rule has this id.
const Rule* FindRule(const std::string& id);

}  // namespace backplane::check_backend
