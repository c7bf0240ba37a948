/// Many threads, several isolated backends, and processes that are killed all the time.

#include "isolated_runtime.hpp"
#include "support/temporary_directory.hpp"

#include <dirent.h>
#include <unistd.h>

#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <random>
#include <thread>

namespace backplane::test {
namespace {

constexpr int kNumThreads = 8;

/// How many processes are killed; more where somebody has the time.
int GetNumKills() {
  const char* const wished = std::getenv("BACKPLANE_TORTURE_KILLS");
  return wished != nullptr ? std::atoi(wished) : 30;
}

std::size_t CountEntries(const std::string& directory) {
  std::size_t count = 0;
  DIR* const stream = opendir(directory.c_str());
  while (stream != nullptr && readdir(stream) != nullptr) ++count;
  if (stream != nullptr) closedir(stream);
  return count;
}

std::size_t CountDescriptors() {
  return CountEntries("/proc/self/fd");
}

std::string ListChildren() {
  std::ifstream file("/proc/self/task/" + std::to_string(getpid()) + "/children");
  std::string children;
  std::getline(file, children);
  return children;
}

class IsolatedTorture : public ::testing::Test {
 protected:
  IsolatedTorture() {
    CreationOptions options;
    options.dynamic_backends_path = directory_.GetPath();
    options.isolation.max_deaths = 1'000'000;
    for (const char* const mock : {"Misbehaves", "Runs", "RunsActivation"}) {
      const MockRow& row = GetMockRow(mock);
      const std::string name = row.path.substr(row.path.find_last_of('/') + 1);
      EXPECT_EQ(symlink(row.path.c_str(), (directory_ / name).c_str()), 0);
      ids_.push_back(row.id);
      options.isolation.rules.push_back({row.id, Isolation::kProcess});
    }
    runtime_ = IRuntime::Create(options);
  }

  /// Four layers, on this backend or, with "", on all in turn.
  NetworkId Load(const std::string& backend) const {
    std::unique_ptr<INetwork> network = INetwork::Create("chain");
    const TensorInfo info({kSize}, DataType::kFloat32);
    OutputSlot last = network->AddInputLayer(info, "x");
    for (std::size_t i = 0; i < 4; ++i) {
      const LayerId layer =
          AddLayer<LayerType::kActivation>(*network, ActivationDescriptor(), {last}, "relu");
      network->SetBackendHint(layer, backend.empty() ? ids_[i % ids_.size()] : backend);
      last = OutputSlot{layer, 0};
    }
    network->AddOutputLayer(last, "y");
    return runtime_->LoadNetwork(Optimize(*network, ids_, runtime_->GetDeviceSpec()));
  }

  IsolatedProcess& GetProcess(std::size_t backend) const {
    return *runtime_->GetDeviceSpec()
                .GetRegistry()
                .GetRegistration(ids_[backend])
                .origin->isolation;
  }

  void RunUntil(const std::atomic<bool>& is_over, const std::vector<NetworkId>& networks,
                int seed) {
    std::mt19937 random(static_cast<unsigned>(seed));
    std::vector<float> x(kSize);
    std::vector<float> y(kSize);
    while (!is_over.load()) {
      const float value = static_cast<float>(random() % 1000) + 20;
      std::fill(x.begin(), x.end(), -value);
      x[random() % kSize] = value;
      std::fill(y.begin(), y.end(), -1.0F);
      std::optional<Diagnostic> failure;
      const Status status =
          runtime_->EnqueueWorkload(networks[random() % networks.size()],
                                    {{0, {TensorInfo({kSize}, DataType::kFloat32), x.data()}}},
                                    {{0, y.data(), kSize * sizeof(float)}}, &failure);
      if (status == Status::kSuccess) {
        ++num_right_;
        for (std::size_t i = 0; i < kSize; ++i) {
          if (y[i] != std::max(0.0F, x[i])) ++num_wrong_;
        }
      } else {
        ++num_failed_;
        const bool is_told = failure && failure->code == DiagnosticCode::kWorkerEnded;
        if (!is_told) {
          ++num_wrong_;
          ADD_FAILURE() << (failure ? ToText(*failure) : "no words");
        }
      }
    }
  }

  static constexpr std::int64_t kSize = 256;
  TemporaryDirectory directory_;
  std::vector<std::string> ids_;
  std::unique_ptr<IRuntime> runtime_;
  std::atomic<std::uint64_t> num_right_{0};
  std::atomic<std::uint64_t> num_failed_{0};
  std::atomic<std::uint64_t> num_wrong_{0};
};

TEST_F(IsolatedTorture, LosesNothingButRunsInProcessesThatDie) {
  const std::string children_before = ListChildren();
  std::vector<NetworkId> networks = {Load("")};
  for (const std::string& id : ids_) networks.push_back(Load(id));
  std::atomic<bool> is_over{false};
  std::vector<std::thread> threads;
  for (int i = 0; i < kNumThreads; ++i) {
    threads.emplace_back([&, i] { RunUntil(is_over, networks, i); });
  }
  std::mt19937 random(99);
  std::size_t descriptors = 0;
  const int num_kills = GetNumKills();
  for (int killed = 0; killed < num_kills;) {
    std::this_thread::sleep_for(std::chrono::milliseconds(random() % 20));
    const std::int64_t process = GetProcess(random() % ids_.size()).GetProcessId();
    if (process > 0 && kill(static_cast<pid_t>(process), SIGKILL) == 0) ++killed;
    if (killed == num_kills / 3) descriptors = std::max(descriptors, CountDescriptors());
  }
  is_over = true;
  for (std::thread& thread : threads) thread.join();
  // What is there at the end is what there was after a third of the deaths.
  EXPECT_LE(CountDescriptors(), descriptors + 64);
  for (const NetworkId network : networks) {
    is_over = false;
    std::thread once([&] { RunUntil(is_over, {network}, 5); });
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    is_over = true;
    once.join();
  }
  EXPECT_EQ(num_wrong_.load(), 0U);
  EXPECT_GT(num_right_.load(), 0U);
  RecordProperty("right", static_cast<int>(num_right_.load()));
  RecordProperty("failed", static_cast<int>(num_failed_.load()));
  std::printf("%llu runs right, %llu in processes that died\n",
              static_cast<unsigned long long>(num_right_.load()),
              static_cast<unsigned long long>(num_failed_.load()));
  runtime_.reset();
  EXPECT_EQ(ListChildren(), children_before);
}

}  // namespace
}  // namespace backplane::test
