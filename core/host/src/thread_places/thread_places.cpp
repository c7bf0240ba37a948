#include <backplane/host/thread_places.hpp>

#include "thread_places/place_table.hpp"

#include <algorithm>
#include <cstring>

namespace backplane {
namespace {

using thread_places::Frame;
using thread_places::FrameKind;
using thread_places::NetworkBlock;
using thread_places::PlaceTable;
using thread_places::ThreadSlot;

/// The next frame of this thread, not yet shown.
/// Null: it has none, or is too deep.
Frame* FindNextFrame() {
  ThreadSlot* const slot = thread_places::GetOwnSlot();
  if (slot == nullptr) return nullptr;
  const std::uint32_t depth = slot->depth.load(std::memory_order_relaxed);
  return depth < ThreadSlot::kMaxDepth ? &slot->frames[depth] : nullptr;
}

void Show(FrameKind kind, Frame& frame) {
  ThreadSlot& slot = *thread_places::GetOwnSlot();
  frame.kind.store(kind, std::memory_order_relaxed);
  slot.depth.store(slot.depth.load(std::memory_order_relaxed) + 1, std::memory_order_release);
}

// Scopes end in the order in which they began, and on the thread that began them. In a process that
// was forked there is no slot any more.
void Hide() {
  ThreadSlot* const slot = thread_places::GetOwnSlot();
  if (slot == nullptr) return;
  const std::uint32_t depth = slot->depth.load(std::memory_order_relaxed);
  if (depth > 0) slot->depth.store(depth - 1, std::memory_order_release);
}

void WriteText(const std::string& text, Frame& frame) {
  std::uint64_t words[Frame::kNumWords] = {};
  std::memcpy(words, text.data(), std::min(text.size(), Frame::kMaxTextBytes - 1));
  for (std::size_t i = 0; i < Frame::kNumWords; ++i) {
    frame.words[i].store(words[i], std::memory_order_relaxed);
  }
}

std::size_t CountBytes(const std::vector<std::string>& texts) {
  std::size_t bytes = 0;
  for (const std::string& text : texts) bytes += text.size();
  return bytes;
}

/// Writes a block from its begin to its end.
class BlockWriter {
 public:
  BlockWriter(unsigned char* block, std::size_t num_texts)
      : block_(block),
        offsets_(reinterpret_cast<std::uint32_t*>(block + sizeof(NetworkBlock))),
        at_(sizeof(NetworkBlock) + (num_texts + 1) * sizeof(std::uint32_t)) {}

  void Add(const std::string& text) {
    *offsets_++ = static_cast<std::uint32_t>(at_);
    std::memcpy(block_ + at_, text.data(), text.size());
    at_ += text.size();
    *offsets_ = static_cast<std::uint32_t>(at_);
  }
  void Add(const std::vector<std::string>& texts) {
    for (const std::string& text : texts) Add(text);
  }

 private:
  unsigned char* block_;
  std::uint32_t* offsets_;
  std::size_t at_;
};

}  // namespace

std::shared_ptr<void> AllocateForPlaces(std::size_t size_bytes) {
  return thread_places::AllocateRoom(size_bytes);
}

NetworkPlaces::NetworkPlaces(const NetworkPlaceTexts& texts) {
  NetworkBlock head{};
  head.num_steps = static_cast<std::uint32_t>(texts.steps.size());
  head.num_bindings = static_cast<std::uint32_t>(texts.bindings.size());
  const std::size_t num_texts = head.GetNumTexts();
  const std::size_t bytes = sizeof(NetworkBlock) + (num_texts + 1) * sizeof(std::uint32_t) +
                            texts.network.size() + CountBytes(texts.steps) +
                            CountBytes(texts.bindings);
  block_ = thread_places::AllocateRoom(bytes);
  if (!block_) return;
  head.size_bytes = static_cast<std::uint32_t>(bytes);
  std::memcpy(block_.get(), &head, sizeof(head));
  BlockWriter writer(static_cast<unsigned char*>(block_.get()), num_texts);
  writer.Add(texts.network);
  writer.Add(texts.steps);
  writer.Add(texts.bindings);
}

void RunScope::Enter(const NetworkPlaces& places) {
  Frame* const frame = FindNextFrame();
  if (frame == nullptr) return;
  const PlaceTable& table = *thread_places::FindTable();
  frame->network.store(thread_places::ToOffset(table, places.block_.get()),
                       std::memory_order_relaxed);
  frame->cell.store(0, std::memory_order_relaxed);
  frame->binding.store(0, std::memory_order_relaxed);
  Show(FrameKind::kRun, *frame);
  frame_ = frame;
  binding_ = &frame->binding;
}

void RunScope::Leave() {
  Hide();
}

void RunScope::StoreCell(const void* cell) {
  const PlaceTable& table = *thread_places::FindTable();
  // A working memory from before the first notes has its cell elsewhere.
  const auto* const byte = static_cast<const unsigned char*>(cell);
  const bool is_inside = byte >= table.room && byte < table.room + PlaceTable::kRoomBytes;
  static_cast<Frame*>(frame_)->cell.store(is_inside ? thread_places::ToOffset(table, cell) : 0,
                                          std::memory_order_relaxed);
}

bool CallScope::AreOn() {
  const PlaceTable* const table = thread_places::FindTable();
  return table != nullptr && table->num_on.load(std::memory_order_relaxed) != 0;
}

void CallScope::Enter(const std::string& place) {
  Frame* const frame = FindNextFrame();
  if (frame == nullptr) return;
  WriteText(place, *frame);
  Show(FrameKind::kCall, *frame);
  frame_ = frame;
}

void CallScope::Leave() {
  Hide();
}

}  // namespace backplane
