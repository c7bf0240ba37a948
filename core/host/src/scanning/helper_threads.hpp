#pragma once

#include <cstddef>
#include <functional>
#include <thread>
#include <vector>

namespace backplane::scanning {

/// How many processors this process may use; at least 1.
std::size_t CountProcessors();

/// Threads that help the calling one for a while; they are joined when this object goes. Signals
/// are left to the application's own threads.
class HelperThreads {
 public:
  /// Each runs `work` once, which must stay and must not throw. There may be fewer, or none, when
  /// the system gives no more.
  HelperThreads(std::size_t count, const std::function<void()>& work);
  ~HelperThreads();
  HelperThreads(const HelperThreads&) = delete;
  HelperThreads& operator=(const HelperThreads&) = delete;

  bool IsEmpty() const { return threads_.empty(); }

 private:
  std::vector<std::thread> threads_;
};

}  // namespace backplane::scanning
