// Contexts of the backend, and what is told to them.
#include "serving/served_backend.hpp"

#include "serving/answers.hpp"

#include <memory>
#include <utility>

namespace backplane::serving {

ServedBackend::Body ServedBackend::CreateBackendContext(Request& request) {
  const auto id = request.reader.Take<std::uint64_t>();
  const CallParts parts = TakeCallParts(request);
  BackendContextArgs args;
  args.is_protected_mode = request.reader.Take<std::uint32_t>();
  args.options = &parts.options;
  args.logger = &logger_;
  auto context = backend_.CreateBackendContext(args);
  return KeepMade(id, std::move(context));
}

ServedBackend::Body ServedBackend::TellNetworkEvent(Request& request) {
  IBackendContext& context =
      *Get<std::unique_ptr<IBackendContext>>(request.reader.Take<std::uint64_t>());
  NetworkEvent event;
  event.kind = request.reader.Take<NetworkEventKind>();
  event.network_id = request.reader.Take<NetworkId>();
  event.outcome = request.reader.Take<Status>();
  return AnswerStatus(context.OnNetworkEvent(event));
}

ServedBackend::Body ServedBackend::CreateModelContext(Request& request) {
  const auto id = request.reader.Take<std::uint64_t>();
  const CallParts parts = TakeCallParts(request);
  ModelContextArgs args;
  args.options = &parts.options;
  args.logger = &logger_;
  args.context = parts.context;
  auto context = backend_.CreateBackendSpecificModelContext(args);
  return KeepMade(id, std::move(context));
}

}  // namespace backplane::serving
