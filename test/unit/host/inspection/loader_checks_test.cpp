/// What the loader, this process or this processor would refuse, or do only reluctantly.

#include "inspection/cpu_level.hpp"
#include "object_file.hpp"

#include <elf.h>
#include <gnu/libc-version.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

namespace backplane::inspection {
namespace {

const char* const kLoaderChecksPath = "/x/libx.so";

std::vector<Diagnostic> GetLoaderChecksFormatDiagnostics(const ObjectFile& object) {
  return GetDiagnosticsOf(InspectBytes(object.bytes), Stage::kFormat);
}

ObjectFile GetLoaderChecksGood() {
  return ObjectFile(ReadBytes(GetGoodBackendPath()));
}

bool IsGlibcAtLeast(int minor) {
  return std::atoi(gnu_get_libc_version() + std::strlen("2.")) >= minor;
}

TEST(LoaderChecks, RejectsOtherOperatingSystems) {
  ObjectFile object = GetLoaderChecksGood();
  object.bytes[EI_OSABI] = ELFOSABI_SOLARIS;
  ExpectOne(GetLoaderChecksFormatDiagnostics(object), DiagnosticCode::kWrongOsAbi,
            kLoaderChecksPath, "is built for Solaris, but this program runs on Linux",
            "found OS ABI 6 (Solaris)");
  object.bytes[EI_OSABI] = 77;
  ExpectOne(GetLoaderChecksFormatDiagnostics(object), DiagnosticCode::kWrongOsAbi,
            kLoaderChecksPath, "operating system 77", "expected 0 (System V) or 3 (GNU/Linux)");
  object.bytes[EI_OSABI] = ELFOSABI_GNU;
  EXPECT_TRUE(GetLoaderChecksFormatDiagnostics(object).empty());
}

TEST(LoaderChecks, RejectsSegmentsAlignedToLessThanAPage) {
  ObjectFile object = GetLoaderChecksGood();
  object.GetSegment(PT_LOAD).p_align = 512;
  ExpectOne(GetLoaderChecksFormatDiagnostics(object), DiagnosticCode::kSmallAlignment,
            kLoaderChecksPath, "found a segment alignment of 512 bytes",
            "this kernel's page size of " + std::to_string(sysconf(_SC_PAGESIZE)));
}

TEST(LoaderChecks, WarnsOfExecutableStack) {
  ObjectFile object = GetLoaderChecksGood();
  object.GetSegment(PT_GNU_STACK).p_flags |= PF_X;
  const Severity severity = IsGlibcAtLeast(41) ? Severity::kError : Severity::kWarning;
  const Diagnostic diagnostic = ExpectOne(
      GetLoaderChecksFormatDiagnostics(object), DiagnosticCode::kExecutableStack, kLoaderChecksPath,
      "PT_GNU_STACK is executable", "glibc 2.41 and later refuse", severity);
  EXPECT_NE(diagnostic.fix.find("-Wl,-z,noexecstack"), std::string::npos);
}

TEST(LoaderChecks, WarnsOfTextRelocations) {
  ObjectFile object = GetLoaderChecksGood();
  object.GetDynamicEntry(DT_RELACOUNT) = {DT_TEXTREL, {0}};
  ExpectOne(GetLoaderChecksFormatDiagnostics(object), DiagnosticCode::kTextRelocations,
            kLoaderChecksPath, "found DT_TEXTREL", "-fPIC", Severity::kWarning);
  object.GetDynamicEntry(DT_TEXTREL) = {DT_FLAGS, {DF_TEXTREL}};
  ExpectOne(GetLoaderChecksFormatDiagnostics(object), DiagnosticCode::kTextRelocations,
            kLoaderChecksPath, "found DF_TEXTREL", "SELinux", Severity::kWarning);
}

TEST(LoaderChecks, WarnsOfMoreStaticTlsThanIsFree) {
  const std::string path = GetObjectPath("static_tls.so");
  const Diagnostic diagnostic =
      ExpectOne(GetDiagnosticsOf(InspectPath(path), Stage::kFormat), DiagnosticCode::kStaticTls,
                path, "needs 4000 bytes of static thread-local storage",
                "expected at most the 512 that glibc keeps free", Severity::kWarning);
  EXPECT_NE(diagnostic.fix.find("glibc.rtld.optional_static_tls=4000"), std::string::npos);
}

TEST(LoaderChecks, RejectsFileThatMayNotBeOpened) {
  ObjectFile object = GetLoaderChecksGood();
  object.GetDynamicEntry(DT_RELACOUNT) = {DT_FLAGS_1, {DF_1_NOOPEN}};
  ExpectOne(GetLoaderChecksFormatDiagnostics(object), DiagnosticCode::kMayNotBeOpened,
            kLoaderChecksPath, "forbids to be opened", "-Wl,-z,nodlopen");
}

// No test is built with this one.
TEST(LoaderChecks, RejectsSanitizerThatThisProcessLacks) {
  ObjectFile object(ReadBytes(GetObjectPath("needy.so")));
  const std::string library = "libinspected_side.so.1";
  const std::string runtime = "libhwasan.so.0";
  const std::size_t position = object.bytes.find(library);
  ASSERT_NE(position, std::string::npos);
  object.bytes.replace(position, runtime.size() + 1, runtime.c_str(), runtime.size() + 1);
  const Diagnostic diagnostic =
      ExpectOne(GetLoaderChecksFormatDiagnostics(object), DiagnosticCode::kSanitizerRuntime,
                kLoaderChecksPath, "is built with HWAddressSanitizer, which this program is not",
                "needs libhwasan.so.0");
  EXPECT_NE(diagnostic.fix.find("link the backend into a program that is built with it"),
            std::string::npos);
}

#if defined(__x86_64__)
// Makes the level in the property note another one.
ObjectFile MakeObjectForLevels(std::uint32_t levels) {
  ObjectFile object(ReadBytes(GetObjectPath("cpu_level.so")));
  const ElfW(Phdr)& segment = object.GetSegment(PT_GNU_PROPERTY);
  for (std::uint64_t offset = segment.p_offset; offset < segment.p_offset + segment.p_filesz;
       offset += sizeof(std::uint32_t)) {
    if (object.At<std::uint32_t>(offset) != GNU_PROPERTY_X86_ISA_1_NEEDED) continue;
    object.At<std::uint32_t>(offset + 2 * sizeof(std::uint32_t)) = levels;
    return object;
  }
  ADD_FAILURE() << "the linker wrote no level";
  return object;
}

TEST(LoaderChecks, RejectsFileForANewerProcessor) {
  const Diagnostic diagnostic =
      ExpectOne(GetLoaderChecksFormatDiagnostics(MakeObjectForLevels(1U << 4U)),
                DiagnosticCode::kCpuLevelTooLow, kLoaderChecksPath,
                "needs CPU level x86-64-v5; this CPU is ", "GNU property note");
  EXPECT_NE(diagnostic.what.find(GetLevelName(GetLevelsOfThisCpu())), std::string::npos);
}

TEST(LoaderChecks, AcceptsLevelsOfThisProcessor) {
  EXPECT_TRUE(GetLoaderChecksFormatDiagnostics(MakeObjectForLevels(GetLevelsOfThisCpu())).empty());
}
#endif

TEST(CpuLevel, NamesTheHighest) {
  EXPECT_EQ(GetLevelName(1), "x86-64 (baseline)");
  EXPECT_EQ(GetLevelName(0b100), "x86-64-v3 (AVX2)");
  EXPECT_EQ(GetLevelName(0b1111), "x86-64-v4 (AVX-512)");
}

}  // namespace
}  // namespace backplane::inspection
