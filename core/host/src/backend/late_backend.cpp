#include <backplane/host/late_backend.hpp>
#include <backplane/host/logging.hpp>

#include <utility>

namespace backplane {

LateBackend::LateBackend(std::function<LateOutcome()> open,
                         std::optional<std::vector<OptionSchema>> options)
    : open_(std::move(open)), options_(std::move(options)) {}

LateBackend::~LateBackend() = default;

const BackendRegistration& LateBackend::Open() {
  std::call_once(once_, [this] {
    outcome_ = open_();
    open_ = nullptr;
    is_finished_.store(true, std::memory_order_release);
    if (outcome_.failure) Log("registration", LogLevel::kWarning, ToText(*outcome_.failure));
  });
  if (outcome_.failure) throw DiagnosticException(*outcome_.failure);
  return outcome_.registration;
}

const std::vector<OptionSchema>* LateBackend::GetKnownOptions() const {
  return options_ ? &*options_ : nullptr;
}

const LateOutcome* LateBackend::GetOutcome() const {
  return is_finished_.load(std::memory_order_acquire) ? &outcome_ : nullptr;
}

std::optional<LoadedContext> LateBackend::TakeContext() {
  if (GetOutcome() == nullptr || outcome_.failure || is_context_taken_.exchange(true)) {
    return std::nullopt;
  }
  return std::move(outcome_.context);
}

}  // namespace backplane
