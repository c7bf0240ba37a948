#include "graph/constant_content.hpp"

#include "tensors/host_memory.hpp"
#include "tensors/mapped_file.hpp"

#include <backplane/runtime/i_network.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <map>
#include <mutex>

namespace backplane {

namespace {

/// A content: its address, which nothing else has as long as its owner lives.
struct Place {
  std::weak_ptr<const void> owner;
  const void* address;
  std::uint64_t size_bytes;
};

struct ComparePlaces {
  bool operator()(const Place& a, const Place& b) const {
    if (a.owner.owner_before(b.owner)) return true;
    if (b.owner.owner_before(a.owner)) return false;
    if (a.address != b.address) return std::less<>()(a.address, b.address);
    return a.size_bytes < b.size_bytes;
  }
};

struct Numbers {
  std::mutex mutex;
  std::map<Place, std::uint64_t, ComparePlaces> of_places;
  std::uint64_t last = 0;
  std::size_t num_after_sweep = 0;
};

Numbers& GetNumbers() {
  static auto* const numbers = new Numbers;  // networks may outlive static objects
  return *numbers;
}

/// Forgets those that are gone, when there are twice as many as after the last time.
void Sweep(Numbers& numbers) {
  constexpr std::size_t kLeast = 1024;
  auto& places = numbers.of_places;
  if (places.size() < std::max(kLeast, 2 * numbers.num_after_sweep)) return;
  for (auto place = places.begin(); place != places.end();) {
    place = place->first.owner.expired() ? places.erase(place) : std::next(place);
  }
  numbers.num_after_sweep = places.size();
}

/// The deleter of content that lies in the pages of a file. It is there as long as anybody
/// remembers the content by a weak pointer, and the pages are not.
struct FilePages {
  void operator()(const void* /*data*/) { file.reset(); }
  std::shared_ptr<const MappedFile> file;
};

}  // namespace

void ReleasePages(const ConstantContent& content) {
  const auto* const pages = std::get_deleter<FilePages>(content.data);
  if (pages != nullptr) pages->file->ReleasePages();
}

std::uint64_t IdentifyContent(const std::shared_ptr<const void>& data, std::uint64_t size_bytes) {
  if (data.use_count() == 0) return 0;
  Numbers& numbers = GetNumbers();
  const std::lock_guard<std::mutex> lock(numbers.mutex);
  Sweep(numbers);
  const auto [place, is_new] =
      numbers.of_places.try_emplace({data, data.get(), size_bytes}, numbers.last + 1);
  if (is_new) ++numbers.last;
  return place->second;
}

std::shared_ptr<const void> MapConstantData(int file_descriptor, std::uint64_t offset_bytes,
                                            std::uint64_t size_bytes) {
  const auto file = std::make_shared<MappedFile>();
  const Status status = file->Map(file_descriptor, offset_bytes, size_bytes, MemoryAccess::kRead);
  if (status != Status::kSuccess) return nullptr;
  return std::shared_ptr<const void>(file->GetData(), FilePages{file});
}

std::shared_ptr<const void> CopyConstantData(const void* data, std::size_t size_bytes) {
  std::shared_ptr<void> copy = AllocateHostMemory(size_bytes);
  if (size_bytes != 0) std::memcpy(copy.get(), data, size_bytes);
  return copy;
}

}  // namespace backplane
