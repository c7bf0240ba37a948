#pragma once

#include <backplane/host/diagnostic.hpp>

#include <string>

namespace backplane::test {

/// How the test of one folder ended.
struct Outcome {
  bool has_passed = false;
  /// Why not, in one line that is the same everywhere: "out of scope: control flow", "depends on
  /// data: ...", "not supported: ...", "different result: output y".
  std::string reason;
  std::string details;  // the whole message, for people
};

Outcome MakePassed();
/// `test` is the name of the folder: of some it is known why.
Outcome MakeDifferent(const std::string& test, const std::string& output,
                      const std::string& details);
/// `model` is the file whose import, or run, failed; what it holds tells whether it could ever
/// pass.
Outcome MakeFailed(const std::string& model, const Diagnostic& diagnostic);

}  // namespace backplane::test
