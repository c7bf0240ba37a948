#pragma once

#include "files/file_stamp.hpp"

#include <backplane/host/isolation.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace backplane::probing {

/// Changes whenever the request or the account changes in a way that the other side cannot read.
constexpr int kProtocolVersion = 10;

/// How far a plugin is run.
enum class ProbeDepth {
  kIdentify,  // opened and asked for its id and version, whatever they are
  kCreate,    // all stages
  kTogether,  // all stages of several, each kept until the last one has been created
  kServe,     // opened, and then asked by messages until the host needs it no more
};

/// A backend's file that is to be run.
struct PluginFile {
  std::string path;            // for words
  std::string canonical_path;  // to be opened
  files::FileStamp stamp;      // when it was inspected
};

/// A library that a program has before it opens backends.
struct ProgramLibrary {
  std::string path;
  bool is_seen_by_all = false;  // whoever comes later takes its symbols
};

/// The sandbox of one backend's process: what it may use and do.
struct SandboxPlan {
  Sandbox sandbox = Sandbox::kNone;
  std::vector<std::string> permissions;   // granted to it, as its manifest states them
  std::vector<std::uint32_t> processors;  // empty: those of the host
  std::uint32_t max_open_files = 0;       // 0: as the host
  std::vector<std::string> variables;     // which it sees too, for MakeWorkerEnvironment
};

/// The task of a probe process.
struct ProbeRequest {
  std::vector<ProgramLibrary> libraries;  // opened first, and never closed
  std::vector<PluginFile> files;          // one; several for kTogether
  ProbeDepth depth = ProbeDepth::kCreate;
  std::chrono::milliseconds timeout{0};  // for each library and file
  std::uint64_t max_data_bytes = 0;      // 0: no limit
  SandboxPlan sandbox;                   // in which the plugin runs
  std::int64_t host_process = 0;         // its death ends the probe
};

/// Both sides must be of this version, "protocol-4 2.0.1": that of the protocol, and the release.
std::string GetProtocolName();

/// Writes it as arguments of a command, without the command itself.
std::vector<std::string> EncodeRequest(const ProbeRequest& request);

/// Nothing: the arguments are not a request of this protocol version.
std::optional<ProbeRequest> DecodeRequest(const std::vector<std::string>& arguments);

}  // namespace backplane::probing
