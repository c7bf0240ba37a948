#include "spawn/output_tail.hpp"

#include <algorithm>
#include <cerrno>

namespace backplane::spawn {
namespace {

constexpr std::size_t kMaxStartBytes = 512;
// The loader tells of every step of its own; some of it must fit beside what the plugin says.
constexpr std::size_t kMaxEndBytes = std::size_t{64} * 1024;

}  // namespace

void OutputTail::Drain() {
  // Bounded, because a process may write faster than this reads.
  constexpr int kMaxReads = 256;
  char buffer[4096];
  for (int i = 0; i < kMaxReads && pipe_.IsOpen(); ++i) {
    const ssize_t bytes = ::read(pipe_.Get(), buffer, sizeof(buffer));
    if (bytes < 0 && errno == EINTR) continue;
    if (bytes == 0 || (bytes < 0 && errno != EAGAIN)) pipe_ = wire::FileDescriptor();
    if (bytes <= 0) return;
    Keep({buffer, static_cast<std::size_t>(bytes)});
  }
}

void OutputTail::Keep(std::string_view bytes) {
  num_bytes_ += bytes.size();
  if (pass_on_) pass_on_(bytes);
  start_ += bytes.substr(0, kMaxStartBytes - std::min(start_.size(), kMaxStartBytes));
  end_ += bytes;
  if (end_.size() > 2 * kMaxEndBytes) DropBeginning();
}

void OutputTail::DropBeginning() {
  std::size_t dropped = end_.size() - kMaxEndBytes;
  const std::size_t line_end = end_.find('\n', dropped - 1);
  if (line_end != std::string::npos) dropped = line_end + 1;
  if (look_at_) look_at_(std::string_view(end_).substr(0, dropped));
  end_.erase(0, dropped);
}

}  // namespace backplane::spawn
