#include "tensors/tensor_handle.hpp"

#include "tensors/tensor_text.hpp"

#include <utility>

namespace backplane {

TensorHandle::TensorHandle(const PluginObject<ITensorHandleFactory>& factory,
                           const TensorInfo& info) {
  TensorHandleArgs args;
  args.info = &info;
  Take(factory.Call<&ITensorHandleFactory::CreateTensorHandle>(args), factory, info);
}

TensorHandle::TensorHandle(const PluginObject<ITensorHandleFactory>& factory,
                           const TensorHandle& parent, const TensorInfo& info,
                           const std::vector<std::int64_t>& origin) {
  SubTensorHandleArgs args;
  args.parent = parent.ForOwner();
  args.info = &info;
  args.origin = origin.data();
  Take(factory.Call<&ITensorHandleFactory::CreateSubTensorHandle>(args), factory, info);
  foreign_->FollowParent(*parent.foreign_);
}

void TensorHandle::Take(PluginResult<std::unique_ptr<ITensorHandle>> made,
                        const PluginObject<ITensorHandleFactory>& factory, const TensorInfo& info) {
  plugin_ = {std::move(made.GetOrThrow()), factory.GetOrigin()};
  if (plugin_) {
    foreign_ = std::make_unique<ForeignTensorHandle>(plugin_);
    return;
  }
  const std::string& backend_id = factory.GetOrigin()->backend_id;
  Diagnostic diagnostic{DiagnosticCode::kFactoryDisagrees};
  diagnostic.subject = {SubjectKind::kBackend, backend_id};
  diagnostic.what = "a tensor-handle factory of backend \"" + backend_id + "\" makes no handle";
  diagnostic.why = "found null for " + DescribeTensor(info) + "; expected a handle";
  diagnostic.fix = "report this to the vendor of the backend, or prefer another backend";
  throw DiagnosticException(std::move(diagnostic));
}

Status TensorHandle::Bind(const MemoryBlock& block, std::uint64_t offset_bytes) {
  if (host_) return host_->Bind(block, offset_bytes);
  const Status status = plugin_.Call<&ITensorHandle::Bind>(block, offset_bytes).GetOrThrow();
  if (status == Status::kSuccess) foreign_->ShowAgain();
  return status;
}

}  // namespace backplane
