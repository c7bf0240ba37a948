#pragma once

#include <backplane/host/diagnostic.hpp>

#include <string>
#include <vector>

namespace backplane::execute_network {

/// One JSON object with "schema": 1, the model, and why it could not be loaded, placed or run.
std::string MakeFailureJson(const std::string& model, const std::vector<Diagnostic>& diagnostics);

}  // namespace backplane::execute_network
