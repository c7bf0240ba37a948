#pragma once

/// The row of scenarios.def that this backend is, chosen by the recipe with scenario=Name.

#include "row.hpp"

#include <backplane/api/i_tensor_handle_factory.hpp>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace memory_mock {

/// Where tensors of a kind lie.
enum class Storage {
  kHost,    // in blocks of the core
  kDevice,  // in blocks of a memory manager that nobody else can address
  kMemfd,   // in blocks of a memory manager that are known by a file descriptor
  kOwn,     // every handle allocates for itself
};

/// What is particular about a backend.
enum class Habit {
  kPlain,
  kHandsOverFences,  // kCapabilityFences
};

/// What is particular about a kind. Combined by or.
enum Trait : std::uint32_t {
  kNoTraits = 0,
  kMaps = 1,
  kSubTensors = 2,
  kInPlace = 4,
  kCopiesWithin = 8,   // Copy workloads between those kinds of the backend that have this trait
  kCopiesMalloc = 16,  // Copy workloads to and from memory of the CPU
  kDemands = 32,       // begins at a page, padding beside Concat
  kMapThrows = 64,
  kImportFails = 128,  // as often as the option fail_imports says
};

struct Kind {
  bool Has(Trait trait) const { return (traits & trait) != 0; }
  std::uint64_t GetAlignmentBytes() const { return Has(kDemands) ? 4096 : 16; }

  const char* id;
  Storage storage;
  backplane::TensorLayout layout;
  backplane::MemorySourceFlags imports;
  backplane::MemorySourceFlags exports;
  std::uint32_t traits;
};

/// What the opaque layout puts in front of the elements.
constexpr std::uint64_t kOpaqueHeaderBytes = 64;

/// Bytes of a tensor of this kind, without padding.
inline std::uint64_t GetSizeBytes(const Kind& kind, const backplane::TensorInfo& info) {
  const bool is_opaque = kind.layout == backplane::TensorLayout::kOpaque;
  return info.GetSizeBytes() + (is_opaque ? kOpaqueHeaderBytes : 0);
}

using backplane::mock::kRow;
using backplane::mock::Scenario;

/// The row's deed is done before its workloads copy a tensor with this first element out of its own
/// memory.
constexpr float kCue = 13;

struct ScenarioRow {
  Habit habit;
  std::vector<std::string> preferences;
};

/// What the table says of this backend.
inline const ScenarioRow& GetScenario() {
  static const ScenarioRow kRows[] = {
      {},
#define BACKPLANE_SCENARIO(name, habit, ...) {Habit::habit, __VA_ARGS__},
#define BACKPLANE_KIND(...)
#include "scenarios.def"
#undef BACKPLANE_SCENARIO
#undef BACKPLANE_KIND
  };
  return kRows[static_cast<std::size_t>(kRow.scenario)];
}

/// The kinds of this backend, in the order of the table.
inline const std::vector<Kind>& GetKinds() {
  constexpr backplane::MemorySourceFlags kNone = 0;
  constexpr auto kMalloc = ToFlags(backplane::MemorySource::kMalloc);
  constexpr auto kFile = ToFlags(backplane::MemorySource::kFileDescriptor);
  struct Row {
    Scenario scenario;
    Kind kind;
  };
  static constexpr Row kRows[] = {
#define BACKPLANE_SCENARIO(...)
#define BACKPLANE_KIND(scenario, id, storage, layout, imports, exports, traits) \
  {Scenario::k##scenario,                                                       \
   {id, Storage::storage, backplane::TensorLayout::layout, imports, exports, traits}},
#include "scenarios.def"
#undef BACKPLANE_SCENARIO
#undef BACKPLANE_KIND
  };
  static const std::vector<Kind> kKinds = [] {
    std::vector<Kind> selected;
    for (const Row& row : kRows) {
      if (row.scenario == kRow.scenario) selected.push_back(row.kind);
    }
    return selected;
  }();
  return kKinds;
}

/// The kind of this backend with that id.
/// Null: it is nobody's or another backend's.
inline const Kind* FindKind(const char* id) {
  for (const Kind& kind : GetKinds()) {
    if (id != nullptr && std::strcmp(kind.id, id) == 0) return &kind;
  }
  return nullptr;
}

}  // namespace memory_mock
