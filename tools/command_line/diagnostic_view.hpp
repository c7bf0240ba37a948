#pragma once

#include "command_line/terminal.hpp"

#include <backplane/host/diagnostic.hpp>

#include <cstddef>
#include <string>

namespace backplane::command_line {

/// A diagnostic as lines: "error BP3004: what", and indented below it why, fix and causes.
std::string ShowDiagnostic(const Terminal& terminal, std::size_t indent,
                           const Diagnostic& diagnostic);

/// Only its first line.
std::string ShowDiagnosticLine(const Terminal& terminal, std::size_t indent,
                               const Diagnostic& diagnostic);

/// Whether an output has diagnostics.
enum class ShownDiagnostics { kNone, kSome };

/// The line below an output that says where the codes in it are described; "" when it has none.
std::string ShowDiagnosticsPage(ShownDiagnostics shown);

}  // namespace backplane::command_line
