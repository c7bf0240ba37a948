#include <backplane/host/factory_collector.hpp>

#include "backend/progress_observer.hpp"

#include <backplane/host/host_call.hpp>

#include <algorithm>
#include <utility>

namespace backplane {

namespace {

/// "Vendor/Backend/Factory": three parts, none empty, of printable ASCII without spaces.
bool IsFactoryId(const std::string& id) {
  const bool is_printable =
      std::all_of(id.begin(), id.end(), [](char c) { return c > ' ' && c <= '~'; });
  const bool has_three_parts = std::count(id.begin(), id.end(), '/') == 2;
  const bool has_empty_part =
      id.empty() || id.front() == '/' || id.back() == '/' || id.find("//") != std::string::npos;
  return is_printable && has_three_parts && !has_empty_part;
}

// What is wrong with the properties, or "".
std::string FindContradiction(const TensorHandleFactoryProperties& properties) {
  if (properties.layout == TensorLayout::kKnown) return "";
  if (properties.layout != TensorLayout::kOpaque) {
    return "its layout is " + std::to_string(static_cast<std::uint32_t>(properties.layout)) +
           ", expected kKnown or kOpaque";
  }
  const bool is_reachable = properties.supports_map_unmap != 0 || properties.import_sources != 0 ||
                            properties.export_sources != 0;
  if (!is_reachable) return "";
  return "its layout is opaque, yet it claims map, import or export, which need a known layout";
}

std::string DescribeThrown(const Diagnostic& thrown) {
  return thrown.what + "; " + thrown.why;
}

}  // namespace

FactoryCollector::FactoryCollector(std::shared_ptr<const PluginOrigin> origin,
                                   std::set<std::string> taken, backend::ProgressObserver* observer)
    : origin_(std::move(origin)), taken_(std::move(taken)), observer_(observer) {
  taken_.insert(kHostTensorHandleFactoryId);
}

FactoryCollector::~FactoryCollector() = default;

Status FactoryCollector::RegisterFactory(std::unique_ptr<ITensorHandleFactory> factory) {
  return AnswerPlugin([&] {
    if (!factory) {
      return Refuse(Status::kInvalidArgument, "(null)", "found null, expected a factory");
    }
    return AddFactory({std::move(factory), origin_});
  });
}

Status FactoryCollector::AddFactory(PluginObject<ITensorHandleFactory> object) {
  backend::AnnounceCall(observer_, FunctionInfo<&ITensorHandleFactory::GetId>::kName);
  const auto id = object.Call<&ITensorHandleFactory::GetId>();
  if (id.HasFailed())
    return Refuse(Status::kInvalidArgument, "(unnamed)", DescribeThrown(*id.failure));
  const std::string name = id.value != nullptr ? id.value : "(null)";
  if (id.value == nullptr || !IsFactoryId(name)) {
    return Refuse(Status::kInvalidArgument, name, "expected an id \"Vendor/Backend/Factory\"");
  }
  if (IsRegistered(name)) {
    return Refuse(Status::kAlreadyExists, name, "it is registered twice, expected a unique id");
  }
  if (taken_.count(name) != 0) {
    registered_.taken_ids.push_back(name);
    return Refuse(Status::kAlreadyExists, name,
                  "another backend has registered this id, expected a unique one");
  }
  RegisteredFactory registered;
  registered.id = name;
  registered.memory_manager = registered_.memory_managers.size() - 1;  // kNoMemoryManager for none
  backend::AnnounceCall(observer_, FunctionInfo<&ITensorHandleFactory::GetProperties>::kName);
  const auto status = object.Call<&ITensorHandleFactory::GetProperties>(&registered.properties);
  if (status.HasFailed())
    return Refuse(Status::kInvalidArgument, name, DescribeThrown(*status.failure));
  if (status.value != Status::kSuccess) {
    return Refuse(Status::kInvalidArgument, name,
                  "GetProperties returned status " +
                      std::to_string(static_cast<std::int32_t>(status.value)) + " (" +
                      GetStatusText(status.value) + "), expected success");
  }
  const std::string contradiction = FindContradiction(registered.properties);
  if (!contradiction.empty()) return Refuse(Status::kInvalidArgument, name, contradiction);
  registered.factory = std::move(object);
  registered_.factories.push_back(std::move(registered));
  return Status::kSuccess;
}

Status FactoryCollector::RegisterMemoryManager(std::shared_ptr<IMemoryManager> memory_manager) {
  return AnswerPlugin([&] {
    PluginObject<IMemoryManager> object(std::move(memory_manager), origin_);
    if (!object) return Status::kInvalidArgument;
    registered_.memory_managers.push_back(std::move(object));
    return Status::kSuccess;
  });
}

Status FactoryCollector::Refuse(Status status, const std::string& factory, const std::string& why) {
  Diagnostic diagnostic{DiagnosticCode::kInvalidTensorHandleFactory, Severity::kWarning};
  diagnostic.subject = {SubjectKind::kBackend, origin_->backend_id};
  diagnostic.what = "the tensor-handle factory " + factory + " of backend " + origin_->backend_id +
                    " is not usable";
  diagnostic.why = why;
  diagnostic.fix = "report this to the vendor of the backend; it works without this factory";
  registered_.refusals.push_back(std::move(diagnostic));
  return status;
}

bool FactoryCollector::IsRegistered(const std::string& id) const {
  return std::any_of(registered_.factories.begin(), registered_.factories.end(),
                     [&](const RegisteredFactory& factory) { return factory.id == id; });
}

}  // namespace backplane
