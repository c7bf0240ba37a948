#include "probing/probe_request.hpp"

#include <gtest/gtest.h>

namespace backplane::probing {
namespace {

ProbeRequest MakeRequest() {
  ProbeRequest request;
  request.libraries = {{"/l/liba.so.1", true}, {"", false}};
  request.files = {{"/x/a path with spaces\n\xff/A_b_backend.so",
                    "/y/A_b_backend.so.1",
                    {1, ~std::uint64_t{0}, 3, -4, 5}}};
  request.depth = ProbeDepth::kIdentify;
  request.timeout = std::chrono::milliseconds(1500);
  request.max_data_bytes = ~std::uint64_t{0};
  request.host_process = 77;
  request.sandbox.sandbox = Sandbox::kRequired;
  request.sandbox.permissions = {"network", "read:/a"};
  request.sandbox.processors = {3, 0};
  request.sandbox.max_open_files = 99;
  return request;
}

TEST(ProbeRequest, ComesBackAsItWas) {
  const ProbeRequest request = MakeRequest();
  const auto decoded = DecodeRequest(EncodeRequest(request));
  ASSERT_TRUE(decoded);
  ASSERT_EQ(decoded->libraries.size(), 2U);
  EXPECT_EQ(decoded->libraries[0].path, request.libraries[0].path);
  EXPECT_TRUE(decoded->libraries[0].is_seen_by_all);
  EXPECT_EQ(decoded->libraries[1].path, "");
  EXPECT_FALSE(decoded->libraries[1].is_seen_by_all);
  ASSERT_EQ(decoded->files.size(), 1U);
  EXPECT_EQ(decoded->files[0].path, request.files[0].path);
  EXPECT_EQ(decoded->files[0].canonical_path, request.files[0].canonical_path);
  EXPECT_TRUE(decoded->files[0].stamp == request.files[0].stamp);
  EXPECT_EQ(decoded->depth, request.depth);
  EXPECT_EQ(decoded->timeout, request.timeout);
  EXPECT_EQ(decoded->max_data_bytes, request.max_data_bytes);
  EXPECT_EQ(decoded->host_process, request.host_process);
  EXPECT_EQ(decoded->sandbox.sandbox, request.sandbox.sandbox);
  EXPECT_EQ(decoded->sandbox.permissions, request.sandbox.permissions);
  EXPECT_EQ(decoded->sandbox.processors, request.sandbox.processors);
  EXPECT_EQ(decoded->sandbox.max_open_files, request.sandbox.max_open_files);
}

TEST(ProbeRequest, HasNoSandboxThatDoesNotExist) {
  ProbeRequest request = MakeRequest();
  request.sandbox.sandbox = static_cast<Sandbox>(3);
  EXPECT_FALSE(DecodeRequest(EncodeRequest(request)));
}

TEST(ProbeRequest, KeepsADepthOfAllStages) {
  for (const ProbeDepth depth : {ProbeDepth::kCreate, ProbeDepth::kServe}) {
    ProbeRequest request = MakeRequest();
    request.depth = depth;
    const auto decoded = DecodeRequest(EncodeRequest(request));
    ASSERT_TRUE(decoded);
    EXPECT_EQ(decoded->depth, depth);
  }
}

TEST(ProbeRequest, HasSeveralFilesWhenTheyRunTogetherOnly) {
  ProbeRequest request = MakeRequest();
  request.files.push_back({"/z/C_d_backend.so", "/z/C_d_backend.so", {6, 7, 8, 9, 10}});
  EXPECT_FALSE(DecodeRequest(EncodeRequest(request)));
  request.depth = ProbeDepth::kTogether;
  const auto decoded = DecodeRequest(EncodeRequest(request));
  ASSERT_TRUE(decoded);
  ASSERT_EQ(decoded->files.size(), 2U);
  EXPECT_EQ(decoded->files[1].path, request.files[1].path);
  EXPECT_TRUE(decoded->files[1].stamp == request.files[1].stamp);
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
  for (std::size_t i = 1; i < good.size(); ++i) {
    const bool is_number = good[i].find_first_of("0123456789") == 0;
    if (!is_number) continue;
    for (const char* bad : {"", "x", "1x", " 1", "99999999999999999999999"}) {
      std::vector<std::string> arguments = good;
      arguments[i] = bad;
      EXPECT_FALSE(DecodeRequest(arguments)) << i << " " << bad;
    }
  }
}

TEST(ProbeRequest, AnUnknownDepthGivesNothing) {
  std::vector<std::string> arguments = EncodeRequest(MakeRequest());
  for (const char* depth : {"-1", "5"}) {
    arguments[1] = depth;
    EXPECT_FALSE(DecodeRequest(arguments)) << depth;
  }
}

}  // namespace
}  // namespace backplane::probing
