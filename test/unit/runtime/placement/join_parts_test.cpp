#include "placement/join_parts.hpp"

#include "bridge_fixture.hpp"

namespace backplane {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Everything runs on "Npu" in one kind, and "join" joins parts of [4], which are 16 bytes and
/// aligned to 4.
class JoinPartsTest : public BridgeFixture {
 protected:
  void UseKind(const FactoryProperties& properties, const FactoryAnswers& answers = AskingFor(4)) {
    AddOnly(npu_, "A/Npu/Own", properties, answers);
  }
  OutputSlot AddPart(const TensorShape& shape = {4}, const std::string& name = "a") {
    return layers_.AddRelu(npu_, layers_.AddConstant(shape), name);
  }
  OutputSlot Join(const std::vector<OutputSlot>& parts, std::uint32_t axis = 0) {
    return layers_.AddConcat(npu_, parts, axis, "join");
  }

  void Run() {
    network_ = Bridge();
    moves_ = JoinParts(network_, kinds_.Get(), kinds_.GetBackendIds());
  }

  /// All is run but one layer, and that has one reason.
  void ExpectReason(const std::string& layer, const std::string& reason) {
    Run();
    ASSERT_EQ(moves_.size(), 1U);
    EXPECT_EQ(moves_[0].layer, layer);
    EXPECT_EQ(moves_[0].backend_id, "Npu");
    EXPECT_EQ(moves_[0].reason, reason);
    EXPECT_EQ(GetRole(layer), LayerRole::kStep);
  }

  void ExpectParts(const std::string& layer) {
    EXPECT_EQ(GetRole(layer), LayerRole::kParts);
    for (const PlacedMove& move : moves_) EXPECT_NE(move.layer, layer) << move.reason;
  }

  LayerRole GetRole(const std::string& name) const {
    for (const Layer& layer : network_.graph.layers) {
      if (layer.name == name) return network_.roles[layer.id];
    }
    ADD_FAILURE() << "no layer is named " << name;
    return LayerRole::kEndpoint;
  }

  /// Where the first output of a layer begins in what it lies in; fails when that is nothing.
  const TensorPart& GetPart(const std::string& maker, std::uint32_t index = 0) const {
    static const TensorPart kNone;
    for (const Layer& layer : network_.graph.layers) {
      if (layer.name != maker) continue;
      const TensorNumbers numbers(network_.graph);
      const std::uint32_t part = network_.part_of_tensor[numbers.Get({layer.id, index})];
      if (part != kNoPart) return network_.parts.at(part);
    }
    ADD_FAILURE() << "no part is made by " << maker;
    return kNone;
  }

  BridgedNetwork network_;
  std::vector<PlacedMove> moves_;
};

TEST_F(JoinPartsTest, PartsLieInTheWholeWhenAllConditionsHold) {
  UseKind(Mappable());
  layers_.AddOutput(Join({AddPart({4}, "a"), AddPart({4}, "b")}));
  Run();
  ExpectParts("join");
  EXPECT_EQ(GetPart("a").offset_bytes, 0U);
  EXPECT_EQ(GetPart("b").offset_bytes, 16U);
  EXPECT_THAT(GetPart("b").origin, ElementsAre(4));
  EXPECT_FALSE(GetPart("b").is_sub_tensor);
}

TEST_F(JoinPartsTest, NotInAnOpaqueKind) {
  UseKind(Opaque());
  Join({AddPart()});
  ExpectReason("join", "A/Npu/Own has an opaque layout");
}

TEST_F(JoinPartsTest, NotInAPaddedWhole) {
  FactoryAnswers answers;
  answers.get_requirements = [](const TensorRequirementsArgs& args) {
    MemoryRequirements requirements;
    requirements.size_bytes = args.info->GetSizeBytes() > 16 ? 64 : 0;
    return requirements;
  };
  UseKind(Mappable(), answers);
  Join({AddPart(), AddPart()});
  ExpectReason("join", "A/Npu/Own wants padding");
}

TEST_F(JoinPartsTest, NotWithPaddedParts) {
  FactoryAnswers answers;
  answers.get_requirements = [](const TensorRequirementsArgs& args) {
    MemoryRequirements requirements;
    requirements.size_bytes = args.info->GetSizeBytes() == 16 ? 20 : 0;
    return requirements;
  };
  UseKind(Mappable(), answers);
  Join({AddPart(), AddPart()});
  ExpectReason("join", "A/Npu/Own wants padding for a");
}

TEST_F(JoinPartsTest, NotWithConstants) {
  UseKind(Mappable());
  Join({AddPart(), layers_.AddConstant({4})});
  ExpectReason("join", "#2 is a constant");
}

TEST_F(JoinPartsTest, NotOutOfConstants) {
  UseKind(Mappable());
  layers_.AddSplit(npu_, layers_.AddConstant({4}), {2, 2}, 0, "split");
  ExpectReason("split", "it splits a constant");
}

TEST_F(JoinPartsTest, NotAcrossKinds) {
  const KindIndex own = kinds_.Add(npu_, "A/Npu/Own", Mappable());
  kinds_.Prefer(npu_, {own, kHostKind});
  const OutputSlot a = layers_.AddRelu(gpu_, layers_.AddConstant({4}), "a");
  layers_.AddRelu(npu_, Join({a, AddPart({4}, "b")}));
  ExpectReason("join", "a lies in Backplane/Host/Memory, the whole in A/Npu/Own");
}

TEST_F(JoinPartsTest, NotWhenATensorIsGivenTwice) {
  UseKind(Mappable());
  const OutputSlot a = AddPart();
  Join({a, a});
  ExpectReason("join", "one tensor is given twice");
}

TEST_F(JoinPartsTest, NotWithInputsOfTheNetwork) {
  UseKind(Mappable());
  Join({layers_.AddInput({4})});
  ExpectReason("join", "x0 is an input of the network");
}

TEST_F(JoinPartsTest, NotWithOutputsOfTheNetwork) {
  UseKind(Mappable());
  const OutputSlot a = AddPart();
  layers_.AddOutput(a);
  Join({a});
  ExpectReason("join", "a is an output of the network");
}

TEST_F(JoinPartsTest, NotWithPartsOfWhichAViewIsAnOutput) {
  UseKind(Mappable());
  const OutputSlot a = AddPart();
  layers_.AddOutput(layers_.AddView(npu_, a, {2, 2}));
  Join({a});
  ExpectReason("join", "a is an output of the network");
}

TEST_F(JoinPartsTest, NotWithViews) {
  UseKind(Mappable());
  Join({layers_.AddView(npu_, AddPart({2, 2}), {4}, "view")});
  ExpectReason("join", "view is a view");
}

TEST_F(JoinPartsTest, NotWithWhatLiesInAnotherTensor) {
  UseKind(Mappable());
  const OutputSlot a = AddPart();
  layers_.AddConcat(npu_, {a, AddPart()}, 0, "first");
  Join({AddPart(), a});
  ExpectReason("join", "a lies in another tensor already");
  ExpectParts("first");
}

class ImportedPartsTest : public JoinPartsTest {
 protected:
  ImportedPartsTest() {
    UseKind(Exporting(MemorySource::kDmaBuf));
    AddOnly(gpu_, "A/Gpu/In", Importing(MemorySource::kDmaBuf), AskingFor(4));
  }
};

TEST_F(ImportedPartsTest, NoPartIsImported) {
  const OutputSlot a = AddPart();
  layers_.AddRelu(gpu_, a);
  Join({a});
  ExpectReason("join", "a is imported by another kind");
}

TEST_F(ImportedPartsTest, NoViewOfAPartIsImported) {
  const OutputSlot a = AddPart();
  layers_.AddRelu(gpu_, layers_.AddView(npu_, a, {2, 2}));
  Join({a});
  ExpectReason("join", "a is imported by another kind");
}

TEST_F(ImportedPartsTest, TheWholeMayBeImported) {
  layers_.AddRelu(gpu_, Join({AddPart()}));
  Run();
  ExpectParts("join");
}

TEST_F(ImportedPartsTest, NothingImportedIsAPart) {
  layers_.AddConcat(gpu_, {AddPart()}, 0, "other");
  Run();
  ASSERT_EQ(moves_.size(), 1U);
  EXPECT_THAT(moves_[0].reason, HasSubstr("lies in memory of another kind"));
}

TEST_F(ImportedPartsTest, NothingImportedIsSplit) {
  layers_.AddSplit(gpu_, AddPart(), {2, 2}, 0, "split");
  Run();
  ASSERT_EQ(moves_.size(), 1U);
  EXPECT_EQ(moves_[0].reason, "it splits a tensor in memory of another kind");
}

TEST_F(ImportedPartsTest, NoViewOfWhatWasImportedIsSplit) {
  layers_.AddSplit(gpu_, layers_.AddView(gpu_, AddPart(), {2, 2}), {1, 1}, 0, "split");
  Run();
  ASSERT_EQ(moves_.size(), 1U);
  EXPECT_EQ(moves_[0].reason, "it splits a tensor in memory of another kind");
}

TEST_F(JoinPartsTest, CopiesMadeByTheCoreAreParts) {
  UseKind(Mappable());
  const OutputSlot a = layers_.AddRelu(gpu_, layers_.AddConstant({4}), "a");
  layers_.AddOutput(Join({a, AddPart({4}, "b")}));
  Run();
  ExpectParts("join");
  EXPECT_EQ(GetPart("a to A/Npu/Own").offset_bytes, 0U);
}

TEST_F(JoinPartsTest, PartsMayBeReadElsewhereToo) {
  UseKind(Mappable());
  const OutputSlot a = AddPart();
  layers_.AddRelu(npu_, a);
  layers_.AddRelu(gpu_, a);
  layers_.AddOutput(Join({a}));
  Run();
  ExpectParts("join");
}

TEST_F(JoinPartsTest, PartsOfASplitLieInWhatItSplits) {
  UseKind(Mappable());
  layers_.AddSplit(npu_, AddPart({6}), {2, 4}, 0, "split");
  Run();
  ExpectParts("split");
  EXPECT_EQ(GetPart("split", 1).offset_bytes, 8U);
}

TEST_F(JoinPartsTest, ASplitThenAConcatJoinsTheFirst) {
  UseKind(Mappable());
  const auto parts = layers_.AddSplit(npu_, AddPart({6}), {2, 4}, 0, "split");
  layers_.AddOutput(Join({parts[1], parts[0]}));
  ExpectReason("join", "split lies in another tensor already");
  ExpectParts("split");
}

}  // namespace
}  // namespace backplane
