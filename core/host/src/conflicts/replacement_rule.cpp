#include "conflicts/clash.hpp"
#include "conflicts/file_account.hpp"
#include "diagnostics/file_words.hpp"
#include "libraries/undefined_symbols.hpp"

#include <algorithm>
#include <unordered_set>

namespace backplane::conflicts {
namespace {

using libraries::Demangle;
using libraries::SharedObject;

/// Whether a library, or the file of a backend, exports a symbol.
class Exports {
 public:
  explicit Exports(const Member& member) : object_(member.object.get()) {
    if (object_ == nullptr) {
      names_.insert(member.account->exports.begin(), member.account->exports.end());
    }
  }
  bool Has(const std::string& name) const {
    if (object_ == nullptr) return names_.count(name) != 0;
    return object_->symbols && object_->symbols->FindExported(name);
  }

 private:
  const SharedObject* object_;
  std::unordered_set<std::string> names_;
};

bool HasVersion(const SharedObject& object, const std::string& version) {
  const auto& versions = object.defined_versions;
  return std::find(versions.begin(), versions.end(), version) != versions.end();
}

/// What the candidate takes from its own library and would not find in the one that it gets.
std::vector<std::string> FindMissing(const FileAccount& account, const Replacement& replacement) {
  std::vector<std::string> missing;
  const SharedObject& own = *replacement.own;
  for (const auto& [library, version] : account.needed_versions) {
    const SharedObject* taken = replacement.taken->object.get();
    const bool is_there = taken != nullptr && HasVersion(*taken, version);
    if (library == replacement.name && HasVersion(own, version) && !is_there) {
      missing.push_back("version " + diagnostics::Shorten(version));
    }
  }
  const Exports taken(*replacement.taken);
  for (const std::string& name : account.imports) {
    const bool is_own = own.symbols && own.symbols->FindExported(name);
    if (is_own && !taken.Has(name)) missing.push_back(Demangle(name));
  }
  return missing;
}

std::string DescribeBoth(const Arrival& arrival, const Replacement& replacement) {
  return arrival.candidate->path + " would find " + replacement.name + " at " +
         replacement.own->path + ", and gets " + DescribeMember(*replacement.taken) +
         ", because one file serves all that need a name";
}

/// One name of a library that leads candidates to different files.
class ReplacementRule : public ClashRule {
 public:
  std::vector<Clash> Check(const Arrival& arrival) override {
    const Replacement* different = nullptr;
    for (const Replacement& replacement : arrival.replaced) {
      if (HasSameContents(replacement.taken->path, replacement.own->path)) continue;
      const auto missing = FindMissing(*arrival.GetFile().account, replacement);
      if (!missing.empty() && replacement.coming == Coming::kAtOnce) {
        return {MakeLackClash(arrival, replacement, missing)};
      }
      if (different == nullptr) different = &replacement;
    }
    if (different == nullptr) return {};
    return {{ClashKind::kSharedLibraryDiffers, different->taken,
             DescribeBoth(arrival, *different) +
                 "; the two files differ, and it was tested with its own",
             "if the two do not do the same, vendor: give the library a name of its own "
             "(-Wl,-soname), or link it statically with its symbols hidden"}};
  }

  void Admit(const Arrival& /*arrival*/) override {}

 private:
  static Clash MakeLackClash(const Arrival& arrival, const Replacement& replacement,
                             const std::vector<std::string>& missing) {
    return {ClashKind::kSharedLibraryLacks, replacement.taken,
            DescribeBoth(arrival, replacement) + "; that has not " +
                diagnostics::JoinSomeWithAnd(missing) + ", which its own has",
            "operator: install one version of the library for both, the newer one, or keep one of "
            "the two backends; vendor: give the library a name of its own (-Wl,-soname)"};
  }
};

}  // namespace

std::unique_ptr<ClashRule> MakeReplacementRule(Process& /*process*/) {
  return std::make_unique<ReplacementRule>();
}

}  // namespace backplane::conflicts
