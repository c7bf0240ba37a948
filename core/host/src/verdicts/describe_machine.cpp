#include "verdicts/describe_machine.hpp"

#include "discovery/file_stamp.hpp"
#include "opening/shared_library.hpp"
#include "probing/probe_request.hpp"

#include <sys/stat.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace backplane::verdicts {
namespace {

std::string ReadLine(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

}  // namespace

std::string DescribeStamp(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return path + " is not there\n";
  return DescribeStamp(path, discovery::MakeFileStamp(status));
}

std::string DescribeStamp(const std::string& path, const discovery::FileStamp& stamp) {
  std::ostringstream text;
  text << path << ' ' << stamp.device << ' ' << stamp.inode << ' ' << stamp.size_bytes << ' '
       << stamp.modified_ns << ' ' << stamp.changed_ns << '\n';
  return text.str();
}

std::string DescribeHost() {
  return std::string(BACKPLANE_VERSION) + " protocol " + std::to_string(probing::kProtocolVersion) +
         '\n' + DescribeStamp(opening::GetOwnPath()) + "boot " +
         ReadLine("/proc/sys/kernel/random/boot_id") + '\n';
}

std::string DescribeLoaderEnvironment() {
  std::string text;
  for (const char* name : {"LD_LIBRARY_PATH", "LD_PRELOAD", "LD_AUDIT", "GLIBC_TUNABLES"}) {
    const char* value = std::getenv(name);
    text += std::string(name) + '=' + (value != nullptr ? value : "") + '\n';
  }
  return text + DescribeStamp("/etc/ld.so.cache") + DescribeStamp("/etc/ld.so.preload");
}

}  // namespace backplane::verdicts
