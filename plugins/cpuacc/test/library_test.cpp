#include "library/library.hpp"

#include "library/dnnl_version.hpp"
#include "library/engine.hpp"

#include <backplane/api/exceptions.hpp>

#include <gtest/gtest.h>

#include <string>

namespace backplane {
namespace cpuacc {
namespace {

constexpr char kNeeds[] = "CpuAcc needs oneDNN 2.6, or a later 2.x, but ";
constexpr char kRemedy[] = "; install libdnnl2";

/// Why the library cannot be used.
std::string FindReason(const LibraryNeeds& needs,
                       UnavailabilityReason expected = UnavailabilityReason::kOther) {
  try {
    OpenLibrary(needs);
  } catch (const BackendUnavailableException& exception) {
    EXPECT_EQ(exception.GetReason(), expected);
    return exception.what();
  }
  ADD_FAILURE() << needs.file_name << " was opened";
  return "";
}

TEST(Library, OfThisMachineIsThere) {
  OpenLibrary(LibraryNeeds::OfThisMachine());
  OpenLibrary(LibraryNeeds::OfThisMachine());
  EXPECT_EQ(GetEngine().get_kind(), dnnl::engine::kind::cpu);
}

TEST(Library, ThatIsNotThereIsUnavailable) {
  EXPECT_EQ(FindReason({"libno-such-dnnl.so.2", true}, UnavailabilityReason::kDriverMissing),
            std::string(kNeeds) +
                "libno-such-dnnl.so.2 cannot be opened (libno-such-dnnl.so.2: cannot open shared "
                "object file: No such file or directory)" +
                kRemedy);
}

TEST(Library, ThatIsTooOldIsUnavailable) {
  EXPECT_EQ(FindReason({CPUACC_OLD_DNNL, true}, UnavailabilityReason::kDriverTooOld),
            std::string(kNeeds) + CPUACC_OLD_DNNL + " is oneDNN 2.5.1" + kRemedy);
}

TEST(Library, OfAnotherMajorVersionIsUnavailable) {
  EXPECT_EQ(FindReason({CPUACC_NEW_DNNL, true}),
            std::string(kNeeds) + CPUACC_NEW_DNNL + " is oneDNN 3.0.1" + kRemedy);
}

TEST(Library, WithThreadsOfItsOwnIsUnavailable) {
  EXPECT_EQ(FindReason({CPUACC_TBB_DNNL, true}),
            std::string(kNeeds) + CPUACC_TBB_DNNL + " (2.6.1) was built without OpenMP" + kRemedy);
}

TEST(Library, WithoutAFunctionIsUnavailable) {
  EXPECT_EQ(
      FindReason({CPUACC_EMPTY_DNNL, true}),
      std::string(kNeeds) + CPUACC_EMPTY_DNNL + " has no dnnl_augru_backward_desc_init" + kRemedy);
}

TEST(Library, IsUnavailableOnAProcessorThatCannotRunIt) {
  EXPECT_EQ(FindReason({"libdnnl.so.2", false}),
            "CpuAcc needs a processor with SSE4.1, but this one has none; use CpuRef");
}

/// What does not work takes nothing away from what does.
TEST(Library, StaysAfterAnotherWasTried) {
  FindReason({CPUACC_OLD_DNNL, true}, UnavailabilityReason::kDriverTooOld);
  const dnnl::memory::desc desc({2, 3}, dnnl::memory::data_type::f32, dnnl::memory::format_tag::ab);
  EXPECT_EQ(desc.get_size(), 24U);
}

}  // namespace
}  // namespace cpuacc
}  // namespace backplane
