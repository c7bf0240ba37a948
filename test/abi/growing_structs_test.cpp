// Descriptors of older and newer headers, of every type, at the end of memory: nothing behind the
// size that they state is read.

#include "conformance/guarded_memory.hpp"

#include <backplane/api/descriptors.hpp>
#include <backplane/api/layer_type.hpp>

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace backplane {
namespace {

using conformance::GuardedMemory;

/// A descriptor's bytes, none of them the default's.
template <typename Type>
std::vector<unsigned char> MakeContent(std::size_t size_bytes) {
  std::vector<unsigned char> content(size_bytes, 0x5a);
  const auto size = static_cast<std::uint32_t>(size_bytes);
  std::memcpy(content.data(), &size, sizeof(size));
  return content;
}

template <typename Type>
void CheckSize(const char* name, std::size_t size_bytes) {
  SCOPED_TRACE(std::string(name) + " of " + std::to_string(size_bytes) + " bytes");
  const auto content = MakeContent<Type>(size_bytes);
  const GuardedMemory memory(content.data(), content.size(), GuardedMemory::Side::kBehind);
  const Type copy =
      CopyDescriptor<Type>(*reinterpret_cast<const BaseDescriptor*>(memory.GetBegin()));

  const Type defaults;
  std::vector<unsigned char> expected(sizeof(Type));
  std::memcpy(expected.data(), &defaults, sizeof(Type));
  for (std::size_t i = sizeof(BaseDescriptor); i < std::min(size_bytes, sizeof(Type)); ++i) {
    expected[i] = content[i];
  }
  EXPECT_EQ(copy.size_bytes, sizeof(Type));
  EXPECT_EQ(std::memcmp(&copy, expected.data(), sizeof(Type)), 0);
}

template <typename Type>
void CheckType(const char* name) {
  for (std::size_t size = sizeof(BaseDescriptor); size <= sizeof(Type) + 64; size += 4) {
    CheckSize<Type>(name, size);
  }
}

TEST(GrowingStructs, DescriptorsOfEverySizeAreCopiedAndNotReadBeyondTheirEnd) {
#define BACKPLANE_CORE_LAYER(...)
#define BACKPLANE_OPERATOR(name, number, major, minor, least_in, most_in, least_out, most_out, \
                           descriptor, ...)                                                    \
  CheckType<descriptor>(#descriptor);
#include <backplane/api/layers.def>
#undef BACKPLANE_OPERATOR
#undef BACKPLANE_CORE_LAYER
  CheckType<NoDescriptor>("NoDescriptor");
}

TEST(GrowingStructsDeathTest, TheGuardSeesAReadBeyondTheEnd) {
  const std::uint32_t too_large = sizeof(SoftmaxDescriptor);
  const GuardedMemory memory(&too_large, sizeof(too_large), GuardedMemory::Side::kBehind);
  const auto& source = *reinterpret_cast<const BaseDescriptor*>(memory.GetBegin());
  EXPECT_DEATH(CopyDescriptor<SoftmaxDescriptor>(source), "");
}

}  // namespace
}  // namespace backplane
