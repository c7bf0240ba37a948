/// Stands for libprotobuf: ends the process when a .proto file or a message comes twice.

#include "mock_protobuf.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace google::protobuf::internal {
namespace {

constexpr std::size_t kMost = 16;
const DescriptorTable* registered[kMost];

/// The length of the name stands before it.
bool HasSameName(const DescriptorTable& a, const DescriptorTable& b) {
  return a.descriptor[1] == b.descriptor[1] &&
         std::memcmp(a.descriptor, b.descriptor, static_cast<std::size_t>(a.descriptor[1]) + 2) ==
             0;
}

bool HasModelProto(const DescriptorTable& table) {
  return memmem(table.descriptor, table.size_bytes, "ModelProto", 10) != nullptr;
}

}  // namespace

AddDescriptorsRunner::AddDescriptorsRunner(const DescriptorTable* table) {
  for (const DescriptorTable*& place : registered) {
    if (place == nullptr) {
      place = table;
      return;
    }
    if (!HasSameName(*place, *table) && !(HasModelProto(*place) && HasModelProto(*table))) continue;
    std::fputs("File already exists in database\n", stderr);
    std::abort();
  }
}

}  // namespace google::protobuf::internal
