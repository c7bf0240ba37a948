#include "inspection/undefined_symbols.hpp"

#include "object_file.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace backplane::inspection {
namespace {

std::vector<SymbolReference> ReadReferencesOf(const std::string& object) {
  const std::string bytes = ReadBytes(GetObjectPath(object));
  const AnonymousFile file(bytes);
  const std::optional<ElfFile> elf = ElfFile::Open(file.GetDescriptor(), bytes.size(), nullptr);
  EXPECT_TRUE(elf);
  if (!elf) return {};
  const std::optional<std::vector<SymbolReference>> references = ReadReferences(*elf);
  EXPECT_TRUE(references);
  return references.value_or(std::vector<SymbolReference>());
}

const SymbolReference* FindUndefinedSymbols(const std::vector<SymbolReference>& references,
                                            const std::string& name) {
  const auto found =
      std::find_if(references.begin(), references.end(),
                   [&name](const SymbolReference& reference) { return reference.name == name; });
  return found == references.end() ? nullptr : &*found;
}

TEST(UndefinedSymbols, HaveTheVersionThatTheFileNeeds) {
  const std::vector<SymbolReference> references = ReadReferencesOf("undefined.so");
  const SymbolReference* of_library =
      FindUndefinedSymbols(references, "_ZTVN10__cxxabiv120__si_class_type_infoE");
  ASSERT_NE(of_library, nullptr);
  EXPECT_EQ(of_library->version, "CXXABI_1.3");
  const SymbolReference* of_nobody = FindUndefinedSymbols(references, "acme_start");
  ASSERT_NE(of_nobody, nullptr);
  EXPECT_EQ(of_nobody->version, "");
}

TEST(UndefinedSymbols, MarkWeakOnesAndLeaveOutDefinedOnes) {
  const std::vector<SymbolReference> references = ReadReferencesOf("undefined.so");
  const SymbolReference* weak = FindUndefinedSymbols(references, "_ZN4acme5MaybeEv");
  ASSERT_NE(weak, nullptr);
  EXPECT_TRUE(weak->is_weak);
  const SymbolReference* strong = FindUndefinedSymbols(references, "acme_start");
  ASSERT_NE(strong, nullptr);
  EXPECT_FALSE(strong->is_weak);
  EXPECT_EQ(FindUndefinedSymbols(references, "BackendFactory"), nullptr);
}

TEST(UndefinedSymbols, AreFoundWithoutAnyExportedSymbol) {
  // A hash table without symbols does not say how many undefined ones there are.
  const std::vector<SymbolReference> references = ReadReferencesOf("exports_nothing.so");
  EXPECT_NE(FindUndefinedSymbols(references, "acme_hidden"), nullptr);
}

TEST(Demangle, LeavesOtherNamesAlone) {
  EXPECT_EQ(Demangle("_ZN4acme7ComputeEi"), "acme::Compute(int)");
  EXPECT_EQ(Demangle("acme_start"), "acme_start");
  EXPECT_EQ(Demangle("i"), "i");
  EXPECT_EQ(Demangle("_Znonsense"), "_Znonsense");
}

}  // namespace
}  // namespace backplane::inspection
