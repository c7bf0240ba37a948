// How long matrix products take as a network on OpenCl, and how long CLBlast's take on the same
// device, from enqueueing to the end. Both in turn, so that a busy machine hurts both alike.
//
//   bench_opencl_products [--runs N]

#include "measured_network.hpp"

#include <backplane/api/descriptors/fully_connected.hpp>

#include <clblast_c.h>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

namespace {

using namespace backplane;
using namespace bench;

struct Product {
  std::int64_t m = 0;
  std::int64_t n = 0;
  std::int64_t k = 0;
};

// Squares, and what convolutions, classifiers and blocks of transformers have.
constexpr Product kProducts[] = {
    {64, 64, 64},    {128, 128, 128}, {256, 256, 256}, {512, 512, 512}, {1024, 1024, 1024},
    {1, 1000, 1280}, {3136, 64, 64},  {784, 128, 256}, {128, 768, 768}, {128, 3072, 768}};

void Require(cl_int status, const char* what) {
  if (status == CL_SUCCESS) return;
  throw std::runtime_error(std::string(what) + " failed: " + std::to_string(status));
}

/// CLBlast on the first device, as OpenCl uses it when there is one.
class Peer {
 public:
  Peer() {
    cl_platform_id platform = nullptr;
    Require(clGetPlatformIDs(1, &platform, nullptr), "clGetPlatformIDs");
    cl_device_id device = nullptr;
    Require(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr), "clGetDeviceIDs");
    cl_int status = CL_SUCCESS;
    context_ = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &status);
    Require(status, "clCreateContext");
    queue_ = clCreateCommandQueue(context_, device, 0, &status);
    Require(status, "clCreateCommandQueue");
  }
  ~Peer() {
    clReleaseCommandQueue(queue_);
    clReleaseContext(context_);
  }
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  cl_mem MakeBuffer(std::int64_t num_elements) {
    const std::vector<float> numbers(static_cast<std::size_t>(num_elements), 0.01F);
    cl_int status = CL_SUCCESS;
    cl_mem buffer =
        clCreateBuffer(context_, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                       numbers.size() * sizeof(float), const_cast<float*>(numbers.data()), &status);
    Require(status, "clCreateBuffer");
    return buffer;
  }

  void Run(const Product& product, cl_mem a, cl_mem b, cl_mem c) {
    const auto m = static_cast<std::size_t>(product.m);
    const auto n = static_cast<std::size_t>(product.n);
    const auto k = static_cast<std::size_t>(product.k);
    const CLBlastStatusCode status =
        CLBlastSgemm(CLBlastLayoutRowMajor, CLBlastTransposeNo, CLBlastTransposeNo, m, n, k, 1.0F,
                     a, 0, k, b, 0, n, 0.0F, c, 0, n, &queue_, nullptr);
    Require(static_cast<cl_int>(status), "CLBlastSgemm");
    Require(clFinish(queue_), "clFinish");
  }

 private:
  cl_context context_ = nullptr;
  cl_command_queue queue_ = nullptr;
};

std::unique_ptr<INetwork> MakeNetwork(const Product& product) {
  auto network = INetwork::Create("product");
  const OutputSlot input =
      network->AddInputLayer({{product.m, product.k}, DataType::kFloat32}, "a");
  const std::vector<float> numbers(static_cast<std::size_t>(product.k * product.n), 0.01F);
  const OutputSlot weights = network->AddConstantLayer(
      {{product.k, product.n}, DataType::kFloat32},
      CopyConstantData(numbers.data(), numbers.size() * sizeof(float)), "b");
  const LayerId layer =
      AddLayer<LayerType::kFullyConnected>(*network, {}, {input, weights}, "product");
  network->AddOutputLayer({layer, 0}, "c");
  return network;
}

void Measure(IRuntime& runtime, Peer& peer, const Product& product, int num_runs) {
  const auto optimized = Optimize(*MakeNetwork(product), {"OpenCl"}, runtime.GetDeviceSpec());
  const Tensors tensors(runtime, *optimized);
  const NetworkId network = runtime.LoadNetwork(optimized);
  cl_mem a = peer.MakeBuffer(product.m * product.k);
  cl_mem b = peer.MakeBuffer(product.k * product.n);
  cl_mem c = peer.MakeBuffer(product.m * product.n);
  std::vector<double> our_times;
  std::vector<double> their_times;
  constexpr int kWarm = 3;
  for (int run = 0; run < num_runs + kWarm; ++run) {
    const double ours = Time([&] { tensors.Run(runtime, network); });
    const double theirs = Time([&] { peer.Run(product, a, b, c); });
    if (run < kWarm) continue;
    our_times.push_back(ours);
    their_times.push_back(theirs);
  }
  const double ours = GetMedian(our_times);
  const double theirs = GetMedian(their_times);
  std::printf("%5lld x %5lld x %5lld: %8.3f ms, CLBlast %8.3f ms, ratio %.3f\n",
              static_cast<long long>(product.m), static_cast<long long>(product.n),
              static_cast<long long>(product.k), ours, theirs, ours / theirs);
  for (cl_mem buffer : {a, b, c}) clReleaseMemObject(buffer);
  runtime.UnloadNetwork(network);
}

}  // namespace

int main(int argc, char** argv) {
  return RunBench(argc, argv, BACKPLANE_BACKENDS_FOLDER, {}, [](IRuntime& runtime, int num_runs) {
    Peer peer;
    for (const Product& product : kProducts) Measure(runtime, peer, product, num_runs);
  });
}
