#pragma once

/// How the tests of the child process look at the process that scans, and at others.

#include <backplane/host/scan.hpp>

#include <functional>
#include <set>
#include <string>
#include <vector>

#include <sys/types.h>

namespace backplane::test {

/// A scan of directories whose code runs in processes of its own, and whose verdicts are not kept.
ScanOptions MakeChildScan(const std::vector<std::string>& folders);

/// The numbers that a folder of /proc/self lists: descriptors, threads.
std::set<int> ListNumbers(const std::string& folder);

/// The processes in whose command line a text appears: both of a probe that was asked for a path,
/// and what the plugin started.
std::vector<pid_t> FindProcesses(const std::string& text);

/// How many libraries this process ever loaded.
unsigned long long CountLoadedEver();

/// Runs a function in a process of its own. Returns its exit code; -1: it was ended by a signal.
int RunInProcess(const std::function<int()>& function);

}  // namespace backplane::test
