#pragma once

#include "elf/file.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace backplane::conflicts {

/// The function by which generated code of protobuf registers its .proto files. Who has it has the
/// one pool of all that call it, which ends the process when a name comes twice.
constexpr char kProtoRegistration[] =
    "_ZN6google8protobuf8internal20AddDescriptorsRunnerC1EPKNS1_15DescriptorTableE";

/// One .proto file that a file registers when it is opened.
struct ProtoFile {
  std::string name;
  std::vector<std::string> symbols;  // its messages, enums and services, with their package
};

/// The .proto files of a file that calls or has kProtoRegistration: those whose serialised
/// FileDescriptorProto is in its read-only data. Linear in the size of the file, of which no more
/// is read than a large library has.
std::vector<ProtoFile> ReadProtoFiles(const elf::File& elf);

/// As ReadProtoFiles, of one piece of data.
std::vector<ProtoFile> FindProtoFiles(std::string_view data);

}  // namespace backplane::conflicts
