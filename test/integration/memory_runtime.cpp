#include "memory_runtime.hpp"

#include <backplane/host/shared_memory.hpp>

#include <gmock/gmock.h>

#include <cstdlib>
#include <cstring>

namespace backplane::test {

namespace {

constexpr std::size_t kPageBytes = 4096;

}  // namespace

namespace {

// Memory that sanitizers watch, unless isolated backends have to see it too.
std::shared_ptr<void> Allocate(std::size_t size_bytes) {
  if (std::getenv("BACKPLANE_ISOLATE_BACKENDS") != nullptr) return AllocateSharedMemory(size_bytes);
  auto bytes = std::make_shared<std::vector<unsigned char>>(size_bytes);
  return {bytes, bytes->data()};
}

}  // namespace

Buffer::Buffer(std::size_t count, std::size_t misaligned_bytes)
    : count_(count), storage_(Allocate(count * sizeof(float) + misaligned_bytes + kPageBytes)) {
  auto* const storage = static_cast<unsigned char*>(storage_.get());
  const auto address = reinterpret_cast<std::uintptr_t>(storage);
  begin_ = storage + (kPageBytes - address % kPageBytes) % kPageBytes + misaligned_bytes;
  Write(Floats(count, -77));
}

void Buffer::Write(const Floats& values) {
  ASSERT_EQ(values.size(), count_);
  if (count_ != 0) std::memcpy(begin_, values.data(), GetSizeBytes());
}

Floats Buffer::Read() const {
  Floats values(count_);
  if (count_ != 0) std::memcpy(values.data(), begin_, GetSizeBytes());
  return values;
}

InputTensor AsInput(LayerBindingId id, Buffer& buffer, MemoryUse use) {
  InputTensor input = AsInput(id, buffer, TensorShape{buffer.GetCount()});
  input.use = use;
  return input;
}

InputTensor AsInput(LayerBindingId id, Buffer& buffer, const TensorShape& shape) {
  return {id, {Float(shape), buffer.GetData()}};
}

OutputTensor AsOutput(LayerBindingId id, Buffer& buffer, MemoryUse use) {
  return {id, buffer.GetData(), buffer.GetSizeBytes(), use};
}

void ExpectRun(IRuntime& runtime, NetworkId network, const InputTensors& inputs,
               const OutputTensors& outputs) {
  std::optional<Diagnostic> failure;
  const Status status = runtime.EnqueueWorkload(network, inputs, outputs, &failure);
  EXPECT_EQ(status, Status::kSuccess) << (failure ? ToText(*failure) : "");
}

Diagnostic ExpectFailure(IRuntime& runtime, NetworkId network, const InputTensors& inputs,
                         const OutputTensors& outputs, Status status) {
  std::optional<Diagnostic> failure;
  EXPECT_EQ(runtime.EnqueueWorkload(network, inputs, outputs, &failure), status);
  EXPECT_TRUE(failure.has_value());
  return failure.value_or(Diagnostic{DiagnosticCode{}});
}

void ExpectTransfers(const BindingTransfers& transfers, std::uint64_t imported_runs,
                     std::uint64_t copied_runs, std::uint64_t copied_bytes,
                     const std::string& reason) {
  EXPECT_EQ(transfers.imported_runs, imported_runs) << transfers.name;
  EXPECT_EQ(transfers.copied_runs, copied_runs) << transfers.name;
  EXPECT_EQ(transfers.copied_bytes, copied_bytes) << transfers.name;
  if (reason.empty()) {
    EXPECT_EQ(transfers.reason, "") << transfers.name;
  } else {
    EXPECT_THAT(transfers.reason, ::testing::HasSubstr(reason)) << transfers.name;
  }
}

}  // namespace backplane::test
