#include "shared_words.hpp"

#include "../telling_number.hpp"
#include "wire/lane.hpp"

#include <sys/mman.h>
#include <sys/stat.h>

#include <iterator>

namespace backplane::fuzz {
namespace {

using wire::LaneHeader;
using wire::LaneOperand;

constexpr std::size_t kWords[] = {
    offsetof(LaneHeader, completed),      offsetof(LaneHeader, failed_run),
    offsetof(LaneHeader, running),        offsetof(LaneHeader, failed_workload),
    offsetof(LaneHeader, failed_status),  offsetof(LaneHeader, is_thrown),
    offsetof(LaneHeader, text_bytes),     offsetof(LaneHeader, text),
    offsetof(LaneHeader, text) + 8,       offsetof(LaneHeader, num_notices),
    offsetof(LaneHeader, submitted),      offsetof(LaneHeader, is_worker_asleep),
    offsetof(LaneHeader, is_closed),      offsetof(LaneHeader, cancelled_run),
    offsetof(LaneHeader, is_host_asleep), offsetof(LaneHeader, entries),
    offsetof(LaneHeader, entries) + 4,
};

}  // namespace

SharedWords::~SharedWords() {
  for (const auto& [id, area] : areas_) munmap(area.data, area.size_bytes);
}

void SharedWords::Add(std::uint64_t id, int descriptor) {
  struct stat status {};
  if (fstat(descriptor, &status) != 0 || status.st_size <= 0) return;
  const auto size_bytes = static_cast<std::size_t>(status.st_size);
  void* const data = mmap(nullptr, size_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (data == MAP_FAILED) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!areas_.try_emplace(id, Area{static_cast<std::byte*>(data), size_bytes}).second) {
    munmap(data, size_bytes);
  }
}

void SharedWords::SetLane(std::uint64_t id) {
  const std::lock_guard<std::mutex> lock(mutex_);
  lane_ = id;
}

const SharedWords::Area* SharedWords::FindLane() const {
  const auto found = areas_.find(lane_);
  const bool is_lane = found != areas_.end() && found->second.size_bytes >= sizeof(LaneHeader);
  return is_lane ? &found->second : nullptr;
}

void SharedWords::Write(const Area& area, std::size_t offset_bytes, std::uint32_t value) {
  const std::size_t aligned = offset_bytes % area.size_bytes / sizeof(value) * sizeof(value);
  __atomic_store_n(reinterpret_cast<std::uint32_t*>(area.data + aligned), value, __ATOMIC_SEQ_CST);
}

void SharedWords::WriteWord(const Area& lane, std::size_t place, std::uint32_t value) {
  Write(lane, kWords[place % std::size(kWords)], value);
}

void SharedWords::WriteLane(const Lie& lie) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const Area* const lane = FindLane();
  if (lane == nullptr) return;
  WriteWord(*lane, lie.place, static_cast<std::uint32_t>(PickTelling(lie.value)));
  wire::WakeWord(reinterpret_cast<const LaneHeader*>(lane->data)->completed);
}

void SharedWords::WriteOperand(const Lie& lie) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const Area* const lane = FindLane();
  if (lane == nullptr) return;
  const std::size_t begin = wire::GetLaneBytes(0);
  Write(*lane, begin + lie.place % (2 * sizeof(LaneOperand)),
        static_cast<std::uint32_t>(PickTelling(lie.value)));
}

void SharedWords::WriteArea(const Lie& lie) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (areas_.empty()) return;
  const auto area =
      std::next(areas_.begin(), static_cast<std::ptrdiff_t>((lie.place >> 12U) % areas_.size()));
  Write(area->second, (lie.place & 0xFFFU) * sizeof(std::uint32_t), lie.value);
}

void SharedWords::Scribble(const Lie& lie) {
  constexpr std::uint32_t kTimes = 300;
  const std::lock_guard<std::mutex> lock(mutex_);
  const Area* const lane = FindLane();
  for (std::uint32_t i = 0; lane != nullptr && i < kTimes; ++i) {
    WriteWord(*lane, lie.place + i * (lie.value % 7),
              static_cast<std::uint32_t>(PickTelling(lie.value + i)));
    if (i % 32 == 0) sched_yield();
  }
}

}  // namespace backplane::fuzz
