#include "constants/packed_constants.hpp"

#include "library/engine.hpp"
#include "memory/aligned_memory.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace backplane {
namespace cpuacc {
namespace {

void Reorder(const void* content, const dnnl::memory::desc& from, void* packed,
             const dnnl::memory::desc& to) {
  dnnl::memory source(from, GetEngine(), const_cast<void*>(content));
  dnnl::memory target(to, GetEngine(), packed);
  dnnl::stream stream(GetEngine());
  dnnl::reorder(source, target).execute(stream, source, target);
  stream.wait();
}

/// A range of one axis that can be reordered by itself.
struct Pieces {
  std::size_t axis = 0;
  std::int64_t step = 0;  // 0: it is reordered as a whole
};

/// In pieces of some 0.1 ms each, along the first axis that has several blocks.
Pieces FindPieces(const dnnl::memory::desc& from, const dnnl::memory::desc& to) {
  constexpr std::int64_t kPieceBytes = 1 << 20;
  const dnnl_blocking_desc_t& blocks = to.data.format_desc.blocking;
  const auto is_plain = [](const dnnl::memory::desc& desc) {
    return desc.data.format_kind == dnnl_blocked && desc.data.extra.flags == 0 &&
           std::equal(desc.data.dims, desc.data.dims + desc.data.ndims, desc.data.padded_dims);
  };
  if (!is_plain(from) || !is_plain(to)) return {};
  for (int axis = 0; axis < to.data.ndims; ++axis) {
    std::int64_t block = 1;
    for (int i = 0; i < blocks.inner_nblks; ++i) {
      if (blocks.inner_idxs[i] == axis) block *= blocks.inner_blks[i];
    }
    const std::int64_t num_blocks = to.data.dims[axis] / block;
    if (num_blocks <= 1) continue;
    const std::int64_t block_bytes = static_cast<std::int64_t>(to.get_size()) / num_blocks;
    const std::int64_t blocks_of_piece = kPieceBytes / block_bytes + 1;
    if (blocks_of_piece >= num_blocks) return {};
    return {static_cast<std::size_t>(axis), blocks_of_piece * block};
  }
  return {};
}

/// Errors: Threads::RequireTime.
std::shared_ptr<const void> Reorder(const void* content, const dnnl::memory::desc& from,
                                    const dnnl::memory::desc& to, const Threads& threads) {
  std::shared_ptr<void> packed = AllocateAligned(to.get_size());
  const Pieces pieces = threads.MayBeStopped() ? FindPieces(from, to) : Pieces();
  if (pieces.step == 0) {
    Reorder(content, from, packed.get(), to);
    return packed;
  }
  dnnl::memory::dims extents = to.dims();
  dnnl::memory::dims begin(extents.size());
  const std::int64_t end = extents[pieces.axis];
  for (std::int64_t& first = begin[pieces.axis]; first < end; first += pieces.step) {
    threads.RequireTime();
    extents[pieces.axis] = std::min(pieces.step, end - first);
    Reorder(content, from.submemory_desc(extents, begin), packed.get(),
            to.submemory_desc(extents, begin));
  }
  return packed;
}

}  // namespace

PackedConstants::Content PackedConstants::Pack(const GraphTensor& constant,
                                               const dnnl::memory::desc& from,
                                               const dnnl::memory::desc& to,
                                               const Threads& threads) {
  if (from == to) return Keep(constant);
  const Content& content = constant.content;
  const Content packed =
      table_->Find(content, from, to, [&] { return Reorder(content.get(), from, to, threads); });
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
