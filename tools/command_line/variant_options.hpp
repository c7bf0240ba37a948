#pragma once

#include <backplane/host/scan.hpp>

#include <vector>

namespace CLI {
class App;
}

namespace backplane::command_line {

/// Adds --variant. Relative paths become absolute.
void AddVariantOptions(CLI::App& app, std::vector<VariantPin>& pins);

}  // namespace backplane::command_line
