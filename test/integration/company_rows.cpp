#include "company_rows.hpp"

#include "mock_rows.hpp"
#include "support/build_tree.hpp"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <utility>

namespace backplane::test {
namespace {

std::string GetPath(const std::string& file) {
  return test::InBuildTree(BACKPLANE_MOCK_BACKENDS_DIR) + '/' + file;
}

/// Rows come in their order: a first one is that of the next second one of its folder.
class PairReader {
 public:
  void AddFirst(const char* file) { first_ = GetPath(file); }

  void AddSecond(const char* name, const char* file, DiagnosticCode code,
                 std::vector<std::string> words) {
    CompanyPair pair;
    pair.name = name;
    pair.second = GetPath(file);
    pair.folder = std::filesystem::path(pair.second).parent_path().string();
    pair.first = std::exchange(first_, "");
    pair.code = code;
    for (std::string& word : words) ReplacePlaceholder(word, "{folder}", pair.folder);
    pair.words = std::move(words);
    pairs_.push_back(std::move(pair));
  }

  std::vector<CompanyPair> Take() { return std::move(pairs_); }

 private:
  std::string first_;
  std::vector<CompanyPair> pairs_;
};

std::vector<CompanyPair> ReadPairs() {
  PairReader reader;
#define BACKPLANE_FIRST(name, recipe, file) reader.AddFirst(file);
#define BACKPLANE_MEMBER(name, recipe, file)
#define BACKPLANE_SECOND(name, recipe, file, clash, ...) \
  reader.AddSecond(#name, file, DiagnosticCode::k##clash, std::vector<std::string>{__VA_ARGS__});
#include <company/company.def>
#undef BACKPLANE_MEMBER
#undef BACKPLANE_SECOND
#undef BACKPLANE_FIRST
  return reader.Take();
}

std::map<std::string, std::string> ReadMembers() {
  return {
#define BACKPLANE_FIRST(name, recipe, file)
#define BACKPLANE_SECOND(name, recipe, file, clash, ...)
#define BACKPLANE_MEMBER(name, recipe, file) {#name, GetPath(file)},
#include <company/company.def>
#undef BACKPLANE_MEMBER
#undef BACKPLANE_SECOND
#undef BACKPLANE_FIRST
  };
}

}  // namespace

const std::vector<CompanyPair>& GetCompanyPairs() {
  static const std::vector<CompanyPair> pairs = ReadPairs();
  return pairs;
}

const CompanyPair& GetCompanyPair(const std::string& name) {
  for (const CompanyPair& pair : GetCompanyPairs()) {
    if (pair.name == name) return pair;
  }
  std::fprintf(stderr, "company.def has no pair %s\n", name.c_str());
  std::abort();
}

const std::string& GetCompanyMember(const std::string& name) {
  static const std::map<std::string, std::string> members = ReadMembers();
  const auto found = members.find(name);
  if (found != members.end()) return found->second;
  std::fprintf(stderr, "company.def has no member %s\n", name.c_str());
  std::abort();
}

}  // namespace backplane::test
