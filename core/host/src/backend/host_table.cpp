#include "backend/host_table.hpp"

#include "backend/given.hpp"

#include <backplane/api/c_values.hpp>
#include <backplane/api/custom_layer.hpp>
#include <backplane/host/host_call.hpp>
#include <backplane/host/logging.hpp>

#include <cstring>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace backplane::backend {
namespace {

/// Does what a backend asks for. What is thrown here is told to it.
template <typename Action>
bp_status Serve(bp_error* error, const Action& action) noexcept {
  try {
    return c_form::ToC(action());
  } catch (const std::invalid_argument& exception) {
    return Fail(error, Status::kInvalidArgument, exception.what());
  } catch (const std::bad_alloc&) {
    return BP_STATUS_OUT_OF_MEMORY;
  } catch (const std::exception& exception) {
    return Fail(error, Status::kFailure, exception.what());
  } catch (...) {
    return BP_STATUS_FAILURE;
  }
}

ILogger& ToLogger(const bp_log* log) {
  return *const_cast<ILogger*>(reinterpret_cast<const ILogger*>(log));
}

std::uint32_t GetLogLevel(const bp_log* log) {
  std::uint32_t level = static_cast<std::uint32_t>(LogLevel::kTrace);
  const auto none = static_cast<std::uint32_t>(LogLevel::kError) + 1;
  if (log == nullptr) return none;
  while (level < none && !ToLogger(log).IsEnabled(static_cast<LogLevel>(level))) ++level;
  return level;
}

void LogLine(const bp_log* log, std::uint32_t level, const char* line) {
  static_cast<void>(Serve(nullptr, [&] {
    RequireAll("log", log, line);
    return ToLogger(log).Log(static_cast<LogLevel>(level), line);
  }));
}

const void* FindExtension(const bp_host* /*host*/, const char* /*id*/) {
  return nullptr;
}

Status TakeMeasured(IBackendProfiling& profiling, std::uint32_t item, const void* content) {
  if (item == BP_ITEM_EVENT) {
    const bp_event from = Read(*static_cast<const bp_event*>(content));
    TimelineEvent event;
    event.name = from.name != nullptr ? from.name : "";
    event.lane = from.lane != nullptr ? from.lane : "";
    event.begin_ns = from.begin_ns;
    event.end_ns = from.end_ns;
    return profiling.ReportTimelineEvent(event);
  }
  if (item != BP_ITEM_SAMPLE) return Status::kInvalidArgument;
  const bp_sample from = Read(*static_cast<const bp_sample*>(content));
  CounterSample sample;
  sample.id = from.counter;
  sample.time_ns = from.time_ns;
  sample.value = from.value;
  return profiling.ReportCounterSamples(&sample, 1);
}

bp_status Add(bp_sink* sink, std::uint32_t item, const void* content, bp_error* error) {
  return Serve(error, [&] {
    RequireAll("add", sink, content);
    if (sink->profiling != nullptr) return TakeMeasured(*sink->profiling, item, content);
    return item == sink->item ? sink->take(content) : Status::kInvalidArgument;
  });
}

bp_status Allocate(bp_allocator* allocator, const bp_requirements* requirements, bp_view* view,
                   bp_error* error) {
  return Serve(error, [&] {
    RequireAll("allocate", allocator, requirements, view);
    const bp_requirements wanted = Read(*requirements);
    MemoryBlock block;
    const Status status =
        allocator->allocator->Allocate(wanted.num_bytes, wanted.alignment, &block);
    if (status == Status::kSuccess) c_form::Give(c_form::ToC(block), view);
    return status;
  });
}

void FreeBlock(bp_allocator* allocator, const bp_view* view) {
  static_cast<void>(Serve(nullptr, [&] {
    RequireAll("free_block", allocator, view);
    return allocator->allocator->Free(c_form::ToBlock(*view));
  }));
}

bp_status RunParallel(bp_run* /*run*/, const bp_parallel_args* args, bp_error* error) {
  return Serve(error, [&] {
    RequireAll("parallel", args);
    if (args->call == nullptr) throw std::invalid_argument("parallel has no function to call");
    for (std::uint64_t index = 0; index < args->count; ++index) args->call(args->data, index);
    return Status::kSuccess;
  });
}

bp_status SetOutput(bp_run* /*run*/, const bp_output_args* /*args*/, bp_view* /*view*/,
                    bp_error* error) {
  return Fail(error, Status::kUnsupported, "this host gives no outputs that are sized in the run");
}

void LoseDevice(const bp_host* /*host*/, const bp_lost_args* args) {
  static_cast<void>(Serve(nullptr, [&] {
    RequireAll("device_lost", args);
    Log("registration", LogLevel::kError,
        "a backend has lost device " + std::to_string(args->device) + ": " +
            (args->text != nullptr ? args->text : "it says nothing"));
    return Status::kSuccess;
  }));
}

bp_status OpenResource(bp_network* /*network*/, const bp_resource_args* args,
                       bp_resource* /*resource*/, bp_error* error) {
  return Serve(error, [&] {
    RequireAll("open_resource", args);
    return c_form::ToStatus(Fail(
        error, Status::kNotFound,
        std::string("the model has no file \"") + (args->name != nullptr ? args->name : "") + '"'));
  });
}

bp_status ReadConstant(bp_constant_source* source, const bp_read_args* given, bp_content* content,
                       bp_error* error) {
  return Serve(error, [&] {
    RequireAll("read_constant", source, given, content);
    const bp_read_args args = Read(*given);
    auto made = c_form::Make<bp_content>();
    if (args.destination == nullptr) {
      auto shared = std::make_unique<bp_shared>();
      const Status status = source->offer->args->reader->ShareConstant(source->layer, source->input,
                                                                       &shared->content);
      if (status != Status::kSuccess) return status;
      made.data = shared->content.get();
      made.num_bytes = source->constant->info.GetSizeBytes();
      made.shared = shared.release();
    } else {
      const std::uint64_t size_bytes = source->constant->info.GetSizeBytes();
      if (args.offset > size_bytes || args.num_bytes > size_bytes - args.offset) {
        return Status::kInvalidArgument;
      }
      std::memcpy(args.destination,
                  static_cast<const unsigned char*>(source->constant->data) + args.offset,
                  args.num_bytes);
      made.data = args.destination;
      made.num_bytes = args.num_bytes;
    }
    c_form::Give(made, content);
    return Status::kSuccess;
  });
}

bp_status ReleaseConstant(bp_constant_source* source, bp_error* error) {
  return Serve(error, [&] {
    RequireAll("release_constant", source);
    return source->offer->args->builder->ReleaseConstant(source->layer, source->input);
  });
}

bp_status GivePacked(const bp_host* /*host*/, const bp_packed_args* given, bp_content* content,
                     bp_error* error) {
  return Serve(error, [&] {
    RequireAll("share_packed", given, content);
    const bp_packed_args args = Read(*given);
    if (args.make == nullptr || args.destroy == nullptr || args.key == nullptr) {
      return Status::kInvalidArgument;
    }
    PackedShare share = SharePacked(args, error);
    if (share.status != Status::kSuccess) return share.status;
    auto made = c_form::Make<bp_content>();
    made.data = share.content.get();
    made.num_bytes = share.num_bytes;
    made.shared = new bp_shared{std::move(share.content)};
    c_form::Give(made, content);
    return Status::kSuccess;
  });
}

void ReleaseShared(bp_shared* shared) {
  delete shared;
}

Status AddConstantLayer(ISubgraphBuilder& builder, const bp_layer& layer, std::uint32_t* id) {
  const bp_constant* const from = layer.constants != nullptr ? layer.constants[0] : nullptr;
  if (from == nullptr) throw std::invalid_argument("a constant comes without its content");
  const bp_constant given = Read(*from);
  const bool has_output = layer.outputs != nullptr && layer.num_outputs != 0;
  const bp_tensor_info* const output = has_output ? layer.outputs[0] : nullptr;
  const bp_tensor_info* const info = given.info != nullptr ? given.info : output;
  if (info == nullptr) throw std::invalid_argument("nothing says what tensor a constant is");
  ConstTensor constant;
  constant.info = ReadInfo(*info);
  constant.data = given.data;
  if (given.num_bytes != constant.info.GetSizeBytes()) {
    throw std::invalid_argument("a constant has " + std::to_string(given.num_bytes) +
                                " bytes; expected " + std::to_string(constant.info.GetSizeBytes()));
  }
  return builder.AddConstant(constant, layer.name != nullptr ? layer.name : "", id);
}

bp_status AddLayer(bp_offer* offer, const bp_layer* given, std::uint32_t* id, bp_error* error) {
  return Serve(error, [&] {
    RequireAll("add_layer", offer, given, id);
    const bp_layer from = Read(*given);
    ISubgraphBuilder& builder = *offer->args->builder;
    offer->num_entries += 2;  // the layer, and what a constant gives
    if (from.type == BP_LAYER_CONSTANT) return AddConstantLayer(builder, from, id);
    const std::uint64_t most = std::max<std::uint64_t>(kMostItems, offer->num_entries);
    RequireList(from.slots, from.num_inputs, "the list of inputs of a layer", most);
    const Infos outputs(from, most);
    offer->num_entries += std::uint64_t{from.num_inputs} + from.num_outputs;
    ReplacementLayer layer;
    layer.layer_type = static_cast<LayerType>(from.type);
    layer.name = from.name != nullptr ? from.name : "";
    layer.descriptor = static_cast<const BaseDescriptor*>(from.descriptor);
    std::optional<CustomLayer> custom;
    if (from.type == BP_LAYER_CUSTOM && from.descriptor != nullptr) {
      RequireCustom(*static_cast<const bp_custom_descriptor*>(from.descriptor));
      const auto given_descriptor = CopyDescriptor<CustomDescriptor>(*layer.descriptor);
      std::vector<TensorInfo> stated;
      for (std::uint32_t i = 0; i < from.num_outputs; ++i) stated.push_back(*outputs.Get()[i]);
      custom.emplace(given_descriptor.domain, given_descriptor.type, given_descriptor.version,
                     GetAttributes(given_descriptor), std::move(stated));
      layer.descriptor = &custom->Get();
    }
    layer.inputs = c_form::ToSlots(from.slots);
    layer.output_infos = outputs.Get();
    layer.num_inputs = from.num_inputs;
    layer.num_outputs = from.num_outputs;
    if (from.type != BP_LAYER_PRE_COMPILED) return builder.AddLayer(layer, id);
    if (from.compiled == nullptr) return Status::kInvalidArgument;
    return offer->own(from.compiled, [&](auto object) {
      return builder.AddPreCompiledLayer(layer, std::move(object), id);
    });
  });
}

bp_status TakeAnswer(bp_offer* offer, const bp_answer* given, bp_error* error) {
  return Serve(error, [&] {
    RequireAll("answer", offer, given);
    const bp_answer answer = Read(*given);
    if (answer.part == nullptr) return Status::kInvalidArgument;
    OptimizationViews& views = offer->views;
    switch (answer.kind) {
      case BP_PART_REPLACED: {
        if (answer.replacement == nullptr) return Status::kInvalidArgument;
        SubgraphSubstitution made;
        made.original = ReadPart(*answer.part, offer->num_entries);
        made.replacement = ReadPart(*answer.replacement, offer->num_entries);
        views.substitutions.push_back(std::move(made));
        return Status::kSuccess;
      }
      case BP_PART_FAILED:
        views.failed.push_back(ReadPart(*answer.part, offer->num_entries));
        return Status::kSuccess;
      case BP_PART_UNTOUCHED:
        views.untouched.push_back(ReadPart(*answer.part, offer->num_entries));
        return Status::kSuccess;
      case BP_PART_DELETED:
        views.deleted.push_back(ReadPart(*answer.part, offer->num_entries));
        return Status::kSuccess;
      default:
        return Status::kUnsupported;
    }
  });
}

bp_status LoadCached(bp_offer* offer, const bp_cache_args* args, bp_content* content,
                     bp_error* error) {
  return Serve(error, [&] {
    RequireAll("load_cached", offer, args, content);
    if (offer->args->cache == nullptr) return Status::kNotFound;
    const Status status = offer->args->cache->Load(args->key, &offer->cached.emplace_back());
    if (status != Status::kSuccess) return status;
    auto made = c_form::Make<bp_content>();
    made.data = offer->cached.back().data();
    made.num_bytes = offer->cached.back().size();
    c_form::Give(made, content);
    return Status::kSuccess;
  });
}

bp_status StoreCached(bp_offer* offer, const bp_cache_args* args, bp_error* error) {
  return Serve(error, [&] {
    RequireAll("store_cached", offer, args);
    if (offer->args->cache == nullptr) return Status::kUnsupported;
    return offer->args->cache->Store(args->key, args->content, args->num_bytes);
  });
}

void ReportProgress(bp_offer* /*offer*/, const bp_progress_args* args) {
  static_cast<void>(Serve(nullptr, [&] {
    RequireAll("progress", args);
    Log("optimization", LogLevel::kDebug,
        "compiled " + std::to_string(args->done) + " of " + std::to_string(args->total) +
            (args->text != nullptr ? std::string(": ") + args->text : ""));
    return Status::kSuccess;
  }));
}

bp_host MakeTable() {
  auto table = c_form::Make<bp_host>();
  table.major = BP_API_MAJOR;
  table.minor = BP_API_MINOR;
  table.name = "Backplane";
  table.log_level = GetLogLevel;
  table.log = LogLine;
  table.fail = [](bp_error* error, const bp_failure* failure) { return Fail(error, failure); };
  table.extension = FindExtension;
  table.add = Add;
  table.allocate = Allocate;
  table.free_block = FreeBlock;
  table.parallel = RunParallel;
  table.set_output = SetOutput;
  table.device_lost = LoseDevice;
  table.open_resource = OpenResource;
  table.read_constant = ReadConstant;
  table.release_constant = ReleaseConstant;
  table.share_packed = GivePacked;
  table.release_shared = ReleaseShared;
  table.add_layer = AddLayer;
  table.answer = TakeAnswer;
  table.load_cached = LoadCached;
  table.store_cached = StoreCached;
  table.progress = ReportProgress;
  return table;
}

}  // namespace

const bp_host& GetHostTable() {
  static const bp_host table = MakeTable();
  return table;
}

}  // namespace backplane::backend
