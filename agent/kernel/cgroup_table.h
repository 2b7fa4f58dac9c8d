// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_KERNEL_CGROUP_TABLE_H_
#define FAIRSCHED_AGENT_KERNEL_CGROUP_TABLE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "agent/core/sample.h"
#include "agent/core/yield.h"
#include "agent/kernel/cgroup.h"
#include "agent/kernel/file_system.h"
#include "agent/kernel/hierarchies.h"

namespace fairsched::kernel {

// The groups of ours that are open, which the sampler reads and the actuator
// writes: for the control thread alone, not thread-safe. What is gone is
// dropped, and a cgroup made anew under its name is another one.
class CgroupTable {
 public:
  CgroupTable(FileSystem& fs, Hierarchies hierarchies);

  struct Reading {
    uint64_t inode = 0;
    CgroupCounters counters;
    core::CgroupSample Sample() const;
  };
  // The counters of the group at `path` below the mounts, which is opened on
  // first use. NotFound: there is none.
  absl::StatusOr<Reading> Read(const std::string& path);

  // What the open ones of these have used, as of `now`.
  core::UseSample ReadUse(const std::vector<uint64_t>& inodes,
                          absl::Duration now);

  // Null for what is not open. Valid until the next call of any other method.
  Cgroup* Find(uint64_t inode);
  void Drop(uint64_t inode);
  // Drops the groups that are gone of those not read since the last call.
  void DropGone();

  // Reads of files of cgroups, since the start.
  int64_t reads() const;

 private:
  struct Entry {
    std::unique_ptr<Cgroup> cgroup;
    bool read = true;  // since the last DropGone()
  };

  FileSystem& fs_;
  const Hierarchies hierarchies_;
  absl::flat_hash_map<uint64_t, Entry> entries_;              // by inode
  absl::flat_hash_map<std::string, uint64_t> inode_of_path_;  // of entries_
  int64_t dropped_reads_ = 0;  // by groups that are open no more
};

}  // namespace fairsched::kernel

#endif  // FAIRSCHED_AGENT_KERNEL_CGROUP_TABLE_H_
