#pragma once

#include <backplane/runtime/profiling.hpp>

#include <cstdint>
#include <memory>
#include <string_view>

namespace backplane::profiling {

class Recorder;

/// Something that lasts from its making to its end, on one thread. It has failed when it ends by an
/// exception. Does nothing without recorder.
class Span {
 public:
  /// The name is `name`, and behind it `detail` in quotation marks unless that is empty; both are
  /// copied.
  /// Null: nothing is measured.
  Span(Recorder* recorder, ProfileEventKind kind, std::string_view name,
       std::string_view detail = {});
  ~Span();
  Span(const Span&) = delete;
  Span& operator=(const Span&) = delete;

 private:
  struct State;
  std::unique_ptr<State> state_;  // null without recorder
};

}  // namespace backplane::profiling
