/// Memory of the application that IRuntime::ImportTensor prepared, in runs.

#include "imported_tensors_fixture.hpp"

#include <atomic>
#include <thread>

namespace backplane::test {
namespace {

INSTANTIATE_TEST_SUITE_P(Kinds, ImportedTensors, GetImporting(), GetImportingName);

TEST_P(ImportedTensors, AreUsedByEveryRunUntilTheyAreReleased) {
  LoadRelu(GetParam().mock);
  ApplicationTensor x(Source(), {-1, 2, -3, 4});
  ApplicationTensor y(Source(), Floats(4), 64);
  const ImportedTensorId in = ImportInput(0, x.GetView());
  const ImportedTensorId out = ImportOutput(0, y.GetView());
  EXPECT_NE(in, kNotImported);
  EXPECT_NE(in, out);
  Run({AsImportedInput(0, in)}, {AsImportedOutput(0, out)});
  EXPECT_EQ(y.Read(), (Floats{0, 2, 0, 4}));
  x.Write({5, -6, 7, -8});
  Run({AsImportedInput(0, in)}, {AsImportedOutput(0, out)});
  EXPECT_EQ(y.Read(), (Floats{5, 0, 7, 0}));
  EXPECT_EQ(x.Read(), (Floats{5, -6, 7, -8}));
  const TransferReport report = (*runtime_)->GetTransferReport(id_);
  ExpectTransfers(report.inputs[0], 2, 0, 0, "");
  ExpectTransfers(report.outputs[0], 2, 0, 0, "");
  Release(in);
  Release(out);
}

TEST_P(ImportedTensors, AreMixedWithGivenOnesInEveryWay) {
  LoadSumAndRelu(GetParam().mock);
  for (int round = 0; round < 2; ++round) {
    for (unsigned mix = 0; mix < 16; ++mix) {
      const auto is_imported = [&](unsigned binding) { return (mix >> binding & 1U) != 0; };
      const auto value = static_cast<float>(mix + 1);
      ApplicationTensor a(Source(), Floats(4, value));
      ApplicationTensor b(Source(), {-20, 0, 1, 2});
      ApplicationTensor sum(Source(), Floats(4));
      ApplicationTensor relu(Source(), Floats(4));
      Buffer given_a(a.Read());
      Buffer given_b(b.Read());
      Buffer given_sum(4);
      Buffer given_relu(4);
      Run({is_imported(0) ? AsImportedInput(0, ImportInput(0, a.GetView())) : AsInput(0, given_a),
           is_imported(1) ? AsImportedInput(1, ImportInput(1, b.GetView())) : AsInput(1, given_b)},
          {is_imported(2) ? AsImportedOutput(0, ImportOutput(0, sum.GetView()))
                          : AsOutput(0, given_sum),
           is_imported(3) ? AsImportedOutput(1, ImportOutput(1, relu.GetView()))
                          : AsOutput(1, given_relu)});
      EXPECT_EQ(is_imported(2) ? sum.Read() : given_sum.Read(),
                (Floats{value - 20, value, value + 1, value + 2}))
          << mix;
      EXPECT_EQ(is_imported(3) ? relu.Read() : given_relu.Read(),
                (Floats{0, value, value + 1, value + 2}))
          << mix;
    }
  }
  for (const auto& transfers : (*runtime_)->GetTransferReport(id_).outputs) {
    ExpectTransfers(transfers, 32, 0, 0, "");
  }
}

TEST_P(ImportedTensors, TakeTurnsWithOthersAndWithGivenOnes) {
  LoadRelu(GetParam().mock);
  ApplicationTensor x0(Source(), Floats(4, 10));
  ApplicationTensor x1(Source(), Floats(4, 20));
  ApplicationTensor y0(Source(), Floats(4));
  ApplicationTensor y1(Source(), Floats(4));
  Buffer x2(Floats(4, 30));
  Buffer y2(4);
  const ImportedTensorId in[] = {ImportInput(0, x0.GetView()), ImportInput(0, x1.GetView())};
  const ImportedTensorId out[] = {ImportOutput(0, y0.GetView()), ImportOutput(0, y1.GetView())};
  for (int round = 0; round < 3; ++round) {
    for (std::size_t from = 0; from < 3; ++from) {
      for (std::size_t to = 0; to < 3; ++to) {
        y0.Write(Floats(4, -1));
        y1.Write(Floats(4, -1));
        y2.Write(Floats(4, -1));
        Run({from < 2 ? AsImportedInput(0, in[from]) : AsInput(0, x2)},
            {to < 2 ? AsImportedOutput(0, out[to]) : AsOutput(0, y2)});
        const Floats found[] = {y0.Read(), y1.Read(), y2.Read()};
        for (std::size_t y = 0; y < 3; ++y) {
          EXPECT_EQ(found[y], Floats(4, y == to ? 10.0F * static_cast<float>(from + 1) : -1.0F));
        }
      }
    }
  }
}

TEST_P(ImportedTensors, GoWithTheNetworkWhenNobodyReleasesThem) {
  LoadRelu(GetParam().mock);
  ApplicationTensor x(Source(), Floats(4, 1));
  ApplicationTensor y(Source(), Floats(4));
  const ImportedTensorId in = ImportInput(0, x.GetView());
  Run({AsImportedInput(0, in)}, {AsImportedOutput(0, ImportOutput(0, y.GetView()))});
  (*runtime_)->UnloadNetwork(id_);
  EXPECT_EQ(y.Read(), Floats(4, 1));
  EXPECT_EQ(CatchDiagnostic([&] { Release(in); }).code, DiagnosticCode::kUnknownNetwork);
}

TEST_P(ImportedTensors, OfSeveralThreadsAreKeptApart) {
  LoadRelu(GetParam().mock);
  std::atomic<int> num_wrong{0};
  const auto work = [&](float value) {
    ApplicationTensor x(Source(), Floats(4, value));
    ApplicationTensor y(Source(), Floats(4));
    for (int round = 0; round < 20; ++round) {
      const ImportedTensorId in = ImportInput(0, x.GetView());
      const ImportedTensorId out = ImportOutput(0, y.GetView());
      for (int run = 0; run < 5; ++run) {
        y.Write(Floats(4, -1));
        Run({AsImportedInput(0, in)}, {AsImportedOutput(0, out)});
        if (y.Read() != Floats(4, value)) ++num_wrong;
      }
      Release(in);
      Release(out);
    }
  };
  std::thread first(work, 1.0F);
  std::thread second(work, 2.0F);
  first.join();
  second.join();
  EXPECT_EQ(num_wrong, 0);
}

}  // namespace
}  // namespace backplane::test
