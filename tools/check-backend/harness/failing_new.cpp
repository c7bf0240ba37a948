#include "harness/failing_new.hpp"

#include "harness/linked_code.hpp"

#include <cstddef>
#include <cstdlib>
#include <new>

namespace backplane::check_backend {
namespace {

constexpr std::uint64_t kNever = 0;
thread_local std::uint64_t t_left = kNever;  // until the one that is refused
thread_local bool t_is_refused = false;

bool IsRefused(const void* return_address) {
  if (t_left == kNever || !IsCalledByLinkedCode(return_address) || --t_left != 0) return false;
  t_is_refused = true;
  return true;
}

void* Allocate(std::size_t size, const void* return_address) {
  return IsRefused(return_address) ? nullptr : std::malloc(size > 0 ? size : 1);
}

void* AllocateAligned(std::size_t size, std::align_val_t alignment, const void* return_address) {
  const auto unit = static_cast<std::size_t>(alignment);
  return IsRefused(return_address) ? nullptr
                                   : std::aligned_alloc(unit, (size + unit) / unit * unit);
}

void* OrThrow(void* memory) {
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

void RefuseAllocation(std::uint64_t number) {
  t_is_refused = false;
  t_left = number;
}

bool StopRefusing() {
  t_left = kNever;
  return t_is_refused;
}

}  // namespace backplane::check_backend

using backplane::check_backend::Allocate;
using backplane::check_backend::AllocateAligned;
using backplane::check_backend::OrThrow;

void* operator new(std::size_t size) {
  return OrThrow(Allocate(size, __builtin_return_address(0)));
}
void* operator new[](std::size_t size) {
  return OrThrow(Allocate(size, __builtin_return_address(0)));
}
void* operator new(std::size_t size, const std::nothrow_t& /*tag*/) noexcept {
  return Allocate(size, __builtin_return_address(0));
}
void* operator new[](std::size_t size, const std::nothrow_t& /*tag*/) noexcept {
  return Allocate(size, __builtin_return_address(0));
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  return OrThrow(AllocateAligned(size, alignment, __builtin_return_address(0)));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return OrThrow(AllocateAligned(size, alignment, __builtin_return_address(0)));
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete[](void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t /*size*/) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::size_t /*size*/) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::align_val_t /*alignment*/) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::align_val_t /*alignment*/) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t /*size*/, std::align_val_t /*alignment*/) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::size_t /*size*/,
                       std::align_val_t /*alignment*/) noexcept {
  std::free(memory);
}
