#include "conflicts/clash.hpp"
#include "diagnostics/file_words.hpp"
#include "libraries/undefined_symbols.hpp"

#include <algorithm>
#include <unordered_map>

namespace backplane::conflicts {
namespace {

using libraries::Demangle;

/// The variables that one other file has as well.
struct Shared {
  const Member* own = nullptr;
  const Member* other = nullptr;
  std::vector<std::string> names;
};

/// Variables that the loader gives all files together (STB_GNU_UNIQUE), also those that were opened
/// so that nothing of one is seen by another.
class VariablesRule : public ClashRule {
 public:
  explicit VariablesRule(Process& process) : process_(process) {}

  std::vector<Clash> Check(const Arrival& arrival) override {
    Shared same;
    Shared different;
    // What the program shares with libraries of other people is no matter of backends.
    if (!arrival.GetFile().account->unique_symbols.empty()) AddProgram();
    for (const auto& member : arrival.members) {
      for (const UniqueSymbol& symbol : member->account->unique_symbols) {
        const auto found = owners_.find(symbol.name);
        if (found == owners_.end() || IsOwnLibrary(*found->second.member, *member, arrival)) {
          continue;
        }
        const bool has_same_size = found->second.size_bytes == symbol.size_bytes;
        Note(*member, symbol, found->second, has_same_size ? same : different);
      }
    }
    if (different.other != nullptr) return {MakeSizeClash(different)};
    if (same.other != nullptr) return {MakeClash(same)};
    return {};
  }

  void Admit(const Arrival& arrival) override {
    for (const auto& member : arrival.members) Add(*member);
  }

 private:
  struct Owner {
    const Member* member = nullptr;
    std::uint64_t size_bytes = 0;
  };

  void Add(const Member& member) {
    for (const UniqueSymbol& symbol : member.account->unique_symbols) {
      owners_.emplace(symbol.name, Owner{&member, symbol.size_bytes});
    }
  }

  void AddProgram() {
    if (is_program_added_) return;
    is_program_added_ = true;
    for (const Member* file : process_.ReadProgramFiles()) Add(*file);
  }

  /// What a file and a library that it is linked with have together was made so.
  static bool IsOwnLibrary(const Member& owner, const Member& member, const Arrival& arrival) {
    const auto& scope = arrival.scopes[member.scope];
    return std::find(scope.begin(), scope.end(), &owner) != scope.end();
  }

  static void Note(const Member& own, const UniqueSymbol& symbol, const Owner& owner,
                   Shared& shared) {
    constexpr std::size_t kMost = 100;  // of which some are told
    if (shared.other == nullptr) {
      shared.own = &own;
      shared.other = owner.member;
    }
    if (shared.own != &own || shared.other != owner.member || shared.names.size() >= kMost) return;
    std::string name = Demangle(symbol.name);
    if (owner.size_bytes != symbol.size_bytes) {
      name += " (" + std::to_string(symbol.size_bytes) + " and " +
              std::to_string(owner.size_bytes) + " bytes)";
    }
    shared.names.push_back(std::move(name));
  }

  static std::string DescribeBoth(const Shared& shared) {
    return DescribeMember(*shared.own) + " and " + DescribeMember(*shared.other) + " both have " +
           diagnostics::JoinSomeWithAnd(shared.names) +
           ", and the loader gives both the one that came first (STB_GNU_UNIQUE)";
  }

  static Clash MakeClash(const Shared& shared) {
    return {ClashKind::kSharedVariables, shared.other,
            DescribeBoth(shared) +
                ": what one writes the other reads; expected variables of its own for each",
            "vendor: compile with -fno-gnu-unique, or export only the entry points (as "
            "backplane_add_backend does)"};
  }

  static Clash MakeSizeClash(const Shared& shared) {
    return {ClashKind::kSharedVariableSizes, shared.other,
            DescribeBoth(shared) +
                ": who expects the larger one writes over what lies behind the smaller one; "
                "expected variables of its own for each",
            "vendor: compile with -fno-gnu-unique, or export only the entry points (as "
            "backplane_add_backend does); operator: keep one of the two"};
  }

  Process& process_;
  bool is_program_added_ = false;
  std::unordered_map<std::string, Owner> owners_;
};

}  // namespace

std::unique_ptr<ClashRule> MakeVariablesRule(Process& process) {
  return std::make_unique<VariablesRule>(process);
}

}  // namespace backplane::conflicts
