#include <backplane/api/backend.hpp>
#include <backplane/api/static_backend.hpp>

#include <gtest/gtest.h>

BACKPLANE_DECLARE_STATIC_BACKEND(Acme_Npu);

namespace {

TEST(Npu, GivesItsIdAndVersion) {
  const backplane::StaticEntryPoints entry_points = BACKPLANE_STATIC_ENTRY_POINTS(Acme_Npu);
  EXPECT_STREQ(entry_points.get_backend_id(), "AcmeNpu");
  std::uint32_t major = 0;
  std::uint32_t minor = 0;
  entry_points.get_version(&major, &minor);
  EXPECT_EQ((backplane::BackendVersion{major, minor}), backplane::kBackendApiVersion);
}

}  // namespace
