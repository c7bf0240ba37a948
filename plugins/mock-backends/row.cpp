// The row says otherwise with key=Value or with a word; see defects.def.
#include "row.hpp"

#ifndef BACKPLANE_MOCK_ID
#define BACKPLANE_MOCK_ID kOwn
#endif
#ifndef BACKPLANE_MOCK_VERSION
#define BACKPLANE_MOCK_VERSION kOwn
#endif
#ifndef BACKPLANE_MOCK_FACTORY
#define BACKPLANE_MOCK_FACTORY kGood
#endif
#ifndef BACKPLANE_MOCK_OBJECT_ID
#define BACKPLANE_MOCK_OBJECT_ID kSame
#endif
#ifndef BACKPLANE_MOCK_CONTEXT
#define BACKPLANE_MOCK_CONTEXT kNone
#endif
#ifndef BACKPLANE_MOCK_REASON
#define BACKPLANE_MOCK_REASON kOther
#endif
#ifndef BACKPLANE_MOCK_LAYERS
#define BACKPLANE_MOCK_LAYERS kBoth
#endif
#ifndef BACKPLANE_MOCK_RESULT
#define BACKPLANE_MOCK_RESULT kRight
#endif
#ifndef BACKPLANE_MOCK_SCENARIO
#define BACKPLANE_MOCK_SCENARIO kNone
#endif
#ifndef BACKPLANE_MOCK_AT
#define BACKPLANE_MOCK_AT kNowhere
#endif

namespace backplane::mock {
namespace {

#ifdef BACKPLANE_MOCK_DEED
constexpr Deed kDeed = Deed::BACKPLANE_MOCK_DEED;
constexpr auto kPerform = &Do;
#else
constexpr Deed kDeed = Deed::kNothing;
constexpr void (*kPerform)(Deed) = nullptr;
#endif

#ifdef BACKPLANE_MOCK_RANK
constexpr std::int64_t kRank = BACKPLANE_MOCK_RANK;
constexpr const std::int64_t* kRankOrNone = &kRank;
#else
constexpr const std::int64_t* kRankOrNone = nullptr;
#endif

#ifdef BACKPLANE_MOCK_PROTECTED
constexpr bool kIsProtected = true;
#else
constexpr bool kIsProtected = false;
#endif

#ifdef BACKPLANE_MOCK_OWN_MEMORY
constexpr bool kHasOwnMemory = true;
#else
constexpr bool kHasOwnMemory = false;
#endif

}  // namespace

const Row kRow = {BACKPLANE_MOCK_NAME,
                  Id::BACKPLANE_MOCK_ID,
                  Version::BACKPLANE_MOCK_VERSION,
                  Factory::BACKPLANE_MOCK_FACTORY,
                  ObjectId::BACKPLANE_MOCK_OBJECT_ID,
                  Context::BACKPLANE_MOCK_CONTEXT,
                  Reason::BACKPLANE_MOCK_REASON,
                  Layers::BACKPLANE_MOCK_LAYERS,
                  Result::BACKPLANE_MOCK_RESULT,
                  Scenario::BACKPLANE_MOCK_SCENARIO,
                  kDeed,
                  Place::BACKPLANE_MOCK_AT,
                  kPerform,
                  kRankOrNone,
                  kIsProtected,
                  kHasOwnMemory};

}  // namespace backplane::mock
