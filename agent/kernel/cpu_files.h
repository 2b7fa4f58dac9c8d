// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_KERNEL_CPU_FILES_H_
#define FAIRSCHED_AGENT_KERNEL_CPU_FILES_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "agent/kernel/file_system.h"
#include "agent/kernel/hierarchies.h"

namespace fairsched::kernel {

// The files of the cpu controller that hold one cgroup's values. Each version
// of cgroups has its own; `kPeriod` is in cpu.max on v2, and a file on v1 only.
enum class CpuFile { kWeight, kIdle, kMax, kPeriod, kBurst };
inline constexpr std::array kAllCpuFiles = {CpuFile::kWeight, CpuFile::kIdle,
                                            CpuFile::kMax, CpuFile::kPeriod,
                                            CpuFile::kBurst};

// "cpu.weight", ...; empty: this version has no such file.
absl::string_view NameOf(CpuFile file, Backend backend);

// The text of each such file that a cgroup has, without its newline, by name.
using CpuTexts = std::vector<std::pair<std::string, std::string>>;

// Called with each file that was written, and how that went.
using WroteText = absl::FunctionRef<void(CpuFile, const absl::Status&)>;

// These files of one cgroup, kept open. They come and go with the controller.
// Codes are those of FileSystem. Not thread-safe.
class CpuFiles {
 public:
  CpuFiles(FileSystem& fs, std::string directory, Backend backend)
      : fs_(fs), directory_(std::move(directory)), backend_(backend) {}

  // Opens what there is, if that is not done. NotFound: no weight, so either
  // the controller is off or the cgroup is gone.
  absl::Status Open();
  void Close();
  bool is_open() const { return Has(CpuFile::kWeight); }
  // False while it isn't open.
  bool Has(CpuFile file) const { return files_[Index(file)] != nullptr; }

  // The file must be there.
  absl::StatusOr<std::string> Read(CpuFile file);
  absl::Status Write(CpuFile file, absl::string_view text);

  // All texts, as they are.
  absl::StatusOr<CpuTexts> ReadTexts();
  // Makes the files read `texts` again, by as few writes as that takes, in an
  // order that the kernel takes. What it has no file for is let pass.
  absl::Status WriteTexts(const CpuTexts& texts, WroteText wrote);

  Backend backend() const { return backend_; }
  const std::string& directory() const { return directory_; }
  // Reads, also failed ones.
  int64_t reads() const { return reads_; }

 private:
  static size_t Index(CpuFile file) { return static_cast<size_t>(file); }
  // Whether it is there and has another text than `text`; "" is no text.
  bool Differs(CpuFile file, absl::string_view text);
  // Writes it, if that differs.
  absl::Status Restore(CpuFile file, absl::string_view text, WroteText wrote);

  FileSystem& fs_;
  const std::string directory_;
  const Backend backend_;
  std::array<std::unique_ptr<File>, kAllCpuFiles.size()> files_;
  int64_t reads_ = 0;
};

}  // namespace fairsched::kernel

#endif  // FAIRSCHED_AGENT_KERNEL_CPU_FILES_H_
