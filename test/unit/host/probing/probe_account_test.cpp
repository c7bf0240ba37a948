#include "probing/probe_account.hpp"

#include "probing/probe_request.hpp"

#include <gtest/gtest.h>

namespace backplane::probing {
namespace {

PluginReport MakeProbeAccountReport() {
  PluginReport report;
  report.candidate.status = CandidateStatus::kLoaded;
  report.candidate.stage = Stage::kCreate;
  report.candidate.stages = {{Stage::kOpen}, {Stage::kIdentify}, {Stage::kCreate}};
  report.candidate.identity = BackendIdentity{"b", {1, 0}, {}, {}, {}};
  report.state.changes = {"the umask from 0022 to 0000", "\xff"};
  report.state.num_threads_left = 2;
  report.state.descriptors_left = {"7 (/dev/null)"};
  report.files.push_back({"/x/\xfe.so", {1, 2, 3, -4, 5}});
  return report;
}

ProbeAccount MakeAccount() {
  ProbeAccount account;
  account.end = ProcessEnd::kSignalled;
  account.exit_code = 3;
  account.signal = 11;
  account.stage = Stage::kIdentify;
  account.call = "GetVersion";
  account.constructor_of = "/x/\xff.so";
  account.has_fault = true;
  account.fault_address = ~std::uint64_t{0};
  account.is_stack_overflow = true;
  account.thrown = "std::bad_alloc: \xc3(";
  account.is_closed = true;
  account.stdout_bytes = 17;
  account.stdout_start = std::string("a\0b", 3);
  account.stderr_end = "a | b\n>>backplane-probe\n";
  account.num_processes_left = 4;
  account.peak_memory_bytes = 5;
  account.max_data_bytes = 6;
  account.timeout_ms = 7;
  account.start_error = 8;
  account.sender = 9;
  account.signal_to_watcher = 10;
  account.evidence = {11, 12, 13, 14, 15, true};
  account.report_bytes = 16;
  account.is_inspected = true;
  account.is_ended = true;
  return account;
}

std::string MakeFramed() {
  return EncodeAccount(MakeAccount(), EncodeReport(MakeProbeAccountReport()));
}

TEST(ProbeAccount, ComesBackAsItWas) {
  const ReceivedAccount received = DecodeAccount(MakeFramed());
  ASSERT_TRUE(received.account);
  const ProbeAccount expected = MakeAccount();
  const ProbeAccount& account = *received.account;
  EXPECT_EQ(account.end, expected.end);
  EXPECT_EQ(account.exit_code, expected.exit_code);
  EXPECT_EQ(account.signal, expected.signal);
  EXPECT_EQ(account.stage, expected.stage);
  EXPECT_EQ(account.call, expected.call);
  EXPECT_EQ(account.constructor_of, expected.constructor_of);
  EXPECT_EQ(account.has_fault, expected.has_fault);
  EXPECT_EQ(account.fault_address, expected.fault_address);
  EXPECT_EQ(account.is_stack_overflow, expected.is_stack_overflow);
  EXPECT_EQ(account.thrown, expected.thrown);
  EXPECT_EQ(account.is_closed, expected.is_closed);
  EXPECT_EQ(account.stdout_bytes, expected.stdout_bytes);
  EXPECT_EQ(account.stdout_start, expected.stdout_start);
  EXPECT_EQ(account.stderr_end, expected.stderr_end);
  EXPECT_EQ(account.num_processes_left, expected.num_processes_left);
  EXPECT_EQ(account.peak_memory_bytes, expected.peak_memory_bytes);
  EXPECT_EQ(account.max_data_bytes, expected.max_data_bytes);
  EXPECT_EQ(account.timeout_ms, expected.timeout_ms);
  EXPECT_EQ(account.start_error, expected.start_error);
  EXPECT_EQ(account.sender, expected.sender);
  EXPECT_EQ(account.signal_to_watcher, expected.signal_to_watcher);
  EXPECT_EQ(account.evidence.seccomp_mode, expected.evidence.seccomp_mode);
  EXPECT_EQ(account.evidence.watcher_seccomp_mode, expected.evidence.watcher_seccomp_mode);
  EXPECT_EQ(account.evidence.cpu_limit_s, expected.evidence.cpu_limit_s);
  EXPECT_EQ(account.evidence.used_cpu_s, expected.evidence.used_cpu_s);
  EXPECT_EQ(account.evidence.num_oom_kills, expected.evidence.num_oom_kills);
  EXPECT_EQ(account.evidence.has_called_exec, expected.evidence.has_called_exec);
  EXPECT_EQ(account.report_bytes, expected.report_bytes);
  EXPECT_EQ(account.is_inspected, expected.is_inspected);
  EXPECT_EQ(account.is_ended, expected.is_ended);
  EXPECT_EQ(received.version, GetProtocolName());
  EXPECT_EQ(received.noise, "");
}

TEST(ProbeAccount, BringsThePluginsOwnReport) {
  const ReceivedAccount received = DecodeAccount(MakeFramed());
  ASSERT_TRUE(received.account && received.account->report);
  const PluginReport expected = MakeProbeAccountReport();
  const PluginReport& report = *received.account->report;
  EXPECT_EQ(report.candidate.status, expected.candidate.status);
  EXPECT_EQ(report.state.changes, expected.state.changes);
  EXPECT_EQ(report.state.num_threads_left, expected.state.num_threads_left);
  EXPECT_EQ(report.state.descriptors_left, expected.state.descriptors_left);
  ASSERT_EQ(report.files.size(), 1U);
  EXPECT_EQ(report.files[0].path, expected.files[0].path);
  EXPECT_TRUE(report.files[0].stamp == expected.files[0].stamp);
}

TEST(ProbeAccount, WhatCameBeforeItIsNoise) {
  const ReceivedAccount received = DecodeAccount("cannot open shared object" + MakeFramed());
  EXPECT_TRUE(received.account);
  EXPECT_EQ(received.noise, "cannot open shared object");
}

TEST(ProbeAccount, WithoutAFrameEverythingIsNoise) {
  const ReceivedAccount received = DecodeAccount("no account at all");
  EXPECT_FALSE(received.account);
  EXPECT_EQ(received.noise, "no account at all");
  EXPECT_EQ(received.version, "");
}

TEST(ProbeAccount, CutShortAnywhereGivesNothing) {
  const std::string framed = MakeFramed();
  for (std::size_t size = 0; size < framed.size(); ++size) {
    EXPECT_FALSE(DecodeAccount(framed.substr(0, size)).account) << size;
    EXPECT_FALSE(IsWholeAccount(framed.substr(0, size), size)) << size;
  }
  EXPECT_TRUE(IsWholeAccount(framed, framed.size()));
  EXPECT_TRUE(IsWholeAccount(framed, 1)) << "the rest of its end came before";
  EXPECT_TRUE(IsWholeAccount("noise" + framed, framed.size()));
}

// A process that was forked meanwhile may write too, in the same moment.
TEST(ProbeAccount, IsWholeWhateverComesAfterIt) {
  const std::string framed = MakeFramed();
  EXPECT_TRUE(IsWholeAccount(framed + "noise", framed.size()));
}

TEST(ProbeAccount, OfAnotherProtocolOrReleaseIsNotReadButNamed) {
  std::string framed = MakeFramed();
  framed.replace(framed.find(GetProtocolName()), GetProtocolName().size(), "protocol-2 9.9");
  const ReceivedAccount received = DecodeAccount(framed);
  EXPECT_FALSE(received.account);
  EXPECT_EQ(received.version, "protocol-2 9.9");
}

// Whatever byte is damaged, reading it ends, and gives an account or nothing.
TEST(ProbeAccount, DamagedAnywhereIsReadOrRefused) {
  const std::string framed = MakeFramed();
  std::size_t num_refused = 0;
  for (std::size_t i = 0; i < framed.size(); ++i) {
    for (const char byte : {'\0', '9', '"', '\xff'}) {
      std::string damaged = framed;
      damaged[i] = byte;
      const auto account = DecodeAccount(damaged).account;
      num_refused += account ? 0 : 1;
      EXPECT_TRUE(!account || account->end <= ProcessEnd::kInterrupted) << i;
    }
  }
  EXPECT_GT(num_refused, 0U);
}

TEST(ProbeAccount, KeepsTheEndOfTheProcessWhenThePluginOverwroteItsReport) {
  const std::string report = EncodeReport(MakeProbeAccountReport());
  for (const std::string& body : {std::string("{"), std::string("\xff\xfe"),
                                  std::string(100'000, '\xff'), report + '.', report.substr(1)}) {
    const ReceivedAccount received = DecodeAccount(EncodeAccount(MakeAccount(), body));
    ASSERT_TRUE(received.account);
    EXPECT_FALSE(received.account->report);
    EXPECT_EQ(received.account->report_fault, "bytes that are no report");
    EXPECT_EQ(received.account->signal, 11);
  }
  const ReceivedAccount received = DecodeAccount(EncodeAccount(MakeAccount(), ""));
  ASSERT_TRUE(received.account);
  EXPECT_FALSE(received.account->report);
  EXPECT_EQ(received.account->report_fault, "");
}

TEST(ProbeAccount, OfNumbersThatNameNothingIsNoAccount) {
  for (const int number : {-1, 99}) {
    ProbeAccount account = MakeAccount();
    account.end = static_cast<ProcessEnd>(number);
    EXPECT_FALSE(DecodeAccount(EncodeAccount(account, "")).account) << number;
    account = MakeAccount();
    account.stage = static_cast<Stage>(number);
    EXPECT_FALSE(DecodeAccount(EncodeAccount(account, "")).account) << number;
  }
}

TEST(ProbeAccount, SaysWhatAReportThatCannotBeSays) {
  PluginReport report = MakeProbeAccountReport();
  report.candidate.identity.reset();
  const ReceivedReport received = DecodeReport(EncodeReport(report));
  EXPECT_FALSE(received.report);
  EXPECT_EQ(received.fault, "\"loaded\" without an identity");
  const auto account = DecodeAccount(EncodeAccount(MakeAccount(), EncodeReport(report))).account;
  ASSERT_TRUE(account);
  EXPECT_FALSE(account->report);
  EXPECT_EQ(account->report_fault, received.fault);
}

TEST(ProbeAccount, TakesNoMoreEntriesThanAProcessCanHave) {
  PluginReport report = MakeProbeAccountReport();
  report.state.descriptors_left.assign(10'001, "7");
  EXPECT_FALSE(DecodeReport(EncodeReport(report)).report);
}

}  // namespace
}  // namespace backplane::probing
