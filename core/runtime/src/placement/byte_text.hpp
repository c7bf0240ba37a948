#pragma once

#include <cstdint>
#include <string>

namespace backplane {

/// The exact number, and from 10 KiB on a rounded one beside it: "3136", "602112 (588 KiB)".
std::string DescribeByteCount(std::uint64_t bytes);

/// The same as a phrase: "1 byte", "3136 bytes", "602112 bytes (588 KiB)".
std::string DescribeBytes(std::uint64_t bytes);

}  // namespace backplane
