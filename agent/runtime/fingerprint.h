// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_RUNTIME_FINGERPRINT_H_
#define FAIRSCHED_AGENT_RUNTIME_FINGERPRINT_H_

#include <string>

#include "absl/strings/string_view.h"

namespace fairsched::runtime {

// 64-bit FNV-1a as 16 hexadecimal digits: the same in every process, unlike
// absl::Hash. It tells what changed or is torn; whoever wants to can forge it.
std::string Fingerprint(absl::string_view text);

}  // namespace fairsched::runtime

#endif  // FAIRSCHED_AGENT_RUNTIME_FINGERPRINT_H_
