// The table of a lying backend, and what it makes that is neither layer nor memory.

#include "lying_functions.hpp"

#include <iterator>

namespace backplane::fuzz {
namespace {

bp_status Start(const bp_start_args* args, bp_instance** instance, bp_error* error) {
  const TableLies& lies = GetLies();
  if (lies.Tells(TableLie::kLogLine) || lies.Tells(TableLie::kLogLevel)) {
    const char* line = "it starts";
    std::uint32_t level = BP_LOG_LEVEL_INFO;
    lies.ChangeText(TableLie::kLogLine, line);
    lies.Change(TableLie::kLogLevel, level);
    args->host->log(args->log, level, line);
  }
  AskNonsense(*args->host, args->log, nullptr);
  return Give(TableLie::kStart, TableLie::kNoInstance, "instance", args->host, instance, error);
}

void Stop(bp_instance* instance) {
  ExpectNothingLeft();
  if (instance != nullptr) Free(instance, "instance");
}

bp_status MakeContext(bp_instance* /*instance*/, const bp_context_args* args, bp_context** context,
                      bp_error* error) {
  return Give(TableLie::kMakeContext, TableLie::kNoContext, "context", args->scope->host, context,
              error);
}

bp_status TellOfNetwork(bp_context* /*context*/, const bp_network_args* args, bp_error* error) {
  return Finish(TableLie::kNetworkEvent, args->scope->host, error);
}

bp_status MakeModel(bp_instance* /*instance*/, const bp_scope_args* args, bp_model** model,
                    bp_error* error) {
  return Give(TableLie::kMakeModel, TableLie::kNoModel, "model", args->scope->host, model, error);
}

bp_status MakeProfiler(bp_context* /*context*/, const bp_profiler_args* args,
                       bp_profiler** profiler, bp_error* error) {
  const bp_status status = Give(TableLie::kMakeProfiler, TableLie::kNoProfiler, "profiler",
                                args->scope->host, profiler, error);
  if (status == BP_STATUS_SUCCESS && *profiler != nullptr) (*profiler)->sink = args->sink;
  return status;
}

bp_status Activate(bp_profiler* profiler, const bp_activate_args* args, bp_error* error) {
  const TableLies& lies = GetLies();
  const bp_host& host = *args->scope->host;
  auto event = MakeStruct<bp_event>();
  event.name = "queue";
  event.lane = "first";
  event.begin_ns = 1;
  event.end_ns = 2;
  lies.ChangeText(TableLie::kEventName, event.name);
  lies.Change(TableLie::kEventTimes, event.begin_ns);
  auto sample = MakeStruct<bp_sample>();
  sample.counter = 1;
  lies.Change(TableLie::kSampleCounter, sample.counter);
  lies.Change(TableLie::kSampleReserved, sample.reserved);
  static_cast<void>(AddItem(host, profiler->sink, BP_ITEM_EVENT, &event, nullptr));
  static_cast<void>(AddItem(host, profiler->sink, BP_ITEM_SAMPLE, &sample, nullptr));
  return Finish(TableLie::kActivate, &host, error);
}

void DropFunctions(const TableLies& lies, bp_backend& table) {
  constexpr std::uint32_t kFirst = offsetof(bp_backend, start);
  constexpr std::uint32_t kCount = (sizeof table - kFirst) / sizeof(void*);
  auto* const functions = reinterpret_cast<unsigned char*>(&table) + kFirst;
  const auto drop = [&](std::uint32_t index) {
    std::memset(functions + index * sizeof(void*), 0, sizeof(void*));
  };
  if (lies.Tells(TableLie::kNullFunction)) drop(lies.Choose(TableLie::kNullFunction, kCount));
  if (!lies.Tells(TableLie::kNullFunctions)) return;
  const std::uint32_t bits = lies.Choose(TableLie::kNullFunctions, UINT32_MAX);
  for (std::uint32_t index = 0; index < kCount; ++index) {
    if ((bits >> (index % 32) & 3U) == 3) drop(index);
  }
}

}  // namespace

const bp_backend* MakeLyingTable() {
  const TableLies& lies = GetLies();
  if (lies.Tells(TableLie::kNoTable)) return nullptr;
  auto table = MakeStruct<bp_backend>();
  table.major = BP_API_MAJOR;
  table.needs_minor = BP_NEEDS_MINOR;
  table.knows_minor = BP_KNOWS_MINOR;
  table.id = "Lying";
  table.start = Start;
  table.stop = Stop;
  table.describe = Describe;
  table.make_context = MakeContext;
  table.free_context = [](bp_context* context) { Free(context, "context"); };
  table.network_event = TellOfNetwork;
  table.make_model = MakeModel;
  table.free_model = [](bp_model* model) { Free(model, "model"); };
  table.make_profiler = MakeProfiler;
  table.activate = Activate;
  table.free_profiler = [](bp_profiler* profiler) { Free(profiler, "profiler"); };
  AddLayerFunctions(table);
  AddMemoryFunctions(table);
  DropFunctions(lies, table);
  lies.ChangeSize(TableLie::kTableSize, table.size_bytes);
  lies.Change(TableLie::kTableMajor, table.major);
  lies.Change(TableLie::kTableMinors, table.needs_minor);
  lies.ChangeText(TableLie::kTableId, table.id);
  static const Room<bp_backend> room(table);
  *room.Get() = table;
  return room.Get();
}

void AskNonsense(const bp_host& host, const bp_log* log, bp_offer* offer) {
  const TableLies& lies = GetLies();
  if (lies.Tells(TableLie::kPackedNothing)) {
    auto args = MakeStruct<bp_packed_args>();
    args.key = lies.Choose(TableLie::kPackedNothing, 2) == 0 ? nullptr : "key";
    args.make = [](void*, void** packed, std::uint64_t* num_bytes, bp_error*) {
      *packed = nullptr;
      *num_bytes = GetLies().PickNumber(TableLie::kPackedNothing);
      return bp_status{BP_STATUS_SUCCESS};
    };
    args.destroy = [](void*) {};
    auto content = MakeStruct<bp_content>();
    if (host.share_packed(&host, &args, &content, nullptr) == BP_STATUS_SUCCESS) {
      host.release_shared(content.shared);
    }
  }
  if (lies.Tells(TableLie::kAskForUnknown)) {
    static_cast<void>(host.extension(&host, nullptr));
    static_cast<void>(host.extension(&host, "nobody/nothing/1"));
    auto name = MakeStruct<bp_resource_args>();
    auto resource = MakeStruct<bp_resource>();
    static_cast<void>(host.open_resource(nullptr, &name, &resource, nullptr));
    auto lost = MakeStruct<bp_lost_args>();
    lies.Change(TableLie::kAskForUnknown, lost.device);
    host.device_lost(&host, &lost);
  }
  if (!lies.Tells(TableLie::kAskWithNulls)) return;
  static_cast<void>(host.log_level(nullptr));
  host.log(nullptr, BP_LOG_LEVEL_INFO, "to nobody");
  host.log(log, BP_LOG_LEVEL_INFO, nullptr);
  static_cast<void>(host.fail(nullptr, nullptr));
  static_cast<void>(host.add(nullptr, BP_ITEM_OPTION, nullptr, nullptr));
  static_cast<void>(host.add(nullptr, BP_ITEM_OPTION, &host, nullptr));
  static_cast<void>(host.allocate(nullptr, nullptr, nullptr, nullptr));
  host.free_block(nullptr, nullptr);
  static_cast<void>(host.parallel(nullptr, nullptr, nullptr));
  static_cast<void>(host.set_output(nullptr, nullptr, nullptr, nullptr));
  host.device_lost(nullptr, nullptr);
  static_cast<void>(host.open_resource(nullptr, nullptr, nullptr, nullptr));
  static_cast<void>(host.read_constant(nullptr, nullptr, nullptr, nullptr));
  static_cast<void>(host.release_constant(nullptr, nullptr));
  static_cast<void>(host.share_packed(nullptr, nullptr, nullptr, nullptr));
  host.release_shared(nullptr);
  static_cast<void>(host.add_layer(offer, nullptr, nullptr, nullptr));
  static_cast<void>(host.answer(offer, nullptr, nullptr));
  static_cast<void>(host.load_cached(offer, nullptr, nullptr, nullptr));
  static_cast<void>(host.store_cached(offer, nullptr, nullptr));
  const auto empty_key = MakeStruct<bp_cache_args>();
  auto content = MakeStruct<bp_content>();
  static_cast<void>(host.load_cached(offer, &empty_key, &content, nullptr));
  static_cast<void>(host.store_cached(offer, &empty_key, nullptr));
  host.progress(offer, nullptr);
}

}  // namespace backplane::fuzz
