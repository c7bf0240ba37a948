#include "probing/probe_request.hpp"

#include <gtest/gtest.h>

namespace backplane::probing {
namespace {

ProbeRequest MakeRequest() {
  ProbeRequest request;
  request.path = "/x/a path with spaces\n\xff/A_b_backend.so";
  request.canonical_path = "/y/A_b_backend.so.1";
  request.stamp = {1, ~std::uint64_t{0}, 3, -4, 5};
  request.depth = ProbeDepth::kIdentify;
  request.timeout = std::chrono::milliseconds(1500);
  request.max_data_bytes = ~std::uint64_t{0};
  request.host_process = 77;
  return request;
}

TEST(ProbeRequest, ComesBackAsItWas) {
  const ProbeRequest request = MakeRequest();
  const auto decoded = DecodeRequest(EncodeRequest(request));
  ASSERT_TRUE(decoded);
  EXPECT_EQ(decoded->path, request.path);
  EXPECT_EQ(decoded->canonical_path, request.canonical_path);
  EXPECT_TRUE(decoded->stamp == request.stamp);
  EXPECT_EQ(decoded->depth, request.depth);
  EXPECT_EQ(decoded->timeout, request.timeout);
  EXPECT_EQ(decoded->max_data_bytes, request.max_data_bytes);
  EXPECT_EQ(decoded->host_process, request.host_process);
}

TEST(ProbeRequest, KeepsADepthOfAllStages) {
  ProbeRequest request = MakeRequest();
  request.depth = ProbeDepth::kCreate;
  const auto decoded = DecodeRequest(EncodeRequest(request));
  ASSERT_TRUE(decoded);
  EXPECT_EQ(decoded->depth, ProbeDepth::kCreate);
}

TEST(ProbeRequest, TooFewOrTooManyArgumentsGiveNothing) {
  std::vector<std::string> arguments = EncodeRequest(MakeRequest());
  arguments.emplace_back("1");
  EXPECT_FALSE(DecodeRequest(arguments));
  arguments.pop_back();
  while (!arguments.empty()) {
    arguments.pop_back();
    EXPECT_FALSE(DecodeRequest(arguments)) << arguments.size();
  }
}

TEST(ProbeRequest, AnotherProtocolOrReleaseGivesNothing) {
  std::vector<std::string> arguments = EncodeRequest(MakeRequest());
  EXPECT_EQ(arguments[0], GetProtocolName());
  for (const char* other : {"protocol-0", "protocol-1", "protocol-1 0.0.0", "--help", ""}) {
    arguments[0] = other;
    EXPECT_FALSE(DecodeRequest(arguments)) << other;
  }
}

TEST(ProbeRequest, WhatIsNoNumberGivesNothing) {
  const std::vector<std::string> good = EncodeRequest(MakeRequest());
  for (std::size_t i = 3; i < good.size(); ++i) {
    for (const char* bad : {"", "x", "1x", " 1", "99999999999999999999999"}) {
      std::vector<std::string> arguments = good;
      arguments[i] = bad;
      EXPECT_FALSE(DecodeRequest(arguments)) << i << " " << bad;
    }
  }
}

TEST(ProbeRequest, AnUnknownDepthGivesNothing) {
  std::vector<std::string> arguments = EncodeRequest(MakeRequest());
  for (const char* depth : {"-1", "2"}) {
    arguments[3] = depth;
    EXPECT_FALSE(DecodeRequest(arguments)) << depth;
  }
}

}  // namespace
}  // namespace backplane::probing
