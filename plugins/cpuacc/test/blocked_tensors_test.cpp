#include "layout/blocked_tensors.hpp"

#include "compile/compile_copy.hpp"
#include "layout/channel_blocks.hpp"
#include "memory/aligned_memory.hpp"
#include "test/network_case.hpp"

#include <gtest/gtest.h>
#include <backplane/api/descriptors/convolution.hpp>

namespace backplane {
namespace cpuacc {
namespace {

using cpuacc_test::Float;

TEST(BlockedTensors, HaveBlocksWhereChannelsFillThem) {
  EXPECT_NE(GetChannelBlock(Float({1, 32, 5, 5}), GetBlockedLayout(Float({1, 32, 5, 5}))), 0);
  EXPECT_NE(GetChannelBlock(Float({1, 32, 2, 5, 5}), GetBlockedLayout(Float({1, 32, 2, 5, 5}))), 0);
  EXPECT_TRUE(GetBlockedLayout(Float({1, 3, 5, 5})).IsPlain());
  EXPECT_TRUE(GetBlockedLayout(Float({1, 32, 5})).IsPlain());
  EXPECT_TRUE(GetBlockedLayout(Float({0, 32, 5, 5})).IsPlain());
  EXPECT_TRUE(GetBlockedLayout(TensorInfo({1, 32, 5, 5}, DataType::kInt32)).IsPlain());
}

TEST(BlockedTensors, TakeNoMoreBytesThanPlainOnes) {
  const TensorInfo info = Float({2, 48, 3, 5});
  EXPECT_EQ(GetBlockedLayout(info).GetSizeBytes(info), info.GetSizeBytes());
}

TEST(BlockedTensors, LieWhereTheyAreBoundAndShowNothingElse) {
  const TensorInfo info = Float({1, 32, 2, 2});
  const BlockedTensorHandleFactory factory;
  TensorHandleArgs args;
  args.info = &info;
  const std::unique_ptr<ITensorHandle> handle = factory.CreateTensorHandle(args);
  EXPECT_EQ(handle->GetMemoryView(), nullptr);
  const std::shared_ptr<void> memory = AllocateAligned(1024);
  MemoryBlock block;
  block.data = memory.get();
  block.size_bytes = 1024;
  EXPECT_EQ(handle->Bind(block, 576), Status::kInvalidArgument);
  ASSERT_EQ(handle->Bind(block, 512), Status::kSuccess);
  ASSERT_NE(handle->GetMemoryView(), nullptr);
  EXPECT_EQ(handle->GetMemoryView()->data, static_cast<unsigned char*>(memory.get()) + 512);
  EXPECT_EQ(handle->GetMemoryView()->layout, TensorLayout::kOpaque);
  MemoryView view;
  EXPECT_EQ(handle->Map(MemoryAccess::kRead, &view), Status::kUnsupported);
  EXPECT_EQ(handle->Import(view), Status::kUnsupported);
  EXPECT_EQ(handle->Export(MemorySource::kMalloc, &view), Status::kUnsupported);
}

TEST(BlockedTensors, AreCopiedThereAndBack) {
  const TensorInfo info = Float({2, 32, 3, 3});
  conformance::Random random(3);
  conformance::StoredTensor plain = conformance::MakeRandomTensor(info, random);
  conformance::StoredTensor blocked(info);
  conformance::StoredTensor back(info);
  const auto copy = [&](conformance::StoredTensor& from, conformance::StoredTensor& to,
                        const Layout& from_layout, const Layout& to_layout) {
    const auto compiled = CompileCopy(info, from_layout, to_layout, 2);
    const auto arena = AllocateAligned(compiled->GetMemoryBytes());
    CompiledGraphState state(*compiled, static_cast<unsigned char*>(arena.get()));
    ThreadPool pool;
    void* const inputs[] = {from.bytes.data()};
    void* const outputs[] = {to.bytes.data()};
    EXPECT_TRUE(compiled->Run(inputs, outputs, state, StepReporter(nullptr, ""), pool));
  };
  copy(plain, blocked, Layout(), GetBlockedLayout(info));
  EXPECT_NE(blocked.bytes, plain.bytes);
  copy(blocked, back, GetBlockedLayout(info), Layout());
  EXPECT_EQ(back.bytes, plain.bytes);
}

}  // namespace
}  // namespace cpuacc
}  // namespace backplane
