#include "inspection/foreign_format.hpp"

#include "object_file.hpp"

#include <gtest/gtest.h>

#include <ostream>

namespace backplane::inspection {
namespace {

struct ForeignCase {
  const char* test_name;
  std::string bytes;
  const char* looks_like;
  const char* fix;
};

void PrintTo(const ForeignCase& foreign, std::ostream* stream) {
  *stream << foreign.test_name;
}

class ForeignFormatCases : public testing::TestWithParam<ForeignCase> {};

TEST_P(ForeignFormatCases, AreNamedWithTheirFix) {
  const ForeignCase& row = GetParam();
  const InspectedFile file = InspectBytes(row.bytes);
  ASSERT_EQ(file.stages.size(), 1U);
  const Diagnostic diagnostic =
      ExpectOne(GetDiagnosticsOf(file, Stage::kFormat), DiagnosticCode::kNotElf, "/x/libx.so",
                std::string("libx.so is not an ELF file: it looks like ") + row.looks_like,
                "of " + std::to_string(row.bytes.size()) + " bytes, expected an ELF shared object");
  EXPECT_EQ(diagnostic.fix, row.fix);
}

INSTANTIATE_TEST_SUITE_P(
    ForeignFormat, ForeignFormatCases,
    testing::Values(
        ForeignCase{"GitLfsPointer",
                    "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n",
                    "a Git LFS pointer", "run `git lfs pull` in the repository that it comes from"},
        ForeignCase{"StaticLibrary", "!<arch>\nfoo.o/ 0 0 0 644 8 `\n", "a static library (.a)",
                    "link it into a shared object with -shared"},
        ForeignCase{"ThinLibrary", "!<thin>\nfoo.o/ 0 0 0 644 8 `\n", "a thin static library (.a)",
                    "link it into a shared object with -shared"},
        ForeignCase{"WindowsDll", std::string("MZ\x90\x00\x03", 5), "a Windows DLL or program (PE)",
                    "get a build of this backend for Linux"},
        ForeignCase{"MachO", std::string("\xcf\xfa\xed\xfe\x07\x00\x00\x01", 8),
                    "a macOS library or program (Mach-O)", "get a build of this backend for Linux"},
        ForeignCase{"Bitcode", std::string("BC\xc0\xde\x35\x14", 6), "LLVM bitcode",
                    "link it into a shared object with -shared"},
        ForeignCase{"Script", "#!/bin/sh\nexit 0\n", "a script",
                    "put the shared object itself here"},
        ForeignCase{"Zip", std::string("PK\x03\x04\x14\x00", 6), "a zip archive",
                    "unpack it and put the shared object here"},
        ForeignCase{"DebianPackage", "!<arch>\ndebian-binary   1", "a Debian package (.deb)",
                    "install the package with `apt install`, or unpack it with `dpkg-deb -x`, and "
                    "put the shared object here"},
        ForeignCase{"Rpm", "\xed\xab\xee\xdb\x03", "an RPM package",
                    "install the package with `dnf install`, or unpack it with `rpm2cpio` and "
                    "`cpio -id`, and put the shared object here"},
        ForeignCase{"Tar", std::string(257, 'a') + "ustar  ", "a tar archive",
                    "unpack it and put the shared object here"},
        ForeignCase{"Bzip2", "BZh91AY", "a bzip2 file", "unpack it and put the shared object here"},
        ForeignCase{"SevenZip", "7z\xbc\xaf\x27\x1c", "a 7z archive",
                    "unpack it and put the shared object here"},
        ForeignCase{"Gzip", std::string("\x1f\x8b\x08\x00", 4), "a gzip file",
                    "unpack it and put the shared object here"},
        ForeignCase{"HtmlPage", "<!DOCTYPE html><html><title>404</title></html>", "an HTML page",
                    "download the file again; the server sent a page instead"},
        ForeignCase{"LinkerScriptWithComment", "/* GNU ld script\n*/\nGROUP ( libc.so.6 )\n",
                    "a linker script", "put the library that it names here"},
        ForeignCase{"LinkerScript", "INPUT(libfoo.so)\n", "a linker script",
                    "put the library that it names here"},
        ForeignCase{"Text", "not an ELF file\n", "text", "put the shared object itself here"},
        ForeignCase{"Binary", std::string("\x00\x01\x02\xff more", 9),
                    "binary data that begins with 00 01 02 ff",
                    "put the shared object itself here"}),
    [](const testing::TestParamInfo<ForeignCase>& row) { return row.param.test_name; });

}  // namespace
}  // namespace backplane::inspection
