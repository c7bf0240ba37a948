#pragma once

#include <backplane/host/diagnostic.hpp>

#include <nlohmann/json.hpp>

#include <vector>

namespace backplane::execute_network {

/// Diagnostics with their causes, for every JSON that the command writes.
nlohmann::ordered_json MakeJson(const std::vector<Diagnostic>& diagnostics);

}  // namespace backplane::execute_network
