#include "results/result_file.hpp"

#include <backplane/host/diagnostic.hpp>

#include <cerrno>
#include <fstream>
#include <system_error>

namespace backplane::execute_network {

void WriteResultFile(const std::string& option, const std::string& what, const std::string& path,
                     const std::string& text) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text;
  file.close();
  if (file) return;
  throw DiagnosticException({DiagnosticCode::kOutputUnwritable,
                             Severity::kError,
                             {SubjectKind::kFile, path},
                             what + " cannot be written to " + path,
                             std::generic_category().message(errno),
                             "give another file with " + option,
                             {}});
}

}  // namespace backplane::execute_network
