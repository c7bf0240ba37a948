#include "decisions/kept_decisions.hpp"

#include "cpu_layers/refusal.hpp"
#include "decisions/decision_text.hpp"
#include "files/read_file.hpp"

#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <vector>

namespace backplane {
namespace cpuacc {
namespace {

namespace fs = std::filesystem;
using cpu_layers::Text;

constexpr char kKey[] = "decisions";
constexpr char kFileName[] = "cpuacc-decisions";

/// Who reads meanwhile sees the file as it was, or whole.
bool ReplaceFile(const fs::path& path, const std::string& text) {
  static std::atomic<std::uint32_t> count{0};  // several networks may be compiled at once
  const fs::path part =
      path.string() + "." + std::to_string(getpid()) + "." + std::to_string(++count);
  std::ofstream file(part, std::ios::binary);
  file << text;
  file.close();
  std::error_code error;
  if (file) fs::rename(part, path, error);
  if (file && !error) return true;
  fs::remove(part, error);
  return false;
}

}  // namespace

KeptDecisions::KeptDecisions(Decisions& decisions, ICompiledSubgraphCache* cache,
                             const std::string& directory, ILogger& logger)
    : decisions_(decisions),
      cache_(cache),
      directory_(directory),
      logger_(logger),
      begin_(decisions.GetNumQuestions()) {
  if (cache_ == nullptr && directory_.empty()) return;
  machine_ = DescribeMachine();
  LoadFromCache();
  LoadFromDirectory();
}

void KeptDecisions::LoadFromCache() {
  std::vector<std::uint8_t> content;
  if (cache_ == nullptr || cache_->Load(kKey, &content) != Status::kSuccess) return;
  const auto answers = ReadDecisions(std::string(content.begin(), content.end()), machine_);
  if (answers) in_cache_ = *answers;
  decisions_.Add(in_cache_);
}

void KeptDecisions::LoadFromDirectory() {
  if (directory_.empty()) return;
  const auto answers = ReadDecisions(ReadFile(fs::path(directory_) / kFileName), machine_);
  if (answers) in_directory_ = *answers;
  decisions_.Add(in_directory_);
}

void KeptDecisions::Store() {
  if (cache_ != nullptr) StoreInCache();
  if (!directory_.empty()) StoreInDirectory();
}

void KeptDecisions::StoreInCache() {
  const Answers asked = decisions_.GetAskedSince(begin_);
  if (asked.empty() || asked == in_cache_) return;
  const std::string text = WriteDecisions(asked, machine_);
  // The host says why, when it cannot.
  static_cast<void>(cache_->Store(kKey, text.data(), text.size()));
}

void KeptDecisions::StoreInDirectory() {
  const Answers all = decisions_.GetAll();
  if (all == in_directory_) return;
  std::error_code error;
  fs::create_directories(directory_, error);
  if (ReplaceFile(fs::path(directory_) / kFileName, WriteDecisions(all, machine_))) return;
  const std::string message =
      Text("what was found out cannot be kept: ", directory_,
           " cannot be written; give a directory that can as cache_directory");
  static_cast<void>(logger_.Log(LogLevel::kWarning, message.c_str()));
}

}  // namespace cpuacc
}  // namespace backplane
