#include "report/collect_facts.hpp"

#include "files/file_digest.hpp"
#include "inspection/format.hpp"

#include <grp.h>
#include <pwd.h>
#include <unistd.h>

#include <memory>
#include <utility>
#include <vector>

namespace backplane::report {
namespace {

constexpr mode_t kPermissions = 07777;
constexpr std::size_t kRecordBytes = 16 * 1024;  // more than any record of a user or group needs

std::string GetUserName(uid_t id) {
  std::vector<char> buffer(kRecordBytes);
  passwd record{};
  passwd* found = nullptr;
  getpwuid_r(id, &record, buffer.data(), buffer.size(), &found);
  return found != nullptr ? found->pw_name : "";
}

std::string GetGroupName(gid_t id) {
  std::vector<char> buffer(kRecordBytes);
  group record{};
  group* found = nullptr;
  getgrgid_r(id, &record, buffer.data(), buffer.size(), &found);
  return found != nullptr ? found->gr_name : "";
}

std::chrono::system_clock::time_point ToTime(const timespec& time) {
  const std::chrono::nanoseconds since_epoch =
      std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
  return std::chrono::system_clock::time_point(
      std::chrono::duration_cast<std::chrono::system_clock::duration>(since_epoch));
}

void AddStatus(const struct stat& status, FileFacts& facts) {
  facts.size_bytes = static_cast<std::uint64_t>(status.st_size);
  facts.owner_id = status.st_uid;
  facts.group_id = status.st_gid;
  facts.owner = GetUserName(status.st_uid);
  facts.group = GetGroupName(status.st_gid);
  facts.mode = status.st_mode & kPermissions;
  facts.modified = ToTime(status.st_mtim);
}

}  // namespace

FileFacts CollectFacts(const files::CandidateFile& file, Contents contents) {
  FileFacts facts;
  AddStatus(file.status, facts);
  facts.sha256 = files::ComputeSha256(file.descriptor.Get()).value_or("");
  if (contents == Contents::kLeave) return facts;
  auto format = inspection::CheckFormat(file.descriptor.Get(), file.canonical_path);
  if (!format.elf) return facts;
  facts.is_format_sound = true;
  AddContentFacts(*format.elf, facts);
  AddLibraryFacts(std::move(*format.elf), file.canonical_path, facts);
  return facts;
}

}  // namespace backplane::report
