// Tensors that lie in others are not copied.

#include "subgraphs/tensor_places.hpp"
#include "subgraphs/tensor_parts.hpp"
#include "test/made_graph.hpp"

#include <backplane/api/descriptors/concat.hpp>
#include <backplane/api/descriptors/slice.hpp>

#include <gtest/gtest.h>

namespace backplane {
namespace opencl_test {
namespace {

using opencl::FindParts;
using opencl::StepTensor;
using opencl::TensorNumber;
using opencl::TensorPart;
using opencl::TensorPlaces;
using opencl::WorkPlan;

constexpr std::uint64_t kBytes = 4 * 36 * sizeof(float);  // of MadeGraph::kShape

TensorNumber AddConcat(MadeGraph& graph, std::uint32_t axis, const std::vector<TensorNumber>& parts,
                       const TensorShape& shape) {
  ConcatDescriptor descriptor;
  descriptor.axis = axis;
  return graph.AddLayer(LayerType::kConcat, descriptor, parts, shape);
}

TensorNumber AddSlice(MadeGraph& graph, TensorNumber input, const TensorShape& starts,
                      const TensorShape& shape) {
  SliceDescriptor descriptor;
  for (std::uint32_t axis = 0; axis < starts.rank; ++axis) {
    descriptor.starts[axis] = starts[axis];
    descriptor.steps[axis] = 1;
  }
  return graph.AddLayer(LayerType::kSlice, descriptor, {input}, shape);
}

/// The parts of the layer that was added last.
std::vector<TensorPart> FindLastParts(const MadeGraph& graph) {
  const auto last = static_cast<opencl::LayerNumber>(graph.Get().layers.size() - 1);
  return FindParts(graph.Get(), last);
}

TEST(TensorParts, OfAConcatFollowEachOtherWhereNothingIsInFront) {
  MadeGraph graph;
  const TensorNumber a = graph.AddInput(MadeGraph::kShape);
  const TensorNumber b = graph.AddInput(MadeGraph::kShape);
  const TensorNumber whole = AddConcat(graph, 1, {a, b}, {1, 8, 6, 6});
  const auto parts = FindLastParts(graph);
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(parts[1].part, b);
  EXPECT_EQ(parts[1].whole, whole);
  EXPECT_EQ(parts[1].offset_bytes, kBytes);
  AddConcat(graph, 2, {a, b}, {1, 4, 12, 6});
  EXPECT_TRUE(FindLastParts(graph).empty());
}

TEST(TensorParts, OfASliceAreRowsThatFollowEachOther) {
  MadeGraph graph;
  const TensorNumber x = graph.AddInput({2, 4, 6, 6});
  AddSlice(graph, x, {1, 1, 0, 0}, {1, 2, 6, 6});
  ASSERT_EQ(FindLastParts(graph).size(), 1U);
  EXPECT_EQ(FindLastParts(graph)[0].offset_bytes, (4 * 36 + 36) * sizeof(float));
  AddSlice(graph, x, {1, 2, 3, 1}, {1, 1, 1, 5});
  ASSERT_EQ(FindLastParts(graph).size(), 1U);
  EXPECT_EQ(FindLastParts(graph)[0].offset_bytes, (4 * 36 + 2 * 36 + 3 * 6 + 1) * sizeof(float));
  AddSlice(graph, x, {0, 1, 0, 0}, {2, 2, 6, 6});
  EXPECT_TRUE(FindLastParts(graph).empty());
  AddSlice(graph, x, {0, 0, 0, 1}, {1, 1, 2, 5});
  EXPECT_TRUE(FindLastParts(graph).empty());
}

class PlacesOfTensors : public testing::Test {
 protected:
  PlacesOfTensors() {
    const TensorNumber x = graph_.AddInput(MadeGraph::kShape);
    a_ = graph_.AddActivation(x, ActivationFunction::kRelu);
    b_ = graph_.AddActivation(x, ActivationFunction::kTanH);
    whole_ = AddConcat(graph_, 1, {a_, b_}, {1, 8, 6, 6});
    input_ = x;
  }

  void PlaceAll(TensorPlaces& places) {
    for (TensorNumber tensor = 0; tensor < graph_.Get().tensors.size(); ++tensor) {
      places.Use(tensor, tensor);
    }
    places.PlaceAll(128, plan_);
  }

  MadeGraph graph_;
  TensorNumber input_ = 0;
  TensorNumber a_ = 0;
  TensorNumber b_ = 0;
  TensorNumber whole_ = 0;
  WorkPlan plan_;
};

TEST_F(PlacesOfTensors, ArePartsOfAnOutput) {
  graph_.SetOutput(whole_);
  TensorPlaces places(graph_.Get());
  EXPECT_TRUE(places.PutInto(a_, whole_, 0));
  EXPECT_TRUE(places.PutInto(b_, whole_, kBytes));
  PlaceAll(places);
  EXPECT_TRUE(plan_.intermediates.empty());
  EXPECT_EQ(places.Find(b_).kind, StepTensor::Kind::kOutput);
  EXPECT_EQ(places.Find(b_).offset_bytes, kBytes);
}

TEST_F(PlacesOfTensors, OfPartsOfPartsAddUp) {
  const TensorNumber more = AddConcat(graph_, 1, {input_, whole_}, {1, 12, 6, 6});
  TensorPlaces places(graph_.Get());
  EXPECT_TRUE(places.PutInto(b_, whole_, kBytes));
  EXPECT_FALSE(places.PutInto(input_, more, 0)) << "it is where the caller has it";
  EXPECT_TRUE(places.PutInto(whole_, more, kBytes));
  PlaceAll(places);
  EXPECT_EQ(places.Find(b_).offset_bytes, 2 * kBytes);
  EXPECT_EQ(places.Find(b_).index, places.Find(more).index);
}

TEST_F(PlacesOfTensors, AreNotSharedByTwoWholes) {
  const TensorNumber other = AddConcat(graph_, 1, {b_, b_}, {1, 8, 6, 6});
  TensorPlaces places(graph_.Get());
  EXPECT_TRUE(places.PutInto(b_, other, 0));
  EXPECT_FALSE(places.PutInto(b_, other, kBytes)) << "it is there already";
  EXPECT_FALSE(places.PutInto(b_, whole_, kBytes)) << "it is a part of another";
}

TEST_F(PlacesOfTensors, OfOutputsStay) {
  graph_.SetOutput(b_);
  const TensorNumber view = graph_.AddActivation(a_, ActivationFunction::kRelu);
  graph_.SetOutput(view);
  TensorPlaces places(graph_.Get());
  EXPECT_FALSE(places.PutInto(b_, whole_, kBytes));
  EXPECT_TRUE(places.PutInto(a_, whole_, 0));
  EXPECT_FALSE(places.Share(a_, view)) << "what it is a part of is larger than the output";
}

}  // namespace
}  // namespace opencl_test
}  // namespace backplane
