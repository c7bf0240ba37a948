#include <backplane/host/logging.hpp>

namespace backplane {
namespace {

class BackendLogger final : public ILogger {
 public:
  explicit BackendLogger(const std::string& backend_id) : channel_("backend." + backend_id) {}

  bool IsEnabled(LogLevel level) const override { return IsLogEnabled(channel_, level); }

  Status Log(LogLevel level, const char* message) override {
    if (message == nullptr) return Status::kInvalidArgument;
    backplane::Log(channel_, level, message);
    return Status::kSuccess;
  }

 private:
  std::string channel_;
};

}  // namespace

std::shared_ptr<ILogger> CreateBackendLogger(const std::string& backend_id) {
  return std::make_shared<BackendLogger>(backend_id);
}

}  // namespace backplane
