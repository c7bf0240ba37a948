// Whatever is done to a file, reading it neither crashes nor hangs, and every refusal has words.

#include "libraries/dependency_inspector.hpp"
#include "object_file.hpp"

#include <elf.h>
#include <gtest/gtest.h>

#include <random>

namespace backplane::inspection {
namespace {

const char* const kDamagedFilesPath = "/x/libx.so";

void ExpectWords(const std::vector<Diagnostic>& diagnostics) {
  for (const Diagnostic& diagnostic : diagnostics) {
    EXPECT_EQ(diagnostic.subject.name, kDamagedFilesPath);
    EXPECT_FALSE(diagnostic.what.empty());
    EXPECT_FALSE(diagnostic.why.empty());
    EXPECT_FALSE(diagnostic.fix.empty());
  }
}

// Whether the format was accepted.
bool Inspect(const std::string& bytes) {
  const AnonymousFile file(bytes);
  const InspectedFile inspected = InspectFile(file.GetDescriptor(), kDamagedFilesPath);
  for (const StageOutcome& outcome : inspected.stages) ExpectWords(outcome.diagnostics);
  return inspected.stages.front().diagnostics.empty();
}

void InspectItsDependencies(const std::string& bytes) {
  const AnonymousFile file(bytes);
  ExpectWords(
      libraries::InspectDependencies(file.GetDescriptor(), kDamagedFilesPath, kDamagedFilesPath, {})
          .diagnostics);
}

TEST(DamagedFiles, EveryTruncationIsTold) {
  const std::string bytes = ReadBytes(GetGoodBackendPath());
  ASSERT_TRUE(Inspect(bytes));
  for (std::size_t size = 0; size < bytes.size(); size += 64) {
    EXPECT_FALSE(Inspect(bytes.substr(0, size))) << size;
    InspectItsDependencies(bytes.substr(0, size));
  }
}

struct Region {
  const char* name;
  std::uint64_t offset;
  std::uint64_t size_bytes;
};

std::vector<Region> GetRegions(ObjectFile object) {
  const std::uint64_t segments_bytes = object.GetHeader().e_phnum * sizeof(ElfW(Phdr));
  const auto& dynamic = object.GetSegment(PT_DYNAMIC);
  const std::uint64_t hash = object.GetDynamicEntry(DT_GNU_HASH).d_un.d_ptr;
  const std::uint64_t strings = object.GetDynamicEntry(DT_STRTAB).d_un.d_ptr;
  const std::uint64_t versions = object.GetDynamicEntry(DT_VERNEED).d_un.d_ptr;
  const std::uint64_t relocations = object.GetDynamicEntry(DT_RELA).d_un.d_ptr;
  const auto& notes = object.GetSegment(PT_NOTE);
  return {
      {"header", 0, sizeof(ElfW(Ehdr))},
      {"program headers", object.GetHeader().e_phoff, segments_bytes},
      {"dynamic section", dynamic.p_offset, dynamic.p_filesz},
      {"hash table and symbols", hash, strings - hash},
      {"versions and relocations", versions, relocations + 256 - versions},
      {"notes", notes.p_offset, notes.p_filesz + 128},
  };
}

TEST(DamagedFiles, ThousandsOfCorruptionsNeverCrash) {
  const std::string good = ReadBytes(GetGoodBackendPath());
  std::mt19937 random(20240607);
  int accepted = 0;
  for (const Region& region : GetRegions(ObjectFile(good))) {
    for (int i = 0; i < 600; ++i) {
      std::string bytes = good;
      char& byte = bytes.at(region.offset + random() % region.size_bytes);
      byte = static_cast<char>(i % 2 == 0 ? byte ^ (1 << random() % 8) : random());
      SCOPED_TRACE(region.name);
      if (Inspect(bytes)) ++accepted;
      // Reads the libraries of this system as well, so not always.
      if (i % 5 == 0) InspectItsDependencies(bytes);
    }
  }
  // Many bytes do not matter to the format, and many do.
  EXPECT_GT(accepted, 100);
  EXPECT_LT(accepted, 3500);
}

TEST(DamagedFiles, RandomBytesBehindAnElfHeaderNeverCrash) {
  const std::string good = ReadBytes(GetGoodBackendPath());
  std::mt19937 random(7);
  for (int i = 0; i < 300; ++i) {
    std::string bytes = good.substr(0, sizeof(ElfW(Ehdr)));
    while (bytes.size() < 4096)
      bytes.push_back(static_cast<char>(random() % (i % 2 == 0 ? 256 : 8)));
    EXPECT_FALSE(Inspect(bytes));
  }
}

}  // namespace
}  // namespace backplane::inspection
