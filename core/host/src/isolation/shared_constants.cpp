#include "isolation/shared_constants.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace backplane::isolation {

SharedConstants ShareConstants(const std::vector<const ConstTensor*>& constants) {
  constexpr std::uint64_t kAlignmentBytes = 64;
  SharedConstants shared;
  std::vector<std::size_t> copied;
  std::uint64_t size_bytes = 0;
  for (const ConstTensor* const constant : constants) {
    auto& place = shared.places.emplace_back();
    if (constant == nullptr) continue;
    place = messages::ConstantPlace{
        constant->info, 0, size_bytes, {constant->identity[0], constant->identity[1]}};
    const std::uint64_t bytes = constant->info.GetSizeBytes();
    auto found = FindSharedPlace(constant->data, bytes);
    if (found && bytes != 0) {
      place->area = found->area->GetId();
      place->offset_bytes = found->offset_bytes;
      auto& areas = shared.areas;
      const bool is_new = std::find(areas.begin(), areas.end(), found->area) == areas.end();
      if (is_new) areas.push_back(std::move(found->area));
      continue;
    }
    size_bytes += (bytes + kAlignmentBytes - 1) / kAlignmentBytes * kAlignmentBytes;
    copied.push_back(shared.places.size() - 1);
  }
  if (size_bytes == 0) return shared;
  const std::shared_ptr<SharedArea> area = SharedArea::Make(size_bytes);
  for (const std::size_t i : copied) {
    shared.places[i]->area = area->GetId();
    const std::uint64_t bytes = constants[i]->info.GetSizeBytes();
    if (bytes == 0) continue;
    std::memcpy(area->GetData() + shared.places[i]->offset_bytes, constants[i]->data, bytes);
  }
  area->ForbidWritingByOthers();
  shared.areas.push_back(area);
  return shared;
}

}  // namespace backplane::isolation
