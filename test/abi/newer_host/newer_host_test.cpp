// This program is a host of the next minor version of the Backend API: it is compiled with headers
// in which every interface has two functions more. The backend is built with today's headers, so
// that its tables of virtual functions end earlier; there it has private functions of its own,
// which record that they were called.

#include "complete_objects.hpp"
#include "mock_watch.hpp"
#include "support/guarded_page.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <map>
#include <set>

namespace backplane::test {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr BackendVersion kNewer = kBackendApiVersion;
constexpr BackendVersion kOlder{kNewer.major, kNewer.minor - 1};

/// Two words stand before the functions of a table: the distance to the object, and its type.
constexpr std::size_t kWordsBeforeTable = 2;

/// How many functions the table of an interface has for a backend that declares `version`.
std::size_t CountSlots(const std::string& interface, BackendVersion version) {
  std::size_t count = 2;  // the destructor's
#define BACKPLANE_FUNCTION(row_interface, function, slot, major, minor) \
  if (interface == #row_interface && (BackendVersion{major, minor}) <= version) ++count;
#include <backplane/api/functions.def>
#undef BACKPLANE_FUNCTION
  return count;
}

/// The same object, said to be of another version.
template <typename Interface>
PluginObject<Interface> Declare(const PluginObject<Interface>& object, BackendVersion version) {
  auto origin = std::make_shared<PluginOrigin>(*object.GetOrigin());
  origin->declared_version = version;
  return {object.Share(), origin};
}

/// Calls both functions that the backend does not have; gives how often one was really called.
template <typename Interface>
int CallNewer(const PluginObject<Interface>& object) {
  const auto first = object.template Call<&Interface::AddedFirst>(3);
  const auto second = object.template Call<&Interface::AddedSecond>(4);
  EXPECT_FALSE(first.HasFailed());
  EXPECT_FALSE(second.HasFailed());
  EXPECT_EQ(first.value, first.WasCalled() ? -1 : 0);
  EXPECT_EQ(second.value, second.WasCalled() ? -1 : 0);
  return (first.WasCalled() ? 1 : 0) + (second.WasCalled() ? 1 : 0);
}

/// Gives an object a table that ends where memory ends, for as long as it lives.
class TableAtTheEnd {
 public:
  TableAtTheEnd(const void* object, std::size_t num_slots)
      : table_of_object_(static_cast<void**>(const_cast<void*>(object))) {
    void** const original = static_cast<void**>(*table_of_object_);
    original_ = original;
    const std::size_t num_words = kWordsBeforeTable + num_slots;
    void* copy = page_.PlaceAtEnd(original - kWordsBeforeTable, num_words * sizeof(void*));
    *table_of_object_ = static_cast<void**>(copy) + kWordsBeforeTable;
  }
  ~TableAtTheEnd() { *table_of_object_ = original_; }
  TableAtTheEnd(const TableAtTheEnd&) = delete;
  TableAtTheEnd& operator=(const TableAtTheEnd&) = delete;

 private:
  GuardedPage page_;
  void** table_of_object_;
  void* original_;
};

/// What is done with one interface.
struct InterfaceRow {
  std::function<int(const CompleteObjects&)> call_as_older;
  std::function<int(const CompleteObjects&)> call_as_newer;
  std::function<const void*(const CompleteObjects&)> get_address;
};

using Rows = std::map<std::string, InterfaceRow>;

template <typename Get>
InterfaceRow MakeRow(Get get) {
  return {[get](const CompleteObjects& all) { return CallNewer(get(all)); },
          [get](const CompleteObjects& all) { return CallNewer(Declare(get(all), kNewer)); },
          [get](const CompleteObjects& all) {
            return static_cast<const void*>(get(all).Share().get());
          }};
}

template <typename Member>
InterfaceRow MakeRow(Member CompleteObjects::*member) {
  return MakeRow([member](const CompleteObjects& all) -> const Member& { return all.*member; });
}

const Rows& GetRows() {
  using All = CompleteObjects;
  static const Rows rows{
      {"IBackendInternal", MakeRow(&All::backend)},
      {"ILayerSupport", MakeRow(&All::layer_support)},
      {"IWorkloadFactory", MakeRow(&All::factory)},
      {"IWorkload", MakeRow(&All::workload)},
      {"IExecutionState", MakeRow(&All::state)},
      {"IPreCompiledObject", MakeRow(&All::compiled)},
      {"IMemoryManager", MakeRow(&All::memory_manager)},
      {"ITensorHandle", MakeRow(&All::handle)},
      {"ITensorHandleFactory", MakeRow(&All::handle_factory)},
      {"ICustomAllocator", MakeRow(&All::allocator)},
      {"IBackendContext", MakeRow(&All::context)},
      {"IBackendModelContext", MakeRow(&All::model_context)},
      {"IBackendProfilingContext", MakeRow(&All::profiling)},
  };
  return rows;
}

class NewerHost : public ::testing::TestWithParam<std::string> {
 protected:
  const InterfaceRow& GetRow() const { return GetRows().at(GetParam()); }

  MockWatch watch_;
  HostSide host_;
  const CompleteObjects all_{host_};
};

TEST_P(NewerHost, DoesNotCallWhatTheBackendDoesNotHave) {
  ASSERT_EQ(all_.backend.GetOrigin()->declared_version, kOlder);
  EXPECT_EQ(GetRow().call_as_older(all_), 0);
  EXPECT_THAT(watch_.GetRecord(), Not(Contains(HasSubstr("beyond"))));
}

// Were it not for the version, the backend's own functions would be called.
TEST_P(NewerHost, WouldBeSeenByTheBackendIfItDid) {
  EXPECT_EQ(GetRow().call_as_newer(all_), 2);
  EXPECT_THAT(watch_.GetRecord(), Contains("beyond " + GetParam()).Times(2));
}

TEST_P(NewerHost, DoesNotTouchTheTableBehindItsEnd) {
  const TableAtTheEnd table(GetRow().get_address(all_), CountSlots(GetParam(), kOlder));
  EXPECT_EQ(GetRow().call_as_older(all_), 0);
}

using NewerHostDeathTest = NewerHost;

TEST_P(NewerHostDeathTest, WouldDieIfItDid) {
  const TableAtTheEnd table(GetRow().get_address(all_), CountSlots(GetParam(), kOlder));
  EXPECT_DEATH(GetRow().call_as_newer(all_), "");
}

std::vector<std::string> GetInterfaces() {
  std::vector<std::string> interfaces;
  for (const auto& row : GetRows()) interfaces.push_back(row.first);
  return interfaces;
}

std::string GetTestName(const ::testing::TestParamInfo<std::string>& info) {
  return info.param;
}

INSTANTIATE_TEST_SUITE_P(OfEachInterface, NewerHost, ::testing::ValuesIn(GetInterfaces()),
                         GetTestName);
INSTANTIATE_TEST_SUITE_P(OfEachInterface, NewerHostDeathTest, ::testing::ValuesIn(GetInterfaces()),
                         GetTestName);

TEST(NewerHostRows, AreThereForEveryInterface) {
  std::set<std::string> interfaces;
#define BACKPLANE_FUNCTION(interface, ...) interfaces.insert(#interface);
#include <backplane/api/functions.def>
#undef BACKPLANE_FUNCTION
  for (const std::string& interface : interfaces) EXPECT_EQ(GetRows().count(interface), 1U);
  EXPECT_EQ(GetRows().size(), interfaces.size());
}

// A struct that grew is made by the host with its defaults; an older backend fills what it knows.
TEST(NewerHostStructs, KeepTheirDefaultsWhereTheBackendKnowsNoField) {
  HostSide host;
  const CompleteObjects all(host);
  TensorHandleFactoryProperties properties;
  EXPECT_EQ(all.handle_factory.Call<&ITensorHandleFactory::GetProperties>(&properties).value,
            Status::kSuccess);
  EXPECT_EQ(properties.supports_map_unmap, 1U);
  EXPECT_EQ(properties.added, 7U);
}

}  // namespace
}  // namespace backplane::test
