/// Registers a .proto file when it is opened, as code that protoc generates does.

#include "mock_protobuf.hpp"

namespace {

#ifdef BACKPLANE_MOCK_OTHER_NAME
#define BACKPLANE_MOCK_PROTO_NAME "\n\020acme/model.proto"
#else
#define BACKPLANE_MOCK_PROTO_NAME "\n\022onnx/onnx-ml.proto"
#endif
#ifdef BACKPLANE_MOCK_OTHER_MESSAGE
#define BACKPLANE_MOCK_MESSAGE "\"\t\n\007Another"
#else
#define BACKPLANE_MOCK_MESSAGE "\"\014\n\nModelProto"
#endif

// A package "onnx", one message, and the syntax "proto3".
constexpr char kDescriptor[] =
    BACKPLANE_MOCK_PROTO_NAME "\022\004onnx" BACKPLANE_MOCK_MESSAGE "b\006proto3";

const google::protobuf::internal::DescriptorTable kTable{kDescriptor, sizeof(kDescriptor) - 1};
const google::protobuf::internal::AddDescriptorsRunner kRunner(&kTable);

}  // namespace
