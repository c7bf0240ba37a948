#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace backplane::fuzz {

/// When a lie can be told.
enum class LieEvent { kAnswer, kQuestion, kRun };

enum class LieKind : std::uint8_t {
#define BACKPLANE_LIE(name, event) k##name,
#include "lies.def"
#undef BACKPLANE_LIE
};

struct Lie {
  LieKind kind = LieKind::kChangeByte;
  std::uint8_t delay = 0;  // so many events are let go by
  std::uint16_t place = 0;
  std::uint32_t value = 0;
};

/// What is done in one execution: bits of what the host leaves out, and the lies that it is told.
struct LieScript {
  std::uint32_t left_out = 0;
  std::vector<Lie> lies;
};

/// Whatever bytes there are, they are a script.
LieScript DecodeScript(std::string_view bytes);
std::string EncodeScript(const LieScript& script);

/// The lies that are still to be told, in their order.
///
/// Threads: any.
class Lies {
 public:
  explicit Lies(const std::vector<Lie>& lies) : rest_(lies.begin(), lies.end()) {}

  /// One that is told at this event. Nothing: the next one is not. Called again for the same event,
  /// with `is_same`, until there is nothing.
  std::optional<Lie> Take(LieEvent event, bool is_same = false);
  void Stop();
  std::size_t GetNumTold() const;

 private:
  mutable std::mutex mutex_;
  std::deque<Lie> rest_;
  std::size_t num_told_ = 0;
};

}  // namespace backplane::fuzz
