#include "libraries/undefined_symbols.hpp"

#include "object_file.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace backplane::inspection {
namespace {

// A file, and what refers into it.
struct FileReferences {
  std::optional<elf::File> elf;
  std::vector<libraries::SymbolReference> all;
};

FileReferences ReadReferencesOf(const std::string& object) {
  const std::string bytes = ReadBytes(GetObjectPath(object));
  const AnonymousFile file(bytes);
  FileReferences references;
  references.elf = elf::File::Open(file.GetDescriptor(), bytes.size());
  EXPECT_TRUE(references.elf);
  if (!references.elf) return references;
  const std::optional<std::vector<libraries::SymbolReference>> all =
      libraries::ReadReferences(*references.elf);
  EXPECT_TRUE(all);
  references.all = all.value_or(std::vector<libraries::SymbolReference>());
  return references;
}

const libraries::SymbolReference* FindUndefinedSymbols(const FileReferences& references,
                                                       const std::string& name) {
  const auto found = std::find_if(
      references.all.begin(), references.all.end(),
      [&name](const libraries::SymbolReference& reference) { return reference.name == name; });
  return found == references.all.end() ? nullptr : &*found;
}

TEST(UndefinedSymbols, HaveTheVersionThatTheFileNeeds) {
  const FileReferences references = ReadReferencesOf("undefined.so");
  const libraries::SymbolReference* of_library =
      FindUndefinedSymbols(references, "_ZTVN10__cxxabiv120__si_class_type_infoE");
  ASSERT_NE(of_library, nullptr);
  EXPECT_EQ(of_library->version, "CXXABI_1.3");
  const libraries::SymbolReference* of_nobody = FindUndefinedSymbols(references, "acme_start");
  ASSERT_NE(of_nobody, nullptr);
  EXPECT_EQ(of_nobody->version, "");
}

TEST(UndefinedSymbols, MarkWeakOnesAndLeaveOutDefinedOnes) {
  const FileReferences references = ReadReferencesOf("undefined.so");
  const libraries::SymbolReference* weak = FindUndefinedSymbols(references, "_ZN4acme5MaybeEv");
  ASSERT_NE(weak, nullptr);
  EXPECT_TRUE(weak->is_weak);
  const libraries::SymbolReference* strong = FindUndefinedSymbols(references, "acme_start");
  ASSERT_NE(strong, nullptr);
  EXPECT_FALSE(strong->is_weak);
  EXPECT_EQ(FindUndefinedSymbols(references, "BackendFactory"), nullptr);
}

TEST(UndefinedSymbols, AreFoundWithoutAnyExportedSymbol) {
  // A hash table without symbols does not say how many undefined ones there are.
  const FileReferences references = ReadReferencesOf("exports_nothing.so");
  EXPECT_NE(FindUndefinedSymbols(references, "acme_hidden"), nullptr);
}

TEST(Demangle, LeavesOtherNamesAlone) {
  EXPECT_EQ(libraries::Demangle("_ZN4acme7ComputeEi"), "acme::Compute(int)");
  EXPECT_EQ(libraries::Demangle("acme_start"), "acme_start");
  EXPECT_EQ(libraries::Demangle("i"), "i");
  EXPECT_EQ(libraries::Demangle("_Znonsense"), "_Znonsense");
}

// Each part is a pair of the one before it, twice, so that 24 of them fill all memory.
TEST(Demangle, LeavesNamesAloneThatStandForEndlessOnes) {
  std::string name = "_Z1fSt4pairIiiE";
  const std::string digits = "0123456789ABCDEFGHIJKLMN";
  for (const char digit : digits) name += std::string("S_IS") + digit + "_S" + digit + "_E";
  EXPECT_EQ(libraries::Demangle(name), name);
  EXPECT_EQ(libraries::Demangle("_Z1fSt4pairIiiES_IS0_S0_E"),
            "f(std::pair<int, int>, std::pair<std::pair<int, int>, std::pair<int, int> >)");
}

TEST(Demangle, ShortensVeryLongNames) {
  const std::string name = libraries::Demangle("_Z5000" + std::string(5000, 'f') + "v");
  EXPECT_LT(name.size(), 400U);
  EXPECT_NE(name.find("... (5007 bytes)"), std::string::npos) << name;
}

}  // namespace
}  // namespace backplane::inspection
