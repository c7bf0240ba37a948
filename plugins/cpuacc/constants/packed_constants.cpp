#include "constants/packed_constants.hpp"

#include "library/engine.hpp"
#include "memory/aligned_memory.hpp"

#include <cstring>

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

std::shared_ptr<const void> PackedConstants::Pack(const GraphTensor& constant,
                                                  const dnnl::memory::desc& from,
                                                  const dnnl::memory::desc& to) {
  if (from == to) return Keep(constant);
  const std::lock_guard<std::mutex> lock(mutex_);
  std::vector<Packed>& known = packed_[constant.content.get()];
  for (const Packed& packed : known) {
    if (packed.from != from || packed.to != to) continue;
    if (std::shared_ptr<const void> kept = packed.content.lock()) return kept;
  }
  std::shared_ptr<const void> packed = Reorder(constant.content.get(), from, to);
  known.push_back({from, to, packed});
  return packed;
}

std::shared_ptr<const void> PackedConstants::Share(
    const std::vector<const void*>& contents, const std::string& purpose,
    const std::function<std::shared_ptr<const void>()>& make) {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::weak_ptr<const void>& known = shared_[{contents, purpose}];
  if (std::shared_ptr<const void> shared = known.lock()) return shared;
  std::shared_ptr<const void> made = make();
  known = made;
  return made;
}

std::shared_ptr<const void> PackedConstants::Keep(const GraphTensor& constant) {
  if (!constant.is_borrowed) return constant.content;
  const std::lock_guard<std::mutex> lock(mutex_);
  const std::uint64_t size_bytes = constant.info.GetSizeBytes();
  std::weak_ptr<const void>& known = kept_[{constant.content.get(), size_bytes}];
  if (std::shared_ptr<const void> kept = known.lock()) return kept;
  std::shared_ptr<void> copy = AllocateAligned(size_bytes);
  std::memcpy(copy.get(), constant.content.get(), size_bytes);
  known = copy;
  return copy;
}

}  // namespace cpuacc
}  // namespace backplane
