/// A part that is wanted with other extents is what it would be if it were read anew.

#include "subgraphs/kept_graph.hpp"

#include <backplane/api/descriptors/elementwise_binary.hpp>
#include <backplane/api/descriptors/slice.hpp>

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <utility>
#include <vector>

namespace backplane {
namespace opencl_test {
namespace {

using opencl::Graph;
using opencl::KeptGraph;

/// Two rows of x, from the second on, plus a constant; and that once more.
class PartOfANetwork : public ISubgraphReader {
 public:
  explicit PartOfANetwork(std::int64_t rows)
      : x_({rows, 3}, DataType::kFloat32), taken_({rows - 5, 3}, DataType::kFloat32) {
    slice_.starts[0] = 5;
    slice_.extents[0] = rows - 5;
    slice_.extents[1] = 3;
    content_.resize(static_cast<std::size_t>(taken_.shape.GetNumElements()), 0.5F);
    constant_ = {taken_, content_.data(), {7, 0}};
    layers_[1] = Make(1, LayerType::kSlice, slice_, {{0, 0}}, {&x_}, {nullptr});
    for (const LayerId id : {3U, 4U}) {
      layers_[id] = Make(id, LayerType::kElementwiseBinary, add_, {{id == 3 ? 1U : 3U, 0}, {2, 0}},
                         {&taken_, &taken_}, {nullptr, &constant_});
    }
  }

  Status GetLayer(LayerId id, const LayerView** layer) const override {
    *layer = &layers_.at(id).view;
    return Status::kSuccess;
  }

  const Graph& Read() {
    args_.reader = this;
    SubgraphView part;
    part.layers = {1, 3, 4};
    part.inputs = {{0, 0}};
    part.outputs = {{4, 0}};
    graph_ = opencl::ReadGraph(args_, part);
    return graph_;
  }
  KeptGraph Keep() { return KeptGraph(args_, Read()); }
  const OptimizeSubgraphArgs& GetArgs() const { return args_; }
  const ConstTensor& GetConstant() const { return constant_; }

 private:
  struct Owned {
    std::vector<OutputSlot> slots;
    std::vector<const TensorInfo*> infos;
    std::vector<const ConstTensor*> constants;
    const TensorInfo* output = nullptr;
    LayerView view;
  };

  Owned Make(LayerId id, LayerType type, const BaseDescriptor& descriptor,
             std::vector<OutputSlot> slots, std::vector<const TensorInfo*> infos,
             std::vector<const ConstTensor*> constants) {
    Owned owned{std::move(slots), std::move(infos), std::move(constants), &taken_, {}};
    owned.view.layer_type = type;
    owned.view.id = id;
    owned.view.descriptor = &descriptor;
    owned.view.inputs = owned.slots.data();
    owned.view.input_infos = owned.infos.data();
    owned.view.constants = owned.constants.data();
    owned.view.num_inputs = static_cast<std::uint32_t>(owned.slots.size());
    owned.view.num_outputs = 1;
    owned.view.output_infos = &taken_pointer_;
    return owned;
  }

  const TensorInfo x_;
  const TensorInfo taken_;
  const TensorInfo* const taken_pointer_ = &taken_;
  SliceDescriptor slice_;
  const ElementwiseBinaryDescriptor add_;
  std::vector<float> content_;
  ConstTensor constant_;
  std::map<LayerId, Owned> layers_;
  OptimizeSubgraphArgs args_;
  Graph graph_;
};

ResizeArgs MakeArgs(const std::vector<ExtentChange>& changes,
                    const std::vector<OutputSlot>& readers,
                    const std::vector<const ConstTensor*>& constants) {
  ResizeArgs args;
  args.num_changes = static_cast<std::uint32_t>(changes.size());
  args.changes = changes.data();
  args.readers = readers.data();
  args.constants = constants.data();
  args.num_constants = static_cast<std::uint32_t>(readers.size());
  return args;
}

void ExpectSame(const Graph& found, const Graph& expected) {
  ASSERT_EQ(found.tensors.size(), expected.tensors.size());
  for (std::size_t i = 0; i < found.tensors.size(); ++i) {
    EXPECT_EQ(*found.tensors[i].info, *expected.tensors[i].info) << i;
    const ConstTensor* const constant = expected.tensors[i].constant;
    ASSERT_EQ(found.tensors[i].constant != nullptr, constant != nullptr) << i;
    if (constant == nullptr) continue;
    EXPECT_EQ(
        std::memcmp(found.tensors[i].constant->data, constant->data, constant->info.GetSizeBytes()),
        0);
  }
  for (std::size_t i = 0; i < found.layers.size(); ++i) {
    const LayerView& view = *expected.layers[i].view;
    EXPECT_EQ(
        std::memcmp(found.layers[i].view->descriptor, view.descriptor, view.descriptor->size_bytes),
        0)
        << i;
  }
}

TEST(KeptGraphs, BecomeThoseThatAreReadOfOtherExtents) {
  PartOfANetwork of_seven(7);
  const KeptGraph kept = of_seven.Keep();
  ExpectSame(kept.Get(), of_seven.Read());
  PartOfANetwork of_nine(9);
  const auto resized = kept.Resize(MakeArgs({{7, 9}, {2, 4}}, {{3, 1}, {4, 1}},
                                            {&of_nine.GetConstant(), &of_nine.GetConstant()}));
  ASSERT_NE(resized, nullptr);
  ExpectSame(resized->Get(), of_nine.Read());
  ExpectSame(kept.Get(), of_seven.Read());
}

TEST(KeptGraphs, RefuseConstantsOfWhichSomethingIsNotKnown) {
  PartOfANetwork of_seven(7);
  const KeptGraph kept = of_seven.Keep();
  PartOfANetwork of_nine(9);
  PartOfANetwork of_ten(10);
  const ConstTensor* const nine = &of_nine.GetConstant();
  const ConstTensor* const ten = &of_ten.GetConstant();
  const std::vector<ExtentChange> changes = {{7, 9}, {2, 4}};
  EXPECT_EQ(kept.Resize(MakeArgs(changes, {}, {})), nullptr) << "it has two rows still";
  EXPECT_EQ(kept.Resize(MakeArgs(changes, {{3, 1}}, {nine})), nullptr) << "layer 4 reads another";
  EXPECT_EQ(kept.Resize(MakeArgs(changes, {{3, 1}, {4, 1}}, {nine, ten})), nullptr);
  EXPECT_EQ(kept.Resize(MakeArgs(changes, {{3, 1}, {4, 1}}, {ten, ten})), nullptr);
  EXPECT_EQ(kept.Resize(MakeArgs(changes, {{3, 0}}, {nine})), nullptr) << "that is no constant";
  EXPECT_EQ(kept.Resize(MakeArgs(changes, {{9, 1}}, {nine})), nullptr) << "there is no such layer";
  EXPECT_EQ(kept.Resize(MakeArgs(changes, {{3, 2}}, {nine})), nullptr) << "nor such an input";
}

}  // namespace
}  // namespace opencl_test
}  // namespace backplane
