#pragma once

#include "conflicts/process.hpp"

#include <backplane/host/diagnostic.hpp>

#include <memory>
#include <string>
#include <vector>

namespace backplane::conflicts {

/// How two files hurt each other; see clashes.def.
enum class ClashKind {
#define BACKPLANE_CLASH(name, severity, text) k##name,
#include <backplane/host/clashes.def>
#undef BACKPLANE_CLASH
};

/// What an arriving candidate clashes with.
struct Clash {
  ClashKind kind;
  const Member* other = nullptr;
  std::string why;  // what was found, of both, and what was expected
  std::string fix;
};

/// One way in which files of a process can clash. It remembers of those that stay what it needs, so
/// that judging all of them takes time that grows as what they say.
class ClashRule {
 public:
  virtual ~ClashRule() = default;
  /// What would clash, at most once for each kind.
  virtual std::vector<Clash> Check(const Arrival& arrival) = 0;
  /// Called for what arrives and stays.
  virtual void Admit(const Arrival& arrival) = 0;
};

/// Every rule, each with `process` to look into, which must outlive them.
std::vector<std::unique_ptr<ClashRule>> MakeClashRules(Process& process);

// Each in a file of its own.
std::unique_ptr<ClashRule> MakeProtoRule(Process& process);
std::unique_ptr<ClashRule> MakeOpenMpRule(Process& process);
std::unique_ptr<ClashRule> MakeStaticTlsRule(Process& process);
std::unique_ptr<ClashRule> MakeReplacementRule(Process& process);
std::unique_ptr<ClashRule> MakeVariablesRule(Process& process);
std::unique_ptr<ClashRule> MakeBindingRule(Process& process);
std::unique_ptr<ClashRule> MakeProcessStateRule(Process& process);

/// A file in words: the library, and the backend that brings it.
std::string DescribeMember(const Member& member);

}  // namespace backplane::conflicts
