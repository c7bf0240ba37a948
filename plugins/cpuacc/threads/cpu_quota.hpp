#pragma once

/// What containers allow of the processors that they see.

#include <functional>
#include <optional>
#include <string>

namespace backplane {
namespace cpuacc {

/// The content of a file; empty when there is none.
using FileReader = std::function<std::string(const std::string& path)>;

/// How many processors the control groups of this process, of version 1 or 2, let it use on
/// average; nothing when they set no limit.
std::optional<double> FindCpuQuota(const FileReader& read);

}  // namespace cpuacc
}  // namespace backplane
