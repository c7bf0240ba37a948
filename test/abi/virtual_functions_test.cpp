// functions.def against the tables of virtual functions that the compiler makes.

#include <backplane/api/functions.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <vector>

namespace backplane {
namespace {

struct FunctionRow {
  const char* interface;
  const char* function;
  std::uint32_t slot_of_table;
  std::uint32_t slot_of_compiler;
};

// In the Itanium ABI a pointer to a virtual function holds its distance in the table, and a mark
// that it is virtual: on most machines the lowest bit of that word, on ARM a bit of the next.
template <typename Pointer>
std::uint32_t GetSlot(Pointer pointer) {
  static_assert(sizeof(pointer) == 2 * sizeof(std::uintptr_t), "a function, and an adjustment");
  std::uintptr_t word = 0;
  std::memcpy(&word, &pointer, sizeof(word));
  return static_cast<std::uint32_t>((word & ~std::uintptr_t{1}) / sizeof(void*));
}

const std::vector<FunctionRow>& GetRows() {
  static const std::vector<FunctionRow> rows = {
#define BACKPLANE_FUNCTION(interface, function, slot, major, minor) \
  {#interface, #function, slot, GetSlot(&interface::function)},
#include <backplane/api/functions.def>
#undef BACKPLANE_FUNCTION
  };
  return rows;
}

TEST(VirtualFunctions, StandInTheSlotsThatTheTableSays) {
  for (const FunctionRow& row : GetRows()) {
    EXPECT_EQ(row.slot_of_table, row.slot_of_compiler) << row.interface << "::" << row.function;
  }
}

// The rows of an interface begin behind the destructor and leave no slot out.
TEST(VirtualFunctions, OfEachInterfaceAreContiguous) {
  std::map<std::string, std::uint32_t> next_slot;
  for (const FunctionRow& row : GetRows()) {
    std::uint32_t& next = next_slot.emplace(row.interface, 2).first->second;
    EXPECT_EQ(row.slot_of_table, next) << row.interface << "::" << row.function;
    next = row.slot_of_table + 1;
  }
}

// A later version only appends, so along the slots of an interface versions never go down.
TEST(VirtualFunctions, AreAppendedInTheOrderOfVersions) {
  std::map<std::string, BackendVersion> last;
#define BACKPLANE_FUNCTION(interface, function, slot, major, minor)               \
  EXPECT_TRUE(last[#interface] <= (BackendVersion{major, minor})) << #function;   \
  EXPECT_TRUE((BackendVersion{major, minor}) <= kBackendApiVersion) << #function; \
  last[#interface] = BackendVersion{major, minor};
#include <backplane/api/functions.def>
#undef BACKPLANE_FUNCTION
}

}  // namespace
}  // namespace backplane
