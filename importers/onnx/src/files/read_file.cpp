#include "files/read_file.hpp"

#include "diagnostics/throw_diagnostic.hpp"

#include <backplane/host/system_refusal.hpp>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <limits>
#include <system_error>
#include <vector>

namespace backplane::onnx {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kMaxMessageBytes = std::numeric_limits<std::int32_t>::max();

std::vector<std::string> ListNames(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    names.push_back(entry->path().filename().string());
  }
  return names;
}

[[noreturn]] void ThrowNotFound(const fs::path& path, DiagnosticCode code) {
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  std::error_code error;
  if (!fs::is_directory(folder, error)) {
    ThrowError(code, {SubjectKind::kFile, path.string()}, path.string() + " does not exist",
               "there is no folder " + folder.string(), "give the path of an existing file");
  }
  const std::string nearest = FindNearestName(path.filename().string(), ListNames(folder));
  ThrowError(code, {SubjectKind::kFile, path.string()}, path.string() + " does not exist", "",
             nearest.empty() ? "give the path of an existing file"
                             : "did you mean " + (folder / nearest).string() + "?");
}

[[noreturn]] void ThrowUnreadable(
    const std::string& path, DiagnosticCode code, const std::string& why,
    const std::string& fix = "give a regular file that this user may read") {
  ThrowError(code, {SubjectKind::kFile, path}, path + " cannot be read", why, fix);
}

[[noreturn]] void ThrowUnopened(const std::string& path, DiagnosticCode code, int error) {
  const std::string why = std::strerror(error);
  const auto refusal = ExplainRefusal(error);
  if (!refusal) ThrowUnreadable(path, code, why);
  ThrowUnreadable(path, code, why + "; found: " + refusal->found, refusal->cure);
}

void CheckIsReadable(const std::string& path, DiagnosticCode code) {
  if (path.empty()) {
    ThrowError(code, {SubjectKind::kFile, path}, "the path of a file is empty",
               "found \"\"; expected the path of an existing file", "give the path of the file");
  }
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) ThrowNotFound(path, code);
  if (error) ThrowUnreadable(path, code, error.message());
  if (fs::is_directory(status)) ThrowUnreadable(path, code, "it is a directory");
  if (!fs::is_regular_file(status)) ThrowUnreadable(path, code, "it is not a regular file");
  const std::uintmax_t size_bytes = fs::file_size(path, error);
  if (!error && size_bytes > kMaxMessageBytes) {
    ThrowUnreadable(path, code,
                    "it has " + std::to_string(size_bytes) +
                        " bytes; a protobuf message has at "
                        "most " +
                        std::to_string(kMaxMessageBytes));
  }
}

}  // namespace

std::ifstream OpenFile(const std::string& path, DiagnosticCode code) {
  CheckIsReadable(path, code);
  std::ifstream stream(path, std::ios::binary);
  if (!stream) ThrowUnopened(path, code, errno);
  return stream;
}

std::string ReadFile(const std::string& path, DiagnosticCode code) {
  std::ifstream stream = OpenFile(path, code);
  std::string content((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  if (stream.bad()) ThrowUnreadable(path, code, "reading stopped with an error");
  return content;
}

}  // namespace backplane::onnx
