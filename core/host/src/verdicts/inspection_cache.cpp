#include "verdicts/inspection_cache.hpp"

#include "verdicts/byte_stream.hpp"
#include "verdicts/cache_directory.hpp"
#include "verdicts/checksum.hpp"
#include "verdicts/describe_machine.hpp"
#include "verdicts/kept_file.hpp"

#include <utility>

namespace backplane::verdicts {
namespace {

constexpr std::string_view kInspectionsBegin = "backplane-inspections 1 ";
// More are forgotten altogether: whoever moves that many files about gains nothing from keeping.
constexpr std::size_t kMaxEntries = 10'000;

void WriteManifest(const inspection::Manifest& manifest, ByteWriter& writer) {
  writer.WriteText(manifest.id);
  writer.WriteText(manifest.vendor);
  writer.WriteText(manifest.version);
  writer.WriteText(manifest.license);
  writer.Write(static_cast<std::uint32_t>(manifest.cpu_features.size()));
  for (const std::string& feature : manifest.cpu_features) writer.WriteText(feature);
  writer.Write(static_cast<std::uint8_t>(manifest.rank.has_value()));
  writer.Write(manifest.rank.value_or(0));
}

inspection::Manifest ReadManifest(ByteReader& reader) {
  inspection::Manifest manifest;
  manifest.id = reader.ReadText();
  manifest.vendor = reader.ReadText();
  manifest.version = reader.ReadText();
  manifest.license = reader.ReadText();
  const auto num_features = reader.Read<std::uint32_t>();
  for (std::uint32_t i = 0; i < num_features && !reader.HasFailed(); ++i) {
    manifest.cpu_features.emplace_back(reader.ReadText());
  }
  const bool has_rank = reader.Read<std::uint8_t>() != 0;
  const auto rank = reader.Read<std::int64_t>();
  if (has_rank) manifest.rank = rank;
  return manifest;
}

bool HasRemark(const inspection::InspectedFile& inspected) {
  for (const inspection::StageOutcome& stage : inspected.stages) {
    if (!stage.diagnostics.empty()) return true;
  }
  return false;
}

}  // namespace

InspectionCache::InspectionCache(const ProbeSettings& settings) {
  if (settings.verdicts == VerdictUse::kIgnore) return;
  const std::string directory =
      settings.verdict_directory.empty() ? FindCacheDirectory() : settings.verdict_directory;
  if (!PrepareCacheDirectory(directory)) return;
  path_ = directory + "/inspections";
  host_ = DescribeHost() + DescribeLoaderEnvironment();
  if (settings.verdicts != VerdictUse::kUse) return;
  if (const auto text = ReadKeptFile(path_)) entries_ = Decode(*text, host_);
}

InspectionCache::~InspectionCache() {
  if (has_news_ && !path_.empty()) ReplaceKeptFile(path_, Encode(entries_, host_));
}

std::optional<inspection::InspectedFile> InspectionCache::Find(
    const discovery::CandidateFile& file) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = entries_.find(file.canonical_path);
  if (found == entries_.end() || found->second.stamp != discovery::MakeFileStamp(file.status)) {
    return std::nullopt;
  }
  inspection::InspectedFile inspected;
  for (const Stage stage : {Stage::kFormat, Stage::kEntryPoints, Stage::kAbi}) {
    inspected.stages.push_back({stage, std::chrono::nanoseconds(0), {}});
  }
  inspected.note = found->second.note;
  inspected.manifest = found->second.manifest;
  return inspected;
}

void InspectionCache::Add(const discovery::CandidateFile& file,
                          const inspection::InspectedFile& inspected) {
  if (path_.empty() || !inspected.note || !inspected.manifest || HasRemark(inspected)) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  if (entries_.size() >= kMaxEntries) entries_.clear();
  entries_[file.canonical_path] = {discovery::MakeFileStamp(file.status), *inspected.note,
                                   *inspected.manifest};
  has_news_ = true;
}

std::string InspectionCache::Encode(const Entries& entries, const std::string& host) {
  ByteWriter writer;
  writer.WriteText(host);
  for (const auto& [path, entry] : entries) {
    writer.WriteText(path);
    writer.Write(entry.stamp);
    writer.Write(entry.note);
    WriteManifest(entry.manifest, writer);
  }
  return std::string(kInspectionsBegin) + ComputeChecksum(writer.GetBytes()) + '\n' +
         writer.GetBytes();
}

InspectionCache::Entries InspectionCache::Decode(const std::string& text, const std::string& host) {
  const std::size_t head = kInspectionsBegin.size() + kChecksumDigits + 1;
  if (text.size() < head || text.compare(0, kInspectionsBegin.size(), kInspectionsBegin) != 0)
    return {};
  const std::string_view body = std::string_view(text).substr(head);
  if (text.compare(kInspectionsBegin.size(), kChecksumDigits, ComputeChecksum(body)) != 0)
    return {};
  ByteReader reader(body);
  if (reader.ReadText() != host) return {};
  Entries entries;
  while (!reader.IsAtEnd() && !reader.HasFailed()) {
    const std::string path(reader.ReadText());
    Entry entry;
    entry.stamp = reader.Read<discovery::FileStamp>();
    entry.note = reader.Read<AbiNote>();
    entry.manifest = ReadManifest(reader);
    entries.emplace(path, std::move(entry));
  }
  return reader.HasFailed() ? Entries() : entries;
}

}  // namespace backplane::verdicts
