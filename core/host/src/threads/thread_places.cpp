#include <backplane/host/thread_places.hpp>

#include "threads/place_table.hpp"

#include <algorithm>
#include <cstring>

namespace backplane {
namespace {

using threads::Frame;
using threads::FrameKind;
using threads::NetworkBlock;
using threads::PlaceTable;
using threads::ThreadSlot;

/// The next frame of this thread, not yet shown.
/// Null: it has none, or is too deep.
Frame* FindNextFrame() {
  ThreadSlot* const slot = threads::GetOwnSlot();
  if (slot == nullptr) return nullptr;
  const std::uint32_t depth = slot->depth.load(std::memory_order_relaxed);
  return depth < ThreadSlot::kMaxDepth ? &slot->frames[depth] : nullptr;
}

void Show(FrameKind kind, Frame& frame) {
  ThreadSlot& slot = *threads::GetOwnSlot();
  frame.kind.store(kind, std::memory_order_relaxed);
  slot.depth.store(slot.depth.load(std::memory_order_relaxed) + 1, std::memory_order_release);
}

// Scopes end in the order in which they began, and on the thread that began them. In a process that
// was forked there is no slot any more.
void Hide() {
  ThreadSlot* const slot = threads::GetOwnSlot();
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

void AppendText(std::string text, std::string& words) {
  std::replace(text.begin(), text.end(), '\0', '?');
  words.append(text).push_back('\0');
}

}  // namespace

std::shared_ptr<void> AllocateForPlaces(std::size_t size_bytes) {
  return threads::AllocateRoom(size_bytes);
}

NetworkPlaces::NetworkPlaces(const NetworkPlaceTexts& texts) {
  std::string words;
  AppendText(texts.network, words);
  for (const std::string& step : texts.steps) AppendText(step, words);
  for (const std::string& binding : texts.bindings) AppendText(binding, words);
  const std::size_t bytes = sizeof(NetworkBlock) + words.size();
  block_ = threads::AllocateRoom(bytes);
  if (!block_) return;
  const NetworkBlock head{static_cast<std::uint32_t>(bytes),
                          static_cast<std::uint32_t>(texts.steps.size())};
  std::memcpy(block_.get(), &head, sizeof(head));
  std::memcpy(static_cast<NetworkBlock*>(block_.get()) + 1, words.data(), words.size());
}

void RunScope::Enter(const NetworkPlaces& places) {
  Frame* const frame = FindNextFrame();
  if (frame == nullptr) return;
  const PlaceTable& table = *threads::FindTable();
  frame->network.store(threads::ToOffset(table, places.block_.get()), std::memory_order_relaxed);
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
  const PlaceTable& table = *threads::FindTable();
  // A working memory from before the first notes has its cell elsewhere.
  const auto* const byte = static_cast<const unsigned char*>(cell);
  const bool is_inside = byte >= table.room && byte < table.room + PlaceTable::kRoomBytes;
  static_cast<Frame*>(frame_)->cell.store(is_inside ? threads::ToOffset(table, cell) : 0,
                                          std::memory_order_relaxed);
}

bool CallScope::AreOn() {
  return threads::FindTableInUse() != nullptr;
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
