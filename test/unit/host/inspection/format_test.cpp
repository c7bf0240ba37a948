#include "inspection/format.hpp"

#include "object_file.hpp"

#include <elf.h>
#include <gtest/gtest.h>

#include <cstring>
#include <ostream>

namespace backplane::inspection {
namespace {

const char* const kFormatPath = "/x/libx.so";

std::vector<Diagnostic> GetFormatFormatDiagnostics(const ObjectFile& object) {
  return GetDiagnosticsOf(InspectBytes(object.bytes), Stage::kFormat);
}

ObjectFile GetFormatGood() {
  return ObjectFile(ReadBytes(GetGoodBackendPath()));
}

TEST(Format, AcceptsGoodBackend) {
  const InspectedFile file = InspectPath(GetGoodBackendPath());
  ASSERT_EQ(file.stages.size(), 3U);
  EXPECT_EQ(file.stages[0].stage, Stage::kFormat);
  EXPECT_EQ(file.stages[1].stage, Stage::kEntryPoints);
  EXPECT_EQ(file.stages[2].stage, Stage::kAbi);
  for (const StageOutcome& outcome : file.stages) {
    EXPECT_TRUE(outcome.diagnostics.empty()) << ToText(outcome.diagnostics.front());
    EXPECT_GT(outcome.duration.count(), 0);
  }
  ASSERT_TRUE(file.note);
  EXPECT_EQ(file.note->api_major, kAbiNoteOfThisBuild.api_major);
}

TEST(Format, DoesNotMoveTheOffsetOfTheDescriptor) {
  const AnonymousFile file(ReadBytes(GetGoodBackendPath()));
  ASSERT_EQ(lseek(file.GetDescriptor(), 17, SEEK_SET), 17);
  InspectFile(file.GetDescriptor(), kFormatPath);
  EXPECT_EQ(lseek(file.GetDescriptor(), 0, SEEK_CUR), 17);
}

TEST(Format, AcceptsFileWithoutSectionHeaders) {
  ObjectFile object = GetFormatGood();
  object.GetHeader().e_shoff = 0;
  object.GetHeader().e_shnum = 0;
  object.GetHeader().e_shstrndx = 0;
  EXPECT_TRUE(GetFormatFormatDiagnostics(object).empty());
}

TEST(Format, RejectsEmptyFile) {
  ExpectOne(GetFormatFormatDiagnostics(ObjectFile("")), DiagnosticCode::kEmptyFile, kFormatPath,
            "found 0 bytes", "expected an ELF shared object");
}

TEST(Format, RejectsDirectory) {
  const InspectedFile file = InspectPath("/usr");
  ExpectOne(GetDiagnosticsOf(file, Stage::kFormat), DiagnosticCode::kFileUnreadable, "/usr",
            "cannot be read", "Is a directory");
}

TEST(Format, RejectsFileShorterThanItsMagic) {
  ExpectOne(GetFormatFormatDiagnostics(ObjectFile(GetFormatGood().bytes.substr(0, 3))),
            DiagnosticCode::kTruncatedFile, kFormatPath, "is too short to be an ELF file",
            "found 3 bytes, expected at least 64");
}

TEST(Format, RejectsCutIdentification) {
  ExpectOne(GetFormatFormatDiagnostics(ObjectFile(GetFormatGood().bytes.substr(0, 9))),
            DiagnosticCode::kTruncatedFile, kFormatPath, "needs 16 bytes", "the file has 9");
}

TEST(Format, RejectsCutHeader) {
  ExpectOne(GetFormatFormatDiagnostics(ObjectFile(GetFormatGood().bytes.substr(0, 40))),
            DiagnosticCode::kTruncatedFile, kFormatPath,
            "needs " + std::to_string(sizeof(ElfW(Ehdr))) + " bytes", "the file has 40");
}

TEST(Format, RejectsOtherClass) {
  ObjectFile object = GetFormatGood();
  object.bytes[EI_CLASS] = ELFCLASS32;
  ExpectOne(GetFormatFormatDiagnostics(object), DiagnosticCode::kWrongClass, kFormatPath,
            "is 32-bit (ELFCLASS32)", "this program is 64-bit (ELFCLASS64)");
}

TEST(Format, RejectsOtherByteOrder) {
  ObjectFile object = GetFormatGood();
  object.bytes[EI_DATA] = ELFDATA2MSB;
  std::swap(object.bytes[18], object.bytes[19]);
  ExpectOne(GetFormatFormatDiagnostics(object), DiagnosticCode::kWrongByteOrder, kFormatPath,
            "is big-endian", "this program is little-endian");
}

TEST(Format, RejectsOtherMachineAndReadsOn) {
  ObjectFile object = GetFormatGood();
  object.GetHeader().e_machine = EM_AARCH64;
  const InspectedFile file = InspectBytes(object.bytes);
  const Diagnostic diagnostic =
      ExpectOne(GetDiagnosticsOf(file, Stage::kFormat), DiagnosticCode::kWrongMachine, kFormatPath,
                "is built for AArch64", "this program runs on x86-64");
  EXPECT_EQ(diagnostic.fix, "get a build of this backend for x86-64");
  EXPECT_EQ(file.stages.size(), 3U);
  EXPECT_TRUE(file.note);
}

TEST(Format, NamesAnUnknownMachineByNumber) {
  ObjectFile object = GetFormatGood();
  object.GetHeader().e_machine = 4711;
  ExpectOne(GetFormatFormatDiagnostics(object), DiagnosticCode::kWrongMachine, kFormatPath,
            "machine 4711", "x86-64");
}

TEST(Format, RejectsRelocatableObject) {
  const std::string path = INSPECTION_RELOCATABLE;
  ExpectOne(GetDiagnosticsOf(InspectPath(path), Stage::kFormat), DiagnosticCode::kNotSharedObject,
            path, "is a relocatable object (.o)", "found ELF type ET_REL, expected ET_DYN");
}

TEST(Format, RejectsExecutable) {
  const std::string path = GetObjectPath("inspected_executable");
  ExpectOne(GetDiagnosticsOf(InspectPath(path), Stage::kFormat), DiagnosticCode::kNotSharedObject,
            path, "is an executable", "found ELF type ET_EXEC, expected ET_DYN");
}

TEST(Format, RejectsPositionIndependentExecutable) {
  ObjectFile object = GetFormatGood();
  object.GetDynamicEntry(DT_RELACOUNT) = {DT_FLAGS_1, {DF_1_PIE}};
  ExpectOne(GetFormatFormatDiagnostics(object), DiagnosticCode::kNotSharedObject, kFormatPath,
            "is a position-independent executable", "expected ET_DYN");
}

TEST(Format, RejectsCoreDump) {
  ObjectFile object = GetFormatGood();
  object.GetHeader().e_type = ET_CORE;
  ExpectOne(GetFormatFormatDiagnostics(object), DiagnosticCode::kNotSharedObject, kFormatPath,
            "is a core dump", "found ELF type ET_CORE, expected ET_DYN");
}

TEST(Format, RejectsFileWithoutDynamicSection) {
  ObjectFile object = GetFormatGood();
  object.GetSegment(PT_DYNAMIC).p_type = PT_NULL;
  ExpectOne(GetFormatFormatDiagnostics(object), DiagnosticCode::kNotSharedObject, kFormatPath,
            "is not a dynamic library", "no dynamic section (PT_DYNAMIC)");
}

TEST(Format, RejectsTruncatedSegment) {
  ObjectFile object = GetFormatGood();
  std::uint64_t end = 0;
  for (int i = 0; i < 4; ++i) {
    const auto& segment = object.GetSegment(PT_LOAD, i);
    end = segment.p_offset + segment.p_filesz;
  }
  object.bytes.resize(end - 1);
  ExpectOne(GetFormatFormatDiagnostics(object), DiagnosticCode::kTruncatedFile, kFormatPath,
            "needs the first " + std::to_string(end) + " bytes",
            "the file has " + std::to_string(end - 1));
}

TEST(Format, RejectsTruncatedSegmentTable) {
  ObjectFile object = GetFormatGood();
  const std::uint64_t end = sizeof(ElfW(Ehdr)) + object.GetHeader().e_phnum * sizeof(ElfW(Phdr));
  object.bytes.resize(200);
  ExpectOne(GetFormatFormatDiagnostics(object), DiagnosticCode::kTruncatedFile, kFormatPath,
            "the table of program headers needs the first " + std::to_string(end) + " bytes",
            "the file has 200");
}

TEST(Format, RejectsFileCutBehindItsSegments) {
  ObjectFile object = GetFormatGood();
  const std::size_t end = object.bytes.size();
  object.bytes.resize(end - 1);
  ExpectOne(GetFormatFormatDiagnostics(object), DiagnosticCode::kTruncatedFile, kFormatPath,
            "the table of section headers needs the first " + std::to_string(end) + " bytes",
            "the file has " + std::to_string(end - 1));
}

TEST(Format, RejectsRelocationOfASymbolOutsideTheFile) {
  ObjectFile object = GetFormatGood();
  const std::uint64_t table = object.GetDynamicEntry(DT_RELA).d_un.d_ptr;
  object.At<ElfW(Rela)>(table).r_info = ELF64_R_INFO(0x7fffffffULL, R_X86_64_64);
  ExpectOne(GetFormatFormatDiagnostics(object), DiagnosticCode::kDamagedFile, kFormatPath,
            "is a damaged ELF file", "relocations name symbols outside the file");
}

TEST(Format, RejectsOverflowingSegment) {
  ObjectFile object = GetFormatGood();
  object.GetSegment(PT_LOAD, 1).p_filesz = ~std::uint64_t{0};
  ExpectOne(GetFormatFormatDiagnostics(object), DiagnosticCode::kDamagedFile, kFormatPath,
            "segment", "that no file can have");
}

// A change of one field of a good backend, and the words of the damage.
struct Damage {
  const char* test_name;
  void (*apply)(ObjectFile& object);
  const char* found;
  const char* expected;
};

void PrintTo(const Damage& damage, std::ostream* stream) {
  *stream << damage.test_name;
}

class DamagedFormat : public testing::TestWithParam<Damage> {};

TEST_P(DamagedFormat, IsRejectedWithBothValues) {
  ObjectFile object = GetFormatGood();
  GetParam().apply(object);
  const InspectedFile file = InspectBytes(object.bytes);
  ExpectOne(GetDiagnosticsOf(file, Stage::kFormat), DiagnosticCode::kDamagedFile, kFormatPath,
            GetParam().found, GetParam().expected);
  EXPECT_EQ(file.stages.size(), 1U);
}

const Damage kDamages[] = {
    {"Class", [](ObjectFile& o) { o.bytes[EI_CLASS] = 7; }, "found ELF class 7", "expected 1"},
    {"ByteOrder", [](ObjectFile& o) { o.bytes[EI_DATA] = 9; }, "found byte order 9", "expected 1"},
    {"Version", [](ObjectFile& o) { o.bytes[EI_VERSION] = 0; }, "found ELF version 0",
     "expected 1"},
    {"Type", [](ObjectFile& o) { o.GetHeader().e_type = 77; }, "found ELF type 77", "expected 3"},
    {"SegmentEntrySize", [](ObjectFile& o) { o.GetHeader().e_phentsize = 0; },
     "found program headers of 0 bytes", "expected 56"},
    {"NoSegments", [](ObjectFile& o) { o.GetHeader().e_phnum = 0; }, "damaged",
     "no program headers"},
    {"NoLoadSegments",
     [](ObjectFile& o) {
       // PT_DYNAMIC goes as well, or the dynamic section is what is missed first.
       for (int i = 0; i < 4; ++i) o.GetSegment(PT_LOAD).p_type = PT_NULL;
     },
     "damaged", "no segment to load"},
    {"SmallerInMemory", [](ObjectFile& o) { o.GetSegment(PT_LOAD).p_memsz = 1; },
     "bytes in the file", "but only 1 in memory"},
    {"AddressOverflow",
     [](ObjectFile& o) {
       o.GetSegment(PT_LOAD, 3).p_vaddr = ~std::uint64_t{0} - 0xfff;
       o.GetSegment(PT_LOAD, 3).p_memsz = 0x10000000;
     },
     "has 268435456 bytes from address 0xfffffffffffff000", "more than there are addresses"},
    {"Alignment", [](ObjectFile& o) { o.GetSegment(PT_LOAD).p_align = 3; }, "has the alignment 3",
     "expected a power of two"},
    {"Misaligned", [](ObjectFile& o) { o.GetSegment(PT_LOAD).p_vaddr = 8; }, "has the address 0x8",
     "does not allow"},
    {"Overlap", [](ObjectFile& o) { o.GetSegment(PT_LOAD, 1).p_vaddr = 0; }, "has the address 0x0",
     "below the end of the one before it"},
    {"DynamicAddress", [](ObjectFile& o) { o.GetSegment(PT_DYNAMIC).p_vaddr = 0x70000000; },
     "the address 0x70000000 of the dynamic section", "not mapped"},
    {"NoDynamicEnd",
     [](ObjectFile& o) { o.GetSegment(PT_DYNAMIC).p_filesz = 2 * sizeof(ElfW(Dyn)); },
     "no end (DT_NULL)", "within its 32 bytes"},
    {"NoStringTable", [](ObjectFile& o) { o.GetDynamicEntry(DT_STRTAB).d_tag = DT_DEBUG; },
     "no entry of type 5", "string or symbol table"},
    {"StringTable", [](ObjectFile& o) { o.GetDynamicEntry(DT_STRTAB).d_un.d_ptr = 0x70000000; },
     "DT_STRTAB) points outside the file", "at address 0x70000000"},
    {"SymbolTable", [](ObjectFile& o) { o.GetDynamicEntry(DT_SYMTAB).d_un.d_ptr = 0x70000000; },
     "DT_SYMTAB) points outside the file", "at address 0x70000000"},
    {"HashTable", [](ObjectFile& o) { o.GetDynamicEntry(DT_GNU_HASH).d_un.d_ptr = 0x70000000; },
     "DT_GNU_HASH) points outside the file", "at address 0x70000000"},
    {"Relocations", [](ObjectFile& o) { o.GetDynamicEntry(DT_RELASZ).d_un.d_val = 1U << 30U; },
     "DT_RELA) points outside the file", "found 1073741824 bytes"},
    {"InitArray", [](ObjectFile& o) { o.GetDynamicEntry(DT_INIT_ARRAY).d_un.d_ptr = 0x70000000; },
     "DT_INIT_ARRAY) points outside the file", "at address 0x70000000"},
    {"NeededName", [](ObjectFile& o) { o.GetDynamicEntry(DT_NEEDED).d_un.d_val = 0x1000000; },
     "names the text at 16777216", "behind the string table"},
    {"NoBuckets",
     [](ObjectFile& o) {
       // The first segment is mapped from its offset, so that the address is the offset.
       o.At<std::uint32_t>(o.GetDynamicEntry(DT_GNU_HASH).d_un.d_ptr) = 0;
     },
     "the symbol hash table", "do not fit into the file"},
    {"SymbolName",
     [](ObjectFile& o) {
       const std::uint64_t symbols = o.GetDynamicEntry(DT_SYMTAB).d_un.d_ptr;
       o.At<ElfW(Sym)>(symbols + sizeof(ElfW(Sym))).st_name = 0x1000000;
     },
     "the name of symbol 1", "behind the string table"},
    {"SectionCount",
     [](ObjectFile& o) {
       o.GetHeader().e_shnum = 0;
       o.At<ElfW(Shdr)>(o.GetHeader().e_shoff).sh_size = 1U << 31U;
     },
     "found 2147483648 section headers", "in a file of"},
};

INSTANTIATE_TEST_SUITE_P(Format, DamagedFormat, testing::ValuesIn(kDamages),
                         [](const testing::TestParamInfo<Damage>& row) {
                           return std::string(row.param.test_name);
                         });

}  // namespace
}  // namespace backplane::inspection
