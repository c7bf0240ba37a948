#include "files/data_file.hpp"

#include <backplane/host/diagnostic.hpp>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>

namespace backplane::execute_network {
namespace {

namespace fs = std::filesystem;
using namespace std::string_view_literals;

// More than any network runs on; a sparse file may state any size.
constexpr std::uintmax_t kMaxFileBytes = std::uintmax_t{1} << 34U;

struct Mark {
  std::string_view bytes;
  DataFileKind kind;
};

// Images of kinds that are not read are recognised too, so that they are refused as images.
constexpr Mark kBeginnings[] = {
    {"\x93NUMPY"sv, DataFileKind::kArray},    {"\x89PNG"sv, DataFileKind::kImage},
    {"P1"sv, DataFileKind::kImage},           {"P2"sv, DataFileKind::kImage},
    {"P3"sv, DataFileKind::kImage},           {"P4"sv, DataFileKind::kImage},
    {"P5"sv, DataFileKind::kImage},           {"P6"sv, DataFileKind::kImage},
    {"\xFF\xD8\xFF"sv, DataFileKind::kImage},
};

constexpr Mark kEndings[] = {
    {".npy"sv, DataFileKind::kArray},  {".png"sv, DataFileKind::kImage},
    {".pgm"sv, DataFileKind::kImage},  {".ppm"sv, DataFileKind::kImage},
    {".pnm"sv, DataFileKind::kImage},  {".jpg"sv, DataFileKind::kImage},
    {".jpeg"sv, DataFileKind::kImage}, {".gif"sv, DataFileKind::kImage},
    {".bmp"sv, DataFileKind::kImage},  {".webp"sv, DataFileKind::kImage},
};

bool IsRegularFile(const std::string& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

std::string ReadBeginning(const std::string& path) {
  constexpr std::size_t kEnough = 8;
  char bytes[kEnough];
  std::ifstream stream(path, std::ios::binary);
  stream.read(bytes, kEnough);
  return {bytes, static_cast<std::size_t>(stream.gcount())};
}

}  // namespace

DataFileKind RecogniseDataFile(const std::string& path) {
  if (!IsRegularFile(path)) return DataFileKind::kTensorProto;
  const std::string beginning = ReadBeginning(path);
  for (const Mark& mark : kBeginnings) {
    if (beginning.compare(0, mark.bytes.size(), mark.bytes) == 0) return mark.kind;
  }
  const std::string ending = fs::path(path).extension().string();
  for (const Mark& mark : kEndings) {
    if (ending == mark.bytes) return mark.kind;
  }
  return DataFileKind::kTensorProto;
}

std::string ReadDataFile(const std::string& path) {
  const std::string fix = "give a regular file that this user may read";
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) ThrowUnreadable(path, "it does not exist", fix);
  if (!fs::is_regular_file(status)) {
    ThrowUnreadable(path, error ? error.message() : "it is not a regular file", fix);
  }
  const std::uintmax_t size_bytes = fs::file_size(path, error);
  if (error) ThrowUnreadable(path, error.message(), fix);
  if (size_bytes > kMaxFileBytes) {
    ThrowUnreadable(path,
                    "it has " + std::to_string(size_bytes) + " bytes; at most " +
                        std::to_string(kMaxFileBytes) + " are read",
                    "give a smaller file");
  }
  std::ifstream stream(path, std::ios::binary);
  std::string content(size_bytes, '\0');
  stream.read(content.data(), static_cast<std::streamsize>(size_bytes));
  if (!stream) ThrowUnreadable(path, "opening or reading it failed", fix);
  return content;
}

void ThrowUnreadable(const std::string& path, const std::string& why, const std::string& fix) {
  throw DiagnosticException({DiagnosticCode::kTensorFileUnreadable,
                             Severity::kError,
                             {SubjectKind::kFile, path},
                             path + " cannot be read",
                             why,
                             fix,
                             {}});
}

}  // namespace backplane::execute_network
