#include "threads/place_table.hpp"

#include <backplane/host/thread_places.hpp>

#include <algorithm>
#include <charconv>

namespace backplane::threads {
namespace {

/// One text of a block; false when the block cannot be what it says it is.
bool AddText(const PlaceTable& table, std::uint32_t block_offset, std::uint64_t index,
             SmallText& text) {
  const auto* block = FindAt<NetworkBlock>(table, block_offset);
  if (block == nullptr) return false;
  const std::uint64_t size_bytes = block->size_bytes;
  if (size_bytes < sizeof(*block) || block_offset + size_bytes > sizeof(PlaceTable)) return false;
  const auto* begin = reinterpret_cast<const char*>(block + 1);
  const char* const block_end = reinterpret_cast<const char*>(block) + size_bytes;
  while (true) {
    const char* const end = std::find(begin, block_end, '\0');
    if (end == block_end) return false;
    if (index == 0) {
      text.Add(begin, static_cast<std::size_t>(end - begin));
      return true;
    }
    --index;
    begin = end + 1;
  }
}

void AddBinding(const PlaceTable& table, std::uint32_t block_offset, std::uint32_t binding,
                SmallText& text) {
  const auto* block = FindAt<NetworkBlock>(table, block_offset);
  const std::uint32_t num_steps = block != nullptr ? block->num_steps : 0;
  text.Add("at ");
  if (!AddText(table, block_offset, std::uint64_t{num_steps} + binding, text))
    text.Add("a tensor of a run");
}

void AddStep(const PlaceTable& table, std::uint32_t block, std::uint32_t place, SmallText& text) {
  const bool is_fence = (place & StepCell::kAtFence) != 0;
  const std::uint32_t step = place & ~StepCell::kAtFence;
  text.Add(is_fence ? "waiting for the fence of " : "in ");
  if (AddText(table, block, std::uint64_t{1} + step, text)) return;
  text.Add("step ").AddNumber(step).Add(" of a network");
}

void AddRun(const PlaceTable& table, const Frame& frame, SmallText& text) {
  const std::uint32_t block = frame.network.load(std::memory_order_relaxed);
  const std::uint32_t binding = frame.binding.load(std::memory_order_relaxed);
  if (binding != 0) return AddBinding(table, block, binding, text);
  const auto* cell = FindAt<StepCell>(table, frame.cell.load(std::memory_order_relaxed));
  const std::uint32_t place = cell != nullptr ? cell->Get() : StepCell::kIdle;
  if (place != StepCell::kIdle && place != StepCell::kAtTensors) {
    return AddStep(table, block, place, text);
  }
  text.Add("in a run of ");
  if (!AddText(table, block, 0, text)) text.Add("a network");
  text.Add(cell != nullptr ? ", at none of its layers" : ", in which layer is not known");
}

void AddCall(const Frame& frame, SmallText& text) {
  for (const std::atomic<std::uint64_t>& part : frame.words) {
    const std::uint64_t word = part.load(std::memory_order_relaxed);
    const auto* const bytes = reinterpret_cast<const char*>(&word);
    const std::size_t num_bytes = strnlen(bytes, sizeof(word));
    text.Add(bytes, num_bytes);
    if (num_bytes < sizeof(word)) return;
  }
}

}  // namespace

SmallText& SmallText::Add(const char* text, std::size_t size_bytes) {
  for (std::size_t i = 0; i < size_bytes && size_ < kMaxBytes; ++i) {
    const char character = text[i];
    const bool is_control = static_cast<unsigned char>(character) < ' ' || character == '\x7f';
    data_[size_++] = is_control ? '?' : character;
  }
  return *this;
}

void SmallText::EndLine() {
  if (size_ == kMaxBytes) --size_;
  data_[size_++] = '\n';
}

SmallText& SmallText::AddNumber(std::uint64_t number, int base) {
  char digits[20];
  const char* const end = std::to_chars(digits, digits + sizeof(digits), number, base).ptr;
  return Add(digits, static_cast<std::size_t>(end - digits));
}

bool AddPlace(const PlaceTable& table, const ThreadSlot& slot, SmallText& text) {
  const std::uint32_t depth = slot.depth.load(std::memory_order_acquire);
  if (depth == 0 || depth > ThreadSlot::kMaxDepth) return false;
  const Frame& frame = slot.frames[depth - 1];
  const FrameKind kind = frame.kind.load(std::memory_order_relaxed);
  if (kind == FrameKind::kRun) AddRun(table, frame, text);
  if (kind == FrameKind::kCall) AddCall(frame, text);
  return kind == FrameKind::kRun || kind == FrameKind::kCall;
}

}  // namespace backplane::threads
