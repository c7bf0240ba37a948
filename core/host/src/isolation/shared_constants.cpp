#include "isolation/shared_constants.hpp"

#include <cstring>

namespace backplane::isolation {

SharedConstants ShareConstants(const std::vector<const ConstTensor*>& constants) {
  constexpr std::uint64_t kAlignmentBytes = 64;
  SharedConstants shared;
  std::uint64_t size_bytes = 0;
  for (const ConstTensor* const constant : constants) {
    auto& place = shared.places.emplace_back();
    if (constant == nullptr) continue;
    place = messages::ConstantPlace{constant->info, 0, size_bytes};
    const std::uint64_t whole = constant->info.GetSizeBytes() + kAlignmentBytes - 1;
    size_bytes += whole / kAlignmentBytes * kAlignmentBytes;
  }
  if (size_bytes == 0) return shared;
  shared.area = SharedArea::Make(size_bytes);
  for (std::size_t i = 0; i < constants.size(); ++i) {
    if (constants[i] == nullptr) continue;
    shared.places[i]->area = shared.area->GetId();
    const std::uint64_t bytes = constants[i]->info.GetSizeBytes();
    if (bytes == 0) continue;
    std::memcpy(shared.area->GetData() + shared.places[i]->offset_bytes, constants[i]->data, bytes);
  }
  shared.area->ForbidWritingByOthers();
  return shared;
}

}  // namespace backplane::isolation
