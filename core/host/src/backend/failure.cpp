#include "backend/failure.hpp"

#include "backend/given.hpp"

#include <backplane/host/host_call.hpp>
#include <backplane/host/plugin_object.hpp>

#include <utility>

namespace backplane::backend {
namespace {

[[noreturn]] void Throw(const std::string& backend_id, const char* function, bp_status status,
                        const bp_error& error) {
  const auto code = static_cast<Status>(status);
  plugin_call::SaidFailure said{code, "", UnavailabilityReason::kOther};
  if (error.said) {
    said.text = error.said->text;
    said.reason = static_cast<UnavailabilityReason>(error.said->reason);
    if (error.said->vendor_code != 0) {
      said.text += " (the vendor's code is " + std::to_string(error.said->vendor_code) + ")";
    }
  }
  Diagnostic diagnostic = plugin_call::DescribeFailure(backend_id, function, said);
  throw plugin_call::SaidException(std::move(diagnostic), std::move(said));
}

}  // namespace

bool IsFault(bp_status status) {
  return status == BP_STATUS_FAILURE || status == BP_STATUS_OUT_OF_MEMORY ||
         status == BP_STATUS_UNAVAILABLE || status == BP_STATUS_DEVICE_LOST;
}

Status Answer(const std::string& backend_id, const char* function, bp_status status,
              const bp_error& error) {
  if (IsFault(status) && error.said) Throw(backend_id, function, status, error);
  return static_cast<Status>(status);
}

void Require(const std::string& backend_id, const char* function, bp_status status,
             const bp_error& error) {
  if (status != BP_STATUS_SUCCESS) Throw(backend_id, function, status, error);
}

bp_status Fail(bp_error* error, const bp_failure* failure) noexcept {
  if (failure == nullptr) return BP_STATUS_FAILURE;
  auto from = c_form::Make<bp_failure>();
  from.status = BP_STATUS_FAILURE;
  from.text = "a failure in a struct that ends within a field";
  if (failure->size_bytes % alignof(bp_failure) == 0) from = c_form::CopyKnown(*failure);
  if (error == nullptr) return from.status;
  static_cast<void>(AnswerPlugin([&] {
    auto said = std::make_unique<bp_error::Said>();
    said->text = from.text != nullptr ? plugin_call::CutText(from.text) : "nothing";
    said->reason = from.reason;
    said->vendor_code = from.vendor_code;
    error->said = std::move(said);
    RequireList(from.values, from.num_values, "the list of values of a failure");
    for (std::uint32_t i = 0; i < from.num_values; ++i) {
      error->said->values.push_back(ReadOption(from.values[i]));
    }
    return Status::kSuccess;
  }));
  return from.status;
}

bp_status Fail(bp_error* error, Status status, const std::string& text) noexcept {
  auto failure = c_form::Make<bp_failure>();
  failure.status = c_form::ToC(status);
  failure.text = text.c_str();
  return Fail(error, &failure);
}

}  // namespace backplane::backend
