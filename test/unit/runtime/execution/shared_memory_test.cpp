// Tensors that share their memory, as workloads and applications meet them.

#include "runtime/runtime_fixture.hpp"

#include <set>

namespace backplane {
namespace {

using Floats = std::vector<float>;

class SharedMemoryTest : public RuntimeFixture {
 protected:
  SharedMemoryTest() {
    a_->capabilities = {{kCapabilityInPlace, true}};
    runtime_ = MakeRuntime({a_, b_});
    a_->on_execute = [this](const ExecuteArgs& args) { Remember(args); };
    b_->on_execute = a_->on_execute;
  }

  struct Step {
    std::vector<MemoryView> inputs;
    MemoryView output;
    bool IsInPlaceOf(std::size_t input) const { return inputs[input].data == output.data; }
  };

  void Remember(const ExecuteArgs& args) {
    Step step;
    for (std::uint32_t i = 0; i < args.GetNumInputs(); ++i) {
      step.inputs.push_back(args.GetInput(i).Describe());
    }
    step.output = args.GetOutput(0).Describe();
    steps_.push_back(step);
  }

  // Runs a network with one input of [4] and outputs of four elements each.
  std::vector<Floats> Run(NetworkId id, std::size_t num_outputs) {
    steps_.clear();
    std::vector<Floats> results(num_outputs, Floats(4));
    OutputTensors outputs;
    // Copied, so that where tensors lie does not depend on the alignment of vectors.
    for (std::uint32_t i = 0; i < num_outputs; ++i) {
      outputs.push_back(MakeOutput(i, results[i]));
      outputs.back().use = MemoryUse::kCopy;
    }
    InputTensor input = MakeInput(0, input_);
    input.use = MemoryUse::kCopy;
    EXPECT_EQ(runtime_->EnqueueWorkload(id, {input}, outputs), Status::kSuccess);
    return results;
  }

  std::unique_ptr<INetwork> network_ = INetwork::Create("net");
  const OutputSlot x_ = network_->AddInputLayer(Float({4}), "x");
  std::vector<Step> steps_;
};

TEST_F(SharedMemoryTest, ViewsAreNeitherRunNorMade) {
  const LayerId one = AddRelu(*network_, x_, "one");
  const LayerId view = AddView(*network_, {one, 0}, {2, 2}, "view");
  network_->AddOutputLayer({AddRelu(*network_, {view, 0}, "two"), 0}, "y");
  const NetworkId id = Load(*network_, {"A"});
  EXPECT_EQ(a_->CountEvents("create workload"), 2);
  EXPECT_EQ(Run(id, 1)[0], (Floats{2, 3, 4, 5}));
  ASSERT_EQ(steps_.size(), 2U);
  EXPECT_EQ(steps_[1].inputs[0].data, steps_[0].output.data);
}

TEST_F(SharedMemoryTest, EachTensorIsShownUnderItsOwnShape) {
  const LayerId one = AddRelu(*network_, x_, "one");
  const LayerId view = AddView(*network_, {one, 0}, {2, 2}, "view");
  network_->AddOutputLayer({AddRelu(*network_, {view, 0}, "two"), 0}, "y");
  Run(Load(*network_, {"A"}), 1);
  EXPECT_EQ(steps_[0].output.rank, 1U);
  EXPECT_EQ(steps_[0].output.dims[0], 4);
  EXPECT_EQ(steps_[1].inputs[0].rank, 2U);
  EXPECT_EQ(steps_[1].inputs[0].dims[1], 2);
  EXPECT_EQ(steps_[1].inputs[0].strides_bytes[0], 8);
}

TEST_F(SharedMemoryTest, ViewsOfInputsAndConstantsAreOutputs) {
  const Floats values{7, 8, 9, 10};
  const auto data = CopyConstantData(values.data(), 16);
  const OutputSlot constant = network_->AddConstantLayer(Float({4}), data, "c");
  network_->AddOutputLayer({AddView(*network_, x_, {4, 1}, "vx"), 0}, "y0");
  network_->AddOutputLayer({AddView(*network_, constant, {2, 2}, "vc"), 0}, "y1");
  const auto results = Run(Load(*network_, {"A"}), 2);
  EXPECT_EQ(results[0], input_);
  EXPECT_EQ(results[1], values);
  EXPECT_TRUE(steps_.empty());
}

TEST_F(SharedMemoryTest, OnlyBackendsThatSaySoWorkInPlace) {
  const LayerId one = AddRelu(*network_, x_, "one");
  const LayerId two = AddRelu(*network_, {one, 0}, "two");
  const LayerId three = AddRelu(*network_, {two, 0}, "three");
  network_->SetBackendHint(two, "B");
  network_->AddOutputLayer({three, 0}, "y");
  EXPECT_EQ(Run(Load(*network_, {"A"}), 1)[0], (Floats{3, 4, 5, 6}));
  ASSERT_EQ(steps_.size(), 3U);
  EXPECT_FALSE(steps_[0].IsInPlaceOf(0)) << "the input of the network";
  EXPECT_FALSE(steps_[1].IsInPlaceOf(0)) << "backend B";
  EXPECT_TRUE(steps_[2].IsInPlaceOf(0));
}

TEST_F(SharedMemoryTest, WhatIsNeededLaterIsNotOverwritten) {
  const LayerId one = AddRelu(*network_, x_, "one");
  const LayerId two = AddRelu(*network_, {one, 0}, "two");
  const LayerId sum = AddSum(*network_, {one, 0}, {two, 0}, "sum");
  network_->AddOutputLayer({one, 0}, "y0");
  network_->AddOutputLayer({two, 0}, "y1");
  network_->AddOutputLayer({sum, 0}, "y2");
  const auto results = Run(Load(*network_, {"A"}), 3);
  EXPECT_EQ(results[0], (Floats{1, 2, 3, 4}));
  EXPECT_EQ(results[1], (Floats{2, 3, 4, 5}));
  EXPECT_EQ(results[2], (Floats{3, 5, 7, 9}));
}

TEST_F(SharedMemoryTest, RunsLeaveConstantsAsTheyWere) {
  const Floats values{1, 2, 3, 4};
  const auto data = CopyConstantData(values.data(), 16);
  const OutputSlot constant = network_->AddConstantLayer(Float({4}), data, "c");
  const LayerId view = AddView(*network_, constant, {2, 2}, "view");
  network_->AddOutputLayer({AddRelu(*network_, {view, 0}, "one"), 0}, "y");
  const NetworkId id = Load(*network_, {"A"});
  for (int run = 0; run < 2; ++run) EXPECT_EQ(Run(id, 1)[0], (Floats{2, 3, 4, 5}));
}

TEST_F(SharedMemoryTest, ConstantsAreReadWhereTheApplicationPutThem) {
  const Floats values{1, 2, 3, 4};
  const auto data = CopyConstantData(values.data(), 16);
  const OutputSlot constant = network_->AddConstantLayer(Float({4}), data, "c");
  const LayerId view = AddView(*network_, constant, {2, 2}, "view");
  std::set<const void*> given;
  a_->on_create_workload = [&](const WorkloadArgs& args) {
    for (std::uint32_t i = 0; i < args.num_inputs; ++i) {
      if (args.constants[i] != nullptr) given.insert(args.constants[i]->data);
    }
  };
  const LayerId sum = AddSum(*network_, x_, constant, "sum");
  network_->AddOutputLayer({sum, 0}, "y");
  network_->AddOutputLayer({AddRelu(*network_, {view, 0}, "one"), 0}, "z");
  const NetworkId id = Load(*network_, {"A"});
  Run(id, 2);
  EXPECT_EQ(given, std::set<const void*>{data.get()});
  ASSERT_EQ(steps_.size(), 2U);
  EXPECT_EQ(steps_[0].inputs[1].data, data.get());
  EXPECT_EQ(steps_[1].inputs[0].data, data.get());
  EXPECT_EQ(steps_[1].inputs[0].access, MemoryAccess::kRead);
  EXPECT_EQ(runtime_->GetMemoryReport(id).constants_bytes, 16U);
}

TEST_F(SharedMemoryTest, TheReportCountsSharedMemoryOnce) {
  const LayerId one = AddRelu(*network_, x_, "one");
  const LayerId view = AddView(*network_, {one, 0}, {2, 2}, "view");
  network_->AddOutputLayer({AddRelu(*network_, {view, 0}, "two"), 0}, "y");
  const MemoryReport memory = runtime_->GetMemoryReport(Load(*network_, {"A"}));
  // The input and what lies in place of the first result.
  EXPECT_EQ(memory.lower_bound_bytes, 128U);
  EXPECT_EQ(memory.arena_bytes, 128U);
}

}  // namespace
}  // namespace backplane
