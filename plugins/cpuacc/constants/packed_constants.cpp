#include "constants/packed_constants.hpp"

#include "library/engine.hpp"
#include "memory/aligned_memory.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace backplane {
namespace cpuacc {
namespace {

std::shared_ptr<const void> Reorder(const void* content, const dnnl::memory::desc& from,
                                    const dnnl::memory::desc& to) {
  std::shared_ptr<void> packed = AllocateAligned(to.get_size());
  dnnl::memory source(from, GetEngine(), const_cast<void*>(content));
  dnnl::memory target(to, GetEngine(), packed.get());
  dnnl::stream stream(GetEngine());
  dnnl::reorder(source, target).execute(stream, source, target);
  stream.wait();
  return packed;
}

}  // namespace

PackedConstants::Content PackedConstants::Pack(const GraphTensor& constant,
                                               const dnnl::memory::desc& from,
                                               const dnnl::memory::desc& to) {
  if (from == to) return Keep(constant);
  const Content& content = constant.content;
  const Content packed =
      table_->Find(content, from, to, [&] { return Reorder(content.get(), from, to); });
  if (on_packed_) on_packed_(content);
  const std::lock_guard<std::mutex> lock(mutex_);
  Note(packed, GetAllocatedBytes(packed));
  return packed;
}

PackedConstants::Content PackedConstants::Share(const std::vector<Content>& contents,
                                                const std::string& purpose,
                                                const std::function<Content()>& make) {
  const Content shared = table_->Find(contents, purpose, make);
  if (on_packed_) std::for_each(contents.begin(), contents.end(), on_packed_);
  const std::lock_guard<std::mutex> lock(mutex_);
  Note(shared, GetAllocatedBytes(shared));
  return shared;
}

PackedConstants::Content PackedConstants::Keep(const GraphTensor& constant) {
  const std::lock_guard<std::mutex> lock(mutex_);
  Note(constant.content, constant.info.GetSizeBytes());
  return constant.content;
}

void PackedConstants::Note(const Content& content, std::uint64_t size_bytes) {
  Sweep();
  Held& held = held_[content.get()];
  // Views of different extents may begin at the same address.
  if (!held.content.expired()) size_bytes = std::max(size_bytes, held.size_bytes);
  held = {content, size_bytes};
}

void PackedConstants::Sweep() {
  constexpr std::size_t kFewest = 64;
  if (held_.size() < 2 * num_after_sweep_ + kFewest) return;
  for (auto held = held_.begin(); held != held_.end();) {
    held = held->second.content.expired() ? held_.erase(held) : std::next(held);
  }
  num_after_sweep_ = held_.size();
}

std::uint64_t PackedConstants::CountBytes() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::uint64_t bytes = 0;
  for (const auto& [address, held] : held_) {
    if (!held.content.expired()) bytes += held.size_bytes;
  }
  return bytes;
}

}  // namespace cpuacc
}  // namespace backplane
