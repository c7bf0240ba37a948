#include "lies.hpp"

#include <cstring>
#include <iterator>

namespace backplane::fuzz {
namespace {

constexpr LieEvent kEvents[] = {
#define BACKPLANE_LIE(name, event) LieEvent::k##event,
#include "lies.def"
#undef BACKPLANE_LIE
};

// So that an execution is short.
constexpr std::size_t kMostLies = 16;
constexpr std::uint8_t kMostDelay = 64;

}  // namespace

LieScript DecodeScript(std::string_view bytes) {
  LieScript script;
  if (bytes.size() < sizeof(script.left_out)) return script;
  std::memcpy(&script.left_out, bytes.data(), sizeof(script.left_out));
  bytes.remove_prefix(sizeof(script.left_out));
  static_assert(sizeof(Lie) == 8);
  while (bytes.size() >= sizeof(Lie) && script.lies.size() < kMostLies) {
    Lie& lie = script.lies.emplace_back();
    std::memcpy(static_cast<void*>(&lie), bytes.data(), sizeof(Lie));
    lie.kind = static_cast<LieKind>(static_cast<std::uint8_t>(lie.kind) % std::size(kEvents));
    lie.delay %= kMostDelay;
    bytes.remove_prefix(sizeof(Lie));
  }
  return script;
}

std::string EncodeScript(const LieScript& script) {
  std::string bytes(sizeof(script.left_out), '\0');
  std::memcpy(bytes.data(), &script.left_out, sizeof(script.left_out));
  for (const Lie& lie : script.lies) {
    bytes.append(reinterpret_cast<const char*>(&lie), sizeof(lie));
  }
  return bytes;
}

std::optional<Lie> Lies::Take(LieEvent event, bool is_same) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (rest_.empty()) return std::nullopt;
  Lie& next = rest_.front();
  if (kEvents[static_cast<std::size_t>(next.kind)] != event) return std::nullopt;
  if (next.delay != 0) {
    if (!is_same) --next.delay;
    return std::nullopt;
  }
  const Lie lie = next;
  rest_.pop_front();
  ++num_told_;
  return lie;
}

void Lies::Stop() {
  const std::lock_guard<std::mutex> lock(mutex_);
  rest_.clear();
}

std::size_t Lies::GetNumTold() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return num_told_;
}

}  // namespace backplane::fuzz
