/// The table of a backend in Rust, under a host that does what the runtime of 1.0 does not: it
/// saves and loads compiled parts, gives outputs that are sized in the run, and has threads for
/// pieces.

#include "support/build_tree.hpp"

#include <backplane/c/backend.h>
#include <backplane/api/c_values.hpp>

#include <dlfcn.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

struct bp_error {
  bp_status status = BP_STATUS_SUCCESS;
  std::string text;
};
struct bp_log {
  mutable std::vector<std::string> lines;
};
struct bp_sink {
  std::vector<std::string> bytes;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
};
struct bp_offer {
  std::vector<std::string> progress;
  bp_compiled* compiled = nullptr;
};
struct bp_run {
  std::vector<float> output;
  std::vector<std::int64_t> dims;
};

namespace backplane::test {
namespace {

using c_form::Make;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

bp_status Fail(bp_error* error, const bp_failure* failure) {
  if (error != nullptr) *error = {failure->status, failure->text};
  return failure->status;
}

bp_status Add(bp_sink* sink, std::uint32_t item, const void* content, bp_error* /*error*/) {
  if (item == BP_ITEM_BYTES) {
    const auto& bytes = *static_cast<const bp_text*>(content);
    sink->bytes.emplace_back(bytes.data, bytes.length);
  }
  if (item == BP_ITEM_IN_PLACE) {
    const auto& pair = *static_cast<const bp_pair*>(content);
    sink->pairs.emplace_back(pair.input, pair.output);
  }
  return BP_STATUS_SUCCESS;
}

void Progress(bp_offer* offer, const bp_progress_args* args) {
  offer->progress.push_back(std::string(args->text) + ' ' + std::to_string(args->done) + " of " +
                            std::to_string(args->total));
}

bp_status AddLayer(bp_offer* offer, const bp_layer* layer, std::uint32_t* id, bp_error* /*error*/) {
  offer->compiled = layer->compiled;
  *id = 100;
  return BP_STATUS_SUCCESS;
}

/// A thread for each index.
bp_status Parallel(bp_run* /*run*/, const bp_parallel_args* args, bp_error* /*error*/) {
  std::vector<std::thread> threads;
  for (std::uint64_t index = 0; index < args->count; ++index) {
    threads.emplace_back([=] { args->call(args->data, index); });
  }
  for (std::thread& thread : threads) thread.join();
  return BP_STATUS_SUCCESS;
}

bp_status SetOutput(bp_run* run, const bp_output_args* args, bp_view* view, bp_error* /*error*/) {
  run->dims.assign(args->dims, args->dims + args->rank);
  std::int64_t count = 1;
  for (const std::int64_t extent : run->dims) count *= extent;
  run->output.assign(static_cast<std::size_t>(count), -77.0F);
  view->data = run->output.data();
  view->data_type = BP_DATA_TYPE_FLOAT32;
  view->rank = args->rank;
  view->dims = run->dims.data();
  view->num_bytes = run->output.size() * sizeof(float);
  view->source = BP_MEMORY_CPU;
  return BP_STATUS_SUCCESS;
}

bp_host MakeHost() {
  auto host = Make<bp_host>();
  host.log_level = [](const bp_log*) { return std::uint32_t{BP_LOG_LEVEL_DEBUG}; };
  host.log = [](const bp_log* log, std::uint32_t, const char* line) { log->lines.push_back(line); };
  host.fail = Fail;
  host.add = Add;
  host.progress = Progress;
  host.add_layer = AddLayer;
  host.answer = [](bp_offer*, const bp_answer*, bp_error*) -> bp_status { return 0; };
  host.parallel = Parallel;
  host.set_output = SetOutput;
  return host;
}

class RustTable : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::string path = InBuildTree("languages/Example_RustDevice_backend.so");
    if (!std::filesystem::exists(path)) GTEST_SKIP() << "not built: no rustc was found";
    library_.reset(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL));
    ASSERT_NE(library_, nullptr) << dlerror();
    void* (*factory)() = nullptr;
    void* const symbol = dlsym(library_.get(), "BackendFactory");
    std::memcpy(&factory, &symbol, sizeof factory);
    table_ = static_cast<const bp_backend*>(factory());
    auto args = Make<bp_start_args>();
    args.host = &host_;
    ASSERT_EQ(table_->start(&args, &instance_, nullptr), BP_STATUS_SUCCESS);
    scope_.host = &host_;
    scope_.log = &log_;
    scope_.instance = instance_;
    auto context = Make<bp_context_args>();
    context.scope = &scope_;
    ASSERT_EQ(table_->make_context(instance_, &context, &scope_.context, nullptr),
              BP_STATUS_SUCCESS);
  }
  void TearDown() override {
    if (table_ == nullptr) return;
    table_->free_context(scope_.context);
    table_->stop(instance_);
  }

  template <typename Args>
  Args MakeArgs() const {
    auto args = Make<Args>();
    args.scope = &scope_;
    return args;
  }

  /// Offers three layers of ReLU, each of the one before.
  bp_compiled* Compile(bp_offer& offer) const {
    const std::int64_t dims[] = {6};
    auto info = Make<bp_tensor_info>();
    info.data_type = BP_DATA_TYPE_FLOAT32;
    info.rank = 1;
    info.dims = dims;
    const bp_tensor_info* const infos[] = {&info};
    const bp_slot slots[] = {{0, 0}, {1, 0}, {2, 0}, {3, 0}};
    const std::uint32_t ids[] = {1, 2, 3};
    std::vector<bp_layer> layers(3, Make<bp_layer>());
    std::vector<const bp_layer*> list;
    for (std::uint32_t i = 0; i < 3; ++i) {
      layers[i].type = BP_LAYER_ACTIVATION;
      layers[i].name = "relu";
      layers[i].inputs = layers[i].outputs = infos;
      layers[i].num_inputs = layers[i].num_outputs = 1;
      layers[i].slots = &slots[i];
      layers[i].id = i + 1;
      list.push_back(&layers[i]);
    }
    auto part = Make<bp_part>();
    part.layers = ids;
    part.num_layers = 3;
    part.inputs = &slots[0];
    part.outputs = &slots[3];
    part.num_inputs = part.num_outputs = 1;
    auto args = MakeArgs<bp_optimize_args>();
    args.offer = &offer;
    args.layers = list.data();
    args.num_layers = 3;
    args.part = &part;
    EXPECT_EQ(table_->optimize(instance_, &args, nullptr), BP_STATUS_SUCCESS);
    return offer.compiled;
  }

  /// Runs a layer of one input. Null: an output that gets its memory in the run.
  bp_status RunLayer(std::uint32_t type, bp_run& object, std::vector<float> input,
                     std::vector<float>* output, bp_error* error) const {
    bp_builder* builder = nullptr;
    bp_workload* workload = nullptr;
    bp_loaded* loaded = nullptr;
    bp_state* state = nullptr;
    const auto args = MakeArgs<bp_scope_args>();
    EXPECT_EQ(table_->make_builder(instance_, &args, &builder, error), BP_STATUS_SUCCESS);
    auto custom = Make<bp_custom_descriptor>();
    custom.domain = "example";
    custom.type = "Positive";
    auto layer = Make<bp_layer>();
    layer.type = type;
    layer.name = "layer";
    layer.descriptor = &custom;
    auto of_layer = MakeArgs<bp_layer_args>();
    of_layer.layer = &layer;
    EXPECT_EQ(table_->make_workload(builder, &of_layer, &workload, error), BP_STATUS_SUCCESS);
    EXPECT_EQ(table_->make_loaded(builder, &args, &loaded, error), BP_STATUS_SUCCESS);
    const auto of_state = MakeArgs<bp_state_args>();
    EXPECT_EQ(table_->make_state(loaded, &of_state, &state, error), BP_STATUS_SUCCESS);
    const std::int64_t dims[] = {static_cast<std::int64_t>(input.size())};
    auto x = Make<bp_view>();
    x.data_type = BP_DATA_TYPE_FLOAT32;
    x.rank = 1;
    x.dims = dims;
    x.data = input.data();
    bp_view y = x;
    if (output != nullptr) y.data = output->data();
    const bp_tensor inputs[] = {{&x, nullptr, 0}};
    const bp_tensor outputs[] = {{output != nullptr ? &y : nullptr, nullptr, 0}};
    auto run = Make<bp_run_info>();
    run.object = &object;
    auto of_run = MakeArgs<bp_run_args>();
    of_run.state = state;
    of_run.inputs = inputs;
    of_run.outputs = outputs;
    of_run.num_inputs = of_run.num_outputs = 1;
    of_run.run = &run;
    const bp_status status = table_->run(workload, &of_run, error);
    table_->free_state(state);
    table_->free_workload(workload);
    table_->free_loaded(loaded);
    table_->free_builder(builder);
    return status;
  }

  struct Close {
    void operator()(void* library) const { dlclose(library); }
  };

  std::unique_ptr<void, Close> library_;
  const bp_host host_ = MakeHost();
  const bp_log log_{};
  const bp_backend* table_ = nullptr;
  bp_instance* instance_ = nullptr;
  bp_scope scope_ = Make<bp_scope>();
};

TEST_F(RustTable, SavesWhatItCompiledAndLoadsIt) {
  bp_offer offer;
  bp_compiled* const compiled = Compile(offer);
  ASSERT_NE(compiled, nullptr);
  auto args = MakeArgs<bp_artifact_args>();
  args.offer = &offer;
  bp_sink saved;
  ASSERT_EQ(table_->save(compiled, &args, &saved, nullptr), BP_STATUS_SUCCESS);
  table_->free_compiled(compiled);
  ASSERT_EQ(saved.bytes.size(), 1U);
  args.content = saved.bytes[0].data();
  args.num_bytes = saved.bytes[0].size();
  bp_compiled* loaded = nullptr;
  ASSERT_EQ(table_->load(instance_, &args, &loaded, nullptr), BP_STATUS_SUCCESS);
  EXPECT_THAT(offer.progress,
              ElementsAre("layers of a chain 3 of 3", "written 3 of 3", "read 3 of 3"));
  args.offer = nullptr;
  bp_sink again;
  EXPECT_EQ(table_->save(loaded, &args, &again, nullptr), BP_STATUS_SUCCESS);
  EXPECT_EQ(again.bytes, saved.bytes);
  const auto of_pairs = MakeArgs<bp_scope_args>();
  EXPECT_EQ(table_->in_place(loaded, &of_pairs, &again, nullptr), BP_STATUS_SUCCESS);
  EXPECT_THAT(again.pairs, ElementsAre(Pair(0U, 0U)));
  table_->free_compiled(loaded);
}

TEST_F(RustTable, ResizesWithOtherConstants) {
  bp_offer offer;
  bp_compiled* const compiled = Compile(offer);
  const std::int64_t dims[] = {2};
  const float elements[] = {0.5F, 0.25F};
  auto info = Make<bp_tensor_info>();
  info.data_type = BP_DATA_TYPE_FLOAT32;
  info.rank = 1;
  info.dims = dims;
  auto constant = Make<bp_constant>();
  constant.info = &info;
  constant.data = elements;
  constant.num_bytes = sizeof elements;
  const bp_constant* const constants[] = {&constant};
  const bp_slot reader = {2, 1};
  const bp_extent_change changes[] = {{6, 8}, {3, 4}};
  auto args = MakeArgs<bp_resize_args>();
  args.changes = changes;
  args.num_changes = 2;
  args.readers = &reader;
  args.constants = constants;
  args.num_constants = 1;
  bp_compiled* resized = nullptr;
  ASSERT_EQ(table_->resize(compiled, &args, &resized, nullptr), BP_STATUS_SUCCESS);
  EXPECT_THAT(log_.lines,
              ElementsAre("6 is 8", "3 is 4", "input 1 of layer 2 reads Some([0.5, 0.25])"));
  table_->free_compiled(compiled);
  table_->free_compiled(resized);
}

TEST_F(RustTable, RefusesToLoadWhatItDidNotSave) {
  auto args = MakeArgs<bp_artifact_args>();
  args.content = "abc";
  args.num_bytes = 3;
  bp_compiled* loaded = nullptr;
  bp_error error;
  EXPECT_EQ(table_->load(instance_, &args, &loaded, &error), BP_STATUS_UNSUPPORTED);
  EXPECT_EQ(error.text, "it is no chain");
  args.num_bytes = 0;
  args.content = nullptr;
  EXPECT_EQ(table_->load(instance_, &args, &loaded, &error), BP_STATUS_UNSUPPORTED);
}

TEST_F(RustTable, SaysWhatFitsHere) {
  struct Case {
    const char* description;
    std::uint32_t fit;
  };
  for (const Case& row :
       {Case{nullptr, 0}, Case{"thread-1", BP_FITS}, Case{"thread-0", BP_FITS_AFTER_RECOMPILING},
        Case{"gpu", BP_FITS_NEVER}}) {
    auto args = MakeArgs<bp_check_args>();
    args.description = row.description;
    auto fit = Make<bp_fit>();
    EXPECT_EQ(table_->check(instance_, &args, &fit, nullptr), BP_STATUS_SUCCESS);
    EXPECT_EQ(fit.fit, row.fit);
    EXPECT_STREQ(fit.description, "thread-1");
  }
}

TEST_F(RustTable, StatesTheExtentsOfAnOutputInTheRun) {
  bp_run run;
  bp_error error;
  EXPECT_EQ(RunLayer(BP_LAYER_CUSTOM, run, {-1, 2, -3, 4, -5, 6}, nullptr, &error),
            BP_STATUS_SUCCESS)
      << error.text;
  EXPECT_THAT(run.dims, ElementsAre(3));
  EXPECT_THAT(run.output, ElementsAre(2, 4, 6));
  EXPECT_EQ(RunLayer(BP_LAYER_CUSTOM, run, {-1, -2}, nullptr, &error), BP_STATUS_SUCCESS);
  EXPECT_THAT(run.dims, ElementsAre(0));
}

TEST_F(RustTable, HearsHowLoadingEnded) {
  auto args = MakeArgs<bp_network_args>();
  args.event = BP_EVENT_AFTER_LOAD;
  args.network_id = 7;
  EXPECT_EQ(table_->network_event(scope_.context, &args, nullptr), BP_STATUS_SUCCESS);
  args.outcome = BP_STATUS_BUSY;
  EXPECT_EQ(table_->network_event(scope_.context, &args, nullptr), BP_STATUS_SUCCESS);
  EXPECT_THAT(log_.lines, ElementsAre("network 7 was not loaded: Busy"));
}

TEST_F(RustTable, ReadsHowTensorsAreQuantised) {
  const float scales[] = {0.5F, 0.25F};
  const std::int64_t dims[] = {2};
  auto of_scales = Make<bp_tensor_info>();
  of_scales.data_type = BP_DATA_TYPE_FLOAT32;
  of_scales.rank = 1;
  of_scales.dims = dims;
  auto constant = Make<bp_constant>();
  constant.info = &of_scales;
  constant.data = scales;
  constant.num_bytes = sizeof scales;
  auto quantization = Make<bp_quantization>();
  quantization.kind = BP_QUANTIZATION_PER_AXIS;
  quantization.scales = &constant;
  auto info = of_scales;
  info.data_type = BP_DATA_TYPE_INT8;
  info.quantization = &quantization;
  const bp_tensor_info* const infos[] = {&info};
  auto layer = Make<bp_layer>();
  layer.type = BP_LAYER_CUSTOM;
  auto custom = Make<bp_custom_descriptor>();
  layer.descriptor = &custom;
  layer.outputs = infos;
  layer.num_outputs = 1;
  auto args = MakeArgs<bp_layer_args>();
  args.layer = &layer;
  auto support = Make<bp_support>();
  bp_error error;
  EXPECT_EQ(table_->supports(instance_, &args, &support, &error), BP_STATUS_UNSUPPORTED);
  EXPECT_EQ(error.text,
            "scales Some([0.5, 0.25]) and zero points None of axis 0 are not supported");
}

class RustTableInPieces : public RustTable {
 protected:
  void SetUp() override {
    RustTable::SetUp();
    if (table_ == nullptr) return;
    scope_.options = &way_;
    scope_.num_options = 1;
    const auto args = MakeArgs<bp_scope_args>();
    ASSERT_EQ(table_->make_model(instance_, &args, &scope_.model, nullptr), BP_STATUS_SUCCESS);
  }
  void TearDown() override {
    if (table_ != nullptr) table_->free_model(scope_.model);
    RustTable::TearDown();
  }
  bp_text text_{"in_pieces", 9};
  bp_named_value way_{"way", {BP_VALUE_TEXT, 0, 1, &text_}};
};

TEST_F(RustTableInPieces, RunsOnThreadsOfTheHost) {
  bp_run run;
  bp_error error;
  std::vector<float> input(30);
  for (std::size_t i = 0; i < input.size(); ++i) input[i] = static_cast<float>(i % 5) - 2.0F;
  std::vector<float> output(input.size(), -77.0F);
  EXPECT_EQ(RunLayer(BP_LAYER_ACTIVATION, run, input, &output, &error), BP_STATUS_SUCCESS)
      << error.text;
  for (std::size_t i = 0; i < input.size(); ++i) EXPECT_EQ(output[i], std::max(input[i], 0.0F));
}

TEST_F(RustTableInPieces, CatchesAPanicOnAThreadOfTheHost) {
  bp_run run;
  bp_error error;
  std::vector<float> output(30);
  EXPECT_EQ(RunLayer(BP_LAYER_ACTIVATION, run, std::vector<float>(30, 13.0F), &output, &error),
            BP_STATUS_FAILURE);
  EXPECT_THAT(error.text, HasSubstr("the backend panicked: thirteen in the piece from "));
}

}  // namespace
}  // namespace backplane::test
