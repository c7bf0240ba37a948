#include "files/search_path.hpp"

#include <boost/filesystem.hpp>

#include <unistd.h>

#include <utility>

namespace backplane::files {
namespace {

namespace fs = boost::filesystem;

constexpr std::string_view kOrigin = "$ORIGIN";

std::string ExpandOrigin(std::string_view element, const std::string& origin) {
  std::string path(element);
  const std::size_t position = path.find(kOrigin);
  if (position != std::string::npos) path.replace(position, kOrigin.size(), origin);
  return path;
}

Diagnostic WarnOfPath(DiagnosticCode code, const std::string& path, std::string what,
                      std::string why, std::string fix) {
  Diagnostic diagnostic{code};
  diagnostic.severity = Severity::kWarning;
  diagnostic.subject = {SubjectKind::kDirectory, path};
  diagnostic.what = std::move(what);
  diagnostic.why = std::move(why);
  diagnostic.fix = std::move(fix);
  return diagnostic;
}

}  // namespace

std::vector<std::string> SplitPathList(std::string_view list, const std::string& origin) {
  std::vector<std::string> paths;
  if (list.empty()) return paths;
  std::size_t begin = 0;
  while (true) {
    const std::size_t end = list.find(':', begin);
    paths.push_back(ExpandOrigin(list.substr(begin, end - begin), origin));
    if (end == std::string_view::npos) return paths;
    begin = end + 1;
  }
}

std::optional<Diagnostic> CheckSearchPath(const std::string& path) {
  if (path.empty()) {
    return WarnOfPath(DiagnosticCode::kSearchPathEmpty, path, "a search path is empty",
                      "expected an absolute directory", "remove it, or the colon too many");
  }
  if (path.front() != '/') {
    return WarnOfPath(DiagnosticCode::kSearchPathNotAbsolute, path,
                      "the search path \"" + path + "\" is relative",
                      "expected an absolute directory, so that it means the same from everywhere",
                      "give the path from the root on");
  }
  boost::system::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_not_found) {
    return WarnOfPath(DiagnosticCode::kSearchPathNotFound, path,
                      "the search path " + path + " does not exist", "expected a directory",
                      "create the directory, or correct the path");
  }
  if (status.type() != fs::status_error && status.type() != fs::directory_file) {
    return WarnOfPath(DiagnosticCode::kSearchPathNotDirectory, path,
                      "the search path " + path + " is not a directory",
                      "found another kind of file, expected a directory",
                      "give the directory that holds the backends");
  }
  if (error == boost::system::errc::too_many_symbolic_link_levels) {
    return WarnOfPath(
        DiagnosticCode::kSearchPathUnreadable, path,
        "the search path " + path + " leads through a loop of links",
        "found a link that leads back to itself, expected one that ends at a directory",
        "remove the link, or let it point to a directory");
  }
  if (status.type() == fs::status_error || ::access(path.c_str(), R_OK | X_OK) != 0) {
    if (!error) error.assign(errno, boost::system::system_category());
    return WarnOfPath(DiagnosticCode::kSearchPathUnreadable, path,
                      "the search path " + path + " cannot be read", error.message(),
                      "give uid " + std::to_string(::geteuid()) +
                          " the right to read and enter the directory and those above it");
  }
  return std::nullopt;
}

}  // namespace backplane::files
