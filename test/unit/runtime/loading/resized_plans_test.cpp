/// Plans for extents that were not seen before, made of plans for others.

#include "loading/staged_fixture.hpp"

#include <backplane/api/descriptors/slice.hpp>
#include <backplane/api/subgraph_parts.hpp>

#include <set>

namespace backplane {
namespace {

/// A chain of three layers on numbers: "one", then "two", which adds a constant that is as long as
/// the input, then what `last` names.
class LengthSource final : public INetworkSource {
 public:
  explicit LengthSource(std::string last = "three") : last_(std::move(last)) {}

  const std::string& GetName() const override { return name_; }
  std::vector<OpenBinding> GetInputs() const override { return {MakeBinding(0, "x")}; }
  std::vector<OpenBinding> GetOutputs() const override { return {MakeBinding(0, "y")}; }
  NetworkStage MakeFirstStage(const Values& inputs) const override {
    NetworkStage stage;
    stage.network = INetwork::Create("stage");
    const TensorInfo& info = inputs[0].info;
    const OutputSlot x = stage.network->AddInputLayer(info, "x");
    const OutputSlot one{AddRelu(*stage.network, x, "one"), 0};
    // Other bytes for each length, and the same for the same.
    const std::vector<float> numbers(static_cast<std::size_t>(info.shape[0]),
                                     static_cast<float>(info.shape[0]));
    const OutputSlot constant = stage.network->AddConstantLayer(
        info, CopyConstantData(numbers.data(), info.GetSizeBytes()), "lengths");
    const OutputSlot two{
        AddLayer<LayerType::kElementwiseBinary>(*stage.network, {}, {one, constant}, "two"), 0};
    stage.network->AddOutputLayer({AddRelu(*stage.network, two, last_), 0}, "y");
    stage.network_inputs = {0};
    stage.network_outputs = {1};
    stage.results = {1};
    stage.follows_extents = true;
    return stage;
  }

 private:
  const std::string name_ = "lengths";
  const std::string last_;
};

std::vector<float> Ones(std::size_t count) {
  return std::vector<float>(count, 1.0F);
}

/// Layers in front of one whose name begins with "unoptimizable" become one that adds their number;
/// that one stays as it is.
OptimizationViews CompileTheFirst(const std::shared_ptr<TestBackend>& test,
                                  const OptimizeSubgraphArgs& args) {
  std::vector<LayerId> first;
  std::vector<LayerId> rest;
  for (const LayerId id : args.subgraph->layers) {
    const LayerView* layer = nullptr;
    EXPECT_EQ(args.reader->GetLayer(id, &layer), Status::kSuccess);
    const bool stays = std::string(layer->name).rfind("unoptimizable", 0) == 0;
    (stays ? rest : first).push_back(id);
  }
  OptimizationViews views;
  const SubgraphView part = MakeSubgraphPart(args, first);
  const auto compiled = std::make_shared<TestCompiled>(test, static_cast<float>(first.size()));
  EXPECT_EQ(ReplaceByPreCompiled(args, part, compiled, "compiled", &views), Status::kSuccess);
  if (!rest.empty()) views.untouched.push_back(MakeSubgraphPart(args, rest));
  return views;
}

class ResizedPlans : public StagedRunsTest {
 protected:
  ResizedPlans() {
    a_->optimize = [this](const OptimizeSubgraphArgs& args) {
      ++num_offers_;
      EXPECT_TRUE(args.is_open);
      return CompileTheFirst(a_, args);
    };
    a_->resize = [this](const ResizeArgs& args) {
      resized_.push_back({{args.changes, args.changes + args.num_changes},
                          {args.readers, args.readers + args.num_constants},
                          {}});
      for (std::uint32_t i = 0; i < args.num_constants; ++i) {
        resized_.back().constants.push_back(*static_cast<const float*>(args.constants[i]->data));
      }
      return std::make_shared<TestCompiled>(a_, 20.0F);
    };
  }

  std::vector<bool> GetResized(NetworkId id) const {
    std::vector<bool> resized;
    for (const PlanReport& plan : runtime_->GetPlanReports(id)) {
      resized.push_back(plan.stages.at(0).is_resized);
    }
    return resized;
  }
  int CountResized(NetworkId id) const {
    const std::vector<bool> resized = GetResized(id);
    return static_cast<int>(std::count(resized.begin(), resized.end(), true));
  }

  struct Call {
    std::vector<ExtentChange> changes;
    std::vector<OutputSlot> readers;
    std::vector<float> constants;  // their first elements
  };
  std::vector<Call> resized_;
  int num_offers_ = 0;
};

TEST_F(ResizedPlans, AreNotOfferedAnew) {
  const NetworkId id = LoadSource(std::make_shared<LengthSource>());
  EXPECT_EQ(RunWith(id, Ones(4)), std::vector<float>(4, 1.0F + 3.0F));
  const int num_asked = a_->CountEvents("asked one");
  EXPECT_EQ(RunWith(id, Ones(5)), std::vector<float>(5, 1.0F + 20.0F)) << "what was resized runs";
  EXPECT_EQ(RunWith(id, Ones(7)), std::vector<float>(7, 1.0F + 20.0F));
  EXPECT_EQ(RunWith(id, Ones(4)), std::vector<float>(4, 1.0F + 3.0F)) << "the first is kept";
  EXPECT_EQ(num_offers_, 1);
  EXPECT_EQ(a_->CountEvents("asked one"), num_asked);
  EXPECT_EQ(CountResized(id), 2);
}

TEST_F(ResizedPlans, TellWhatRunsWhereAsIfTheyHadBeenMadeAnew) {
  const NetworkId id = LoadSource(std::make_shared<LengthSource>());
  RunWith(id, Ones(4));
  RunWith(id, Ones(7));
  const NetworkId anew = LoadSource(std::make_shared<LengthSource>());
  RunWith(anew, Ones(7));
  const StageReport expected = runtime_->GetPlanReports(anew).at(0).stages.at(0);
  ASSERT_FALSE(expected.is_resized);
  for (const PlanReport& plan : runtime_->GetPlanReports(id)) {
    if (!plan.stages.at(0).is_resized) continue;
    const Placement& found = plan.stages.at(0).placement;
    EXPECT_EQ(ToText(found), ToText(expected.placement));
    EXPECT_EQ(ToDot(found), ToDot(expected.placement)) << "with the shapes of all tensors";
    EXPECT_EQ(SubgraphsToJson(found), SubgraphsToJson(expected.placement));
    EXPECT_EQ(TransfersToJson(found), TransfersToJson(expected.placement));
  }
}

TEST_F(ResizedPlans, SayWhatHasChanged) {
  const NetworkId id = LoadSource(std::make_shared<LengthSource>());
  RunWith(id, Ones(4));
  RunWith(id, Ones(7));
  ASSERT_EQ(resized_.size(), 1U);
  ASSERT_EQ(resized_[0].changes.size(), 1U);
  EXPECT_EQ(resized_[0].changes[0].before, 4);
  EXPECT_EQ(resized_[0].changes[0].after, 7);
  // Input, "one", constant, "two".
  EXPECT_EQ(resized_[0].readers, (std::vector<OutputSlot>{{3, 1}}));
  EXPECT_EQ(resized_[0].constants, (std::vector<float>{7}));
}

/// Adds to each number a constant that is made anew for each stage, and always the same.
class SameConstantSource final : public INetworkSource {
 public:
  const std::string& GetName() const override { return name_; }
  std::vector<OpenBinding> GetInputs() const override { return {MakeBinding(0, "x")}; }
  std::vector<OpenBinding> GetOutputs() const override { return {MakeBinding(0, "y")}; }
  NetworkStage MakeFirstStage(const Values& inputs) const override {
    NetworkStage stage;
    stage.network = INetwork::Create("stage");
    const OutputSlot x = stage.network->AddInputLayer(inputs[0].info, "x");
    const float half = 0.5F;
    const OutputSlot constant =
        stage.network->AddConstantLayer(Float({1}), CopyConstantData(&half, sizeof(half)), "half");
    const OutputSlot sum{
        AddLayer<LayerType::kElementwiseBinary>(*stage.network, {}, {x, constant}, "sum"), 0};
    stage.network->AddOutputLayer(sum, "y");
    stage.network_inputs = {0};
    stage.network_outputs = {1};
    stage.results = {1};
    return stage;
  }

 private:
  const std::string name_ = "same constant";
};

TEST_F(ResizedPlans, HaveOtherConstantsOnlyWhereTheContentIsAnother) {
  const NetworkId id = LoadSource(std::make_shared<SameConstantSource>());
  RunWith(id, Ones(4));
  RunWith(id, Ones(7));
  ASSERT_EQ(resized_.size(), 1U);
  EXPECT_TRUE(resized_[0].readers.empty());
}

TEST_F(ResizedPlans, AreOfferedAnewWhenABackendCannot) {
  a_->resize = nullptr;
  const NetworkId id = LoadSource(std::make_shared<LengthSource>());
  EXPECT_EQ(RunWith(id, Ones(4)), std::vector<float>(4, 4.0F));
  EXPECT_EQ(RunWith(id, Ones(5)), std::vector<float>(5, 4.0F));
  EXPECT_EQ(num_offers_, 2);
  EXPECT_EQ(CountResized(id), 0);
  std::set<std::string> refusing;
  for (const PlanReport& plan : runtime_->GetPlanReports(id)) {
    refusing.insert(plan.stages.at(0).not_resized_by);
  }
  EXPECT_EQ(refusing, (std::set<std::string>{"", "A"})) << "for the first there was nothing";
}

TEST_F(ResizedPlans, AreOfferedAnewWhenABackendFailsAndThatIsLogged) {
  a_->resize = [](const ResizeArgs&) -> std::shared_ptr<const IPreCompiledObject> {
    throw std::runtime_error("boom");
  };
  const LogFile log("*=warning");
  const NetworkId id = LoadSource(std::make_shared<LengthSource>());
  RunWith(id, Ones(4));
  EXPECT_EQ(RunWith(id, Ones(5)), std::vector<float>(5, 4.0F));
  EXPECT_EQ(num_offers_, 2);
  EXPECT_TRUE(log.Has("backend \"A\" failed when it was to resize a part of network \"stage\""));
  EXPECT_TRUE(log.Has("boom"));
}

TEST_F(ResizedPlans, HaveNoExtentThatBecomesOneOrNothing) {
  const NetworkId id = LoadSource(std::make_shared<LengthSource>());
  RunWith(id, Ones(4));
  EXPECT_EQ(RunWith(id, Ones(1)), std::vector<float>(1, 4.0F));
  EXPECT_EQ(RunWith(id, {}), std::vector<float>());
  EXPECT_EQ(num_offers_, 3);
  EXPECT_TRUE(resized_.empty());
}

TEST_F(ResizedPlans, AreNotManyTimesAsLong) {
  const NetworkId id = LoadSource(std::make_shared<LengthSource>());
  RunWith(id, Ones(4));
  RunWith(id, Ones(16));
  EXPECT_EQ(num_offers_, 1);
  RunWith(id, Ones(100));
  EXPECT_EQ(num_offers_, 2);
  RunWith(id, Ones(99));
  EXPECT_EQ(num_offers_, 2) << "alike to the second one";
}

/// The input, of which a part as long as 4 is taken.
class PartSource final : public INetworkSource {
 public:
  const std::string& GetName() const override { return name_; }
  std::vector<OpenBinding> GetInputs() const override { return {MakeBinding(0, "x")}; }
  std::vector<OpenBinding> GetOutputs() const override { return {MakeBinding(0, "y")}; }
  NetworkStage MakeFirstStage(const Values& inputs) const override {
    NetworkStage stage;
    stage.network = INetwork::Create("stage");
    const OutputSlot x = stage.network->AddInputLayer(inputs[0].info, "x");
    const OutputSlot one{AddRelu(*stage.network, x, "one"), 0};
    SliceDescriptor part;
    part.extents[0] = 4;
    stage.network->AddOutputLayer(
        {AddLayer<LayerType::kSlice>(*stage.network, part, {one}, "unoptimizable part"), 0}, "y");
    stage.network_inputs = {0};
    stage.network_outputs = {1};
    stage.results = {1};
    return stage;
  }

 private:
  const std::string name_ = "part";
};

TEST_F(ResizedPlans, AreNotMadeOfOnesInWhichTwoExtentsWereEqual) {
  const NetworkId id = LoadSource(std::make_shared<PartSource>());
  RunWith(id, Ones(4));  // the part, too, has 4
  RunWith(id, Ones(5));
  EXPECT_EQ(num_offers_, 2);
  RunWith(id, Ones(6));
  EXPECT_EQ(num_offers_, 2) << "5 is the length of nothing else";
  EXPECT_EQ(CountResized(id), 1);
  RunWith(id, Ones(4));
  EXPECT_EQ(num_offers_, 2);
}

TEST_F(ResizedPlans, AskAgainAboutLayersThatRunByThemselves) {
  a_->supports = [](const LayerSupportQuery& query, std::string& reason) {
    reason = "too long";
    return query.layer_name != std::string("unoptimizable") || query.inputs[0]->shape[0] < 6;
  };
  const NetworkId id = runtime_->LoadNetwork(
      Optimize(INetwork::Create(std::make_shared<LengthSource>("unoptimizable")), {"A", "B"},
               runtime_->GetDeviceSpec()));
  EXPECT_EQ(RunWith(id, Ones(4)), std::vector<float>(4, 1.0F + 2.0F + 1.0F));
  EXPECT_EQ(RunWith(id, Ones(5)), std::vector<float>(5, 1.0F + 20.0F + 1.0F));
  EXPECT_EQ(CountResized(id), 1);
  EXPECT_EQ(RunWith(id, Ones(7)), std::vector<float>(7, 1.0F + 2.0F + 1.0F)) << "placed anew";
  EXPECT_EQ(runtime_->GetFallbackReport(id).placement.layers.at(2).backend_id, "B");
}

TEST_F(ResizedPlans, AreNotKeptWhenTheNetworkGoes) {
  const NetworkId id = LoadSource(std::make_shared<LengthSource>());
  RunWith(id, Ones(4));
  RunWith(id, Ones(5));
  runtime_->UnloadNetwork(id);
  EXPECT_EQ(a_->CountEvents("~compiled"), 2);
}

TEST_F(ResizedPlans, AreThoseOfNetworksWithOpenExtentsAlone) {
  a_->optimize = [this](const OptimizeSubgraphArgs& args) {
    EXPECT_FALSE(args.is_open);
    return CompileTheFirst(a_, args);
  };
  runtime_->LoadNetwork(Optimize(*MakeChain({"one", "two"}), {"A"}, runtime_->GetDeviceSpec()));
}

}  // namespace
}  // namespace backplane
