#include "placement/subgraph_cache.hpp"

#include "expect_diagnostic.hpp"
#include "graph/network.hpp"
#include "support/temporary_directory.hpp"
#include "test_backend.hpp"
#include "test_networks.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <optional>
#include <stdexcept>

namespace backplane::placement {
namespace {

using Bytes = std::vector<std::uint8_t>;

/// An application's own storage.
class MemoryCache final : public ICompiledNetworkCache {
 public:
  Status Load(const std::string& key, Bytes& content) override {
    ++num_loads;
    if (on_load) return on_load();
    const auto found = contents.find(key);
    if (found == contents.end()) return Status::kNotFound;
    content = found->second;
    return Status::kSuccess;
  }
  Status Store(const std::string& key, const Bytes& content) override {
    if (on_store) return on_store();
    contents[key] = content;
    return Status::kSuccess;
  }

  std::map<std::string, Bytes> contents;
  std::function<Status()> on_load;
  std::function<Status()> on_store;
  int num_loads = 0;
};

/// All of which a sub-graph is made.
struct SubgraphCacheParts {
  std::string backend_id = "A";
  BackendVersion declared = kBackendApiVersion;
  std::shared_ptr<const CodeFile> code_file;
  std::vector<BackendOption> options{{"Fast", true}, {"Level", 2}};
  std::string name = "first";
  float alpha = 1.0F;
  std::vector<float> constant{1, 2, 3, 4};
  TensorShape shape{4};
  std::vector<float> scales;
  bool is_swapped = false;
  bool has_second_output = false;
  LayerType type = LayerType::kActivation;
};

/// An input, an activation of it, and the sum of that and a constant. The sub-graph has both
/// layers.
class Subject {
 public:
  explicit Subject(const SubgraphCacheParts& parts) {
    graph_.name = "net";
    TensorInfo info = Float(parts.shape);
    info.quantization.scales = parts.scales;
    Add(LayerType::kInput, "x", {}, info, std::make_shared<NoDescriptor>());
    Add(LayerType::kConstant, "c", {}, Float({4}), std::make_shared<NoDescriptor>());
    graph_.layers[1].constant = std::make_shared<ConstantContent>();
    graph_.layers[1].constant->data = CopyConstantData(parts.constant.data(), 16);
    auto activation = std::make_shared<ActivationDescriptor>();
    activation->alpha = parts.alpha;
    Add(parts.type, parts.name, {{0, 0}}, info, activation);
    const std::vector<OutputSlot> operands{{2, 0}, {1, 0}};
    const std::vector<OutputSlot> swapped{{1, 0}, {2, 0}};
    Add(LayerType::kElementwiseBinary, "sum", parts.is_swapped ? swapped : operands, info,
        std::make_shared<ElementwiseBinaryDescriptor>());
    view_.layers = {2, 3};
    view_.inputs = {{0, 0}};
    view_.outputs = {{3, 0}};
    if (parts.has_second_output) view_.outputs.push_back({2, 0});

    auto registration = MakeRegistration(std::make_shared<TestBackend>(parts.backend_id));
    auto origin = std::make_shared<PluginOrigin>(*registration.origin);
    origin->declared_version = parts.declared;
    origin->code_file = parts.code_file;
    backend_.id = parts.backend_id;
    backend_.backend = {registration.factory(), origin};
    backend_.options = {parts.backend_id, parts.options};
  }

  std::unique_ptr<ICompiledSubgraphCache> MakeCache(
      const std::shared_ptr<ICompiledNetworkCache>& cache, Report report = {}) const {
    return MakeSubgraphCache(graph_, view_, backend_, cache, use_, std::move(report));
  }

 private:
  void Add(LayerType type, const std::string& name, std::vector<OutputSlot> inputs,
           const TensorInfo& output, std::shared_ptr<const BaseDescriptor> descriptor) {
    Layer layer;
    layer.id = static_cast<LayerId>(graph_.layers.size());
    layer.type = type;
    layer.name = name;
    layer.inputs = std::move(inputs);
    layer.outputs = {output};
    layer.descriptor = std::move(descriptor);
    graph_.layers.push_back(std::move(layer));
  }

  Graph graph_;
  SubgraphView view_;
  NetworkBackend backend_;
  mutable PlacedCacheUse use_;
};

class SubgraphCacheTest : public testing::Test {
 protected:
  std::optional<Bytes> Load(const SubgraphCacheParts& parts, const char* key = "v1") {
    Bytes content{9, 9};
    const Status status = MakeCache(parts)->Load(key, &content);
    if (status == Status::kSuccess) return content;
    EXPECT_EQ(status, Status::kNotFound);
    EXPECT_TRUE(content.empty());
    return std::nullopt;
  }

  Status Store(const SubgraphCacheParts& parts, const Bytes& content, const char* key = "v1") {
    return MakeCache(parts)->Store(key, content.data(), content.size());
  }

  /// A change of one part is another sub-graph.
  void ExpectMiss(const char* what, const std::function<void(SubgraphCacheParts&)>& change) {
    SubgraphCacheParts changed;
    change(changed);
    EXPECT_FALSE(Load(changed)) << what;
  }

  const Diagnostic& GetOnlyReport() const {
    EXPECT_EQ(reports_.size(), 1U);
    return reports_.at(0);
  }

  const std::shared_ptr<MemoryCache> cache_ = std::make_shared<MemoryCache>();
  std::vector<Diagnostic> reports_;

 private:
  std::unique_ptr<ICompiledSubgraphCache> MakeCache(const SubgraphCacheParts& parts) {
    subject_ = std::make_unique<Subject>(parts);
    return subject_->MakeCache(
        cache_, [this](const Diagnostic& diagnostic) { reports_.push_back(diagnostic); });
  }

  std::unique_ptr<Subject> subject_;
};

TEST_F(SubgraphCacheTest, GivesWhatWasStoredForTheSameSubgraph) {
  EXPECT_FALSE(Load({}));
  ASSERT_EQ(Store({}, {1, 2, 3}), Status::kSuccess);
  EXPECT_EQ(Load({}), (Bytes{1, 2, 3}));
  ASSERT_EQ(Store({}, {4}), Status::kSuccess);
  EXPECT_EQ(Load({}), Bytes{4});
  EXPECT_TRUE(reports_.empty());
}

TEST_F(SubgraphCacheTest, KeepsKeysOfTheBackendApart) {
  ASSERT_EQ(Store({}, {1}, "v1"), Status::kSuccess);
  ASSERT_EQ(Store({}, {2}, ""), Status::kSuccess);
  EXPECT_EQ(Load({}, "v1"), Bytes{1});
  EXPECT_EQ(Load({}, ""), Bytes{2});
  EXPECT_FALSE(Load({}, "v2"));
}

TEST_F(SubgraphCacheTest, LooksAtEverythingButNames) {
  ASSERT_EQ(Store({}, {1}), Status::kSuccess);
  ExpectMiss("backend", [](SubgraphCacheParts& parts) { parts.backend_id = "B"; });
  ExpectMiss("version", [](SubgraphCacheParts& parts) { parts.declared = {1, 7}; });
  ExpectMiss("option", [](SubgraphCacheParts& parts) { parts.options[1].value = 3; });
  ExpectMiss("type of an option", [](SubgraphCacheParts& parts) { parts.options[0].value = 1; });
  ExpectMiss("name of an option",
             [](SubgraphCacheParts& parts) { parts.options[0].name = "Fest"; });
  ExpectMiss("no option", [](SubgraphCacheParts& parts) { parts.options.clear(); });
  ExpectMiss("attribute", [](SubgraphCacheParts& parts) { parts.alpha = 1.0000001F; });
  ExpectMiss("type", [](SubgraphCacheParts& parts) { parts.type = LayerType::kSoftmax; });
  ExpectMiss("constant", [](SubgraphCacheParts& parts) { parts.constant[3] = 4.0000005F; });
  ExpectMiss("shape", [](SubgraphCacheParts& parts) { parts.shape = {1, 4}; });
  ExpectMiss("quantisation", [](SubgraphCacheParts& parts) { parts.scales = {0.5F}; });
  ExpectMiss("connection", [](SubgraphCacheParts& parts) { parts.is_swapped = true; });
  ExpectMiss("output", [](SubgraphCacheParts& parts) { parts.has_second_output = true; });
  SubgraphCacheParts renamed;
  renamed.name = "another name";
  EXPECT_EQ(Load(renamed), Bytes{1});
  EXPECT_TRUE(reports_.empty());
}

TEST_F(SubgraphCacheTest, LooksAtTheBuildOfTheBackend) {
  const test::TemporaryDirectory directory;
  SubgraphCacheParts parts;
  parts.code_file = std::make_shared<CodeFile>(directory.Write("one", "first build"));
  ASSERT_EQ(Store(parts, {1}), Status::kSuccess);
  parts.code_file = std::make_shared<CodeFile>(directory.Write("two", "second build"));
  EXPECT_FALSE(Load(parts));
  parts.code_file = std::make_shared<CodeFile>(directory.Write("three", "first build"));
  EXPECT_EQ(Load(parts), Bytes{1});
}

TEST_F(SubgraphCacheTest, KeepsNothingOfABackendWhoseFileWasReplaced) {
  const test::TemporaryDirectory directory;
  SubgraphCacheParts parts;
  parts.code_file = std::make_shared<CodeFile>(directory.Write("one", "first build"));
  directory.Write("one", "the second build");
  EXPECT_FALSE(Load(parts));
  EXPECT_EQ(Store(parts, {1}), Status::kFailure);
  EXPECT_TRUE(cache_->contents.empty());
  ExpectDiagnostic(GetOnlyReport(), DiagnosticCode::kCompiledCacheUnusable, "net",
                   "file was changed", "expected");
}

TEST_F(SubgraphCacheTest, KeepsNothingOfLayersThatAreCompiled) {
  SubgraphCacheParts parts;
  parts.type = LayerType::kPreCompiled;
  EXPECT_FALSE(Load(parts));
  EXPECT_EQ(Store(parts, {1}), Status::kFailure);
  EXPECT_TRUE(cache_->contents.empty());
}

TEST_F(SubgraphCacheTest, ReportsWhatIsNotAsItWasStored) {
  ASSERT_EQ(Store({}, {1, 2, 3, 4}), Status::kSuccess);
  Bytes& stored = cache_->contents.begin()->second;
  const Bytes sound = stored;
  for (std::size_t byte = 0; byte < sound.size(); ++byte) {
    stored = sound;
    stored[byte] ^= 1U;
    EXPECT_FALSE(Load({})) << byte;
  }
  for (std::size_t size = 0; size < sound.size(); ++size) {
    stored.assign(sound.begin(), sound.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_FALSE(Load({})) << size;
  }
  stored = sound;
  stored.push_back(0);
  EXPECT_FALSE(Load({}));
  EXPECT_EQ(reports_.size(), 2 * sound.size() + 1);
  for (const Diagnostic& report : reports_) {
    EXPECT_EQ(report.code, DiagnosticCode::kCompiledEntryRefused);
    EXPECT_EQ(report.severity, Severity::kWarning);
    ExpectContains(report.why, "found ");
    ExpectContains(report.why, "; expected ");
  }
  stored = sound;
  EXPECT_EQ(Load({}), (Bytes{1, 2, 3, 4}));
}

TEST_F(SubgraphCacheTest, ReportsContentOfAnotherSubgraph) {
  SubgraphCacheParts other;
  other.alpha = 2.0F;
  ASSERT_EQ(Store({}, {1}), Status::kSuccess);
  const Bytes first = cache_->contents.begin()->second;
  cache_->contents.clear();
  ASSERT_EQ(Store(other, {2}), Status::kSuccess);
  cache_->contents.begin()->second = first;
  EXPECT_FALSE(Load(other));
  ExpectContains(GetOnlyReport().why, "the content of another key");
}

TEST_F(SubgraphCacheTest, GoesOnWhateverTheStorageDoes) {
  cache_->on_load = [] { return Status::kFailure; };
  cache_->on_store = [] { return Status::kBusy; };
  EXPECT_FALSE(Load({}));
  EXPECT_EQ(Store({}, {1}), Status::kFailure);
  cache_->on_load = []() -> Status { throw std::runtime_error("no disk"); };
  cache_->on_store = []() -> Status { throw 42; };
  EXPECT_FALSE(Load({}));
  EXPECT_EQ(Store({}, {1}), Status::kFailure);
  ASSERT_EQ(reports_.size(), 3U);
  EXPECT_EQ(reports_[0].code, DiagnosticCode::kCompiledEntryRefused);
  EXPECT_EQ(reports_[1].code, DiagnosticCode::kCompiledCacheUnusable);
  ExpectContains(reports_[1].why, GetStatusText(Status::kBusy));
  ExpectContains(reports_[2].why, "no disk");
}

TEST_F(SubgraphCacheTest, RefusesNull) {
  const Subject subject{SubgraphCacheParts()};
  const auto cache = subject.MakeCache(cache_);
  Bytes content;
  EXPECT_EQ(cache->Load(nullptr, &content), Status::kInvalidArgument);
  EXPECT_EQ(cache->Load("key", nullptr), Status::kInvalidArgument);
  EXPECT_EQ(cache->Store(nullptr, "x", 1), Status::kInvalidArgument);
  EXPECT_EQ(cache->Store("key", nullptr, 1), Status::kInvalidArgument);
  EXPECT_EQ(cache_->num_loads, 0);
}

TEST_F(SubgraphCacheTest, IsNoneWithoutCache) {
  EXPECT_EQ(Subject{SubgraphCacheParts()}.MakeCache(nullptr), nullptr);
}

TEST_F(SubgraphCacheTest, CountsDamagedFilesAsAbsent) {
  const test::TemporaryDirectory directory;
  const auto cache = MakeCompiledNetworkCache(directory / "cache");
  const Subject subject{SubgraphCacheParts()};
  const auto report = [this](const Diagnostic& diagnostic) { reports_.push_back(diagnostic); };
  ASSERT_EQ(subject.MakeCache(cache, report)->Store("v1", "abc", 3), Status::kSuccess);
  Bytes content;
  ASSERT_EQ(subject.MakeCache(cache, report)->Load("v1", &content), Status::kSuccess);
  EXPECT_EQ(content, (Bytes{'a', 'b', 'c'}));
  for (const auto& file : std::filesystem::directory_iterator(directory / "cache")) {
    std::filesystem::resize_file(file.path(), 100);
  }
  EXPECT_EQ(subject.MakeCache(cache, report)->Load("v1", &content), Status::kNotFound);
  EXPECT_EQ(GetOnlyReport().code, DiagnosticCode::kCompiledEntryRefused);
}

}  // namespace
}  // namespace backplane::placement
