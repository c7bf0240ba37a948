#include "harness/shared_record.hpp"

#include <nlohmann/json.hpp>

#include <sys/mman.h>

#include <new>
#include <sstream>

namespace backplane::check_backend {

std::shared_ptr<SharedRecord> MapSharedRecord() {
  auto* const mapped = spawn::MapShared<SharedRecord>();
  if (mapped == nullptr) throw std::bad_alloc();
  return {mapped, [](SharedRecord* record) { munmap(record, sizeof(SharedRecord)); }};
}

std::string ToLine(const Finding& finding) {
  const nlohmann::json line = {{"case", finding.case_index},
                               {"done", finding.done},
                               {"seen", finding.seen},
                               {"expected", finding.expected}};
  return line.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace) + '\n';
}

std::vector<Finding> ReadFindings(const std::string& lines) {
  std::vector<Finding> findings;
  std::istringstream stream(lines);
  for (std::string line; std::getline(stream, line);) {
    const auto read = nlohmann::json::parse(line, nullptr, false);
    if (!read.is_object()) continue;  // the process died while it was written, or it was cut
    findings.push_back({read.value("case", std::uint64_t{0}), read.value("done", ""),
                        read.value("seen", ""), read.value("expected", "")});
  }
  return findings;
}

}  // namespace backplane::check_backend
