#pragma once

#include <cstddef>

/// What generated code of protobuf calls, under the names that it has there.
namespace google::protobuf::internal {

struct DescriptorTable {
  const char* descriptor;
  std::size_t size_bytes;
};

struct __attribute__((visibility("default"))) AddDescriptorsRunner {
  explicit AddDescriptorsRunner(const DescriptorTable* table);
};

}  // namespace google::protobuf::internal
