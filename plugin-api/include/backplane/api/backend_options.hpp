#pragma once

/// Options for backends, their schema, and capabilities: typed values with names.

#include <backplane/api/backend_version.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace backplane {

/// Numbers are never reused.
enum class OptionType : std::uint32_t {
  kBool = 1,
  kInt = 2,
  kFloat = 3,
  kString = 4,
};

/// A value of one of four types. Frozen layout; the member that `type` names holds it.
struct OptionValue {
  OptionValue() = default;
  OptionValue(bool value) : type(OptionType::kBool), int_value(value ? 1 : 0) {}
  OptionValue(int value) : type(OptionType::kInt), int_value(value) {}
  OptionValue(std::int64_t value) : type(OptionType::kInt), int_value(value) {}
  OptionValue(double value) : type(OptionType::kFloat), float_value(value) {}
  OptionValue(std::string value) : type(OptionType::kString), string_value(std::move(value)) {}
  OptionValue(const char* value) : type(OptionType::kString), string_value(value) {}

  OptionType type = OptionType::kBool;
  std::uint32_t reserved_word = 0;
  std::int64_t int_value = 0;  // also bool, as 0 or 1
  double float_value = 0.0;
  std::string string_value;
};

inline bool operator==(const OptionValue& a, const OptionValue& b) {
  if (a.type != b.type) return false;
  if (a.type == OptionType::kFloat) return a.float_value == b.float_value;
  if (a.type == OptionType::kString) return a.string_value == b.string_value;
  return a.int_value == b.int_value;
}

/// A name with its value. Frozen layout.
struct BackendOption {
  BackendOption() = default;
  BackendOption(std::string option_name, OptionValue option_value)
      : name(std::move(option_name)), value(std::move(option_value)) {}

  std::string name;
  OptionValue value;
  std::uint64_t reserved[2] = {};
};

/// The options meant for one backend. Frozen layout.
struct BackendOptions {
  BackendOptions() = default;
  BackendOptions(std::string id, std::vector<BackendOption> backend_options)
      : backend_id(std::move(id)), options(std::move(backend_options)) {}

  std::string backend_id;
  std::vector<BackendOption> options;
  std::uint64_t reserved[2] = {};
};

/// Options per network.
using ModelOptions = std::vector<BackendOptions>;

/// What an option may be. The host refuses unknown names and values outside before the backend
/// sees them. Frozen layout.
struct OptionSchema {
  std::string name;
  OptionType type = OptionType::kBool;
  std::uint32_t places = 0;  // where it may be given: BP_OPTION_OF_...; 0: everywhere
  OptionValue default_value;
  std::uint32_t has_range = 0;  // 1 or 0; for kInt and kFloat
  std::uint32_t is_list = 0;    // 1: a list of such values; of attributes of operators only
  OptionValue minimum;
  OptionValue maximum;
  std::vector<std::string> allowed_strings;  // for kString; empty: any
  std::string text;                          // one sentence for users
  std::uint64_t reserved[2] = {};
};

/// What a backend says of itself: names with values. Known names are below; others are shown to
/// users as they are.
using BackendCapabilities = std::vector<BackendOption>;

/// kInt. For runs without preferences, backends are asked from the highest rank to the lowest;
/// 0 when not stated. A reference backend states a negative one.
constexpr char kCapabilityRank[] = "Rank";
/// kBool. The backend takes a network as a whole or not at all; false when not stated.
constexpr char kCapabilityAllOrNothing[] = "AllOrNothing";
/// kBool. The backend can work in memory that the CPU may not read; false when not stated.
constexpr char kCapabilityProtectedMemory[] = "ProtectedContentAllocation";
/// kBool. The backend's tensors can lie in memory of an allocator that the application gives; false
/// when not stated. It gets the allocator with BackendContextArgs::allocator.
constexpr char kCapabilityCustomAllocator[] = "CustomAllocator";
/// kBool. Workloads of operators whose row in layers.def says kInPlace may get one memory for an
/// input and the output; false when not stated. For tensors in memory of the core.
constexpr char kCapabilityInPlace[] = "InPlace";
/// kBool. Runs that are to end early do; see ExecuteArgs::IsCancelled. False when not stated.
constexpr char kCapabilityStop[] = "Stop";
/// kInt. The kinds of fences that workloads wait for by themselves, bits of FenceKind; such
/// workloads may set the completion. The host waits for other kinds before it calls them; 0 when
/// not stated.
constexpr char kCapabilityFences[] = "Fences";
/// kFloat, microseconds. What it costs to bring one tensor to the backend from memory of another,
/// or back, whatever its size; 0 when not stated. Layers whose tensors would cross for less work
/// than that are left on the backend that comes next.
constexpr char kCapabilityCrossingTime[] = "CrossingTime";
/// kFloat, bytes in a microsecond, on top of the time. When not stated, size does not matter.
constexpr char kCapabilityCrossingRate[] = "CrossingRate";
/// kFloat, microseconds. What it costs to begin the work of one layer; 0 when not stated.
constexpr char kCapabilityLaunchTime[] = "LaunchTime";
/// kFloat, additions and multiplications of float32 in a microsecond; 10000 when not stated.
constexpr char kCapabilityComputeRate[] = "ComputeRate";

}  // namespace backplane
