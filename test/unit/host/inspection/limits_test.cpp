#include "inspection/limit_checks.hpp"

#include "object_file.hpp"

#include <gtest/gtest.h>

namespace backplane::inspection {
namespace {

const char* const kLimitedPath = "/x/libx.so";

TEST(Limits, EachIsToldWithWhatWasFoundAndWhatIsExpected) {
#define BACKPLANE_LIMIT(name, most, what)                                                         \
  EXPECT_FALSE(CheckLimit(elf::Limit::k##name, most, kLimitedPath)) << #name;                     \
  ExpectOne(                                                                                      \
      {CheckLimit(elf::Limit::k##name, (most) + 1, kLimitedPath).value()},                        \
      DiagnosticCode::kLimitExceeded, kLimitedPath,                                               \
      "libx.so has " + std::to_string((most) + 1) + " " + what + ", more than any backend needs", \
      "expected at most " + std::to_string(most));
#include "elf/limits.def"
#undef BACKPLANE_LIMIT
}

TEST(Limits, NamesMayShareTheirEnds) {
  constexpr std::uint64_t kTableBytes = 1000000;
  EXPECT_FALSE(CheckLengthOfNames(4 * kTableBytes, kTableBytes, kLimitedPath));
  ExpectOne({CheckLengthOfNames(6 * kTableBytes, kTableBytes, kLimitedPath).value()},
            DiagnosticCode::kLimitExceeded, kLimitedPath,
            "6000000 bytes in the names of its symbols together", "expected at most 5048576");
}

TEST(Limits, AFileWithTooManySegmentsIsRefused) {
  ObjectFile object(ReadBytes(GetGoodBackendPath()));
  while (object.bytes.size() % 8 != 0) object.bytes.push_back('\0');
  const std::size_t table = object.bytes.size();
  const ElfW(Phdr) last = object.GetSegment(PT_GNU_STACK);
  constexpr unsigned kMany = 2000;
  for (unsigned i = 0; i < kMany; ++i) {
    const bool is_own = i < object.GetHeader().e_phnum;
    const auto segment =
        is_own ? object.At<ElfW(Phdr)>(object.GetHeader().e_phoff + i * sizeof(ElfW(Phdr))) : last;
    object.bytes.append(reinterpret_cast<const char*>(&segment), sizeof(segment));
  }
  object.GetHeader().e_phoff = table;
  object.GetHeader().e_phnum = kMany;
  ExpectOne(GetDiagnosticsOf(InspectBytes(object.bytes), Stage::kFormat),
            DiagnosticCode::kLimitExceeded, kLimitedPath, "has 2000 segments",
            "expected at most 1024");
}

}  // namespace
}  // namespace backplane::inspection
