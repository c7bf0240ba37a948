#pragma once

#include "discovery/file_stamp.hpp"

#include <string>

namespace backplane::verdicts {

/// Texts that are equal only as long as what they describe is the same.

/// A file or directory; that it is not there counts too.
std::string DescribeStamp(const std::string& path);
std::string DescribeStamp(const std::string& path, const discovery::FileStamp& stamp);

/// This library, and the machine since it was started: its processor, its kernel and its drivers.
std::string DescribeHost();

/// What decides which file the loader takes for a library.
std::string DescribeLoaderEnvironment();

}  // namespace backplane::verdicts
