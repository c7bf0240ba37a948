#pragma once

#include <backplane/host/diagnostic.hpp>

#include <functional>
#include <string>
#include <vector>

namespace backplane::execute_network::test {

/// Fails the test unless the call throws a diagnostic with this code, something to do, and all of
/// these words.
void ExpectRefusal(const std::function<void()>& call, DiagnosticCode code,
                   const std::vector<std::string>& words);

/// What the file of ExpectUnreadable is named.
inline const std::string kPath = "the/file";

void ExpectUnreadable(const std::function<void()>& call, const std::vector<std::string>& words);

}  // namespace backplane::execute_network::test
