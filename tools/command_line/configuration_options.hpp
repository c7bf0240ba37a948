#pragma once

#include <backplane/host/configuration.hpp>

#include <string>

namespace CLI {
class App;
}

namespace backplane::command_line {

/// Adds --user.
void AddUserOption(CLI::App& app, UserBackends& user_backends);

/// A line for each variable that a command reads, for its help.
std::string DescribeVariables();

}  // namespace backplane::command_line
