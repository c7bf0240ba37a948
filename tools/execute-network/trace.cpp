#include "trace.hpp"

#include <backplane/host/diagnostic.hpp>

#include <cerrno>
#include <fstream>
#include <system_error>

namespace backplane::execute_network {

void WriteTrace(const std::string& path, const Profile& profile) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << ToChromeTrace(profile);
  file.close();
  if (file) return;
  throw DiagnosticException({DiagnosticCode::kOutputUnwritable,
                             Severity::kError,
                             {SubjectKind::kFile, path},
                             "the trace cannot be written to " + path,
                             std::generic_category().message(errno),
                             "give another --trace",
                             {}});
}

}  // namespace backplane::execute_network
