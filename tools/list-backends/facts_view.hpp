#pragma once

#include "command_line/terminal.hpp"

#include <backplane/host/file_facts.hpp>

#include <string>

namespace backplane::list_backends {

/// What is known about a file, a fact on a line, and the libraries that it needs as a tree.
std::string ShowFacts(const FileFacts& facts, const command_line::Terminal& terminal);

}  // namespace backplane::list_backends
