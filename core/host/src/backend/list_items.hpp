// How a backend lists what it has of one sort.
#pragma once

#include "backend/given.hpp"
#include "backend/host_table.hpp"
#include "backend/instance.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace backplane::backend {

/// Calls `take` with each item, a struct of the type that its number stands for. A backend that
/// does not know the number has no such items.
/// Errors: DiagnosticException, also for more than kMostItems.
template <typename Item, typename Take>
void ListItems(const Instance& instance, std::uint32_t item, const Scope& scope,
               const char* function, const Take& take) {
  if (instance->describe == nullptr) return;
  bp_sink sink;
  sink.item = item;
  std::size_t count = 0;
  sink.take = [&](const void* content) {
    if (++count > kMostItems) return Status::kInvalidArgument;
    take(*static_cast<const Item*>(content));
    return Status::kSuccess;
  };
  auto args = c_form::Make<bp_describe_args>();
  args.item = item;
  args.scope = scope.Get();
  bp_error error;
  bp_status status = instance->describe(instance.Get(), &args, &sink, &error);
  if (count > kMostItems) {
    status = Fail(&error, Status::kFailure,
                  "it lists more than " + std::to_string(kMostItems) + " items of one sort");
  }
  if (status != BP_STATUS_UNSUPPORTED || count > 0) instance.Require(function, status, error);
}

}  // namespace backplane::backend
