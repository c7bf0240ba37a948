#pragma once

/// The fields of what a probe process tells, as wire/fields.hpp wants them.

#include "probing/probe_account.hpp"
#include "report/candidate_fields.hpp"

namespace backplane::discovery {

template <typename Fields>
void VisitFields(Fields& fields, FileStamp& stamp) {
  fields(stamp.device, stamp.inode, stamp.size_bytes, stamp.modified_ns, stamp.changed_ns);
}

}  // namespace backplane::discovery

namespace backplane::probing {

template <typename Fields>
void VisitFields(Fields& fields, MappedFile& file) {
  fields(file.path, file.stamp);
}

template <typename Fields>
void VisitFields(Fields& fields, PluginReport& report) {
  StateChanges& state = report.state;
  fields(report.candidate, state.changes, state.num_threads_left, state.are_threads_own,
         state.descriptors_left, report.files);
}

template <typename Fields>
void VisitFields(Fields& fields, EndEvidence& evidence) {
  fields(evidence.seccomp_mode, evidence.watcher_seccomp_mode, evidence.cpu_limit_s,
         evidence.used_cpu_s, evidence.num_oom_kills, evidence.has_called_exec);
}

/// Without the report, which follows as a text of its own, and without what only the host knows.
template <typename Fields>
void VisitFields(Fields& fields, ProbeAccount& account) {
  fields(account.end, account.start_error, account.exit_code, account.signal, account.sender,
         account.signal_to_watcher, account.evidence, account.member, account.stage, account.call,
         account.constructor_of, account.has_fault, account.fault_address,
         account.is_stack_overflow, account.thrown, account.report_bytes, account.is_inspected,
         account.is_closed, account.is_ended, account.stdout_bytes, account.stdout_start,
         account.stderr_end, account.num_processes_left, account.has_copy,
         account.peak_memory_bytes, account.max_data_bytes, account.timeout_ms);
  fields.Require(wire::IsUpTo(ProcessEnd::kInterrupted, account.end) &&
                 wire::IsUpTo(Stage::kCreate, account.stage));
}

}  // namespace backplane::probing
