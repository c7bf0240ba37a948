#include "kernel_builders/primitive_parts.hpp"

#include "library/engine.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace backplane {
namespace cpuacc {
namespace {

using dnnl::memory;

/// Cuts a copy of 32 channels for two threads, and lists how many channels were asked for.
std::vector<std::int64_t> ListChannels(std::int64_t fewest_channels) {
  const memory::desc desc({1, 32, 4, 4}, memory::data_type::f32, memory::format_tag::nchw);
  std::vector<std::int64_t> asked;
  const auto make =
      [&](const std::vector<PrimitiveArgument>& arguments) -> std::optional<PrimitivePart> {
    asked.push_back(arguments[0].desc.data.dims[1]);
    if (asked.back() < fewest_channels) return {};
    const dnnl::reorder::primitive_desc copy(GetEngine(), arguments[0].desc, GetEngine(),
                                             arguments[1].desc, MakeAttributes());
    return PrimitivePart{dnnl::reorder(copy), arguments, copy.scratchpad_desc()};
  };
  EXPECT_NE(MakeKernelInParts({FromInput(DNNL_ARG_FROM, desc, 0), FromOutput(DNNL_ARG_TO, desc)}, 2,
                              make),
            nullptr);
  return asked;
}

TEST(PrimitiveParts, AreMadeOfChannels) {
  EXPECT_EQ(ListChannels(1), (std::vector<std::int64_t>{8, 8, 8, 8}));
}

TEST(PrimitiveParts, AreAllInOneWhereAPartWouldBeSlow) {
  EXPECT_EQ(ListChannels(9), (std::vector<std::int64_t>{8, 32}));
}

}  // namespace
}  // namespace cpuacc
}  // namespace backplane
