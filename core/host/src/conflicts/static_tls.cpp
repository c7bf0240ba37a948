#include "conflicts/static_tls.hpp"

#include "backend/shared_library.hpp"
#include "inspection/loader_settings.hpp"
#include "libraries/loaded_libraries.hpp"

#include <algorithm>

namespace backplane::conflicts {
namespace {

/// The C library keeps this free beside what can be set: for itself and the compiler's libraries,
/// in each of the four namespaces that a process can have.
constexpr std::uint64_t kFixedBytes = 1152;

}  // namespace

bool StaticTlsReserve::Take(const StaticTls& tls) {
  if (tls.size_bytes > free_bytes_) return false;
  const std::uint64_t rest_bytes = free_bytes_ - tls.size_bytes;
  free_bytes_ = rest_bytes - rest_bytes % std::max<std::uint64_t>(tls.alignment, 1);
  return true;
}

StaticTlsReserve StaticTlsReserve::OfNewProcess() {
  return StaticTlsReserve(kFixedBytes + inspection::GetOptionalStaticTlsBytes());
}

StaticTlsReserve StaticTlsReserve::OfThisProcess() {
  const auto all_bytes = backend::FindStaticTlsBytes();
  if (!all_bytes) return OfNewProcess();
  const libraries::LoadedTls loaded = libraries::ReadLoadedTls(*all_bytes);
  if (loaded.static_bytes == 0) return OfNewProcess();
  StaticTlsReserve reserve(*all_bytes - loaded.static_bytes);
  for (const libraries::LoadedTls::Block& block : loaded.later) {
    reserve.Take({block.size_bytes, block.alignment});
  }
  return reserve;
}

}  // namespace backplane::conflicts
