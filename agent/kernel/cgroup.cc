// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/cgroup.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "agent/core/status_macros.h"
#include "agent/kernel/cpu_stat.h"
#include "agent/kernel/cpu_weight.h"
#include "agent/kernel/optional_file.h"
#include "agent/kernel/pressure.h"

namespace fairsched::kernel {

Cgroup::Cgroup(FileSystem& fs, const Hierarchies& hierarchies, std::string path,
               uint64_t inode)
    : fs_(fs),
      legacy_(hierarchies.backend == Backend::kLegacy),
      path_(std::move(path)),
      cpu_dir_(absl::StrCat(hierarchies.cpu, path_)),
      stat_dir_(!legacy_                      ? cpu_dir_
                : hierarchies.unified.empty() ? ""
                                              : hierarchies.unified + path_),
      usage_dir_(absl::StrCat(hierarchies.cpuacct, path_)),
      inode_(inode),
      last_weight_(kDefaultWeight) {}

absl::StatusOr<std::unique_ptr<Cgroup>> Cgroup::Open(
    FileSystem& fs, const Hierarchies& hierarchies, std::string path) {
  ASSIGN_OR_RETURN(const uint64_t inode,
                   fs.Inode(absl::StrCat(hierarchies.cpu, path)));
  std::unique_ptr<Cgroup> cgroup(
      new Cgroup(fs, hierarchies, std::move(path), inode));
  RETURN_IF_ERROR(cgroup->OpenCounters());
  const absl::Status values = cgroup->OpenValues();
  if (!values.ok() && !absl::IsUnimplemented(values)) return values;
  // Made anew while its files were opened: some may be of the old one.
  if (!cgroup->Exists()) {
    return absl::NotFoundError(
        absl::StrCat("open ", cgroup->cpu_dir_, ": removed meanwhile"));
  }
  return cgroup;
}

absl::Status Cgroup::OpenCounters() {
  if (stat_dir_.empty()) {
    ASSIGN_OR_RETURN(usage_, fs_.Open(usage_dir_ + "/cpuacct.usage"));
    return absl::OkStatus();
  }
  ASSIGN_OR_RETURN(usage_, fs_.Open(stat_dir_ + "/cpu.stat"));
  ASSIGN_OR_RETURN(pressure_, OpenIfThere(fs_, stat_dir_ + "/cpu.pressure"));
  return absl::OkStatus();
}

absl::Status Cgroup::OpenValues() {
  if (weight_ != nullptr) return absl::OkStatus();
  const std::string weight_path = absl::StrCat(cpu_dir_, "/", weight_file());
  ASSIGN_OR_RETURN(idle_,
                   OpenIfThere(fs_, absl::StrCat(cpu_dir_, "/", kIdleFile)));
  ASSIGN_OR_RETURN(weight_, OpenIfThere(fs_, weight_path));
  if (weight_ != nullptr) return absl::OkStatus();
  return Judge(absl::NotFoundError(absl::StrCat("open ", weight_path)));
}

absl::StatusOr<std::string> Cgroup::Read(File& file) {
  ++reads_;
  return file.Read();
}

absl::StatusOr<CgroupCounters> Cgroup::ReadCounters() {
  CgroupCounters result;
  ASSIGN_OR_RETURN(const std::string usage, Read(*usage_));
  if (stat_dir_.empty()) {
    ASSIGN_OR_RETURN(result.usage, ParseCpuacctUsage(usage));
  } else {
    ASSIGN_OR_RETURN(const CpuStat stat, ParseCpuStat(usage));
    result.usage = stat.usage;
    result.throttled = stat.throttled;
  }
  if (pressure_ == nullptr) return result;
  const absl::StatusOr<std::string> pressure = Read(*pressure_);
  if (absl::IsUnimplemented(pressure.status())) {
    // The kernel was started without it, and stays so.
    pressure_.reset();
    return result;
  }
  RETURN_IF_ERROR(pressure.status());
  ASSIGN_OR_RETURN(result.pressure_some, ParsePressureSome(*pressure));
  return result;
}

absl::StatusOr<core::CpuTime> Cgroup::ReadUsage() {
  ASSIGN_OR_RETURN(const std::string usage, Read(*usage_));
  if (stat_dir_.empty()) return ParseCpuacctUsage(usage);
  ASSIGN_OR_RETURN(const CpuStat stat, ParseCpuStat(usage));
  return stat.usage;
}

absl::StatusOr<core::CpuValues> Cgroup::ReadValues() {
  RETURN_IF_ERROR(OpenValues());
  core::CpuValues result{.weight = last_weight_, .idle = false};
  if (idle_ != nullptr) {
    const absl::StatusOr<std::string> text = Read(*idle_);
    if (!text.ok()) return Judge(text.status());
    ASSIGN_OR_RETURN(result.idle, ParseCpuIdle(*text));
    if (result.idle) return result;
  }
  const absl::StatusOr<std::string> text = Read(*weight_);
  if (!text.ok()) return Judge(text.status());
  if (legacy_) {
    ASSIGN_OR_RETURN(result.weight, ParseCpuShares(*text));
    return result;
  }
  ASSIGN_OR_RETURN(const std::optional<int32_t> weight, ParseCpuWeight(*text));
  // It went idle since cpu.idle was read.
  if (!weight.has_value()) result.idle = true;
  result.weight = weight.value_or(last_weight_);
  return result;
}

absl::Status Cgroup::SetWeight(int32_t weight) {
  RETURN_IF_ERROR(OpenValues());
  const absl::Status written = weight_->Write(
      legacy_ ? FormatCpuShares(weight) : FormatCpuWeight(weight));
  if (!written.ok()) return Judge(written);
  last_weight_ = weight;
  return absl::OkStatus();
}

absl::Status Cgroup::SetIdle(bool idle) {
  RETURN_IF_ERROR(OpenValues());
  if (idle_ == nullptr) {
    return absl::UnimplementedError(absl::StrCat(
        "write ", cpu_dir_, "/", kIdleFile, ": this kernel has no such file"));
  }
  const absl::Status written = idle_->Write(FormatCpuIdle(idle));
  if (!written.ok()) return Judge(written);
  return absl::OkStatus();
}

bool Cgroup::Exists() {
  const absl::StatusOr<uint64_t> inode = fs_.Inode(cpu_dir_);
  return inode.ok() && *inode == inode_;
}

absl::Status Cgroup::Judge(absl::Status error) {
  if (!absl::IsNotFound(error) || !Exists()) return error;
  weight_.reset();
  idle_.reset();
  return absl::UnimplementedError(absl::StrCat(
      error.message(), ": the cpu controller is off for this cgroup"));
}

}  // namespace fairsched::kernel
