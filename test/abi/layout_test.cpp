// Structs that grow say how large they are. Where their fields lie is in the record of the ABI.

#include <backplane/api/backend.hpp>

#include <gtest/gtest.h>

namespace backplane {
namespace {

template <typename Type>
void ExpectStated(const char* name) {
  EXPECT_EQ(Type{}.size_bytes, sizeof(Type)) << name;
}

TEST(Layout, DescriptorsStateTheirSize) {
#define BACKPLANE_CORE_LAYER(...)
#define BACKPLANE_OPERATOR(name, number, major, minor, least_in, most_in, least_out, most_out, \
                           descriptor, ...)                                                    \
  ExpectStated<descriptor>(#descriptor);
#include <backplane/api/layers.def>
#undef BACKPLANE_OPERATOR
#undef BACKPLANE_CORE_LAYER
}

// record_abi.py says which are missing.
TEST(Layout, OtherGrowingStructsStateTheirSize) {
#define EXPECT_STATED(type) ExpectStated<type>(#type)
  EXPECT_STATED(BackendCallArgs);
  EXPECT_STATED(BackendContextArgs);
  EXPECT_STATED(LayerSupportArgs);
  EXPECT_STATED(LayerSupportQuery);
  EXPECT_STATED(LayerView);
  EXPECT_STATED(ModelContextArgs);
  EXPECT_STATED(NetworkEvent);
  EXPECT_STATED(OptimizeSubgraphArgs);
  EXPECT_STATED(ProfilingContextArgs);
  EXPECT_STATED(ReplacementLayer);
  EXPECT_STATED(SubTensorHandleArgs);
  EXPECT_STATED(TensorHandleArgs);
  EXPECT_STATED(TensorHandleFactoryProperties);
  EXPECT_STATED(TensorRequirementsArgs);
  EXPECT_STATED(WorkloadArgs);
  EXPECT_STATED(WorkloadFactoryArgs);
#undef EXPECT_STATED
}

}  // namespace
}  // namespace backplane
