/// Whatever stands in a .npy file, reading it ends with an array or with a diagnostic.

#include "arrays/npy_file.hpp"

#include "arrays/npy_maker.hpp"
#include "refusal.hpp"

#include <gtest/gtest.h>

#include <random>

namespace backplane::execute_network::test {
namespace {

std::string MakeGoodFile() {
  return MakeFile(MakeHeader("<f4", "(2, 3)"), std::string(24, '\x3F'));
}

void ReadAnyNpy(const std::string& bytes) {
  try {
    const onnx::NamedTensor tensor = ParseNpy(bytes, kPath);
    EXPECT_EQ(tensor.data.size(), tensor.info.GetSizeBytes());
    EXPECT_LE(tensor.data.size(), bytes.size());
  } catch (const DiagnosticException& exception) {
    EXPECT_EQ(exception.GetDiagnostic().code, DiagnosticCode::kTensorFileUnreadable);
    EXPECT_FALSE(exception.GetDiagnostic().why.empty());
    EXPECT_FALSE(exception.GetDiagnostic().fix.empty());
  }
}

TEST(HostileNpyFile, IsGoodBeforeItIsDamaged) {
  EXPECT_EQ(ParseNpy(MakeGoodFile(), kPath).info, TensorInfo({2, 3}, DataType::kFloat32));
}

TEST(HostileNpyFile, IsRefusedWhereverItEnds) {
  const std::string good = MakeGoodFile();
  for (std::size_t size = 0; size < good.size(); ++size) {
    ExpectUnreadable([&] { ParseNpy(good.substr(0, size), kPath); }, {});
  }
}

TEST(HostileNpyFile, IsRefusedWithMoreDataThanItsShapeNeeds) {
  ExpectUnreadable([&] { ParseNpy(MakeGoodFile() + "x", kPath); },
                   {"it has 25 bytes of data; 2x3 float32 needs 24"});
}

TEST(HostileNpyFile, MayHaveAnyByteChanged) {
  const std::string good = MakeGoodFile();
  for (std::size_t position = 0; position < good.size(); ++position) {
    for (int value = 0; value < 256; ++value) {
      std::string damaged = good;
      damaged[position] = static_cast<char>(value);
      ReadAnyNpy(damaged);
    }
  }
}

TEST(HostileNpyFile, MayHaveSeveralBytesChanged) {
  const std::string good = MakeGoodFile();
  std::mt19937 engine(7);
  constexpr int kRounds = 20000;
  for (int round = 0; round < kRounds; ++round) {
    std::string damaged = good;
    for (int change = 0; change < 3; ++change) {
      damaged[engine() % damaged.size()] = good[engine() % damaged.size()];
    }
    ReadAnyNpy(damaged);
  }
}

TEST(HostileNpyFile, MayClaimAnyShape) {
  for (const char* shape :
       {"(1000000000000,)", "(4611686018427387904,)", "(9223372036854775807, 2)",
        "(99999999999999999999,)", "(0, 9223372036854775807, 9223372036854775807)", "(-1,)", "(3)",
        "3", "(2 3)", "(,)", "(2,,3)", "(2.0,)", "(2L,)", "((2,),)", "(1,1,1,1,1,1,1,1,1)"}) {
    ExpectUnreadable([&] { ParseNpy(MakeFile(MakeHeader("<f4", shape), "1234"), kPath); }, {});
  }
}

TEST(HostileNpyFile, MayClaimAnyLengthOfItsHeader) {
  std::string file = MakeFile(MakeHeader("<f4", "(1,)"), "1234", 2);
  file.replace(8, 4, "\xFF\xFF\xFF\xFF");
  ExpectUnreadable([&] { ParseNpy(file, kPath); }, {"its header is to have 4294967295 bytes"});
}

TEST(HostileNpyFile, MayHaveAnyText) {
  for (const char* header :
       {"", "{", "{}", "}", "[]", "{'descr'}", "{'descr':}", "{'descr': 3}", "{'x': 3}",
        "{'descr': '<f4', 'descr': '<f4'}", "{'descr': '<f4' 'shape': (1,)}",
        "{'descr': '<f\\x34', 'fortran_order': False, 'shape': (1,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} x",
        "{'descr': '<f4', 'fortran_order': 0, 'shape': (1,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'more': 1}"}) {
    ExpectUnreadable([&] { ParseNpy(MakeFile(header, "1234"), kPath); }, {});
  }
  ExpectUnreadable([&] { ParseNpy(MakeFile("{'descr': '<f4', 'sharp': (1,)}", "1234"), kPath); },
                   {"found the key \"sharp\" at byte "});
}

TEST(HostileNpyFile, MayNotHoldBoolsThatAreNone) {
  ExpectUnreadable([&] { ParseNpy(MakeFile(MakeHeader("|b1", "(2,)"), "\x01\x02"), kPath); },
                   {"it has the byte 2; a bool is 0 or 1"});
}

TEST(HostileNpyFile, MayBeOfNoKnownVersion) {
  for (const int version : {0, 4, 255}) {
    ExpectUnreadable([&] { ParseNpy(MakeFile(MakeHeader("<f4", "(1,)"), "1234", version), kPath); },
                     {"its format is version " + std::to_string(version) + ".0"});
  }
}

}  // namespace
}  // namespace backplane::execute_network::test
