#pragma once

#include <backplane/runtime/checks.hpp>

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace backplane::execute_network {

/// What was checked and found, for people: a line each. The log has more of each finding.
std::vector<std::string> DescribeChecks(const std::vector<CheckReport>& reports);

/// null when nothing was checked.
nlohmann::ordered_json MakeChecksJson(const std::vector<CheckReport>& reports);

}  // namespace backplane::execute_network
