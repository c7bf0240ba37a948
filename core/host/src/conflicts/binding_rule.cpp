#include "conflicts/clash.hpp"
#include "diagnostics/file_words.hpp"
#include "libraries/undefined_symbols.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace backplane::conflicts {
namespace {

using elf::Symbol;
using libraries::Demangle;
using libraries::SharedObject;

/// "libprotobuf" of "libprotobuf.so.32".
std::string GetStem(const std::string& name) {
  const std::size_t end = name.find(".so");
  return end == std::string::npos ? "" : name.substr(0, end + 3);
}

/// Names that a library takes from elsewhere, whatever their version.
template <typename Visitor>
void VisitImports(const SharedObject& object, const Visitor& visitor) {
  if (!object.symbols) return;
  for (std::uint32_t i = 1; i < object.symbols->GetEndOfImports(); ++i) {
    const std::optional<Symbol> symbol = object.symbols->Get(i);
    if (symbol && symbol->entry.st_shndx == SHN_UNDEF) visitor(std::string(symbol->name));
  }
}

/// Which file a function is taken from: the loader looks into the program first, then into the file
/// that is opened, then into its libraries; and a library keeps what it found when it came.
class BindingRule : public ClashRule {
 public:
  explicit BindingRule(Process& process) : process_(process) {
    for (const HostFile& file : process.GetHost().files) {
      const std::string stem = GetStem(file.soname);
      if (!stem.empty()) sonames_[stem].push_back(file.soname);
    }
  }

  std::vector<Clash> Check(const Arrival& arrival) override {
    std::vector<Clash> clashes = CheckProgram(arrival);
    std::vector<Clash> bound = CheckBound(arrival);
    std::move(bound.begin(), bound.end(), std::back_inserter(clashes));
    return clashes;
  }

  /// Remembers which of its libraries call functions of the file itself.
  void Admit(const Arrival& arrival) override {
    const std::vector<std::string>& exports = arrival.GetFile().account->exports;
    if (exports.empty()) return;
    const std::unordered_set<std::string> own(exports.begin(), exports.end());
    for (std::size_t i = 1; i < arrival.members.size(); ++i) {
      const Member& library = *arrival.members[i];
      if (library.coming != Coming::kAtOnce) break;  // those look into themselves first
      std::vector<std::string> names;
      VisitImports(*library.object, [&](const std::string& name) {
        if (own.count(name) != 0 && process_.FindProgramDefiner(name) == nullptr) {
          names.push_back(Demangle(name));
        }
      });
      if (!names.empty()) bound_.emplace(&library, std::move(names));
    }
  }

 private:
  /// Another version of a library of the program, which answers in its place.
  std::vector<Clash> CheckProgram(const Arrival& arrival) {
    for (std::size_t i = 1; i < arrival.members.size(); ++i) {
      const Member& library = *arrival.members[i];
      if (library.coming != Coming::kAtOnce) break;  // what is called there is asked of it alone
      if (!HasOtherVersion(library)) continue;
      const Member* other = nullptr;
      std::vector<std::string> names;
      for (const std::string& name : arrival.GetFile().account->imports) {
        if (!library.object->symbols || !library.object->symbols->FindExported(name)) continue;
        const Member* definer = process_.FindProgramDefiner(name);
        if (definer == nullptr || (other != nullptr && definer != other)) continue;
        other = definer;
        names.push_back(Demangle(name));
      }
      if (other != nullptr) return {MakeProgramClash(arrival, library, *other, names)};
    }
    return {};
  }

  bool HasOtherVersion(const Member& library) const {
    const std::string& soname = library.account->soname;
    const auto found = sonames_.find(GetStem(soname));
    return found != sonames_.end() &&
           std::find(found->second.begin(), found->second.end(), soname) == found->second.end();
  }

  std::vector<Clash> CheckBound(const Arrival& arrival) const {
    for (const auto& scope : arrival.scopes) {
      const auto bound = std::find_if(scope.begin(), scope.end(), [&](const Member* member) {
        return bound_.count(member) != 0;
      });
      if (bound == scope.end()) continue;
      const auto found = bound_.find(*bound);
      const Member* member = *bound;
      return {{ClashKind::kSharedLibraryBound, member,
               arrival.candidate->path + " needs " + DescribeMember(*member) + ", which calls " +
                   diagnostics::JoinSomeWithAnd(found->second) + " of " + member->candidate +
                   " and not of anybody else, because that exports them and "
                   "was opened first; expected that it calls the ones of its own libraries",
               "vendor: export only the entry points (-fvisibility=hidden and a version script, as "
               "backplane_add_backend does)"}};
    }
    return {};
  }

  static Clash MakeProgramClash(const Arrival& arrival, const Member& library, const Member& other,
                                const std::vector<std::string>& names) {
    return {ClashKind::kOtherVersionFirst, &other,
            arrival.candidate->path + " takes " + diagnostics::JoinSomeWithAnd(names) + " from " +
                library.path + ", and would be given those of " + DescribeMember(other) +
                ", which the program has: another version, in which they may be other functions; "
                "expected that both need one version",
            "operator: get a build of the backend for the version that the program has; vendor: "
            "link the library statically with its symbols hidden"};
  }

  Process& process_;
  std::unordered_map<std::string, std::vector<std::string>> sonames_;  // by stem; the program's
  std::unordered_map<const Member*, std::vector<std::string>> bound_;  // what a library calls
};

}  // namespace

std::unique_ptr<ClashRule> MakeBindingRule(Process& process) {
  return std::make_unique<BindingRule>(process);
}

}  // namespace backplane::conflicts
