/// Stands between a host and the process of an isolated backend, and changes what they say to each
/// other: bytes of messages in both directions, and words of the memory that they share.
///
/// BACKPLANE_REAL_WORKER is the program that it starts; BACKPLANE_LIES is a seed.

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <random>
#include <utility>
#include <vector>

namespace {

constexpr int kCalls = 4;
constexpr std::size_t kMaxBytes = 65536;
constexpr std::size_t kMaxFiles = 64;

struct Area {
  std::uint32_t* words = nullptr;
  std::size_t num_words = 0;
};

class Meddler {
 public:
  explicit Meddler(unsigned seed) : random_(seed) {}

  /// False: one side is gone.
  bool Pass(int from, int to) {
    alignas(cmsghdr) char control[CMSG_SPACE(kMaxFiles * sizeof(int))];
    iovec part{bytes_.data(), bytes_.size()};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof(control);
    const ssize_t received = recvmsg(from, &message, MSG_CMSG_CLOEXEC);
    if (received <= 0) return false;
    const std::vector<int> files = TakeFiles(message);
    part.iov_len = static_cast<std::size_t>(received);
    Change(part.iov_len);
    const bool is_passed = sendmsg(to, &message, MSG_NOSIGNAL) > 0;
    for (const int file : files) close(file);
    return is_passed;
  }

 private:
  std::vector<int> TakeFiles(const msghdr& message) {
    std::vector<int> files;
    const cmsghdr* const header = CMSG_FIRSTHDR(&message);
    if (header == nullptr || header->cmsg_type != SCM_RIGHTS) return files;
    files.resize((header->cmsg_len - CMSG_LEN(0)) / sizeof(int));
    std::memcpy(files.data(), CMSG_DATA(header), files.size() * sizeof(int));
    for (const int file : files) {
      struct stat status {};
      if (fstat(file, &status) != 0 || status.st_size < 64) continue;
      const auto size = static_cast<std::size_t>(std::min<off_t>(status.st_size, 8192));
      void* const data = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
      if (data != MAP_FAILED) areas_.push_back({static_cast<std::uint32_t*>(data), size / 4});
    }
    return files;
  }

  void Change(std::size_t size) {
    if (random_() % 24 == 0) {
      const std::size_t count = 1 + random_() % 4;
      for (std::size_t i = 0; i < count; ++i) {
        bytes_[random_() % size] = static_cast<char>(PickWord());
      }
    }
    if (!areas_.empty() && random_() % 12 == 0) {
      const Area& area = areas_[random_() % areas_.size()];
      area.words[random_() % area.num_words] = PickWord();
    }
  }

  std::uint32_t PickWord() {
    constexpr std::uint32_t kTelling[] = {0, 1, 2, 4, 64, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF};
    const auto pick = static_cast<std::uint32_t>(random_());
    return pick % 2 == 0 ? kTelling[pick / 2 % std::size(kTelling)] : pick;
  }

  std::mt19937 random_;
  std::vector<char> bytes_ = std::vector<char>(kMaxBytes);
  std::vector<Area> areas_;
};

}  // namespace

int main(int /*argc*/, char** argv) {
  const char* const worker = std::getenv("BACKPLANE_REAL_WORKER");
  const char* const lies = std::getenv("BACKPLANE_LIES");
  if (worker == nullptr || lies == nullptr) return 64;
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return 71;
  // The process itself becomes the worker, because that knows its host by being its child. Who
  // stands between is nobody's child.
  const pid_t first = fork();
  if (first != 0) {
    int status = 0;
    waitpid(first, &status, 0);
    dup2(ends[1], kCalls);
    close(ends[0]);
    close(ends[1]);
    execv(worker, argv);
    return 127;
  }
  if (fork() != 0) _exit(0);
  close(ends[1]);
  for (const int descriptor : {3, 5, 6}) close(descriptor);
  Meddler meddler(static_cast<unsigned>(std::atoi(lies) + getpid()));
  pollfd sides[2] = {{kCalls, POLLIN, 0}, {ends[0], POLLIN, 0}};
  bool goes_on = true;
  while (goes_on && poll(sides, 2, -1) > 0) {
    if (sides[0].revents != 0) goes_on = meddler.Pass(kCalls, ends[0]);
    if (goes_on && sides[1].revents != 0) goes_on = meddler.Pass(ends[0], kCalls);
  }
  return 0;
}
