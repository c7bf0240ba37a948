#include "conflicts/clash.hpp"
#include "diagnostics/file_words.hpp"

#include <algorithm>
#include <unordered_map>

namespace backplane::conflicts {
namespace {

using diagnostics::JoinSomeWithAnd;
using diagnostics::Shorten;

/// Names that were registered, and by whom.
using Registered = std::unordered_map<std::string, const Member*>;

/// What one copy of libprotobuf has been given.
struct ProtoPool {
  Registered files;
  Registered symbols;
};

/// The names that were registered before, and by whom the first of them was.
class Repeated {
 public:
  void Look(const Registered& registered, const std::string& name, const Member& own) {
    const auto found = registered.find(name);
    if (found == registered.end()) return;
    if (first_ == nullptr) {
      first_ = found->second;
      own_ = &own;
    }
    if (found->second == first_ && &own == own_) names_.push_back('"' + Shorten(name) + '"');
  }
  const Member* GetFirst() const { return first_; }
  const Member* GetOwn() const { return own_; }
  std::string Join() const { return JoinSomeWithAnd(names_); }

 private:
  const Member* first_ = nullptr;
  const Member* own_ = nullptr;  // what registers them again
  std::vector<std::string> names_;
};

class ProtoRule : public ClashRule {
 public:
  explicit ProtoRule(Process& process) : process_(process) {}

  std::vector<Clash> Check(const Arrival& arrival) override {
    Repeated files;
    Repeated symbols;
    for (const auto& member : arrival.members) {
      if (member->account->proto_files.empty()) continue;
      AddProgram();
      const ProtoPool& pool = pools_[FindPool(arrival.scopes[member->scope])];
      for (const ProtoFile& file : member->account->proto_files) {
        files.Look(pool.files, file.name, *member);
        for (const std::string& symbol : file.symbols) symbols.Look(pool.symbols, symbol, *member);
      }
    }
    if (files.GetFirst() != nullptr) return {MakeFileClash(files)};
    if (symbols.GetFirst() != nullptr) return {MakeSymbolClash(symbols)};
    return {};
  }

  void Admit(const Arrival& arrival) override {
    for (const auto& member : arrival.members) {
      if (!member->account->proto_files.empty())
        Add(*member, FindPool(arrival.scopes[member->scope]));
    }
  }

 private:
  /// Whose function is called: that of the program, if it has one, else the first that is found.
  const Member* FindPool(const std::vector<const Member*>& scope) {
    if (const Member* program = process_.FindProgramDefiner(kProtoRegistration)) return program;
    const auto found = std::find_if(scope.begin(), scope.end(), [](const Member* member) {
      return member->account && member->account->has_proto_pool;
    });
    return found != scope.end() ? *found : nullptr;
  }

  void Add(const Member& member, const Member* pool_of) {
    ProtoPool& pool = pools_[pool_of];
    for (const ProtoFile& file : member.account->proto_files) {
      pool.files.emplace(file.name, &member);
      for (const std::string& symbol : file.symbols) pool.symbols.emplace(symbol, &member);
    }
  }

  void AddProgram() {
    if (is_program_added_) return;
    is_program_added_ = true;
    const auto& files = process_.ReadProgramFiles();
    for (const Member* file : files) Add(*file, FindPool(files));
  }

  static Clash MakeFileClash(const Repeated& files) {
    return {ClashKind::kSameProtoFile, files.GetFirst(),
            DescribeMember(*files.GetOwn()) + " and " + DescribeMember(*files.GetFirst()) +
                " both register " + files.Join() +
                " with one libprotobuf, which ends the process when a name comes twice; expected "
                "each .proto file once in a process",
            "vendor: compile .proto files under a name of your own (a directory with the vendor's "
            "name), or link protobuf statically with its symbols hidden; operator: keep one of the "
            "two, or disable it with BACKPLANE_DISABLE_BACKENDS"};
  }

  static Clash MakeSymbolClash(const Repeated& symbols) {
    return {
        ClashKind::kSameProtoMessage, symbols.GetFirst(),
        DescribeMember(*symbols.GetOwn()) + " and " + DescribeMember(*symbols.GetFirst()) +
            " both register " + symbols.Join() +
            " with one libprotobuf, from .proto files of two names, and it ends the process "
            "when a name comes twice; expected each message, enum and service once in a process",
        "vendor: give the .proto file a package of your own, or link protobuf statically with "
        "its symbols hidden; operator: keep one of the two, or disable it with "
        "BACKPLANE_DISABLE_BACKENDS"};
  }

  Process& process_;
  bool is_program_added_ = false;
  std::unordered_map<const Member*, ProtoPool> pools_;  // null: whose is not known
};

}  // namespace

std::unique_ptr<ClashRule> MakeProtoRule(Process& process) {
  return std::make_unique<ProtoRule>(process);
}

}  // namespace backplane::conflicts
