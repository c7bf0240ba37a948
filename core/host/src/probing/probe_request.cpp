#include "probing/probe_request.hpp"

#include "wire/fields.hpp"

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

  bool HasMore() const { return is_good_ && next_ < arguments_.size(); }
  bool IsAtEnd() const { return is_good_ && next_ == arguments_.size(); }

 private:
  const std::vector<std::string>& arguments_;
  std::size_t next_ = 0;
  bool is_good_ = true;
};

SandboxPlan ReadSandbox(Reader& reader) {
  SandboxPlan plan;
  plan.sandbox = static_cast<Sandbox>(reader.ReadNumber<int>());
  plan.max_open_files = reader.ReadNumber<std::uint32_t>();
  for (auto left = reader.ReadNumber<std::size_t>(); left > 0 && reader.HasMore(); --left) {
    plan.processors.push_back(reader.ReadNumber<std::uint32_t>());
  }
  for (auto left = reader.ReadNumber<std::size_t>(); left > 0 && reader.HasMore(); --left) {
    plan.permissions.push_back(reader.ReadText());
  }
  return plan;
}

void WriteSandbox(const SandboxPlan& plan, std::vector<std::string>& arguments) {
  arguments.push_back(std::to_string(static_cast<int>(plan.sandbox)));
  arguments.push_back(std::to_string(plan.max_open_files));
  arguments.push_back(std::to_string(plan.processors.size()));
  for (const std::uint32_t processor : plan.processors) {
    arguments.push_back(std::to_string(processor));
  }
  arguments.push_back(std::to_string(plan.permissions.size()));
  arguments.insert(arguments.end(), plan.permissions.begin(), plan.permissions.end());
}

PluginFile ReadPluginFile(Reader& reader) {
  PluginFile file;
  file.path = reader.ReadText();
  file.canonical_path = reader.ReadText();
  file.stamp.device = reader.ReadNumber<std::uint64_t>();
  file.stamp.inode = reader.ReadNumber<std::uint64_t>();
  file.stamp.size_bytes = reader.ReadNumber<std::uint64_t>();
  file.stamp.modified_ns = reader.ReadNumber<std::int64_t>();
  file.stamp.changed_ns = reader.ReadNumber<std::int64_t>();
  return file;
}

}  // namespace

std::string GetProtocolName() {
  return "protocol-" + std::to_string(kProtocolVersion) + ' ' + BACKPLANE_VERSION;
}

std::vector<std::string> EncodeRequest(const ProbeRequest& request) {
  std::vector<std::string> arguments = {
      GetProtocolName(), std::to_string(static_cast<int>(request.depth)),
      std::to_string(request.timeout.count()), std::to_string(request.max_data_bytes),
      std::to_string(request.host_process)};
  WriteSandbox(request.sandbox, arguments);
  arguments.push_back(std::to_string(request.libraries.size()));
  for (const ProgramLibrary& library : request.libraries) {
    arguments.push_back(library.path);
    arguments.emplace_back(library.is_seen_by_all ? "1" : "0");
  }
  for (const PluginFile& file : request.files) {
    const files::FileStamp& stamp = file.stamp;
    arguments.insert(arguments.end(),
                     {file.path, file.canonical_path, std::to_string(stamp.device),
                      std::to_string(stamp.inode), std::to_string(stamp.size_bytes),
                      std::to_string(stamp.modified_ns), std::to_string(stamp.changed_ns)});
  }
  return arguments;
}

std::optional<ProbeRequest> DecodeRequest(const std::vector<std::string>& arguments) {
  Reader reader(arguments);
  if (reader.ReadText() != GetProtocolName()) return std::nullopt;
  ProbeRequest request;
  request.depth = static_cast<ProbeDepth>(reader.ReadNumber<int>());
  request.timeout = std::chrono::milliseconds(reader.ReadNumber<std::int64_t>());
  request.max_data_bytes = reader.ReadNumber<std::uint64_t>();
  request.host_process = reader.ReadNumber<std::int64_t>();
  request.sandbox = ReadSandbox(reader);
  for (auto left = reader.ReadNumber<std::size_t>(); left > 0 && reader.HasMore(); --left) {
    ProgramLibrary& library = request.libraries.emplace_back();
    library.path = reader.ReadText();
    library.is_seen_by_all = reader.ReadNumber<int>() != 0;
  }
  do {
    request.files.push_back(ReadPluginFile(reader));
  } while (reader.HasMore());
  const bool can_be = wire::IsUpTo(ProbeDepth::kServe, request.depth) &&
                      wire::IsUpTo(Sandbox::kRequired, request.sandbox.sandbox);
  if (!reader.IsAtEnd() || !can_be) return std::nullopt;
  if (request.files.size() > 1 && request.depth != ProbeDepth::kTogether) return std::nullopt;
  return request;
}

}  // namespace backplane::probing
