#include "harness/guarded_tensor.hpp"

#include "harness/round_up.hpp"
#include "harness/shared_record.hpp"

#include <sys/mman.h>
#include <sys/ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <new>
#include <utility>

namespace backplane::check_backend {
namespace {

constexpr unsigned char kCanary = 0xC5;
constexpr std::size_t kAlignment = 64;

struct GuardedRange {
  const unsigned char* begin = nullptr;
  const unsigned char* end = nullptr;
  const unsigned char* tensor = nullptr;
  std::size_t size_bytes = 0;
  char name[64] = {};
};

// Fixed places, so that a signal handler can read them.
GuardedRange g_ranges[4096];
std::mutex g_mutex;
SharedRecord* g_record = nullptr;

void AddRange(const unsigned char* begin, std::size_t length, const unsigned char* tensor,
              std::size_t size_bytes, const std::string& name) {
  const std::lock_guard<std::mutex> lock(g_mutex);
  for (GuardedRange& range : g_ranges) {
    if (range.begin != nullptr) continue;
    range.end = begin + length;
    range.tensor = tensor;
    range.size_bytes = size_bytes;
    std::memset(range.name, 0, sizeof(range.name));
    name.copy(range.name, sizeof(range.name) - 1);
    range.begin = begin;
    return;
  }
}

void RemoveRange(const unsigned char* begin) {
  const std::lock_guard<std::mutex> lock(g_mutex);
  for (GuardedRange& range : g_ranges) {
    if (range.begin == begin) range.begin = nullptr;
  }
}

bool IsWrite(const void* context) {
#if defined(__x86_64__)
  constexpr greg_t kWriteBit = 2;
  return (static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_ERR] & kWriteBit) != 0;
#else
  static_cast<void>(context);
  return false;
#endif
}

std::string DescribeFault(const GuardedRange& range, const unsigned char* address, bool is_write) {
  const std::string verb = is_write ? "wrote " : "read ";
  const std::ptrdiff_t offset = address - range.tensor;
  const auto size = static_cast<std::ptrdiff_t>(range.size_bytes);
  const std::string name = range.name;
  if (offset < 0) return verb + std::to_string(-offset) + " bytes before " + name;
  if (offset >= size) {
    return verb + std::to_string(offset - size) + " bytes behind the end of " + name;
  }
  return verb + "byte " + std::to_string(offset) + " of " + name;
}

void OnFault(int signal, siginfo_t* info, void* context) {
  const auto* address = static_cast<const unsigned char*>(info->si_addr);
  for (const GuardedRange& range : g_ranges) {
    if (range.begin == nullptr || address < range.begin || address >= range.end) continue;
    // Allocates, which after such a fault is as good as anything; the signal follows in any case.
    std::signal(signal, SIG_DFL);
    g_record->fault.Set(DescribeFault(range, address, IsWrite(context)));
  }
  std::signal(signal, SIG_DFL);
}

std::size_t GetPageBytes() {
  return static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

unsigned char* MapGuarded(std::size_t usable_bytes, std::size_t page_bytes) {
  auto* memory = static_cast<unsigned char*>(
      mmap(nullptr, usable_bytes + 2 * page_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  if (memory == MAP_FAILED ||
      mprotect(memory + page_bytes, usable_bytes, PROT_READ | PROT_WRITE) != 0) {
    throw std::bad_alloc();
  }
  return memory;
}

}  // namespace

void WatchFaults(SharedRecord& record) {
  g_record = &record;
  // A stack of its own, for those that have used up theirs.
  static unsigned char stack_memory[1 << 16];
  stack_t stack{};
  stack.ss_sp = stack_memory;
  stack.ss_size = sizeof(stack_memory);
  sigaltstack(&stack, nullptr);
  struct sigaction action {};
  action.sa_sigaction = &OnFault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigaction(SIGSEGV, &action, nullptr);
  sigaction(SIGBUS, &action, nullptr);
}

GuardedTensor::GuardedTensor(const conformance::StoredTensor& content, GuardedSide side,
                             std::string name)
    : info_(content.info),
      name_(std::move(name)),
      page_bytes_(GetPageBytes()),
      usable_bytes_(RoundUp(content.bytes.size() + kAlignment, page_bytes_)),
      size_bytes_(content.bytes.size()),
      memory_(MapGuarded(usable_bytes_, page_bytes_)) {
  unsigned char* const usable = memory_ + page_bytes_;
  std::memset(usable, kCanary, usable_bytes_);
  data_ = usable;
  if (side == GuardedSide::kBehind) data_ += usable_bytes_ - RoundUp(size_bytes_, kAlignment);
  Write(content);
  handle_ = std::make_unique<conformance::MemoryHandle>(info_, data_);
  AddRange(memory_, usable_bytes_ + 2 * page_bytes_, data_, size_bytes_, name_);
}

GuardedTensor::~GuardedTensor() {
  RemoveRange(memory_);
  munmap(memory_, usable_bytes_ + 2 * page_bytes_);
}

void GuardedTensor::ForbidWriting() {
  mprotect(memory_ + page_bytes_, usable_bytes_, PROT_READ);
}

void GuardedTensor::ForbidTouching() {
  mprotect(memory_ + page_bytes_, usable_bytes_, PROT_NONE);
}

conformance::StoredTensor GuardedTensor::Read() const {
  conformance::StoredTensor content(info_);
  std::copy_n(data_, size_bytes_, content.bytes.begin());
  return content;
}

void GuardedTensor::Fill(unsigned char byte) {
  std::fill_n(data_, size_bytes_, byte);
}

void GuardedTensor::Write(const conformance::StoredTensor& content) {
  std::copy(content.bytes.begin(), content.bytes.end(), data_);
}

std::string GuardedTensor::DescribeDamage() const {
  const unsigned char* const usable = memory_ + page_bytes_;
  const unsigned char* const end = usable + usable_bytes_;
  const unsigned char* const tensor_end = data_ + size_bytes_;
  const auto is_damaged = [](unsigned char byte) { return byte != kCanary; };
  const auto behind = std::count_if(tensor_end, end, is_damaged);
  if (behind > 0) {
    const auto first = std::find_if(tensor_end, end, is_damaged) - tensor_end;
    return std::to_string(behind) + " bytes behind " + name_ + " were written, the first " +
           std::to_string(first) + " bytes behind its end";
  }
  const auto before = std::count_if(usable, static_cast<const unsigned char*>(data_), is_damaged);
  if (before == 0) return "";
  return std::to_string(before) + " bytes before " + name_ + " were written";
}

BorrowedBytes::BorrowedBytes(const void* bytes, std::size_t size_bytes, std::string name)
    : name_(std::move(name)), mapped_bytes_(RoundUp(size_bytes + 1, GetPageBytes())) {
  const std::size_t page_bytes = GetPageBytes();
  memory_ = MapGuarded(mapped_bytes_, page_bytes);
  data_ = memory_ + page_bytes;
  if (size_bytes > 0) std::memcpy(data_, bytes, size_bytes);
  AddRange(memory_, mapped_bytes_ + 2 * page_bytes, data_, size_bytes, name_);
}

BorrowedBytes::~BorrowedBytes() {
  RemoveRange(memory_);
  munmap(memory_, mapped_bytes_ + 2 * GetPageBytes());
}

void BorrowedBytes::ForbidTouching() {
  mprotect(data_, mapped_bytes_, PROT_NONE);
}

}  // namespace backplane::check_backend
