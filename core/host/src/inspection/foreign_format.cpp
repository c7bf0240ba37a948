#include "inspection/foreign_format.hpp"

#include <algorithm>
#include <cstdio>

namespace backplane::inspection {
namespace {

using namespace std::string_view_literals;

constexpr const char* kGetTheLibrary = "put the shared object itself here";
constexpr const char* kGetLinuxBuild = "get a build of this backend for Linux";
constexpr const char* kUnpack = "unpack it and put the shared object here";
constexpr const char* kDownloadAgain = "download the file again; the server sent a page instead";
constexpr const char* kInstallPackage =
    "install the package with `apt install`, or unpack it with `dpkg-deb -x`, and put the shared "
    "object here";
constexpr const char* kInstallRpm =
    "install the package with `dnf install`, or unpack it with `rpm2cpio` and `cpio -id`, and put "
    "the shared object here";
constexpr const char* kLinkShared = "link it into a shared object with -shared";

struct Signature {
  std::string_view beginning;
  const char* name;
  const char* fix;
};

constexpr Signature kSignatures[] = {
    {"version https://git-lfs.github.com/spec/"sv, "a Git LFS pointer",
     "run `git lfs pull` in the repository that it comes from"},
    {"!<arch>\ndebian-binary"sv, "a Debian package (.deb)", kInstallPackage},
    {"\xed\xab\xee\xdb"sv, "an RPM package", kInstallRpm},
    {"!<arch>\n"sv, "a static library (.a)", kLinkShared},
    {"!<thin>\n"sv, "a thin static library (.a)", kLinkShared},
    {"BC\xc0\xde"sv, "LLVM bitcode", kLinkShared},
    {"MZ"sv, "a Windows DLL or program (PE)", kGetLinuxBuild},
    {"\xfe\xed\xfa\xce"sv, "a macOS library or program (Mach-O)", kGetLinuxBuild},
    {"\xfe\xed\xfa\xcf"sv, "a macOS library or program (Mach-O)", kGetLinuxBuild},
    {"\xce\xfa\xed\xfe"sv, "a macOS library or program (Mach-O)", kGetLinuxBuild},
    {"\xcf\xfa\xed\xfe"sv, "a macOS library or program (Mach-O)", kGetLinuxBuild},
    {"\xca\xfe\xba\xbe"sv, "a macOS universal binary (Mach-O)", kGetLinuxBuild},
    {"#!"sv, "a script", kGetTheLibrary},
    {"PK\x03\x04"sv, "a zip archive, as a Python wheel (.whl) is one", kUnpack},
    {"\x1f\x8b"sv, "a gzip file", kUnpack},
    {"BZh"sv, "a bzip2 file", kUnpack},
    {"7z\xbc\xaf\x27\x1c"sv, "a 7z archive", kUnpack},
    {"\xfd"
     "7zXZ"sv,
     "an xz file", kUnpack},
    {"\x28\xb5\x2f\xfd"sv, "a zstd file", kUnpack},
    {"<!DOCTYPE"sv, "an HTML page", kDownloadAgain},
    {"<!doctype"sv, "an HTML page", kDownloadAgain},
    {"<html"sv, "an HTML page", kDownloadAgain},
    {"/* GNU ld script"sv, "a linker script", "put the library that it names here"},
};

constexpr std::string_view kLinkerCommands[] = {"INPUT("sv,  "INPUT ("sv,        "GROUP("sv,
                                                "GROUP ("sv, "OUTPUT_FORMAT("sv, "SEARCH_DIR("sv};

bool IsTextByte(char byte) {
  const auto value = static_cast<unsigned char>(byte);
  return value >= 0x20 ? value != 0x7f : byte == '\n' || byte == '\r' || byte == '\t';
}

// The header of a tar archive says so behind the name of its first file.
bool IsTar(std::string_view beginning) {
  constexpr std::size_t kMagicOffset = 257;
  return beginning.size() > kMagicOffset && beginning.substr(kMagicOffset, 5) == "ustar";
}

std::string DescribeBytes(std::string_view beginning) {
  std::string text = "binary data that begins with";
  for (const char byte : beginning.substr(0, 4)) {
    char hex[4];
    std::snprintf(hex, sizeof(hex), " %02x", static_cast<unsigned char>(byte));
    text += hex;
  }
  return text;
}

}  // namespace

ForeignFormat RecogniseForeignFormat(std::string_view beginning) {
  for (const Signature& row : kSignatures) {
    if (beginning.substr(0, row.beginning.size()) == row.beginning) return {row.name, row.fix};
  }
  if (IsTar(beginning)) return {"a tar archive", kUnpack};
  if (!std::all_of(beginning.begin(), beginning.end(), IsTextByte)) {
    return {DescribeBytes(beginning), kGetTheLibrary};
  }
  for (const std::string_view command : kLinkerCommands) {
    if (beginning.find(command) != std::string_view::npos) {
      return {"a linker script", "put the library that it names here"};
    }
  }
  return {"text", kGetTheLibrary};
}

}  // namespace backplane::inspection
