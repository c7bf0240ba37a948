#include "profiling/span.hpp"

#include "profiling/clock.hpp"
#include "profiling/recorder.hpp"

#include <exception>
#include <string>
#include <utility>

namespace backplane::profiling {

struct Span::State {
  Recorder& recorder;
  ProfileEvent event;
  int num_exceptions;
};

Span::Span(Recorder* recorder, ProfileEventKind kind, std::string_view name,
           std::string_view detail) {
  if (recorder == nullptr) return;
  state_ = std::make_unique<State>(State{*recorder, {}, std::uncaught_exceptions()});
  state_->event.kind = kind;
  state_->event.name = name;
  if (!detail.empty()) state_->event.name += " \"" + std::string(detail) + "\"";
  state_->event.begin_ns = Now();
}

Span::~Span() {
  if (!state_) return;
  state_->event.end_ns = Now();
  state_->event.has_failed = std::uncaught_exceptions() > state_->num_exceptions;
  try {
    state_->recorder.Add(std::move(state_->event));
  } catch (const std::bad_alloc&) {
    // There is no memory to remember it in.
  }
}

}  // namespace backplane::profiling
