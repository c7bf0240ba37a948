#include <backplane/runtime/placement.hpp>

#include "placement/byte_text.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sstream>

namespace backplane {
namespace {

using Json = nlohmann::json;

constexpr std::uint64_t kTensorBytes = 301056;

TransferStep MakeCopy(TransferStrategy strategy, const std::string& from, const std::string& to) {
  TransferStep step;
  step.strategy = strategy;
  step.from_factory = from;
  step.to_factory = to;
  step.bytes = kTensorBytes;
  if (strategy == TransferStrategy::kDeviceCopy) step.backend_id = "Npu";
  return step;
}

TransferStep MakeImport(const std::string& from, const std::string& to) {
  TransferStep step;
  step.strategy = TransferStrategy::kImport;
  step.from_factory = from;
  step.to_factory = to;
  return step;
}

PlacedTransfer MakeTransfersTransfer(LayerId from, const std::string& layer,
                                     const std::string& from_backend,
                                     const std::string& to_backend) {
  PlacedTransfer transfer;
  transfer.from = from;
  transfer.layer = layer;
  transfer.tensor = "float32 [1, 96]";
  transfer.from_backend = from_backend;
  transfer.to_backend = to_backend;
  transfer.factory = to_backend.empty() ? "" : "Acme/" + to_backend + "/Memory";
  return transfer;
}

/// Every way in which a tensor crosses.
Placement MakeTransfersPlacement() {
  Placement placement;
  PlacedTransfer image = MakeTransfersTransfer(0, "image", "", "Npu");
  image.steps = {MakeImport("", "Acme/Npu/Memory")};
  PlacedTransfer conv = MakeTransfersTransfer(2, "conv", "Npu", "Cpu");
  conv.steps = {MakeCopy(TransferStrategy::kDeviceCopy, "Acme/Npu/Memory", "Acme/Npu/Staging"),
                MakeCopy(TransferStrategy::kMapCopy, "Acme/Npu/Staging", "Acme/Cpu/Memory")};
  conv.copied_bytes = 2 * kTensorBytes;
  conv.reason = "Acme/Npu/Memory is opaque";
  PlacedTransfer to_dsp = MakeTransfersTransfer(2, "conv", "Npu", "Dsp");
  to_dsp.steps = {conv.steps.front(), MakeImport("Acme/Npu/Staging", "Acme/Dsp/Memory")};
  to_dsp.steps.front().is_shared = true;
  to_dsp.reason = "Acme/Npu/Memory is opaque";
  PlacedTransfer part = MakeTransfersTransfer(3, "", "Cpu", "Dsp");
  part.output = 1;
  PlacedTransfer scores = MakeTransfersTransfer(5, "soft\nmax", "Cpu", "");
  scores.steps = {MakeCopy(TransferStrategy::kMapCopy, "Acme/Cpu/Memory", "")};
  scores.steps.front().bytes = 40;
  scores.copied_bytes = 40;
  scores.reason = "it is an output and an input";
  placement.transfers = {image, conv, to_dsp, part, scores};
  placement.num_copies = 3;
  placement.copied_bytes = 2 * kTensorBytes + 40;
  return placement;
}

TEST(Transfers, AreATableWithALineForEach) {
  EXPECT_EQ(
      TransfersToText(MakeTransfersPlacement()),
      R"(layer        from         to           tensor           copied bytes      how                                                                    why not shared
image        application  Npu          float32 [1, 96]  -                 import
conv         Npu          Cpu          float32 [1, 96]  602112 (588 KiB)  device copy, then map and copy through Acme/Npu/Staging                (1)
conv         Npu          Dsp          float32 [1, 96]  -                 device copy (counted elsewhere), then import through Acme/Npu/Staging  (1)
#3 output 1  Cpu          Dsp          float32 [1, 96]  -                 shared
soft\x0amax  Cpu          application  float32 [1, 96]  40                map and copy                                                           (2)

(1) Acme/Npu/Memory is opaque
(2) it is an output and an input

3 copies, 602152 bytes (588 KiB) in one run
)");
}

TEST(Transfers, AreNoTextWhereNothingCrosses) {
  EXPECT_EQ(TransfersToText(Placement()), "");
}

std::string GetLastLine(const Placement& placement) {
  std::istringstream lines(TransfersToText(placement));
  std::string last;
  for (std::string line; std::getline(lines, line);) last = line;
  return last;
}

TEST(Transfers, EndWithTheTotals) {
  Placement placement;
  placement.transfers = {MakeTransfersTransfer(0, "image", "", "Npu")};
  EXPECT_EQ(GetLastLine(placement), "nothing is copied");
  placement.num_copies = 1;
  placement.copied_bytes = 1;
  EXPECT_EQ(GetLastLine(placement), "1 copy, 1 byte in one run");
}

TEST(Transfers, NameEveryStopOfALongWay) {
  Placement placement;
  PlacedTransfer transfer = MakeTransfersTransfer(0, "conv", "Npu", "Dsp");
  transfer.steps = {MakeCopy(TransferStrategy::kDeviceCopy, "A/Npu/Tiles", "A/Npu/Out"),
                    MakeImport("A/Npu/Out", "A/Dsp/In"),
                    MakeCopy(TransferStrategy::kDeviceCopy, "A/Dsp/In", "A/Dsp/Tiles")};
  placement.transfers = {transfer};
  EXPECT_NE(TransfersToText(placement).find(
                "device copy, then import, then device copy through A/Npu/Out and A/Dsp/In"),
            std::string::npos);
}

Placement MakeMoves() {
  Placement placement;
  placement.moves = {{"join", LayerType::kConcat, "Cpu", 20480, "an input is a constant"},
                     {"flat\n", LayerType::kReshape, "Npu", 100, ""}};
  return placement;
}

TEST(Transfers, TellWhatLayersMoveBesides) {
  EXPECT_EQ(TransfersToText(MakeMoves()),
            "join (Concat) on Cpu moves 20480 bytes (20 KiB), because an input is a constant\n"
            "flat\\x0a (Reshape) on Npu moves 100 bytes\n"
            "nothing is copied; 2 layers besides move 20580 bytes (20.1 KiB)\n");
}

TEST(Transfers, GiveJsonOfTheWay) {
  const Json json = Json::parse(TransfersToJson(MakeTransfersPlacement()));
  EXPECT_EQ(json.at("copied_bytes"), 602152);
  EXPECT_EQ(json.at("num_copies"), 3);
  EXPECT_EQ(json.at("moves"), Json::array());
  ASSERT_EQ(json.at("transfers").size(), 5U);
  EXPECT_EQ(json.at("transfers").at(1), Json::parse(R"({
    "layer": "conv", "output": 0, "tensor": "float32 [1, 96]", "from": "Npu", "to": "Cpu",
    "factory": "Acme/Cpu/Memory", "bytes": 602112, "reason": "Acme/Npu/Memory is opaque",
    "steps": [
      {"strategy": "device copy", "from": "Acme/Npu/Memory", "to": "Acme/Npu/Staging",
       "backend": "Npu", "bytes": 301056, "shared": false},
      {"strategy": "map and copy", "from": "Acme/Npu/Staging", "to": "Acme/Cpu/Memory",
       "backend": null, "bytes": 301056, "shared": false}]})"));
  EXPECT_EQ(json.at("transfers").at(2).at("steps").at(0).at("shared"), true);
  EXPECT_EQ(json.at("transfers").at(3).at("layer"), "#3");
  EXPECT_EQ(json.at("transfers").at(3).at("steps"), Json::array());
}

TEST(Transfers, GiveNullInJsonForTheApplication) {
  const Json transfers = Json::parse(TransfersToJson(MakeTransfersPlacement())).at("transfers");
  EXPECT_EQ(transfers.at(0).at("from"), nullptr);
  EXPECT_EQ(transfers.at(0).at("steps").at(0).at("from"), nullptr);
  EXPECT_EQ(transfers.at(0).at("steps").at(0).at("strategy"), "import");
  EXPECT_EQ(transfers.at(4).at("to"), nullptr);
  EXPECT_EQ(transfers.at(4).at("factory"), nullptr);
  EXPECT_EQ(transfers.at(4).at("layer"), "soft\\x0amax");
}

TEST(Transfers, GiveJsonOfMoves) {
  EXPECT_EQ(Json::parse(TransfersToJson(MakeMoves())), Json::parse(R"({
    "copied_bytes": 0, "num_copies": 0, "transfers": [],
    "moves": [{"layer": "join", "type": "Concat", "backend": "Cpu", "bytes": 20480,
               "reason": "an input is a constant"},
              {"layer": "flat\\x0a", "type": "Reshape", "backend": "Npu", "bytes": 100,
               "reason": ""}]})"));
}

TEST(ByteText, RoundsBesideTheExactNumber) {
  EXPECT_EQ(DescribeByteCount(0), "0");
  EXPECT_EQ(DescribeByteCount(10239), "10239");
  EXPECT_EQ(DescribeByteCount(10240), "10240 (10 KiB)");
  EXPECT_EQ(DescribeByteCount(12288 + 512), "12800 (12.5 KiB)");
  EXPECT_EQ(DescribeByteCount(1024 * 1024 - 1), "1048575 (1 MiB)");
  EXPECT_EQ(DescribeByteCount(std::uint64_t{3} << 39), "1649267441664 (1.5 TiB)");
  EXPECT_EQ(DescribeByteCount(~std::uint64_t{0}), "18446744073709551615 (16777216 TiB)");
  EXPECT_EQ(DescribeBytes(1), "1 byte");
  EXPECT_EQ(DescribeBytes(602112), "602112 bytes (588 KiB)");
}

}  // namespace
}  // namespace backplane
