#pragma once

#include <backplane/api/backend_options.hpp>

#include <string>

namespace backplane::backend {

/// Whether a value is of the schema's type, in its range, and among its strings.
bool IsAllowed(const OptionValue& value, const OptionSchema& schema);

/// "an int from 1 to 64", for messages.
std::string DescribeAllowed(const OptionSchema& schema);

}  // namespace backplane::backend
