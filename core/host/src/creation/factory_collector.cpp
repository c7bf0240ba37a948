#include "creation/factory_collector.hpp"

#include <algorithm>
#include <utility>

namespace backplane::creation {
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

bool ClaimsToBeReachable(const TensorHandleFactoryProperties& properties) {
  return properties.supports_map_unmap != 0 || properties.import_sources != 0 ||
         properties.export_sources != 0;
}

}  // namespace

Status FactoryCollector::RegisterFactory(std::unique_ptr<ITensorHandleFactory> factory) {
  if (!factory) return Refuse(Status::kInvalidArgument, "(null)", "found null, expected a factory");
  const PluginObject<ITensorHandleFactory> object(std::move(factory), origin_);
  progress::AnnounceCall(observer_, "ITensorHandleFactory::GetId");
  const auto id = object.Call<&ITensorHandleFactory::GetId>();
  if (id.HasFailed()) return Refuse(Status::kInvalidArgument, "(unnamed)", id.failure->why);
  const std::string name = id.value != nullptr ? id.value : "(null)";
  if (id.value == nullptr || !IsFactoryId(name)) {
    return Refuse(Status::kInvalidArgument, name, "expected an id \"Vendor/Backend/Factory\"");
  }
  if (IsRegistered(id.value)) {
    return Refuse(Status::kAlreadyExists, name, "it is registered twice, expected a unique id");
  }
  TensorHandleFactoryProperties properties;
  progress::AnnounceCall(observer_, "ITensorHandleFactory::GetProperties");
  const auto status = object.Call<&ITensorHandleFactory::GetProperties>(&properties);
  if (status.HasFailed()) return Refuse(Status::kInvalidArgument, name, status.failure->why);
  if (status.value != Status::kSuccess) {
    return Refuse(Status::kInvalidArgument, name,
                  std::string("GetProperties returned \"") + GetStatusText(status.value) +
                      "\", expected success");
  }
  if (properties.layout == TensorLayout::kOpaque && ClaimsToBeReachable(properties)) {
    return Refuse(Status::kInvalidArgument, name,
                  "its layout is opaque, yet it claims map, import or export, which need a known "
                  "layout");
  }
  ids_.push_back(name);
  return Status::kSuccess;
}

Status FactoryCollector::RegisterMemoryManager(std::shared_ptr<IMemoryManager> memory_manager) {
  const bool is_null = memory_manager == nullptr;
  const PluginObject<IMemoryManager> released_behind_the_barrier(std::move(memory_manager),
                                                                 origin_);
  return is_null ? Status::kInvalidArgument : Status::kSuccess;
}

Status FactoryCollector::RegisterCopyAndImportFactoryPair(const char* copy_id,
                                                          const char* import_id) {
  if (copy_id == nullptr || import_id == nullptr) return Status::kInvalidArgument;
  return IsRegistered(copy_id) && IsRegistered(import_id) ? Status::kSuccess : Status::kNotFound;
}

Status FactoryCollector::Refuse(Status status, const std::string& factory, const std::string& why) {
  Diagnostic diagnostic{DiagnosticCode::kInvalidTensorHandleFactory, Severity::kWarning};
  diagnostic.subject = {SubjectKind::kBackend, origin_->backend_id};
  diagnostic.what = "the tensor-handle factory " + factory + " of backend " + origin_->backend_id +
                    " is not usable";
  diagnostic.why = why;
  diagnostic.fix = "report this to the vendor of the backend; it works without this factory";
  refusals_.push_back(std::move(diagnostic));
  return status;
}

bool FactoryCollector::IsRegistered(const char* id) const {
  return std::find(ids_.begin(), ids_.end(), id) != ids_.end();
}

}  // namespace backplane::creation
