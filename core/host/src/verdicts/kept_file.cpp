#include "verdicts/kept_file.hpp"

#include <backplane/host/own_files.hpp>

#include <cstdint>

namespace backplane::verdicts {
namespace {

constexpr std::uint64_t kMaxBytes = std::uint64_t{16} << 20U;

}  // namespace

std::optional<std::string> ReadKeptFile(const std::string& path) {
  const OwnFile file = ReadOwnFile(path, kMaxBytes);
  if (!file.exists || !file.fault.empty()) return std::nullopt;
  return std::string(file.content.begin(), file.content.end());
}

void ReplaceKeptFile(const std::string& path, const std::string& text) {
  ReplaceOwnFile(path, text.data(), text.size());
}

}  // namespace backplane::verdicts
