#include "lying_objects.hpp"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace backplane::fuzz {
namespace {

std::unique_ptr<const TableLies> lies;

struct Owned {
  std::mutex mutex;
  std::map<const void*, std::string> sorts;
};

Owned& GetOwned() {
  static Owned owned;
  return owned;
}

bp_status PickStatus(TableLie function) {
  constexpr bp_status kOthers[] = {12, 12345, -1, INT32_MIN, INT32_MAX};
  const std::uint32_t picked = GetLies().Choose(function, 2 * (11 + std::size(kOthers))) / 2;
  return picked < 11 ? static_cast<bp_status>(picked + 1) : kOthers[picked - 11];
}

bp_status Say(bp_status status, const bp_host* host, bp_error* error) {
  const TableLies& told = GetLies();
  if (told.Tells(TableLie::kNoFailure)) return host->fail(error, nullptr);
  const std::int64_t number = 5;
  const bp_named_value values[] = {{"found", {BP_VALUE_INT, 0, 1, &number}}};
  const Room<bp_named_value> room(values, std::size(values));
  bp_failure failure = MakeStruct<bp_failure>();
  failure.status = status;
  failure.text = "it cannot do that";
  failure.num_values = 1;
  failure.values = room.Get();
  told.ChangeSize(TableLie::kFailureSize, failure.size_bytes);
  told.Change(TableLie::kFailureStatus, failure.status);
  told.ChangeText(TableLie::kFailureText, failure.text);
  told.Change(TableLie::kFailureReason, failure.reason);
  told.Change(TableLie::kFailureCode, failure.vendor_code);
  told.Change(TableLie::kFailureNumValues, failure.num_values);
  told.Drop(TableLie::kFailureNullValues, failure.values);
  const Room<bp_failure> given(failure);
  return host->fail(error, given.Get());
}

}  // namespace

const TableLies& GetLies() {
  return *lies;
}

void SetLies(std::uint64_t seed) {
  lies = std::make_unique<const TableLies>(seed);
}

void Complain(const char* what, const char* sort) {
  const std::string text =
      std::string("the host ") + what + ": " + sort + " (" + GetLies().Describe() + ")\n";
  std::fputs(text.c_str(), stderr);
  // Nobody may look at how a process ends that is not needed any more.
  if (const char* const path = std::getenv("BACKPLANE_TABLE_COMPLAINTS")) {
    std::ofstream(path, std::ios::app) << text;
  }
  std::abort();
}

void Hand(const void* object, const char* sort) {
  Owned& owned = GetOwned();
  const std::lock_guard<std::mutex> lock(owned.mutex);
  owned.sorts[object] = sort;
}

void TakeBack(const void* object, const char* sort) {
  Owned& owned = GetOwned();
  const std::lock_guard<std::mutex> lock(owned.mutex);
  const auto at = owned.sorts.find(object);
  if (at == owned.sorts.end() || at->second != sort) {
    Complain("frees what it was not given", sort);
  }
  owned.sorts.erase(at);
}

void ExpectNothingLeft() {
  Owned& owned = GetOwned();
  const std::lock_guard<std::mutex> lock(owned.mutex);
  for (const auto& [object, sort] : owned.sorts) {
    if (sort != "instance") Complain("stops the backend before it frees", sort.c_str());
  }
}

bp_status Finish(TableLie function, const bp_host* host, bp_error* error) {
  const TableLies& told = GetLies();
  if (!told.Tells(function)) return BP_STATUS_SUCCESS;
  const bp_status status = PickStatus(function);
  const bool has_words = told.Choose(function, 2) == 0;
  if (has_words) static_cast<void>(Say(status, host, error));
  return told.Tells(TableLie::kFailureAndSuccess) ? BP_STATUS_SUCCESS : status;
}

}  // namespace backplane::fuzz
