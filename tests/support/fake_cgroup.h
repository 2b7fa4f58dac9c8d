// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_TESTS_SUPPORT_FAKE_CGROUP_H_
#define FAIRSCHED_TESTS_SUPPORT_FAKE_CGROUP_H_

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"

namespace fairsched::testing {

// What the cpu controller of either version holds of one cgroup, and what it
// takes. The setters return 0 or the kernel's errno.
struct FakeCpu {
  int64_t weight = 100;   // unified
  int64_t shares = 1024;  // legacy
  bool idle = false;
  int64_t quota_usec = -1;  // -1: no limit
  int64_t period_usec = 100000;
  int64_t burst_usec = 0;

  int SetWeight(int64_t value) {
    if (value < 1 || value > 10000) return ERANGE;
    if (idle) return EINVAL;
    weight = value;
    return 0;
  }
  int SetShares(int64_t value) {
    if (value < 0 || idle) return EINVAL;
    shares = std::min<int64_t>(std::max<int64_t>(value, 2), 262144);
    return 0;
  }
  // Leaving idle forgets what the weight was.
  int SetIdle(int64_t value) {
    if (value != 0 && value != 1) return EINVAL;
    if (idle != (value == 1)) {
      weight = 100;
      shares = 1024;
    }
    idle = value == 1;
    return 0;
  }
  int SetBandwidth(int64_t quota, int64_t period, int64_t burst) {
    // In nanoseconds and shifted by 20 bits it must fit into 64.
    constexpr int64_t kMostUsec = 17592186044415;
    if (period < 1000 || period > 1000000) return EINVAL;
    if (quota + burst > kMostUsec) return EINVAL;
    if (quota != -1 && (quota < 1000 || burst > quota)) return EINVAL;
    if (burst < 0) return EINVAL;
    quota_usec = quota;
    period_usec = period;
    burst_usec = burst;
    return 0;
  }
};

// One cgroup of FakeCgroupFs, of either version: the files that it has, what
// they say, and what they take. Writes to cgroup.procs are FakeCgroupFs's
// matter, as a process that comes here leaves another cgroup. Not thread-safe.
class FakeCgroup {
 public:
  enum class Version { kUnified, kLegacy };

  // A root; `controllers` are those of its hierarchy.
  FakeCgroup(Version version, std::set<std::string> controllers,
             uint64_t number)
      : inode(number),
        version_(version),
        controllers_(std::move(controllers)) {}
  FakeCgroup(std::shared_ptr<FakeCgroup> parent, uint64_t number)
      : inode(number),
        version_(parent->version_),
        controllers_(parent->controllers_),
        parent_(std::move(parent)) {}

  const uint64_t inode;
  bool removed = false;
  bool has_pressure = true;  // else reading it is EOPNOTSUPP
  FakeCpu cpu;
  std::set<int64_t> processes;
  int64_t usage_usec = 0;
  int64_t throttled_usec = 0;
  int64_t pressure_some_usec = 0;
  int64_t threads = 0;  // of the pids controller: in it and below

  std::vector<std::string> Files() const;
  // Both: 0, or an errno value. `name` is one of Files().
  int Read(absl::string_view name, std::string& text) const;
  int Write(absl::string_view name, absl::string_view data);

  bool IsRoot() const { return parent_ == nullptr; }
  bool IsLegacy() const { return version_ == Version::kLegacy; }
  // It has threads, not processes; and its siblings take neither.
  bool threaded = false;
  bool invalid = false;
  int64_t max_descendants = -1;  // -1: as many as you like
  const FakeCgroup* parent() const { return parent_.get(); }
  // Whether `controller` is on for the children.
  bool IsOnForChildren(const std::string& controller) const {
    return subtree_control_.contains(controller);
  }
  // Controllers are on for the children, who compete with no process of its.
  bool IsForChildren() const { return !IsRoot() && !subtree_control_.empty(); }
  bool HasController(const std::string& name) const {
    return Controllers().contains(name);
  }

 private:
  const std::set<std::string>& Controllers() const {
    return IsRoot() || version_ == Version::kLegacy ? controllers_
                                                    : parent_->subtree_control_;
  }
  std::string CpuStat() const;
  std::string Pressure() const;
  int ReadCpu(absl::string_view name, std::string& text) const;
  int WriteCpu(absl::string_view name, absl::string_view data);
  int WriteCpuMax(absl::string_view data);
  int WriteSubtreeControl(absl::string_view data);

  const Version version_;
  const std::set<std::string> controllers_;
  const std::shared_ptr<FakeCgroup> parent_;
  std::set<std::string> subtree_control_;
};

inline std::vector<std::string> FakeCgroup::Files() const {
  std::vector<std::string> files = {"cgroup.procs"};
  const auto add = [&files](std::initializer_list<const char*> more) {
    files.insert(files.end(), more.begin(), more.end());
  };
  if (version_ == Version::kUnified) {
    add({"cgroup.controllers", "cgroup.subtree_control", "cgroup.threads",
         "cgroup.max.descendants", "cpu.stat", "cpu.pressure"});
    if (!IsRoot()) add({"cgroup.type"});
    if (HasController("cpu") && !IsRoot())
      add({"cpu.weight", "cpu.idle", "cpu.max", "cpu.max.burst"});
    if (HasController("pids") && !IsRoot()) add({"pids.current"});
    return files;
  }
  add({"tasks"});
  if (HasController("cpu")) {
    add({"cpu.shares", "cpu.idle", "cpu.cfs_quota_us", "cpu.cfs_period_us",
         "cpu.cfs_burst_us"});
  }
  if (HasController("cpuacct")) add({"cpuacct.usage"});
  return files;
}

inline std::string FakeCgroup::CpuStat() const {
  std::string text = absl::StrCat("usage_usec ", usage_usec, "\nuser_usec ",
                                  usage_usec, "\nsystem_usec 0\n");
  if (HasController("cpu") && !IsRoot()) {
    absl::StrAppend(&text, "nr_periods 0\nnr_throttled 0\nthrottled_usec ",
                    throttled_usec, "\n");
  }
  return text;
}

inline std::string FakeCgroup::Pressure() const {
  return absl::StrCat(
      "some avg10=0.00 avg60=0.00 avg300=0.00 total=", pressure_some_usec,
      "\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=0\n");
}

inline int FakeCgroup::Read(absl::string_view name, std::string& text) const {
  const auto joined = [](const auto& parts, const char* separator) {
    return parts.empty() ? "" : absl::StrJoin(parts, separator) + "\n";
  };
  if (name == "cgroup.procs" && (threaded || invalid)) return EOPNOTSUPP;
  if (name == "cgroup.procs" || name == "cgroup.threads" || name == "tasks") {
    text = joined(processes, "\n");
  } else if (name == "cgroup.type") {
    text = threaded ? "threaded\n" : invalid ? "domain invalid\n" : "domain\n";
  } else if (name == "cgroup.max.descendants") {
    text = max_descendants < 0 ? "max\n" : absl::StrCat(max_descendants, "\n");
  } else if (name == "cgroup.controllers") {
    text = joined(Controllers(), " ");
  } else if (name == "cgroup.subtree_control") {
    text = joined(subtree_control_, " ");
  } else if (name == "cpu.stat") {
    text = CpuStat();
  } else if (name == "cpuacct.usage") {
    text = absl::StrCat(usage_usec * 1000, "\n");
  } else if (name == "pids.current") {
    text = absl::StrCat(threads, "\n");
  } else if (name == "cpu.pressure") {
    if (!has_pressure) return EOPNOTSUPP;
    text = Pressure();
  } else {
    return ReadCpu(name, text);
  }
  return 0;
}

inline int FakeCgroup::ReadCpu(absl::string_view name,
                               std::string& text) const {
  if (name == "cpu.max") {
    text =
        absl::StrCat(cpu.quota_usec < 0 ? "max" : absl::StrCat(cpu.quota_usec),
                     " ", cpu.period_usec, "\n");
    return 0;
  }
  int64_t value = 0;
  if (name == "cpu.weight") {
    value = cpu.idle ? 0 : cpu.weight;
  } else if (name == "cpu.shares") {
    value = cpu.idle ? 3 : cpu.shares;
  } else if (name == "cpu.idle") {
    value = cpu.idle ? 1 : 0;
  } else if (name == "cpu.cfs_quota_us") {
    value = cpu.quota_usec;
  } else if (name == "cpu.cfs_period_us") {
    value = cpu.period_usec;
  } else {  // cpu.max.burst, cpu.cfs_burst_us
    value = cpu.burst_usec;
  }
  text = absl::StrCat(value, "\n");
  return 0;
}

inline int FakeCgroup::Write(absl::string_view name, absl::string_view data) {
  if (name == "cgroup.subtree_control") return WriteSubtreeControl(data);
  if (name == "cgroup.max.descendants")
    return absl::SimpleAtoi(data, &max_descendants) ? 0 : EINVAL;
  if (name == "cgroup.type") {
    // There is no way back.
    if (data != "threaded") return EINVAL;
    threaded = true;
    return 0;
  }
  // The root is the machine: the kernel takes no values for it.
  if (IsRoot()) return EINVAL;
  if (name == "cpu.max") return WriteCpuMax(data);
  return WriteCpu(name, data);
}

inline int FakeCgroup::WriteCpu(absl::string_view name,
                                absl::string_view data) {
  int64_t value = 0;
  if (!absl::SimpleAtoi(data, &value)) return EINVAL;
  if (name == "cpu.weight") return cpu.SetWeight(value);
  if (name == "cpu.shares") return cpu.SetShares(value);
  if (name == "cpu.idle") return cpu.SetIdle(value);
  if (name == "cpu.cfs_quota_us")
    return cpu.SetBandwidth(value, cpu.period_usec, cpu.burst_usec);
  if (name == "cpu.cfs_period_us")
    return cpu.SetBandwidth(cpu.quota_usec, value, cpu.burst_usec);
  if (name == "cpu.max.burst" || name == "cpu.cfs_burst_us")
    return cpu.SetBandwidth(cpu.quota_usec, cpu.period_usec, value);
  return EINVAL;
}

// "$QUOTA" or "$QUOTA $PERIOD": a single number keeps the period.
inline int FakeCgroup::WriteCpuMax(absl::string_view data) {
  const std::vector<absl::string_view> fields =
      absl::StrSplit(data, absl::ByAnyChar(" \n"), absl::SkipEmpty());
  int64_t quota = -1;
  int64_t period = cpu.period_usec;
  if (fields.empty() ||
      (fields[0] != "max" &&
       (!absl::SimpleAtoi(fields[0], &quota) || quota < 0)) ||
      (fields.size() > 1 && !absl::SimpleAtoi(fields[1], &period))) {
    return EINVAL;
  }
  return cpu.SetBandwidth(quota, period, cpu.burst_usec);
}

inline int FakeCgroup::WriteSubtreeControl(absl::string_view data) {
  static constexpr absl::string_view kKnown[] = {"cpu", "cpuset", "io",
                                                 "memory", "pids"};
  std::set<std::string> next = subtree_control_;
  for (const absl::string_view token :
       absl::StrSplit(data, absl::ByAnyChar(" \n"), absl::SkipEmpty())) {
    const std::string controller(token.substr(1));
    if (std::find(std::begin(kKnown), std::end(kKnown), controller) ==
            std::end(kKnown) ||
        (token[0] != '+' && token[0] != '-')) {
      return EINVAL;
    }
    if (!HasController(controller)) return ENOENT;
    // What competes with children is a process of nobody's share.
    if (token[0] == '+' && !IsRoot() && !processes.empty()) return EBUSY;
    if (token[0] == '+') {
      next.insert(controller);
    } else {
      next.erase(controller);
    }
  }
  subtree_control_ = std::move(next);
  return 0;
}

}  // namespace fairsched::testing

#endif  // FAIRSCHED_TESTS_SUPPORT_FAKE_CGROUP_H_
