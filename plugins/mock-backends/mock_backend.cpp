/// A backend that takes no layer and does nothing, but for the one thing that its row of
/// defects.def asks for.

#include "row.hpp"

#include <backplane/api/crossing.hpp>
#include <backplane/api/exceptions.hpp>

#include <exception>
#include <fstream>
#include <new>
#include <stdexcept>
#include <string>

namespace {

using backplane::mock::Context;
using backplane::mock::Factory;
using backplane::mock::Id;
using backplane::mock::kRow;
using backplane::mock::ObjectId;
using backplane::mock::Place;
using backplane::mock::Version;

/// The row's deed, when this is the place for it.
void Pass(Place place) {
  if (place == kRow.at && kRow.perform != nullptr) kRow.perform(kRow.deed);
}

/// What happens while the file is opened and closed.
struct StaticObject {
  StaticObject() { Pass(Place::kConstructor); }
  ~StaticObject() {
    if (kRow.deed != backplane::mock::Deed::kThrow) Pass(Place::kClosing);
  }
};

[[maybe_unused]] const StaticObject static_object;

// ---- The table, written by hand: two hundred rows have it

struct Instance {
  const bp_host* host;
  const bp_log* log;
};
Instance* From(bp_instance* instance) {
  return reinterpret_cast<Instance*>(instance);
}

bp_status Fail(const bp_host* host, bp_error* error,
               const backplane::BackendUnavailableException& e) {
  bp_failure failure{};
  failure.size_bytes = sizeof failure;
  failure.status = BP_STATUS_UNAVAILABLE;
  failure.text = e.what();
  failure.reason = static_cast<std::uint32_t>(e.GetReason());
  return host->fail(error, &failure);
}

/// Calls what may throw.
template <typename Call>
bp_status Guard(const bp_host* host, bp_error* error, const Call& call) noexcept {
  try {
    call();
    return BP_STATUS_SUCCESS;
  } catch (const backplane::BackendUnavailableException& exception) {
    return Fail(host, error, exception);
  } catch (const std::bad_alloc& exception) {
    return bp_fail(host, error, BP_STATUS_OUT_OF_MEMORY, exception.what());
  } catch (const std::exception& exception) {
    return bp_fail(host, error, BP_STATUS_FAILURE, exception.what());
  } catch (...) {
    return bp_fail(host, error, BP_STATUS_FAILURE,
                   "what was thrown is not a std::exception, so it says nothing");
  }
}

/// What happens when an object is destroyed. What it throws is logged.
void Destroy(const Instance& instance, Place place) noexcept {
  try {
    Pass(place);
  } catch (const std::exception& exception) {
    const std::string line = std::string("a destructor threw an exception: ") + exception.what();
    instance.host->log(instance.log, BP_LOG_LEVEL_WARNING, line.c_str());
  } catch (...) {
    instance.host->log(instance.log, BP_LOG_LEVEL_WARNING, "a destructor threw an exception");
  }
}

backplane::UnavailabilityReason GetReason() {
  return static_cast<backplane::UnavailabilityReason>(kRow.reason);
}

[[maybe_unused]] bp_status Start(const bp_start_args* args, bp_instance** instance,
                                 bp_error* error) {
  return Guard(args->host, error, [&] {
    Pass(Place::kFactory);
    if (kRow.factory == Factory::kThrows) throw std::runtime_error("the factory is closed");
    if (kRow.factory == Factory::kThrowsNumber) throw 42;
    if (kRow.factory == Factory::kThrowsLongText) {
      throw std::runtime_error("a dump of the device: " + std::string(20'000'000, 'x'));
    }
    if (kRow.factory == Factory::kUnavailable) {
      throw backplane::BackendUnavailableException("there is no mock device in this machine",
                                                   GetReason());
    }
    if (kRow.object_id == ObjectId::kThrows) throw std::runtime_error("the object forgot its id");
    *instance = reinterpret_cast<bp_instance*>(new Instance{args->host, args->log});
  });
}

void Stop(bp_instance* instance) {
  Destroy(*From(instance), Place::kBackendDestructor);
  delete From(instance);
}

bp_status Describe(bp_instance* instance, const bp_describe_args* args, bp_sink* sink,
                   bp_error* error) {
  const bp_named_value capability{BP_CAPABILITY_RANK, {BP_VALUE_INT, 0, 1, kRow.rank}};
  if (args->item != BP_ITEM_CAPABILITY || kRow.rank == nullptr) return BP_STATUS_SUCCESS;
  return From(instance)->host->add(sink, args->item, &capability, error);
}

bp_status MakeContext(bp_instance* instance, const bp_context_args* args, bp_context** context,
                      bp_error* error) {
  return Guard(args->scope->host, error, [&] {
    Pass(Place::kContext);
    if (kRow.context == Context::kThrows) throw std::runtime_error("the context is broken");
    if (kRow.context == Context::kUnavailable) {
      throw backplane::BackendUnavailableException("the mock device does not answer", GetReason());
    }
    if (kRow.at == Place::kContextDestructor) *context = reinterpret_cast<bp_context*>(instance);
  });
}
void FreeContext(bp_context* context) {
  Destroy(*reinterpret_cast<Instance*>(context), Place::kContextDestructor);
}

bp_status Refuse(bp_instance* /*instance*/, const bp_layer_args* args, bp_support* /*support*/,
                 bp_error* error) {
  const std::string text = "layer type " + std::to_string(args->layer->type) +
                           " is not supported, nor is any other: this is a mock";
  return bp_fail(args->scope->host, error, BP_STATUS_UNSUPPORTED, text.c_str());
}

[[maybe_unused]] bp_backend MakeTable() {
  bp_backend table{};
  table.size_bytes = sizeof table;
  table.major = BP_API_MAJOR;
  table.needs_minor = BP_NEEDS_MINOR;
  table.knows_minor = BP_KNOWS_MINOR;
  table.id = kRow.object_id == ObjectId::kOther  ? "AnotherId"
             : kRow.object_id == ObjectId::kNull ? nullptr
                                                 : kRow.name;
  table.start = Start;
  table.stop = Stop;
  table.describe = Describe;
  table.make_context = MakeContext;
  table.free_context = FreeContext;
  table.supports = Refuse;
  // The others are never called, as no layer is taken.
  table.make_builder = [](bp_instance*, const bp_scope_args*, bp_builder**, bp_error*) {
    return bp_status{BP_STATUS_FAILURE};
  };
  table.free_builder = [](bp_builder*) {};
  table.make_workload = [](bp_builder*, const bp_layer_args*, bp_workload**, bp_error*) {
    return bp_status{BP_STATUS_FAILURE};
  };
  table.free_workload = [](bp_workload*) {};
  table.make_loaded = [](bp_builder*, const bp_scope_args*, bp_loaded**, bp_error*) {
    return bp_status{BP_STATUS_FAILURE};
  };
  table.free_loaded = [](bp_loaded*) {};
  table.run = [](const bp_workload*, const bp_run_args*, bp_error*) {
    return bp_status{BP_STATUS_FAILURE};
  };
  return table;
}

}  // namespace

#ifndef BACKPLANE_MOCK_WITHOUT_GET_BACKEND_ID
const char* GetBackendId() {
  Pass(Place::kGetBackendId);
  switch (kRow.id) {
    case Id::kOwn:
      return kRow.name;
    case Id::kNull:
      return nullptr;
    case Id::kEmpty:
      return "";
    case Id::kUnknown:
      return "Unknown";
    case Id::kWithSpace:
      return "Mock\tWith Space";
    case Id::kTooLong:
      return "MockWhoseIdGoesOnAndOnUntilItIsLongerThanTheSixtyFourCharactersThatAreAllowed";
    case Id::kChanging: {
      static bool is_first = false;
      is_first = !is_first;
      return is_first ? "MockFirst" : "MockSecond";
    }
    case Id::kOtherInSandbox: {
      const bool is_free = std::ifstream("/etc/passwd").good();
      return is_free ? kRow.name : "MockHarmless";
    }
    case Id::kThrows:
      throw std::runtime_error("the id is not known yet");
  }
  return nullptr;
}
#endif

#ifndef BACKPLANE_MOCK_WITHOUT_GET_VERSION
void GetVersion(std::uint32_t* outMajor, std::uint32_t* outMinor) {
  Pass(Place::kGetVersion);
  *outMajor = BP_API_MAJOR;
  *outMinor = BP_NEEDS_MINOR;
  if (kRow.version == Version::kNextMinor) *outMinor = BP_NEEDS_MINOR + 1;
  if (kRow.version == Version::kNextMajor) *outMajor = BP_API_MAJOR + 1;
  if (kRow.version == Version::kPreviousMajor) *outMajor = std::uint32_t{BP_API_MAJOR} - 1;
  if (kRow.version == Version::kThrows) throw std::runtime_error("the version is not known yet");
}
#endif

#ifndef BACKPLANE_MOCK_WITHOUT_BACKEND_FACTORY
void* BackendFactory() {
  if (kRow.factory == Factory::kNull) return nullptr;
  static bp_backend table = MakeTable();
  return &table;
}
#endif
