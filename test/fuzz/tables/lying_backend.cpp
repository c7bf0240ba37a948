// A backend whose table lies, as the variable BACKPLANE_TABLE_LIES, a seed, says.

#include "lying_functions.hpp"

#include <backplane/c/backend.h>

#include <cstdlib>

namespace {

const backplane::fuzz::TableLies& ReadLies() {
  static const bool is_read = [] {
    const char* const seed = std::getenv("BACKPLANE_TABLE_LIES");
    if (seed == nullptr) std::abort();
    backplane::fuzz::SetLies(std::strtoull(seed, nullptr, 10));
    return true;
  }();
  static_cast<void>(is_read);
  return backplane::fuzz::GetLies();
}

}  // namespace

using backplane::fuzz::TableLie;

const char* GetBackendId() {
  const char* id = "Lying";
  ReadLies().ChangeText(TableLie::kEntryId, id);
  return id;
}

void GetVersion(std::uint32_t* major, std::uint32_t* minor) {
  *major = BP_API_MAJOR;
  *minor = BP_NEEDS_MINOR;
  ReadLies().Change(TableLie::kEntryVersion, *minor);
}

void* BackendFactory() {
  static_cast<void>(ReadLies());
  static const bp_backend* const table = backplane::fuzz::MakeLyingTable();
  return const_cast<bp_backend*>(table);
}
