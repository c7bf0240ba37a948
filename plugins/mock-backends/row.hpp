#pragma once

/// In what the rows of defects.def differ whose backends are compiled once for all of them.

#include "deeds.hpp"

#include <cstdint>

namespace backplane::mock {

enum class Id {
  kOwn,
  kNull,
  kEmpty,
  kUnknown,
  kWithSpace,
  kTooLong,
  kChanging,
  kOtherInSandbox,
  kThrows
};
enum class Version { kOwn, kNextMinor, kNextMajor, kPreviousMajor, kThrows };
enum class Factory { kGood, kNull, kThrows, kThrowsNumber, kThrowsLongText, kUnavailable };
enum class ObjectId { kSame, kOther, kNull, kThrows };
enum class Context { kNone, kThrows, kUnavailable };
enum class Layers { kBoth, kActivation, kElementwiseBinary };
enum class Result { kRight, kNan };

enum class Reason : std::uint32_t {
#define BACKPLANE_UNAVAILABILITY_REASON(name, number, text, cure) k##name = number,
#include <backplane/api/unavailability_reasons.def>
#undef BACKPLANE_UNAVAILABILITY_REASON
};

enum class Scenario {
  kNone,
#define BACKPLANE_SCENARIO(name, ...) k##name,
#define BACKPLANE_KIND(...)
#include "memory/scenarios.def"
#undef BACKPLANE_SCENARIO
#undef BACKPLANE_KIND
};

struct Row {
  const char* name;
  Id id;
  Version version;
  Factory factory;
  ObjectId object_id;
  Context context;
  Reason reason;
  Layers layers;
  Result result;
  Scenario scenario;
  Deed deed;
  Place at;
  void (*perform)(Deed);     // null: the row has no deed
  const std::int64_t* rank;  // null: the capabilities have none
  bool is_protected;
  bool has_own_memory;
};

/// The row of this backend; in row.cpp.
extern const Row kRow;

}  // namespace backplane::mock
