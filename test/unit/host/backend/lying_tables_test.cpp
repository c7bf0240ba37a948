// Tables of backends that are not as the header says. Nothing of them is worse than a diagnostic.

#include "backend/offer.hpp"
#include "backend/open_table.hpp"
#include "lying_functions.hpp"

#include <backplane/api/c_values.hpp>
#include <backplane/host/diagnostic.hpp>
#include <backplane/host/logging.hpp>
#include <backplane/host/workload_call.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace backplane {
namespace {

const bp_host* given_host = nullptr;
int num_started = 0;
int num_stopped = 0;
bp_status start_status = BP_STATUS_SUCCESS;
const char* start_text = nullptr;
std::uint32_t num_described = 1;
const bp_option_schema* described_option = nullptr;
const bp_operator* described_operator = nullptr;
const bp_operator_case* described_case = nullptr;
bp_status describe_status = BP_STATUS_SUCCESS;

bp_status Start(const bp_start_args* args, bp_instance** /*instance*/, bp_error* error) {
  given_host = args->host;
  ++num_started;
  if (start_text != nullptr) return bp_fail(args->host, error, start_status, start_text);
  return start_status;
}
void Stop(bp_instance* /*instance*/) {
  ++num_stopped;
}
bp_status Describe(bp_instance* /*instance*/, const bp_describe_args* args, bp_sink* sink,
                   bp_error* error) {
  if (args->item == BP_ITEM_OPTION && described_option != nullptr) {
    return given_host->add(sink, args->item, described_option, error);
  }
  if (args->item == BP_ITEM_OPERATOR && described_operator != nullptr) {
    return given_host->add(sink, args->item, described_operator, error);
  }
  if (args->item == BP_ITEM_OPERATOR_CASE) {
    if (described_case == nullptr) return describe_status;
    return given_host->add(sink, args->item, described_case, error);
  }
  static const std::int64_t rank = 3;
  const bp_named_value value{"Rank", {BP_VALUE_INT, 0, 1, &rank}};
  for (std::uint32_t i = 0; args->item == BP_ITEM_CAPABILITY && i < num_described; ++i) {
    const bp_status status = given_host->add(sink, args->item, &value, error);
    if (status != BP_STATUS_SUCCESS) return status;
  }
  return BP_STATUS_SUCCESS;
}
bp_status Supports(bp_instance*, const bp_layer_args* args, bp_support*, bp_error* error) {
  return bp_fail(args->scope->host, error, BP_STATUS_UNSUPPORTED, "nothing is supported");
}
bp_status MakeNothing(bp_instance*, const bp_scope_args*, bp_builder**, bp_error*) {
  return BP_STATUS_SUCCESS;
}
void FreeBuilder(bp_builder*) {}
bp_status MakeWorkload(bp_builder*, const bp_layer_args*, bp_workload**, bp_error*) {
  return BP_STATUS_SUCCESS;
}
void FreeWorkload(bp_workload*) {}
bp_status MakeLoaded(bp_builder*, const bp_scope_args*, bp_loaded**, bp_error*) {
  return BP_STATUS_SUCCESS;
}
void FreeLoaded(bp_loaded*) {}
bp_status Run(const bp_workload*, const bp_run_args*, bp_error*) {
  return BP_STATUS_SUCCESS;
}

bp_backend MakeGood() {
  auto table = c_form::Make<bp_backend>();
  table.major = BP_API_MAJOR;
  table.id = "Liar";
  table.start = Start;
  table.stop = Stop;
  table.describe = Describe;
  table.supports = Supports;
  table.make_builder = MakeNothing;
  table.free_builder = FreeBuilder;
  table.make_workload = MakeWorkload;
  table.free_workload = FreeWorkload;
  table.make_loaded = MakeLoaded;
  table.free_loaded = FreeLoaded;
  table.run = Run;
  return table;
}

const void* next_table = nullptr;

void* GiveTable() {
  return const_cast<void*>(next_table);
}

class LyingTables : public testing::Test {
 protected:
  void SetUp() override {
    num_started = num_stopped = 0;
    start_status = BP_STATUS_SUCCESS;
    start_text = nullptr;
    num_described = 1;
    described_option = nullptr;
    described_operator = nullptr;
    described_case = nullptr;
    describe_status = BP_STATUS_SUCCESS;
  }

  static std::unique_ptr<IBackendInternal> Open(const void* table) {
    next_table = table;
    PluginOrigin origin;
    origin.backend_id = "Liar";
    origin.logger = CreateBackendLogger("Liar");
    return backend::MakeBackendFactory(origin, GiveTable)();
  }

  /// The diagnostic with which a table is refused.
  static Diagnostic Refuse(const bp_backend& table) {
    try {
      static_cast<void>(Open(&table));
    } catch (const DiagnosticException& exception) {
      return exception.GetDiagnostic();
    }
    ADD_FAILURE() << "it was taken";
    return Diagnostic{DiagnosticCode::kNullBackend};
  }
};

TEST_F(LyingTables, GoodOnesAreStartedOnceAndStopped) {
  const bp_backend table = MakeGood();
  PluginOrigin origin;
  origin.backend_id = "Liar";
  origin.logger = CreateBackendLogger("Liar");
  next_table = &table;
  const BackendFactoryFunction factory = backend::MakeBackendFactory(origin, GiveTable);
  auto first = factory();
  auto second = factory();
  EXPECT_EQ(num_started, 1);
  ASSERT_EQ(first->GetCapabilities().size(), 1U);
  EXPECT_EQ(first->GetCapabilities()[0].value.int_value, 3);
  first.reset();
  EXPECT_EQ(num_stopped, 0);
  second.reset();
  EXPECT_EQ(num_stopped, 1);
}

TEST_F(LyingTables, ThoseThatEndAtTheEndOfMemoryAreReadNoFurther) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  auto* const memory = static_cast<unsigned char*>(
      mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(memory, MAP_FAILED);
  ASSERT_EQ(mprotect(memory + page, page, PROT_NONE), 0);
  constexpr std::size_t kLeast = offsetof(bp_backend, run) + sizeof(bp_backend::run);
  bp_backend table = MakeGood();
  table.size_bytes = kLeast;
  unsigned char* const place = memory + page - kLeast;
  std::memcpy(place, &table, kLeast);
  EXPECT_NE(Open(place), nullptr);
  munmap(memory, 2 * page);
}

TEST_F(LyingTables, LongerOnesAreTaken) {
  struct Newer {
    bp_backend table;
    void* added;
  } newer{MakeGood(), nullptr};
  newer.table.size_bytes = sizeof(newer);
  EXPECT_NE(Open(&newer), nullptr);
}

TEST_F(LyingTables, ShortOnesAreRefused) {
  bp_backend table = MakeGood();
  table.size_bytes = 16;
  const Diagnostic refusal = Refuse(table);
  EXPECT_EQ(refusal.code, DiagnosticCode::kInvalidTable);
  EXPECT_NE(refusal.why.find("its size_bytes is 16"), std::string::npos) << refusal.why;
}

TEST_F(LyingTables, OtherVersionsAreRefused) {
  bp_backend table = MakeGood();
  table.major = BP_API_MAJOR + 1;
  EXPECT_EQ(Refuse(table).code, DiagnosticCode::kInvalidTable);
  table = MakeGood();
  table.needs_minor = 2;
  table.knows_minor = 1;
  const Diagnostic refusal = Refuse(table);
  EXPECT_NE(refusal.why.find("needs_minor 2 and knows_minor 1"), std::string::npos) << refusal.why;
  table.knows_minor = 2;
  const std::string why = Refuse(table).why;
  EXPECT_NE(why.find("needs_minor 2, which GetVersion does not"), std::string::npos) << why;
}

TEST_F(LyingTables, EachMissingFunctionIsNamed) {
  const std::pair<const char*, std::function<void(bp_backend&)>> missing[] = {
      {"supports", [](bp_backend& table) { table.supports = nullptr; }},
      {"make_builder", [](bp_backend& table) { table.make_builder = nullptr; }},
      {"free_builder", [](bp_backend& table) { table.free_builder = nullptr; }},
      {"make_workload", [](bp_backend& table) { table.make_workload = nullptr; }},
      {"free_workload", [](bp_backend& table) { table.free_workload = nullptr; }},
      {"make_loaded", [](bp_backend& table) { table.make_loaded = nullptr; }},
      {"free_loaded", [](bp_backend& table) { table.free_loaded = nullptr; }},
      {"run", [](bp_backend& table) { table.run = nullptr; }},
      {"stop", [](bp_backend& table) { table.stop = nullptr; }},
  };
  for (const auto& [name, remove] : missing) {
    bp_backend table = MakeGood();
    remove(table);
    const Diagnostic refusal = Refuse(table);
    EXPECT_EQ(refusal.code, DiagnosticCode::kInvalidTable);
    EXPECT_NE(refusal.why.find(std::string("the function ") + name), std::string::npos)
        << refusal.why;
  }
}

TEST_F(LyingTables, AStartThatFailsIsToldAndNotStopped) {
  const bp_backend table = MakeGood();
  start_status = BP_STATUS_UNAVAILABLE;
  start_text = "there is no device";
  const Diagnostic refusal = Refuse(table);
  EXPECT_EQ(refusal.code, DiagnosticCode::kBackendUnavailable);
  EXPECT_EQ(refusal.why, "there is no device");
  EXPECT_EQ(num_stopped, 0);
}

TEST_F(LyingTables, AStartThatFailsWithoutWordsIsTold) {
  const bp_backend table = MakeGood();
  start_status = 12345;
  const Diagnostic refusal = Refuse(table);
  EXPECT_EQ(refusal.code, DiagnosticCode::kBackendThrew);
  EXPECT_NE(refusal.why.find("unknown status"), std::string::npos) << refusal.why;
}

// A million capabilities are none too many to be refused in time.
TEST_F(LyingTables, WhatIsListedWithoutEndIsRefused) {
  const bp_backend table = MakeGood();
  num_described = 1'000'000;
  const auto backend = Open(&table);
  EXPECT_THROW(static_cast<void>(backend->GetCapabilities()), DiagnosticException);
}

// As a backend of a later minor version has it.
TEST_F(LyingTables, AFieldThatThisHostDoesNotKnowIsRefusedUnlessItIsZero) {
  struct LaterSchema : bp_option_schema {
    std::uint64_t added = 0;
  };
  const std::int64_t yes = 1;
  const bp_value initial{BP_VALUE_BOOL, 0, 1, &yes};
  LaterSchema option{};
  option.size_bytes = sizeof(option);
  option.name = "later";
  option.initial = &initial;
  described_option = &option;
  const bp_backend table = MakeGood();
  const auto backend = Open(&table);
  EXPECT_EQ(backend->GetOptionSchemas().size(), 1U);
  option.added = 7;
  try {
    static_cast<void>(backend->GetOptionSchemas());
    ADD_FAILURE() << "it was taken";
  } catch (const DiagnosticException& exception) {
    const std::string why = exception.GetDiagnostic().why;
    EXPECT_NE(why.find("a struct of 64 bytes has more than 0 in its byte 56; this version of the "
                       "API knows 56 bytes of it"),
              std::string::npos)
        << why;
  }
}

TEST_F(LyingTables, AReservedWordIsRefusedUnlessItIsZero) {
  auto layer = c_form::Make<bp_layer>();
  EXPECT_EQ(c_form::Copy(layer).size_bytes, sizeof(bp_layer));
  layer.reserved = 3;
  try {
    static_cast<void>(c_form::Copy(layer));
    ADD_FAILURE() << "it was taken";
  } catch (const std::invalid_argument& exception) {
    EXPECT_STREQ(exception.what(), "the reserved word of a struct of 88 bytes is 3; expected 0");
  }
}

TEST_F(LyingTables, ABoundOnOneSideBindsThatSide) {
  const bp_backend table = MakeGood();
  const auto backend = Open(&table);
  const std::int64_t one = 1;
  const bp_value value{BP_VALUE_INT, 0, 1, &one};
  auto option = c_form::Make<bp_option_schema>();
  option.name = "threads";
  option.initial = &value;
  option.least = &value;
  described_option = &option;
  const OptionSchema least = backend->GetOptionSchemas().at(0);
  EXPECT_EQ(least.has_range, 1U);
  EXPECT_EQ(least.minimum, OptionValue(std::int64_t{1}));
  EXPECT_EQ(least.maximum, OptionValue(std::numeric_limits<std::int64_t>::max()));
  option.least = nullptr;
  option.greatest = &value;
  const OptionSchema greatest = backend->GetOptionSchemas().at(0);
  EXPECT_EQ(greatest.minimum, OptionValue(std::numeric_limits<std::int64_t>::min()));
  EXPECT_EQ(greatest.maximum, OptionValue(std::int64_t{1}));
}

bp_status InferNothing(bp_instance* /*instance*/, const bp_layer_args* /*args*/, bp_sink* /*sink*/,
                       bp_error* /*error*/) {
  return BP_STATUS_SUCCESS;
}

TEST_F(LyingTables, AnOperatorOfWhichAPartIsMissingIsRefused) {
  bp_backend table = MakeGood();
  table.infer = InferNothing;
  const auto backend = Open(&table);
  const auto slot = c_form::Make<bp_operator_slot>();
  const bp_operator_slot* const slots[] = {&slot, nullptr};
  const auto refuse = [&](const auto& spoil) {
    auto one = c_form::Make<bp_operator>();
    one.inputs = slots;
    one.num_inputs = 1;
    described_operator = &one;
    const auto operators = backend->GetOperators();
    EXPECT_EQ(operators.size(), 1U);
    for (const OperatorDeclaration& declared : operators) {
      EXPECT_EQ(declared.domain, "") << "a text that is null is empty";
    }
    spoil(one);
    try {
      static_cast<void>(backend->GetOperators());
      return std::string("it was taken");
    } catch (const DiagnosticException& exception) {
      return exception.GetDiagnostic().why;
    }
  };
  using testing::HasSubstr;
  EXPECT_THAT(refuse([](bp_operator& one) { one.num_inputs = 2; }),
              HasSubstr("one of the inputs is null"));
  EXPECT_THAT(refuse([](bp_operator& one) { one.inputs = nullptr; }),
              HasSubstr("the list of inputs of an operator has 1 entries and is null"));
  EXPECT_THAT(refuse([](bp_operator& one) { one.num_outputs = 3; }),
              HasSubstr("the list of outputs of an operator has 3 entries and is null"));
  EXPECT_THAT(refuse([](bp_operator& one) { one.num_attributes = 1; }),
              HasSubstr("the list of attributes of an operator has 1 entries and is null"));
  EXPECT_THAT(refuse([](bp_operator& one) { one.max_inputs = 2; }),
              HasSubstr("an operator states 0 to 2 inputs, and its slots say 1"));
  EXPECT_THAT(refuse([](bp_operator& one) { one.size_bytes = 0; }),
              HasSubstr("the size_bytes of a struct is 0; expected its size"));
}

TEST_F(LyingTables, OperatorsWithoutAFunctionThatInfersOutputsAreRefused) {
  const bp_backend table = MakeGood();
  const auto backend = Open(&table);
  const auto one = c_form::Make<bp_operator>();
  described_operator = &one;
  try {
    static_cast<void>(backend->GetOperators());
    FAIL() << "it was taken";
  } catch (const DiagnosticException& exception) {
    EXPECT_THAT(exception.GetDiagnostic().why, testing::HasSubstr("has no function infer"));
  }
}

TEST_F(LyingTables, ACaseThatDoesNotFitItselfIsRefused) {
  const bp_backend table = MakeGood();
  const auto backend = Open(&table);
  describe_status = BP_STATUS_UNSUPPORTED;
  EXPECT_TRUE(backend->GetOperatorCases().empty()) << "of a backend that knows no cases";
  auto layer = c_form::Make<bp_custom_descriptor>();
  layer.domain = "acme";
  layer.type = "Twist";
  const std::int64_t dims[] = {2};
  auto info = c_form::Make<bp_tensor_info>();
  info.data_type = BP_DATA_TYPE_FLOAT32;
  info.rank = 1;
  info.dims = dims;
  const float elements[] = {1, 2};
  auto tensor = c_form::Make<bp_constant>();
  tensor.info = &info;
  tensor.data = elements;
  tensor.num_bytes = sizeof(elements);
  const bp_constant* const tensors[] = {&tensor};
  auto one = c_form::Make<bp_operator_case>();
  one.layer = &layer;
  one.inputs = one.outputs = tensors;
  one.num_inputs = one.num_outputs = 1;
  described_case = &one;
  const auto cases = backend->GetOperatorCases();
  ASSERT_EQ(cases.size(), 1U);
  EXPECT_EQ(cases[0].domain, "acme");
  ASSERT_EQ(cases[0].inputs.size(), 1U);
  EXPECT_EQ(std::memcmp(cases[0].inputs[0].bytes.data(), elements, sizeof(elements)), 0);
  const auto refuse = [&] {
    try {
      static_cast<void>(backend->GetOperatorCases());
      return std::string("it was taken");
    } catch (const DiagnosticException& exception) {
      return exception.GetDiagnostic().why;
    }
  };
  using testing::HasSubstr;
  tensor.num_bytes = 4;
  EXPECT_THAT(refuse(), HasSubstr("has 4 bytes; its type and shape take 8"));
  tensor.num_bytes = 8;
  tensor.data = nullptr;
  EXPECT_THAT(refuse(), HasSubstr("has 0 bytes; its type and shape take 8"));
  tensor.info = nullptr;
  EXPECT_THAT(refuse(), HasSubstr("one of the inputs of a case is not described"));
  one.inputs = nullptr;
  EXPECT_THAT(refuse(), HasSubstr("the list of inputs of a case has 1 entries and is null"));
  one.layer = nullptr;
  EXPECT_THAT(refuse(), HasSubstr("a case has no layer"));
}

// A failure of which a part is not there is told as far as it can be.
TEST_F(LyingTables, AFailureWithoutItsValuesIsTold) {
  const bp_backend table = MakeGood();
  const auto backend = Open(&table);
  auto failure = c_form::Make<bp_failure>();
  failure.status = BP_STATUS_BUSY;
  failure.text = "it is busy";
  failure.num_values = 7;
  bp_error error;
  EXPECT_EQ(given_host->fail(&error, &failure), BP_STATUS_BUSY);
  ASSERT_NE(error.said, nullptr);
  EXPECT_EQ(error.said->text, "it is busy");
  EXPECT_TRUE(error.said->values.empty());
  failure.size_bytes = offsetof(bp_failure, text) + 4;
  EXPECT_EQ(given_host->fail(&error, &failure), BP_STATUS_FAILURE);
  EXPECT_EQ(error.said->text, "a failure in a struct that ends within a field");
}

TEST_F(LyingTables, OneThatEndsWithinAFieldIsRefused) {
  bp_backend table = MakeGood();
  table.size_bytes = offsetof(bp_backend, run) + sizeof(void*) + 4;
  const Diagnostic refusal = Refuse(table);
  EXPECT_EQ(refusal.code, DiagnosticCode::kInvalidTable);
  EXPECT_NE(refusal.why.find("ends within a field; expected a multiple of 8"), std::string::npos)
      << refusal.why;
}

TEST_F(LyingTables, AnOptionWithoutItsAllowedValuesIsRefused) {
  const bp_text fast{"fast", 4};
  const bp_value initial{BP_VALUE_TEXT, 0, 1, &fast};
  bp_value allowed{BP_VALUE_TEXT, 1, 2, nullptr};
  auto option = c_form::Make<bp_option_schema>();
  option.name = "mode";
  option.initial = &initial;
  option.allowed = &allowed;
  described_option = &option;
  const bp_backend table = MakeGood();
  const auto backend = Open(&table);
  const auto refuse = [&] {
    try {
      static_cast<void>(backend->GetOptionSchemas());
    } catch (const DiagnosticException& exception) {
      return exception.GetDiagnostic().why;
    }
    return std::string("it was taken");
  };
  EXPECT_EQ(refuse(),
            "it says: the list of allowed values of an option has 2 entries and is null; "
            "expected a pointer to them");
  allowed.count = 20'000;
  allowed.data = &fast;
  EXPECT_EQ(refuse(),
            "it says: the list of allowed values of an option has 20000 entries; up to "
            "10000 are possible");
  const std::int64_t number = 1;
  allowed = {BP_VALUE_INT, 1, 1, &number};
  EXPECT_EQ(refuse(), "it says: the allowed values of an option are of type 2; expected texts (4)");
  option.allowed = nullptr;
  const bp_value two{BP_VALUE_INT, 0, 2, &number};
  option.initial = &two;
  EXPECT_EQ(refuse(), "it says: a value of an option is no list and has 2 elements; expected 1");
}

TEST_F(LyingTables, NullsInQuestionsAreRefused) {
  const bp_backend table = MakeGood();
  const auto backend = Open(&table);
  const bp_host& host = *given_host;
  const auto expect_refused = [](const char* function, bp_status status, const bp_error& error) {
    EXPECT_EQ(status, BP_STATUS_INVALID_ARGUMENT) << function;
    ASSERT_NE(error.said, nullptr) << function;
    EXPECT_EQ(error.said->text, std::string(function) +
                                    " was called with null; expected all of "
                                    "its objects and arguments");
  };
  bp_error error;
  expect_refused("add", host.add(nullptr, BP_ITEM_OPTION, &host, &error), error);
  expect_refused("allocate", host.allocate(nullptr, nullptr, nullptr, &error), error);
  expect_refused("parallel", host.parallel(nullptr, nullptr, &error), error);
  expect_refused("open_resource", host.open_resource(nullptr, nullptr, nullptr, &error), error);
  expect_refused("read_constant", host.read_constant(nullptr, nullptr, nullptr, &error), error);
  expect_refused("release_constant", host.release_constant(nullptr, &error), error);
  expect_refused("share_packed", host.share_packed(nullptr, nullptr, nullptr, &error), error);
  expect_refused("add_layer", host.add_layer(nullptr, nullptr, nullptr, &error), error);
  expect_refused("answer", host.answer(nullptr, nullptr, &error), error);
  expect_refused("load_cached", host.load_cached(nullptr, nullptr, nullptr, &error), error);
  expect_refused("store_cached", host.store_cached(nullptr, nullptr, &error), error);
}

// What a function that fails leaves in its out is not looked at.
TEST_F(LyingTables, WhatAFailedLoadLeavesIsNotFreed) {
  bp_backend table = MakeGood();
  static int num_freed = 0;
  table.make_builder = [](bp_instance*, const bp_scope_args*, bp_builder** builder, bp_error*) {
    *builder = reinterpret_cast<bp_builder*>(&num_freed);
    return bp_status{BP_STATUS_SUCCESS};
  };
  table.make_loaded = [](bp_builder*, const bp_scope_args*, bp_loaded** loaded, bp_error*) {
    *loaded = reinterpret_cast<bp_loaded*>(&num_freed);
    return bp_status{BP_STATUS_FAILURE};
  };
  table.free_loaded = [](bp_loaded*) { ++num_freed; };
  const auto backend = Open(&table);
  auto factory = backend->CreateWorkloadFactory({});
  ASSERT_NE(factory, nullptr);
  EXPECT_THROW(static_cast<void>(factory->CreateExecutionState()), DiagnosticException);
  factory.reset();
  EXPECT_EQ(num_freed, 0);
}

/// Has under each key what the key says, often.
class KeyCache final : public ICompiledSubgraphCache {
 public:
  Status Load(const char* key, std::vector<std::uint8_t>* content) override {
    content->assign(1000, static_cast<std::uint8_t>(*key));
    return Status::kSuccess;
  }
  Status Store(const char* /*key*/, const void* /*content*/, std::uint64_t /*size*/) override {
    return Status::kSuccess;
  }
};

TEST_F(LyingTables, WhatWasCachedStaysUntilTheOfferEnds) {
  bp_backend table = MakeGood();
  static std::string found;
  found.clear();
  table.free_compiled = [](bp_compiled*) {};
  table.optimize = [](bp_instance*, const bp_optimize_args* args, bp_error* error) -> bp_status {
    const char* const keys[] = {"a", "b"};
    bp_content contents[] = {c_form::Make<bp_content>(), c_form::Make<bp_content>()};
    for (std::size_t i = 0; i < 2; ++i) {
      auto asked = c_form::Make<bp_cache_args>();
      asked.key = keys[i];
      const bp_status status =
          args->scope->host->load_cached(args->offer, &asked, &contents[i], error);
      if (status != BP_STATUS_SUCCESS) return status;
    }
    for (const bp_content& content : contents) found += *static_cast<const char*>(content.data);
    return BP_STATUS_SUCCESS;
  };
  const auto backend = Open(&table);
  KeyCache cache;
  const SubgraphView subgraph;
  OptimizeSubgraphArgs args;
  args.subgraph = &subgraph;
  args.cache = &cache;
  static_cast<void>(backend->OptimizeSubgraphView(args));
  EXPECT_EQ(found, "ab");
}

bp_compiled* resized = nullptr;
bp_status resize_status = BP_STATUS_SUCCESS;
int num_freed = 0;

bp_status Resize(const bp_compiled*, const bp_resize_args* args, bp_compiled** out,
                 bp_error* error) {
  *out = resized;
  if (resize_status == BP_STATUS_SUCCESS) return resize_status;
  return bp_fail(args->scope->host, error, resize_status, "the reason");
}

TEST_F(LyingTables, WhatIsResizedIsAnotherObjectOrNone) {
  int objects[2] = {};
  auto* const compiled = reinterpret_cast<bp_compiled*>(&objects[0]);
  bp_backend table = MakeGood();
  table.free_compiled = [](bp_compiled*) { ++num_freed; };
  const auto resize = [&] {
    const auto instance =
        std::make_shared<backend::Instance>(table, "Liar", CreateBackendLogger("Liar"), nullptr);
    return backend::TableCompiled(instance, compiled).Resize(ResizeArgs()) != nullptr;
  };
  EXPECT_FALSE(resize()) << "there is no such function";
  table.resize = Resize;
  EXPECT_FALSE(resize()) << "success without an object";
  resized = compiled;
  EXPECT_THROW(resize(), std::invalid_argument) << "it would be freed twice";
  resized = reinterpret_cast<bp_compiled*>(&objects[1]);
  EXPECT_EQ(num_freed, 0);
  EXPECT_TRUE(resize());
  EXPECT_EQ(num_freed, 1) << "what was made, and not what was not the host's yet";
  resize_status = BP_STATUS_UNSUPPORTED;
  EXPECT_FALSE(resize());
  resize_status = BP_STATUS_FAILURE;
  try {
    resize();
    ADD_FAILURE() << "it has failed";
  } catch (const DiagnosticException& exception) {
    EXPECT_THAT(exception.GetDiagnostic().why, testing::HasSubstr("the reason"));
  }
  EXPECT_EQ(num_freed, 1) << "an out is not read after a failure";
}

TEST_F(LyingTables, PairsInPlaceAreListedUpToALimit) {
  static std::size_t num_pairs = 0;
  static bp_status status = BP_STATUS_SUCCESS;
  bp_backend table = MakeGood();
  const auto list = [&] {
    const auto instance =
        std::make_shared<backend::Instance>(table, "Liar", CreateBackendLogger("Liar"), nullptr);
    return backend::TableCompiled(instance, nullptr).GetInPlacePairs();
  };
  EXPECT_TRUE(list().empty()) << "there is no such function";
  table.in_place = [](const bp_compiled*, const bp_scope_args* args, bp_sink* sink,
                      bp_error* error) {
    const bp_host* const host = args->scope->host;
    bp_status added = BP_STATUS_SUCCESS;
    for (std::uint32_t i = 0; i < num_pairs && added == BP_STATUS_SUCCESS; ++i) {
      const bp_pair pair{i, i + 1};
      added = host->add(sink, BP_ITEM_IN_PLACE, &pair, error);
    }
    return added != BP_STATUS_SUCCESS ? added : status;
  };
  num_pairs = 2;
  const std::vector<InPlacePair> pairs = list();
  ASSERT_EQ(pairs.size(), 2U);
  EXPECT_EQ(pairs[1].input, 1U);
  EXPECT_EQ(pairs[1].output, 2U);
  num_pairs = 1'000'000;
  EXPECT_THROW(list(), DiagnosticException);
  num_pairs = 1;
  status = BP_STATUS_FAILURE;
  EXPECT_THROW(list(), DiagnosticException);
}

// The same lies as in a process of its own (IsolatedTables), as far as they are told here.
TEST_F(LyingTables, OfAnyKindAreTakenOrRefused) {
  constexpr std::uint64_t kNumSeeds = 600;
  for (std::uint64_t seed = 0; seed < kNumSeeds; ++seed) {
    fuzz::SetLies(seed);
    try {
      const auto backend = Open(fuzz::MakeLyingTable());
      if (!backend) continue;
      static_cast<void>(backend->GetCapabilities());
      static_cast<void>(backend->GetOptionSchemas());
      static_cast<void>(backend->GetOperators());
      static_cast<void>(backend->GetOperatorCases());
    } catch (const DiagnosticException& exception) {
      EXPECT_FALSE(exception.GetDiagnostic().why.empty()) << fuzz::GetLies().Describe();
    }
  }
}

}  // namespace
}  // namespace backplane
