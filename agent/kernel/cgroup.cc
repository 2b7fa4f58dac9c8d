// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/cgroup.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "agent/core/status_macros.h"
#include "agent/kernel/cpu_max.h"
#include "agent/kernel/cpu_stat.h"
#include "agent/kernel/cpu_weight.h"
#include "agent/kernel/kernel_text.h"
#include "agent/kernel/optional_file.h"
#include "agent/kernel/pressure.h"
#include "agent/kernel/tree_layout.h"

namespace fairsched::kernel {

Cgroup::Cgroup(FileSystem& fs, const Hierarchies& hierarchies, std::string path,
               uint64_t inode)
    : fs_(fs),
      legacy_(hierarchies.backend == Backend::kLegacy),
      path_(std::move(path)),
      stat_dir_(!legacy_                      ? hierarchies.cpu + path_
                : hierarchies.unified.empty() ? ""
                                              : hierarchies.unified + path_),
      usage_dir_(absl::StrCat(hierarchies.cpuacct, path_)),
      inode_(inode),
      values_(fs, hierarchies.cpu + path_, hierarchies.backend) {}

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
        absl::StrCat("open ", cgroup->directory(), ": removed meanwhile"));
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
  const absl::Status opened = values_.Open();
  return opened.ok() ? opened : Judge(opened);
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

absl::StatusOr<CgroupValues> Cgroup::ReadValues() {
  RETURN_IF_ERROR(OpenValues());
  CgroupValues values;
  for (const CpuFile file :
       {CpuFile::kIdle, CpuFile::kWeight, CpuFile::kMax, CpuFile::kBurst}) {
    // On v1 an idle cgroup reads like one of the least weight.
    if (file == CpuFile::kWeight && values.idle) continue;
    if (Has(file)) RETURN_IF_ERROR(ReadValue(file, values));
  }
  return values;
}

absl::Status Cgroup::ReadValue(CpuFile file, CgroupValues& into) {
  const absl::StatusOr<std::string> text = values_.Read(file);
  if (!text.ok()) return Judge(text.status());
  if (file == CpuFile::kIdle) {
    ASSIGN_OR_RETURN(into.idle, ParseCpuIdle(*text));
  } else if (file == CpuFile::kBurst) {
    ASSIGN_OR_RETURN(const int64_t usec, ParseCount(*text, "cpu.max.burst"));
    into.burst = core::CpuTime::Usec(usec);
  } else if (file == CpuFile::kWeight && legacy_) {
    ASSIGN_OR_RETURN(into.weight, ParseCpuShares(*text));
  } else if (file == CpuFile::kWeight) {
    ASSIGN_OR_RETURN(const std::optional<int32_t> weight,
                     ParseCpuWeight(*text));
    // 0: it went idle since cpu.idle was read.
    if (!weight.has_value()) into.idle = true;
    into.weight = weight.value_or(into.weight);
  } else if (!legacy_) {
    ASSIGN_OR_RETURN(into.max, ParseCpuMax(*text));
  } else {  // either of the two
    const CpuFile other =
        file == CpuFile::kMax ? CpuFile::kPeriod : CpuFile::kMax;
    const absl::StatusOr<std::string> rest = values_.Read(other);
    if (!rest.ok()) return Judge(rest.status());
    ASSIGN_OR_RETURN(into.max, file == CpuFile::kMax
                                   ? ParseCfsBandwidth(*text, *rest)
                                   : ParseCfsBandwidth(*rest, *text));
  }
  return absl::OkStatus();
}

absl::Status Cgroup::Write(const PlannedWrite& write) {
  RETURN_IF_ERROR(OpenValues());
  if (!Has(write.file)) {
    return absl::InvalidArgumentError(
        absl::StrCat("write ", directory(), "/", NameOf(write.file, backend()),
                     ": this kernel has no such file"));
  }
  const absl::Status written = values_.Write(write.file, write.text);
  if (written.ok()) return written;
  if (absl::IsInvalidArgument(written)) {
    return absl::InvalidArgumentError(
        absl::StrCat(written.message(), ParentsRatio(write.file)));
  }
  return Judge(written);
}

std::string Cgroup::ParentsRatio(CpuFile file) {
  if (!legacy_ || (file != CpuFile::kMax && file != CpuFile::kPeriod))
    return "";
  const std::string parent = ParentOf(directory());
  const absl::StatusOr<std::string> quota =
      fs_.Read(absl::StrCat(parent, "/", NameOf(CpuFile::kMax, backend())));
  const absl::StatusOr<std::string> period =
      fs_.Read(absl::StrCat(parent, "/", NameOf(CpuFile::kPeriod, backend())));
  if (!quota.ok() || !period.ok()) return "";
  const absl::StatusOr<CpuMax> max = ParseCfsBandwidth(*quota, *period);
  if (!max.ok() || !max->quota.has_value()) return "";
  return absl::StrCat(": its parent has ", max->quota->usec(), " us in every ",
                      absl::ToInt64Microseconds(max->period), " us");
}

absl::StatusOr<CpuTexts> Cgroup::ReadTexts() {
  absl::StatusOr<CpuTexts> texts = values_.ReadTexts();
  if (!texts.ok()) return Judge(texts.status());
  return texts;
}

absl::Status Cgroup::WriteTexts(const CpuTexts& texts, WroteText wrote) {
  const absl::Status written = values_.WriteTexts(texts, wrote);
  return written.ok() ? written : Judge(written);
}

bool Cgroup::Exists() {
  const absl::StatusOr<uint64_t> inode = fs_.Inode(directory());
  return inode.ok() && *inode == inode_;
}

absl::Status Cgroup::Judge(absl::Status error) {
  if (!absl::IsNotFound(error) || !Exists()) return error;
  values_.Close();
  return absl::UnimplementedError(
      absl::StrCat(error.message(),
                   ": the cpu controller is off for this cgroup; CPUWeight= in "
                   "its unit turns it on"));
}

}  // namespace fairsched::kernel
