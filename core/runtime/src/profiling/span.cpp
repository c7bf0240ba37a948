#include "profiling/span.hpp"

#include "profiling/clock.hpp"
#include "profiling/recorder.hpp"

#include <exception>
#include <string>
#include <utility>

namespace backplane::profiling {

struct Span::State {
  Recorder& recorder;
  Recorder::Record record;
  int num_exceptions;
};

Span::Span(Recorder* recorder, ProfileEventKind kind, std::string_view name,
           std::string_view detail) {
  if (recorder == nullptr) return;
  state_ = std::make_unique<State>(State{*recorder, {}, std::uncaught_exceptions()});
  state_->record.kind = kind;
  state_->record.name = name;
  if (!detail.empty()) state_->record.name += " \"" + std::string(detail) + "\"";
  state_->record.begin_ns = Now();
}

Span::~Span() {
  if (!state_) return;
  state_->record.end_ns = Now();
  state_->record.has_failed = std::uncaught_exceptions() > state_->num_exceptions;
  try {
    state_->recorder.Add(std::move(state_->record));
  } catch (const std::bad_alloc&) {
    // There is no memory to remember it in.
  }
}

}  // namespace backplane::profiling
