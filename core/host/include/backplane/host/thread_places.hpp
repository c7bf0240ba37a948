#pragma once

/// Where threads are, kept so that a signal handler or another process can read it: one store for
/// each layer, and nothing while no crash notes are on.

#include <backplane/host/export.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <vector>

namespace backplane {

/// The step in which a run is.
///
/// Threads: one writes, any read.
class StepCell {
 public:
  static constexpr std::uint32_t kIdle = ~std::uint32_t{0};
  static constexpr std::uint32_t kAtTensors = kIdle - 1;
  /// Together with a step: the run waits for the fence of this step.
  static constexpr std::uint32_t kAtFence = std::uint32_t{1} << 31;

  /// [one at a time]
  void Set(std::uint32_t place) { place_.store(place, std::memory_order_relaxed); }
  /// [any thread]
  std::uint32_t Get() const { return place_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint32_t> place_{kIdle};
};

/// Memory for a cell, and what lies behind it, where handlers and other processes can read it.
/// Null: crash notes were never on, or there is no room; the run has then no step in a note.
/// [any thread]
BACKPLANE_HOST_API std::shared_ptr<void> AllocateForPlaces(std::size_t size_bytes);

/// The words for where runs of one network can be.
struct NetworkPlaceTexts {
  std::string network;                // `network "n"`
  std::vector<std::string> steps;     // `layer "a" (Activation) of network "n" on backend "X"`
  std::vector<std::string> bindings;  // of the inputs, and then of the outputs
};

/// These words, where handlers can read them.
class BACKPLANE_HOST_API NetworkPlaces {
 public:
  explicit NetworkPlaces(const NetworkPlaceTexts& texts);

 private:
  friend class RunScope;
  std::shared_ptr<void> block_;  // null: there is no room
};

/// A thread is in a run, for the life of the object.
class BACKPLANE_HOST_API RunScope {
 public:
  /// Borrows the places, until the end.
  /// Null: nothing is noted.
  explicit RunScope(const NetworkPlaces* places) {
    if (places != nullptr) Enter(*places);
  }
  ~RunScope() {
    if (frame_ != nullptr) Leave();
  }
  RunScope(const RunScope&) = delete;
  RunScope& operator=(const RunScope&) = delete;

  /// What AllocateForPlaces gave, and begins with the StepCell of the run.
  /// [one at a time]
  void SetCell(const void* cell) {
    if (frame_ != nullptr) StoreCell(cell);
  }
  /// It is at a binding of the network, by its index in NetworkPlaceTexts.
  /// [one at a time]
  void EnterBinding(std::size_t index) {
    if (binding_ != nullptr) {
      binding_->store(static_cast<std::uint32_t>(index) + 1, std::memory_order_relaxed);
    }
  }
  /// [one at a time]
  void LeaveBindings() {
    if (binding_ != nullptr) binding_->store(0, std::memory_order_relaxed);
  }

 private:
  void Enter(const NetworkPlaces& places);
  void Leave();
  void StoreCell(const void* cell);

  void* frame_ = nullptr;                          // null: nothing is noted
  std::atomic<std::uint32_t>* binding_ = nullptr;  // of the frame
};

/// A thread is in a call outside of runs, for the life of the object.
class BACKPLANE_HOST_API CallScope {
 public:
  /// `describe` is called while crash notes are on, and gives the words: `in backend "X", which was
  /// asked whether it supports layer "a"`.
  template <typename Describe>
  explicit CallScope(const Describe& describe) noexcept {
    if (!AreOn()) return;
    try {
      Enter(describe());
    } catch (const std::bad_alloc&) {
      return;  // no place is noted then
    }
  }
  ~CallScope() {
    if (frame_ != nullptr) Leave();
  }
  CallScope(const CallScope&) = delete;
  CallScope& operator=(const CallScope&) = delete;

 private:
  static bool AreOn();
  void Enter(const std::string& place);
  void Leave();

  void* frame_ = nullptr;
};

/// Looks anew at which libraries the process has and where they lie, for notes to name the one in
/// which it died. Does nothing while no crash notes are on. [any thread]
BACKPLANE_HOST_API void NoteLibraries();

}  // namespace backplane
