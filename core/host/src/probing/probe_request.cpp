#include "probing/probe_request.hpp"

#include <charconv>
#include <system_error>

namespace backplane::probing {
namespace {

/// Reads the arguments in turn; once one is wrong, the rest are too.
class Reader {
 public:
  explicit Reader(const std::vector<std::string>& arguments) : arguments_(arguments) {}

  std::string ReadText() {
    if (next_ < arguments_.size()) return arguments_[next_++];
    is_good_ = false;
    return {};
  }

  template <typename Number>
  Number ReadNumber() {
    const std::string text = ReadText();
    Number number{};
    const char* end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, number);
    if (text.empty() || result.ec != std::errc() || result.ptr != end) is_good_ = false;
    return number;
  }

  bool IsAtEnd() const { return is_good_ && next_ == arguments_.size(); }

 private:
  const std::vector<std::string>& arguments_;
  std::size_t next_ = 0;
  bool is_good_ = true;
};

}  // namespace

std::string GetProtocolName() {
  return "protocol-" + std::to_string(kProtocolVersion) + ' ' + BACKPLANE_VERSION;
}

std::vector<std::string> EncodeRequest(const ProbeRequest& request) {
  return {GetProtocolName(),
          request.path,
          request.canonical_path,
          std::to_string(static_cast<int>(request.depth)),
          std::to_string(request.timeout.count()),
          std::to_string(request.max_data_bytes),
          std::to_string(request.host_process),
          std::to_string(request.stamp.device),
          std::to_string(request.stamp.inode),
          std::to_string(request.stamp.size_bytes),
          std::to_string(request.stamp.modified_ns),
          std::to_string(request.stamp.changed_ns)};
}

std::optional<ProbeRequest> DecodeRequest(const std::vector<std::string>& arguments) {
  Reader reader(arguments);
  if (reader.ReadText() != GetProtocolName()) return std::nullopt;
  ProbeRequest request;
  request.path = reader.ReadText();
  request.canonical_path = reader.ReadText();
  const int depth = reader.ReadNumber<int>();
  request.depth = depth == 0 ? ProbeDepth::kIdentify : ProbeDepth::kCreate;
  request.timeout = std::chrono::milliseconds(reader.ReadNumber<std::int64_t>());
  request.max_data_bytes = reader.ReadNumber<std::uint64_t>();
  request.host_process = reader.ReadNumber<std::int64_t>();
  request.stamp.device = reader.ReadNumber<std::uint64_t>();
  request.stamp.inode = reader.ReadNumber<std::uint64_t>();
  request.stamp.size_bytes = reader.ReadNumber<std::uint64_t>();
  request.stamp.modified_ns = reader.ReadNumber<std::int64_t>();
  request.stamp.changed_ns = reader.ReadNumber<std::int64_t>();
  if (!reader.IsAtEnd() || depth < 0 || depth > static_cast<int>(ProbeDepth::kCreate)) {
    return std::nullopt;
  }
  return request;
}

}  // namespace backplane::probing
